// What a host sees of workers that behave badly: shell scripts in the place of tenon-worker.
#include "link/worker.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

static const tn_job_input inputs[] = {{"a.cubin", "x", 1, TN_NVJITLINK_CUBIN},
                                      {"b.cubin", "y", 1, TN_NVJITLINK_CUBIN}};
static const tn_job job = {"/some/libnvJitLink.so.13", NULL, 0, inputs, 2, TENON_KIND_CUBIN};

static char folder[] = "/tmp/tenon-worker-test-XXXXXX";
static char script_path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(script_path, sizeof(script_path), "%s/worker", folder);
    return setenv("TENON_WORKER", script_path, 1);
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(script_path);
    return rmdir(folder);
}

/// Puts a shell script in the worker's place and runs the job.
static tenon_status *run_script(const char *body, uint32_t deadline_ms, tn_job_result *out_result)
{
    char text[512];
    snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", body);
    assert_int_equal(tn_file_replace(script_path, text, strlen(text)), 0);
    assert_int_equal(chmod(script_path, 0755), 0);
    return tn_worker_run(&job, deadline_ms, out_result);
}

static void expect(tenon_status *status, tenon_code code, const char *message, const char *log)
{
    if (tenon_status_code(status) != code || !strstr(tenon_status_message(status), message) ||
        !strstr(tenon_status_log(status), log)) {
        fail_msg("%s: %s\n%s", tenon_code_name(tenon_status_code(status)),
                 tenon_status_message(status), tenon_status_log(status));
    }
    tenon_status_free(status);
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    DIR *d = opendir("/proc/self/fd");
    assert_non_null(d);
    while (readdir(d)) count++;
    closedir(d);
    return count;
}

static void a_crash_names_the_signal_and_the_inputs(void **state)
{
    (void)state;
    tn_job_result result = {0};
    expect(run_script("echo last words >&2; kill -SEGV $$", 60000, &result), TENON_TOOL_CRASHED,
           "signal 11", "last words");
    expect(run_script("kill -KILL $$", 60000, &result), TENON_TOOL_CRASHED, "'a.cubin', 'b.cubin'",
           "");
}

static void an_end_without_a_result_is_an_error(void **state)
{
    (void)state;
    tn_job_result result = {0};
    expect(run_script("exit 0", 60000, &result), TENON_TOOL_CRASHED, "/some/libnvJitLink.so.13",
           "");
    expect(run_script("exit 4", 60000, &result), TENON_TOOL_CRASHED, "ended its process", "");
    expect(run_script("echo half a result >&4", 60000, &result), TENON_DATA_LOSS, "no whole result",
           "");
}

static void a_worker_that_says_why_is_not_the_vendor(void **state)
{
    (void)state;
    tn_job_result result = {0};
    expect(run_script("echo no memory for the job; exit 3", 60000, &result), TENON_INTERNAL,
           "worker: no memory for the job", "");
}

/// A child that some other thread forks holds the pipe open: the end is seen all the same.
static void a_forked_child_of_the_host_delays_nothing(void **state)
{
    (void)state;
    tn_job_result result = {0};
    // The worker's own child keeps descriptor 5, as such a child would.
    tenon_status *status = run_script("sleep 5 & exit 1", 60000, &result);
    expect(status, TENON_TOOL_CRASHED, "ended its process", "");
}

static void the_deadline_ends_it(void **state)
{
    (void)state;
    tn_job_result result = {0};
    expect(run_script("echo waiting; exec sleep 1000", 300, &result), TENON_DEADLINE,
           "did not end within 300 ms while it linked 'a.cubin'", "waiting");
}

static void a_missing_worker_is_said(void **state)
{
    (void)state;
    tn_job_result result = {0};
    unlink(script_path);
    expect(tn_worker_run(&job, 1000, &result), TENON_UNAVAILABLE, script_path, "");
}

static void the_job_arrives_and_nothing_else_is_open(void **state)
{
    (void)state;
    tn_job_result result = {0};
    // 3, 4 and 5 are the worker's; what the shell itself has open is above 9.
    const char *body =
        "head -c 8 /proc/self/fd/3 >&2; for d in 6 7 8 9; do [ ! -e /proc/self/fd/$d ] || echo "
        "leak $d; done; "
        "exit 1";
    tenon_status *status = run_script(body, 60000, &result);
    assert_non_null(strstr(tenon_status_log(status), "tnon-job"));
    assert_null(strstr(tenon_status_log(status), "leak"));
    tenon_status_free(status);
}

static void nothing_is_left_behind(void **state)
{
    (void)state;
    size_t before = open_descriptors();
    for (int i = 0; i < 20; i++) {
        tn_job_result result = {0};
        tenon_status_free(run_script(i & 1 ? "exit 0" : "kill -ABRT $$", 60000, &result));
    }
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void a_host_that_ignores_its_children_is_served(void **state)
{
    (void)state;
    tn_job_result result = {0};
    signal(SIGCHLD, SIG_IGN);
    expect(run_script("exit 1", 60000, &result), TENON_TOOL_CRASHED, "ended its process", "");
    signal(SIGCHLD, SIG_DFL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_names_the_signal_and_the_inputs),
        cmocka_unit_test(an_end_without_a_result_is_an_error),
        cmocka_unit_test(a_worker_that_says_why_is_not_the_vendor),
        cmocka_unit_test(a_forked_child_of_the_host_delays_nothing),
        cmocka_unit_test(the_deadline_ends_it),
        cmocka_unit_test(a_missing_worker_is_said),
        cmocka_unit_test(the_job_arrives_and_nothing_else_is_open),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(a_host_that_ignores_its_children_is_served),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
