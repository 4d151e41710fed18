#include "link/worker.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "core/try.h"
#include "link/wire.h"

/// The files between the two processes. -1: not open.
typedef struct channel {
    int job, result, printed;
    int alive_read, alive_write;  // a pipe whose other end closes when the worker is gone
} channel;

static void channel_close(channel *c)
{
    int *const all[] = {&c->job, &c->result, &c->printed, &c->alive_read, &c->alive_write};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (*all[i] >= 0) close(*all[i]);
        *all[i] = -1;
    }
}

/// Moves a descriptor out of the range that the worker's own ones have. Takes over `fd`.
static int move_up(int fd)
{
    if (fd < 0) return -1;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, 16);
    close(fd);
    return moved;
}

static tenon_status *channel_open(const tn_job *job, channel *out)
{
    tenon_status *status = NULL;
    int ends[2] = {-1, -1};
    tn_buffer bytes = {0};
    channel c = {-1, -1, -1, -1, -1};
    tn_wire_put_job(&bytes, job);
    if (bytes.failed) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the job");

    c.job = move_up(memfd_create("tenon-job", MFD_CLOEXEC));
    c.result = move_up(memfd_create("tenon-result", MFD_CLOEXEC));
    c.printed = move_up(memfd_create("tenon-printed", MFD_CLOEXEC));
    int error = c.job < 0 || c.result < 0 || c.printed < 0 || pipe2(ends, O_CLOEXEC) != 0;
    error = error ? errno : tn_file_write_all(c.job, bytes.data, bytes.size);
    c.alive_read = move_up(ends[0]);
    c.alive_write = move_up(ends[1]);
    if (!error && (c.alive_read < 0 || c.alive_write < 0)) error = errno;
    if (error) {
        status = tenon_status_make(TENON_IO, "the job cannot be given to tenon-worker: %s",
                                   strerror(error));
        channel_close(&c);
    } else {
        *out = c;
    }
    tn_buffer_deinit(&bytes);
    return status;
}

/// Notes that there is no worker at `path`, or returns true.
static bool is_worker(const char *path, tenon_status *missing)
{
    if (access(path, X_OK) == 0) return true;
    tenon_status_add_log(missing, "%s: %s\n", path, strerror(errno));
    return false;
}

/// Finds tenon-worker: $TENON_WORKER, or beside the file that this code is in.
static tenon_status *find_worker(tn_buffer *out_path)
{
    static const char *const beside[] = {"../libexec/tenon/tenon-worker", "tenon-worker"};
    const char *forced = getenv("TENON_WORKER");
    if (forced && *forced) {
        tn_buffer_puts(out_path, forced);
        if (!out_path->failed && access(forced, X_OK) == 0) return NULL;
        return tenon_status_make(
            TENON_UNAVAILABLE,
            "'%s', which TENON_WORKER names, cannot be run: %s; correct or unset it", forced,
            strerror(errno));
    }
    tenon_status *missing = tenon_status_make(
        TENON_UNAVAILABLE,
        "tenon-worker, in which inputs that tenon did not make are linked, is in none of the "
        "places that the log names; set TENON_WORKER to it, or choose to link in-process");
    Dl_info self = {0};
    const char *file = dladdr((const void *)beside, &self) && self.dli_fname ? self.dli_fname : "";
    const char *slash = strrchr(file, '/');
    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
        tn_buffer_deinit(out_path);
        tn_buffer_print(out_path, "%.*s/%s", slash ? (int)(slash - file) : 1, slash ? file : ".",
                        beside[i]);
        if (out_path->failed) break;
        if (is_worker(out_path->data, missing)) {
            tenon_status_free(missing);
            return NULL;
        }
    }
    return missing;
}

static tenon_status *spawn(const char *path, const channel *c, pid_t *out_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t defaults;
    sigemptyset(&none);
    sigfillset(&defaults);
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return tenon_status_make(TENON_OUT_OF_MEMORY, "%s: %s", path, strerror(error));
    error = posix_spawnattr_init(&attributes);
    // What the host ignores or blocks would otherwise be ignored or blocked in the worker too.
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (!error) {
        error =
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    const int moves[][2] = {{c->printed, STDOUT_FILENO},
                            {c->printed, STDERR_FILENO},
                            {c->job, TN_WORKER_JOB},
                            {c->result, TN_WORKER_RESULT},
                            {c->alive_write, TN_WORKER_ALIVE}};
    if (!error) {
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]) && !error; i++) {
        error = posix_spawn_file_actions_adddup2(&actions, moves[i][0], moves[i][1]);
    }
    // Whatever the host has open for its own children stays its own.
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, TN_WORKER_ALIVE + 1);
    char name[] = "tenon-worker";
    char *argv[] = {name, NULL};
    if (!error) error = posix_spawn(out_pid, path, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error ? tenon_status_make(TENON_UNAVAILABLE, "%s cannot be started: %s", path,
                                     strerror(error))
                 : NULL;
}

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/// True if the worker has ended; its exit status is -1 where nobody can tell, because the host
/// ignores SIGCHLD or waits for all its children itself.
static bool has_ended(pid_t pid, int flags, int *out_exit)
{
    pid_t got = waitpid(pid, out_exit, flags);
    while (got < 0 && errno == EINTR) got = waitpid(pid, out_exit, flags);
    if (got < 0) *out_exit = -1;
    return got != 0;
}

/// Waits until the worker is gone; kills it at the deadline. Returns false for that. The pipe tells
/// at once; a process that another thread of the host forked just then may hold it open, so the
/// worker is also asked for now and then.
static bool wait_for(pid_t pid, int alive, uint32_t deadline_ms, int *out_exit)
{
    enum { SLICE = 100 };
    int64_t end = now_ms() + deadline_ms;
    for (;;) {
        int64_t left = end - now_ms();
        struct pollfd poller = {alive, POLLIN, 0};
        int ready = poll(&poller, 1, left > SLICE ? SLICE : left > 0 ? (int)left : 0);
        if (ready > 0) {
            (void)has_ended(pid, 0, out_exit);
            return true;
        }
        if (has_ended(pid, WNOHANG, out_exit)) return true;
        if (now_ms() < end) continue;
        kill(pid, SIGKILL);
        (void)has_ended(pid, 0, out_exit);
        return false;
    }
}

static void list_inputs(const tn_job *job, tn_buffer *out)
{
    enum { MOST = 8 };
    for (size_t i = 0; i < job->input_count && i < MOST; i++) {
        tn_buffer_print(out, "%s'%s'", i ? ", " : "", job->inputs[i].name);
    }
    if (job->input_count > MOST) tn_buffer_print(out, " and %zu more", job->input_count - MOST);
}

static tenon_status *crashed(const tn_job *job, const char *worker, int exit_status,
                             const tn_buffer *printed)
{
    tn_buffer inputs = {0};
    list_inputs(job, &inputs);
    tenon_status *status = NULL;
    if (exit_status != -1 && WIFEXITED(exit_status) &&
        WEXITSTATUS(exit_status) == TN_WORKER_FAILED) {
        tn_buffer_deinit(&inputs);
        int line = (int)strcspn(tn_buffer_text(printed), "\n");
        status =
            tenon_status_make(TENON_INTERNAL, "%s: %.*s", worker, line, tn_buffer_text(printed));
    } else if (exit_status != -1 && WIFSIGNALED(exit_status)) {
        int number = WTERMSIG(exit_status);
        status = tenon_status_make(
            TENON_TOOL_CRASHED,
            "NVIDIA's linker (%s) was killed by signal %d (%s) while it linked %s", job->library,
            number, strsignal(number), tn_buffer_text(&inputs));
    } else {
        status =
            tenon_status_make(TENON_TOOL_CRASHED,
                              "the worker '%s' ended its process without a result, while NVIDIA's "
                              "linker (%s) linked %s",
                              worker, job->library, tn_buffer_text(&inputs));
    }
    tenon_status_add_log(status, "%s", tn_buffer_text(printed));
    tn_buffer_deinit(&inputs);
    return status;
}

/// Reads what was written to one of the memory files.
static void drain(int fd, tn_buffer *out)
{
    struct stat info;
    if (fstat(fd, &info) != 0 || info.st_size <= 0) return;
    size_t size = (size_t)info.st_size;
    char *at = tn_buffer_reserve(out, size);
    size_t got = 0;
    while (at && got < size) {
        ssize_t n = pread(fd, at + got, size - got, (off_t)got);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += (size_t)n;
    }
    if (!at) return;
    at[got] = '\0';
    out->size += got;
}

static tenon_status *collect(const tn_job *job, const char *worker, const channel *c,
                             int exit_status, tn_buffer *printed, tn_job_result *result)
{
    tn_buffer bytes = {0};
    drain(c->result, &bytes);
    tenon_status *status = NULL;
    bool clean = exit_status == 0 || exit_status == -1;
    if (bytes.failed) {
        status = tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the worker's result");
    } else if (!clean || bytes.size == 0) {
        status = crashed(job, worker, exit_status, printed);
    } else {
        status = tn_wire_get_result((tenon_bytes){bytes.data, bytes.size}, result);
    }
    tn_buffer_deinit(&bytes);
    return status;
}

tenon_status *tn_worker_run(const tn_job *job, uint32_t deadline_ms, tn_job_result *out_result)
{
    tenon_status *status = NULL;
    channel c = {-1, -1, -1, -1, -1};
    tn_buffer path = {0};
    tn_buffer printed = {0};
    pid_t pid = -1;
    int exit_status = 0;

    TN_TRY_DONE(find_worker(&path));
    TN_TRY_DONE(channel_open(job, &c));
    TN_TRY_DONE(spawn(path.data, &c, &pid));
    close(c.alive_write);
    c.alive_write = -1;
    bool in_time = wait_for(pid, c.alive_read, deadline_ms, &exit_status);
    drain(c.printed, &printed);
    if (!in_time) {
        tn_buffer inputs = {0};
        list_inputs(job, &inputs);
        status = tenon_status_make(
            TENON_DEADLINE, "NVIDIA's linker (%s) did not end within %u ms while it linked %s",
            job->library, deadline_ms, tn_buffer_text(&inputs));
        tenon_status_add_log(status, "%s", tn_buffer_text(&printed));
        tn_buffer_deinit(&inputs);
        goto done;
    }
    tn_job_result result = {0};
    TN_TRY_DONE(collect(job, path.data, &c, exit_status, &printed, &result));
    result.printed = printed;
    printed = (tn_buffer){0};
    *out_result = result;
done:
    tn_buffer_deinit(&printed);
    tn_buffer_deinit(&path);
    channel_close(&c);
    return status;
}
