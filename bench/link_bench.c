// Measures tenon's linker against the library that it calls, in one process and interleaved, so
// that the ratio holds on a busy machine. One JSON line per figure.
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tenon.h>
#include <time.h>
#include <unistd.h>

#include "raw.h"
#include "units.h"

extern char **environ;

enum { UNITS_MAX = 400, REPS_MAX = 4000, SOURCE_MAX = 1 << 16, VARIANTS = 4 };

typedef struct inputs {
    size_t count;
    tenon_object *objects[UNITS_MAX];  // made by tenon in this process, or NULL
    tenon_bytes cubins[UNITS_MAX];
    char *names[UNITS_MAX];
} inputs;

static char version[32];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

// Sorts the values.
static void emit(const char *what, const char *peer, double *values, size_t count, size_t units)
{
    double middle = median(values, count);
    printf(
        "{\"what\": \"%s\", \"peer\": \"%s\", \"version\": \"%s\", \"n\": %zu, \"median\": %.2f, "
        "\"min\": %.2f, \"max\": %.2f, \"unit\": \"us\", \"units\": %zu}\n",
        what, peer, version, count, middle, values[0], values[count - 1], units);
    fflush(stdout);
}

static int fail(tenon_status *status)
{
    fprintf(stderr, "link_bench: %s\n%s", tenon_status_message(status), tenon_status_log(status));
    tenon_status_free(status);
    return 1;
}

static int open_library(void)
{
    const char *path = NULL;
    uint32_t major = 0, minor = 0;
    tenon_status *status = tenon_toolkit_library(TENON_LIBRARY_NVJITLINK, &path, &major, &minor);
    if (status) return fail(status);
    snprintf(version, sizeof(version), "%u.%u", (unsigned)major, (unsigned)minor);
    return bench_raw_open(path) ? 0 : 1;
}

static tenon_status *compile(const char *name, size_t index, size_t count,
                             tenon_object **out_object)
{
    static char source[SOURCE_MAX];
    size_t size = bench_unit(source, sizeof(source), index, count);
    if (!size) return tenon_status_make(TENON_INTERNAL, "unit %zu is too large", index);
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = "sm_90";
    tenon_program *program = NULL;
    tenon_status *status =
        tenon_program_create(&options, name, (tenon_bytes){source, size}, &program);
    if (!status) status = tenon_program_compile(program, TENON_KIND_CUBIN, out_object);
    tenon_program_release(program);
    return status;
}

static char *unit_name(size_t index, const char *suffix)
{
    char *name = malloc(32);
    if (!name) abort();
    snprintf(name, 32, "u%zu.%s", index, suffix);
    return name;
}

static int make_units(inputs *in, size_t count)
{
    in->count = count;
    for (size_t i = 0; i < count; i++) {
        in->names[i] = unit_name(i, "cubin");
        tenon_status *status = compile(in->names[i], i, count, &in->objects[i]);
        if (status) return fail(status);
        in->cubins[i] = tenon_object_bytes(in->objects[i]);
    }
    return 0;
}

static void drop_units(inputs *in)
{
    for (size_t i = 0; i < in->count; i++) {
        tenon_object_release(in->objects[i]);
        free(in->names[i]);
    }
    memset(in, 0, sizeof(*in));
}

// Links through tenon: objects that it knows, or bytes that it has never seen.
static tenon_status *link_units(const inputs *in, int known, uint32_t isolation)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.arch = "sm_90";
    options.isolation = isolation;
    tenon_linker *linker = NULL;
    tenon_object *linked = NULL;
    tenon_status *status = tenon_linker_create(&options, &linker);
    for (size_t i = 0; !status && i < in->count; i++) {
        status = known ? tenon_linker_add_object(linker, in->objects[i])
                       : tenon_linker_add(linker, in->names[i], TENON_KIND_CUBIN, in->cubins[i]);
    }
    if (!status) status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &linked);
    tenon_object_release(linked);
    tenon_linker_release(linker);
    return status;
}

// The variants, by number: raw, objects known, bytes, bytes through the worker.
static int link_variant(const inputs *in, size_t variant)
{
    tenon_status *status = NULL;
    if (variant == 0)
        return bench_raw_link(in->cubins, (const char *const *)in->names, in->count) == 0;
    if (variant == 1) status = link_units(in, 1, TENON_ISOLATION_AUTO);
    if (variant == 2) status = link_units(in, 0, TENON_ISOLATION_IN_PROCESS);
    if (variant == 3) status = link_units(in, 0, TENON_ISOLATION_WORKER);
    return status ? fail(status) : 0;
}

// How one variant compares with the floor, link by link in pairs: what slows the machine down for a
// while slows both down. Has to come before emit(), which sorts.
static void emit_ratio(const char *peer, const double *values, const double *floors, size_t reps,
                       size_t units)
{
    static double ratios[REPS_MAX], extra[REPS_MAX];
    for (size_t i = 0; i < reps; i++) {
        ratios[i] = values[i] / floors[i];
        extra[i] = values[i] - floors[i];
    }
    printf(
        "{\"what\": \"link.cubin.paired\", \"peer\": \"%s\", \"version\": \"%s\", \"n\": %zu, "
        "\"ratio\": %.4f, \"extra\": %.2f, \"units\": %zu}\n",
        peer, version, reps, median(ratios, reps), median(extra, reps), units);
    fflush(stdout);
}

static int measure_links(size_t count, size_t reps)
{
    // All orders of the variants in one process, so that none always comes after the same other.
    static const unsigned char orders[6][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2},
                                               {2, 0, 1}, {1, 2, 0}, {0, 2, 1}};
    static const char *const peers[VARIANTS] = {"nvJitLink-C", "tenon", "tenon-bytes",
                                                "tenon-worker"};
    static double times[VARIANTS][REPS_MAX];
    static inputs in;
    enum { WARM = 2 };
    int failed = make_units(&in, count);
    for (size_t rep = 0; !failed && rep < reps + WARM; rep++) {
        for (size_t i = 0; !failed && i < 3; i++) {
            size_t variant = orders[rep % 6][i];
            double start = now();
            failed = link_variant(&in, variant);
            if (rep >= WARM) times[variant][rep - WARM] = now() - start;
        }
    }
    // Apart, since a new process leaves cold caches to what comes next.
    size_t worker_reps = reps / 10 + 5;
    for (size_t rep = 0; !failed && rep < worker_reps; rep++) {
        double start = now();
        failed = link_variant(&in, 3);
        times[3][rep] = now() - start;
    }
    if (!failed) {
        emit_ratio(peers[1], times[1], times[0], reps, count);
        emit_ratio(peers[2], times[2], times[0], reps, count);
        for (size_t i = 0; i < 3; i++) emit("link.cubin.full", peers[i], times[i], reps, count);
        emit("link.cubin.full", peers[3], times[3], worker_reps, count);
    }
    drop_units(&in);
    return failed;
}

static int write_units(const char *folder, size_t count)
{
    static inputs in;
    int failed = make_units(&in, count);
    for (size_t i = 0; !failed && i < count; i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, in.names[i]);
        FILE *file = fopen(path, "wb");
        failed = !file || fwrite(in.cubins[i].data, 1, in.cubins[i].size, file) == 0;
        if (file && fclose(file)) failed = 1;
        if (failed) perror(path);
    }
    drop_units(&in);
    return failed;
}

static int read_units(inputs *in, const char *folder, size_t count, size_t *out_total)
{
    in->count = count;
    for (size_t i = 0; i < count; i++) {
        char path[4096];
        in->names[i] = unit_name(i, "cubin");
        snprintf(path, sizeof(path), "%s/%s", folder, in->names[i]);
        FILE *file = fopen(path, "rb");
        if (!file) return perror(path), 1;
        enum { CUBIN_MAX = 1 << 20 };
        static char bytes[CUBIN_MAX];
        size_t size = fread(bytes, 1, sizeof(bytes), file);
        fclose(file);
        char *copy = malloc(size);
        if (!size || !copy) return 1;
        memcpy(copy, bytes, size);
        in->cubins[i] = (tenon_bytes){copy, size};
        *out_total += size;
    }
    return 0;
}

static long peak_kib(void)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof(line), file)) {
        if (!strncmp(line, "VmHWM:", 6)) kib = strtol(line + 6, NULL, 10);
    }
    if (file) fclose(file);
    return kib;
}

// Links what is in the folder once. A process of its own per peer, or the peaks would mix.
static int measure_memory(const char *peer, const char *folder, size_t count)
{
    static inputs in;
    size_t total = 0;
    if (read_units(&in, folder, count, &total)) return 1;
    int failed = link_variant(&in, strcmp(peer, "tenon-bytes") == 0 ? 2 : 0);
    printf(
        "{\"what\": \"link.peak_memory\", \"peer\": \"%s\", \"version\": \"%s\", \"units\": %zu, "
        "\"value\": %ld, \"inputs\": %zu, \"unit\": \"KiB\"}\n",
        peer, version, count, peak_kib(), total / 1024);
    return failed;
}

// Starts a command again and again, its output thrown away.
static int measure_command(char **argv)
{
    enum { RUNS = 300 };
    static double times[RUNS];
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
    for (size_t i = 0; i < RUNS; i++) {
        pid_t child = 0;
        int code = 0;
        double start = now();
        errno = posix_spawn(&child, argv[0], &quiet, NULL, argv, environ);
        if (errno || waitpid(child, &code, 0) != child || code) return perror(argv[0]), 1;
        times[i] = now() - start;
    }
    posix_spawn_file_actions_destroy(&quiet);
    emit("process", "tenon version", times, RUNS, 0);
    return 0;
}

static const char usage[] =
    "usage: link_bench time UNITS REPETITIONS    (at most 400 and 4000)\n"
    "       link_bench units FOLDER UNITS\n"
    "       link_bench memory nvJitLink-C|tenon-bytes FOLDER UNITS\n"
    "       link_bench process COMMAND ARGUMENT...\n";

static size_t number(const char *text, size_t max)
{
    unsigned long value = strtoul(text, NULL, 10);
    return value > 0 && value <= max ? (size_t)value : 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    if (!strcmp(what, "process")) return measure_command(argv + 2);
    if (argc == 4 && !strcmp(what, "time")) {
        size_t count = number(argv[2], UNITS_MAX), reps = number(argv[3], REPS_MAX);
        if (count && reps) return open_library() || measure_links(count, reps);
    }
    if (argc == 4 && !strcmp(what, "units")) {
        size_t count = number(argv[3], UNITS_MAX);
        if (count) return write_units(argv[2], count);
    }
    if (argc == 5 && !strcmp(what, "memory")) {
        size_t count = number(argv[4], UNITS_MAX);
        if (count) return open_library() || measure_memory(argv[2], argv[3], count);
    }
    fputs(usage, stderr);
    return 2;
}
