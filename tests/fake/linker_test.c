// tenon_linker over a nvJitLink that fails, in this process and in the worker. CMake says where the
// worker is, in TENON_WORKER.
#include "tenon/linker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "nv/nvjitlink.h"

#include "path.h"

static int reset(void **state)
{
    (void)state;
    static const char *const variables[] = {"FAKE_FAIL",   "FAKE_LOG",    "FAKE_INFO", "FAKE_CRASH",
                                            "FAKE_OUTPUT", "FAKE_STDERR", "FAKE_HANG"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) unsetenv(variables[i]);
    return 0;
}

// Long enough for any machine; only the test of the deadline waits for its end.
static uint32_t deadline_ms = 60000;

/// Links one unit of tests/data; the fake's result is a finished cubin of the same.
static tenon_status *link_unit(tenon_isolation isolation, tenon_kind target)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    tenon_linker *linker = NULL;
    tenon_object *object = NULL;
    options.isolation = isolation;
    options.deadline_ms = deadline_ms;
    options.link_time_optimization = target == TENON_KIND_CUBIN ? 0 : TENON_CHOICE_ON;
    options.incremental = target == TENON_KIND_LTOIR;
    options.ptx = target == TENON_KIND_PTX;
    options.arch = "sm_90";
    tenon_status *status = tenon_linker_create(&options, &linker);
    if (status) fail_msg("%s", tenon_status_message(status));
    status = tenon_linker_add_file(linker, "tests/data/objects/leaf.cubin", TENON_KIND_ANY);
    if (status) fail_msg("%s", tenon_status_message(status));
    status = tenon_linker_finish(linker, target, &object);
    if (status) assert_null(object);
    tenon_object_release(object);
    tenon_linker_release(linker);
    return status;
}

/// Expects an error with a text in its message and one in its log, and frees it.
static void expect(tenon_status *status, tenon_code code, const char *message, const char *log)
{
    if (!status) fail_msg("no error, although %s", message);
    if (code) assert_int_equal(tenon_status_code(status), code);
    if (!strstr(tenon_status_message(status), message)) {
        fail_msg("'%s' is not in '%s'", message, tenon_status_message(status));
    }
    if (!strstr(tenon_status_log(status), log)) {
        fail_msg("'%s' is not in the log '%s'", log, tenon_status_log(status));
    }
    tenon_status_free(status);
}

static void every_result_at_every_call_is_told(tenon_isolation isolation, unsigned most)
{
    static const char *const calls[] = {"nvJitLinkCreate", "nvJitLinkAddData", "nvJitLinkComplete",
                                        "nvJitLinkGetLinkedCubinSize", "nvJitLinkGetLinkedCubin"};
    setenv("FAKE_LOG", "error   : what is wrong\nand more of it", 1);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        for (unsigned code = 1; code <= most; code++) {
            fake_fail(calls[i], code);
            tenon_status *status = link_unit(isolation, TENON_KIND_CUBIN);
            if (!status) fail_msg("%s: result %u is no error", calls[i], code);
            // The fake has no handle, and so no log, after this one.
            bool no_log = i == 0 && code == 6;
            expect(status, 0, tn_nvjitlink_result_name(code),
                   no_log ? "" : "error   : what is wrong\nand more of it");
        }
    }
}

static void every_result_is_told_in_process(void **state)
{
    (void)state;
    every_result_at_every_call_is_told(TENON_ISOLATION_IN_PROCESS, 20);
}

static void every_result_is_told_from_the_worker(void **state)
{
    (void)state;
    every_result_at_every_call_is_told(TENON_ISOLATION_WORKER, 5);
}

static void good_result_passes(void **state)
{
    (void)state;
    setenv("FAKE_OUTPUT", "tests/data/objects/final.cubin", 1);
    tenon_status *status = link_unit(TENON_ISOLATION_IN_PROCESS, TENON_KIND_CUBIN);
    if (status) fail_msg("%s\n%s", tenon_status_message(status), tenon_status_log(status));
    status = link_unit(TENON_ISOLATION_WORKER, TENON_KIND_CUBIN);
    if (status) fail_msg("%s\n%s", tenon_status_message(status), tenon_status_log(status));
}

static void success_without_a_good_result_is_an_error(void **state)
{
    (void)state;
    static const tenon_isolation places[] = {TENON_ISOLATION_IN_PROCESS, TENON_ISOLATION_WORKER};
    for (size_t i = 0; i < 2; i++) {
        setenv("FAKE_OUTPUT", "empty", 1);
        expect(link_unit(places[i], TENON_KIND_CUBIN), 0, "", "");
        unsetenv("FAKE_OUTPUT");  // "no cubin"
        expect(link_unit(places[i], TENON_KIND_CUBIN), 0, "", "");
        // A unit that would have to be linked again, where a finished one was asked for.
        setenv("FAKE_OUTPUT", "tests/data/objects/leaf.cubin", 1);
        expect(link_unit(places[i], TENON_KIND_CUBIN), 0, "", "");
    }
}

static void error_on_stderr_is_an_error(void **state)
{
    (void)state;
    setenv("FAKE_OUTPUT", "tests/data/objects/final.cubin", 1);
    setenv("FAKE_STDERR", "error   : Multiple definition of 'leaf'\n", 1);
    expect(link_unit(TENON_ISOLATION_WORKER, TENON_KIND_CUBIN), TENON_LINK_FAILED,
           "Multiple definition", "error   : Multiple definition of 'leaf'\n");
}

static void crash_of_the_worker_is_an_error(void **state)
{
    (void)state;
    static const char *const calls[] = {"nvJitLinkCreate", "nvJitLinkAddData", "nvJitLinkComplete",
                                        "nvJitLinkGetLinkedCubin", "nvJitLinkDestroy"};
    setenv("FAKE_OUTPUT", "tests/data/objects/final.cubin", 1);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        setenv("FAKE_CRASH", calls[i], 1);
        expect(link_unit(TENON_ISOLATION_WORKER, TENON_KIND_CUBIN), TENON_TOOL_CRASHED, "", "");
        // And the next link works.
        unsetenv("FAKE_CRASH");
        assert_null(link_unit(TENON_ISOLATION_WORKER, TENON_KIND_CUBIN));
    }
}

static void hang_of_the_worker_ends_at_the_deadline(void **state)
{
    deadline_ms = 500;
    (void)state;
    setenv("FAKE_OUTPUT", "tests/data/objects/final.cubin", 1);
    setenv("FAKE_HANG", "nvJitLinkComplete", 1);
    expect(link_unit(TENON_ISOLATION_WORKER, TENON_KIND_CUBIN), TENON_DEADLINE, "", "");
    unsetenv("FAKE_HANG");
    assert_null(link_unit(TENON_ISOLATION_WORKER, TENON_KIND_CUBIN));
    deadline_ms = 60000;
}

int main(void)
{
    // Before the first use: the choice holds for the process.
    fake_use("TENON_NVJITLINK", "good/lib/libnvJitLink.so.13");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(good_result_passes, reset),
        cmocka_unit_test_setup(every_result_is_told_in_process, reset),
        cmocka_unit_test_setup(every_result_is_told_from_the_worker, reset),
        cmocka_unit_test_setup(success_without_a_good_result_is_an_error, reset),
        cmocka_unit_test_setup(error_on_stderr_is_an_error, reset),
        cmocka_unit_test_setup(crash_of_the_worker_is_an_error, reset),
        cmocka_unit_test_setup(hang_of_the_worker_ends_at_the_deadline, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
