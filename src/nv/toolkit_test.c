// Reports and include folders, with toolkits built of text files. What a real library adds is
// tested where there is one. Linked with --wrap, so that each allocation can be made to fail:
// __wrap_malloc, __wrap_calloc, __wrap_realloc, __wrap_strdup.
#include "nv/toolkit.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail_alloc.h"

// The vendor's libraries keep memory for as long as the process lives; ours is still checked.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\nleak:libnvrtc.so\nleak:libcuda.so\n";
}

static char root[PATH_MAX];

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
    char command[1024] = "PATH=/usr/bin:/bin; ";
    size_t length = strlen(command);
    va_list args;
    va_start(args, format);
    vsnprintf(command + length, sizeof(command) - length, format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

/// Makes empty files, and the folders above them.
static void make(const char *files)
{
    run("cd %s && for f in %s; do mkdir -p \"$(dirname $f)\" && touch $f; done", root, files);
}

static void set(const char *variable, const char *name)
{
    char path[PATH_MAX + 64];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    setenv(variable, path, 1);
}

static int start(void **state)
{
    (void)state;
    static const char *const variables[] = {"TENON_CUDA_PATH", "VIRTUAL_ENV", "CONDA_PREFIX",
                                            "CUDA_HOME",       "CUDA_PATH",   "PATH",
                                            "TENON_NVJITLINK", "TENON_NVRTC", "TENON_DRIVER"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) unsetenv(variables[i]);
    char name[] = "/tmp/tenon-toolkit-XXXXXX";
    assert_non_null(mkdtemp(name));
    assert_non_null(realpath(name, root));
    return 0;
}

static int stop(void **state)
{
    (void)state;
    run("rm -rf %s", root);
    return 0;
}

static tenon_toolkit_report *scan(void)
{
    tenon_toolkit_report *report = NULL;
    tenon_status *status = tenon_toolkit_scan(&report);
    assert_string_equal(tenon_status_message(status), "");
    return report;
}

static void report_goes_library_by_library_in_the_order_of_the_search(void **state)
{
    (void)state;
    static const char *const words[] = {
        "TENON_CUDA_PATH", "wheels", "CUDA_HOME", "CUDA_PATH", "nvcc", "loader", "usual folders"};
    tenon_toolkit_report *report = scan();
    size_t count = tenon_toolkit_report_count(report);
    uint32_t library = TENON_LIBRARY_DRIVER;
    size_t word = 0, chosen = 0;
    for (size_t i = 0; i < count; i++) {
        const tenon_candidate *c = tenon_toolkit_report_get(report, i);
        if (c->library != library) {
            assert_int_equal(c->library, library + 1);
            library = c->library;
            word = chosen = 0;
        }
        if (library == TENON_LIBRARY_DRIVER) continue;
        while (word < 7 && strcmp(words[word], c->place) != 0) word++;
        assert_in_range(word, 0, 6);
        if (c->state == TENON_CANDIDATE_CHOSEN) chosen++;
        assert_in_range(chosen, 0, 1);
        assert_true((*c->why == '\0') == (c->state == TENON_CANDIDATE_CHOSEN));
    }
    assert_int_equal(library, TENON_LIBRARY_NVJITLINK);
    assert_null(tenon_toolkit_report_get(report, count));
    tenon_toolkit_report_free(report);
    tenon_toolkit_report_free(NULL);
}

/// Returns the first candidate of a library in a place.
static const tenon_candidate *find(const tenon_toolkit_report *report, tenon_library library,
                                   const char *place)
{
    for (size_t i = 0; i < tenon_toolkit_report_count(report); i++) {
        const tenon_candidate *c = tenon_toolkit_report_get(report, i);
        if (c->library == (uint32_t)library && strcmp(c->place, place) == 0) return c;
    }
    fail_msg("no candidate in %s", place);
    return NULL;
}

static void file_that_is_no_library_is_unusable_with_the_loaders_words(void **state)
{
    (void)state;
    make("cuda/lib/libnvJitLink.so.13");
    set("TENON_CUDA_PATH", "cuda");
    tenon_toolkit_report *report = scan();
    const tenon_candidate *c = find(report, TENON_LIBRARY_NVJITLINK, "TENON_CUDA_PATH");
    assert_int_equal(c->state, TENON_CANDIDATE_UNUSABLE);
    assert_non_null(strstr(c->path, "/cuda/lib/libnvJitLink.so.13"));
    assert_non_null(strstr(c->why, "file too short"));
    c = find(report, TENON_LIBRARY_NVRTC, "TENON_CUDA_PATH");
    assert_int_equal(c->state, TENON_CANDIDATE_ABSENT);
    tenon_toolkit_report_free(report);
}

static void nothing_else_is_chosen_where_a_variable_names_a_file(void **state)
{
    (void)state;
    set("TENON_NVRTC", "gone/libnvrtc.so");
    tenon_toolkit_report *report = scan();
    const tenon_candidate *c = find(report, TENON_LIBRARY_NVRTC, "explicit");
    assert_int_equal(c->state, TENON_CANDIDATE_ABSENT);
    for (size_t i = 0; i < tenon_toolkit_report_count(report); i++) {
        c = tenon_toolkit_report_get(report, i);
        if (c->library != TENON_LIBRARY_NVRTC) continue;
        assert_int_not_equal(c->state, TENON_CANDIDATE_CHOSEN);
        if (c->state == TENON_CANDIDATE_LATER) assert_non_null(strstr(c->why, "TENON_NVRTC"));
    }
    tenon_toolkit_report_free(report);
}

static void scan_disturbs_no_choice(void **state)
{
    (void)state;
    tenon_toolkit_report_free(scan());
    assert_null(tenon_toolkit_select("/nowhere"));
    tenon_toolkit_report *report = scan();
    const tenon_candidate *c = find(report, TENON_LIBRARY_NVRTC, "explicit");
    assert_string_equal(c->path, "/nowhere");
    tenon_toolkit_report_free(report);
}

static void every_failing_allocation_of_a_scan_is_an_error(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        tenon_toolkit_report *report = NULL;
        tn_allocations_made = 0;
        tn_allocations_left = n;
        tenon_status *status = tenon_toolkit_scan(&report);
        long made = tn_allocations_made;
        tn_allocations_left = -1;
        assert_true(!status == !!report);
        if (status) assert_int_equal(tenon_status_code(status), TENON_OUT_OF_MEMORY);
        tenon_status_free(status);
        tenon_toolkit_report_free(report);
        if (made <= n) break;
    }
}

static void unknown_library_is_refused(void **state)
{
    (void)state;
    const char *path = NULL;
    uint32_t major = 0, minor = 0;
    tenon_status *status = tenon_toolkit_library((tenon_library)9, &path, &major, &minor);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_null(path);
    tenon_status_free(status);
}

/// The include folders for an NVRTC in `root`/`file`, each followed by a blank, without the root.
static void expect_include(const char *file, uint32_t major, const char *want)
{
    char path[PATH_MAX + 64], got[1024] = "";
    snprintf(path, sizeof(path), "%s/%s", root, file);
    tn_buffer folders = {0};
    assert_null(tn_toolkit_include_for(path, major, &folders));
    for (size_t at = 0; at < folders.size; at += strlen(folders.data + at) + 1) {
        const char *folder = folders.data + at;
        assert_memory_equal(folder, root, strlen(root));
        strcat(strcat(got, folder + strlen(root)), " ");
    }
    assert_string_equal(got, want);
    tn_buffer_deinit(&folders);
}

static void headers_lie_beside_nvrtc(void **state)
{
    (void)state;
    make("t/lib64/libnvrtc.so.13 t/include/cuda_runtime.h t/include/cccl/cuda/std/version");
    expect_include("t/lib64/libnvrtc.so.13", 13, "/t/include /t/include/cccl ");
    make("w/cu13/lib/libnvrtc.so.13 w/cu13/include/cuda_fp16.h");
    expect_include("w/cu13/lib/libnvrtc.so.13", 13, "/w/cu13/include ");
    make(
        "x/cuda_nvrtc/lib/libnvrtc.so.12 x/cuda_runtime/include/cuda_runtime.h "
        "x/cuda_cccl/include/cuda/std/version");
    expect_include("x/cuda_nvrtc/lib/libnvrtc.so.12", 12,
                   "/x/cuda_runtime/include /x/cuda_cccl/include ");
    // A link into a toolkit.
    run("cd %s && mkdir bin && ln -s ../t/lib64/libnvrtc.so.13 bin/libnvrtc.so.13", root);
    expect_include("bin/libnvrtc.so.13", 13, "/t/include /t/include/cccl ");
}

static void headers_of_another_place_must_have_the_same_major_version(void **state)
{
    (void)state;
    make("alone/lib/libnvrtc.so.13 twelve/include/cuda_runtime.h thirteen/include/cuda_runtime.h");
    run("cd %s && for v in twelve:12040 thirteen:13000; do "
        "echo \"#define CUDART_VERSION  ${v#*:}\" >${v%%:*}/include/cuda_runtime_api.h; done",
        root);
    set("TENON_CUDA_PATH", "twelve");
    set("CUDA_HOME", "thirteen");
    expect_include("alone/lib/libnvrtc.so.13", 13, "/thirteen/include ");
    expect_include("alone/lib/libnvrtc.so.13", 12, "/twelve/include ");
    expect_include("alone/lib/libnvrtc.so.13", 99, "");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(report_goes_library_by_library_in_the_order_of_the_search),
        TEST(file_that_is_no_library_is_unusable_with_the_loaders_words),
        TEST(nothing_else_is_chosen_where_a_variable_names_a_file),
        TEST(every_failing_allocation_of_a_scan_is_an_error),
        TEST(unknown_library_is_refused),
        TEST(headers_lie_beside_nvrtc),
        TEST(headers_of_another_place_must_have_the_same_major_version),
        TEST(scan_disturbs_no_choice),  // last: what is selected stays so
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
