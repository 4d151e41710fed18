// The driver as the linker, over a driver that fails. There is no nvJitLink in this process.
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tenon/linker.h"

#include "path.h"

static int reset(void **state)
{
    (void)state;
    unsetenv("FAKE_FAIL");
    setenv("FAKE_OUTPUT", "tests/data/objects/final.cubin", 1);
    setenv("FAKE_LOG", "error   : what is wrong", 1);
    return 0;
}

static tenon_status *link_with(tenon_linker_options options, char *out_info, size_t size)
{
    tenon_linker *linker = NULL;
    tenon_object *object = NULL;
    tenon_status *status = tenon_linker_create(&options, &linker);
    if (status) fail_msg("%s", tenon_status_message(status));
    status = tenon_linker_add_file(linker, "tests/data/objects/leaf.cubin", TENON_KIND_ANY);
    if (status) fail_msg("%s", tenon_status_message(status));
    status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &object);
    if (status) assert_null(object);
    snprintf(out_info, size, "%s", tenon_linker_info_log(linker));
    tenon_object_release(object);
    tenon_linker_release(linker);
    return status;
}

static void driver_links_where_nvjitlink_is_missing(void **state)
{
    (void)state;
    char info[512];
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    tenon_status *status = link_with(options, info, sizeof(info));
    if (status) fail_msg("%s", tenon_status_message(status));
    assert_non_null(strstr(info, "the driver links instead"));
    options.backend = TENON_LINKER_BACKEND_DRIVER;
    assert_null(link_with(options, info, sizeof(info)));
    assert_string_equal(info, "");
    options.backend = TENON_LINKER_BACKEND_NVJITLINK;
    status = link_with(options, info, sizeof(info));
    assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
    assert_non_null(strstr(tenon_status_message(status), "TENON_NVJITLINK"));
    tenon_status_free(status);
}

static void no_device_is_no_fallback(void **state)
{
    (void)state;
    char info[512];
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    setenv("FAKE_FAIL", "cuInit:100", 1);
    tenon_status *status = link_with(options, info, sizeof(info));
    assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
    assert_non_null(strstr(tenon_status_message(status), "libnvJitLink"));
    tenon_status_free(status);
}

static void every_result_at_every_call_is_told(void **state)
{
    (void)state;
    static const char *const calls[] = {
        "cuInit",           "cuDeviceGet",  "cuDevicePrimaryCtxRetain",
        "cuCtxPushCurrent", "cuLinkCreate", "cuLinkAddData",
        "cuLinkComplete"};
    static const unsigned results[] = {1, 2, 3, 100, 200, 209, 218, 222, 500, 700, 999};
    char info[512], text[96];
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.backend = TENON_LINKER_BACKEND_DRIVER;
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        for (size_t k = 0; k < sizeof(results) / sizeof(results[0]); k++) {
            fake_fail(calls[i], results[k]);
            tenon_status *status = link_with(options, info, sizeof(info));
            snprintf(text, sizeof(text), "%s: result %u, CUDA_ERROR_FAKE_%u: what went wrong",
                     calls[i], results[k], results[k]);
            if (!strstr(tenon_status_message(status), text)) {
                fail_msg("'%s' is not in '%s'", text, tenon_status_message(status));
            }
            if (i >= 5) assert_string_equal(tenon_status_log(status), "error   : what is wrong");
            tenon_status_free(status);
        }
    }
}

static void bad_result_is_an_error(void **state)
{
    (void)state;
    char info[512];
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.backend = TENON_LINKER_BACKEND_DRIVER;
    unsetenv("FAKE_OUTPUT");
    tenon_status *status = link_with(options, info, sizeof(info));
    assert_non_null(status);
    tenon_status_free(status);
}

static void what_the_driver_lacks_is_refused_by_name(void **state)
{
    (void)state;
    char info[512];
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.backend = TENON_LINKER_BACKEND_DRIVER;
    options.incremental = 1;
    options.time = 1;
    tenon_status *status = link_with(options, info, sizeof(info));
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_non_null(strstr(tenon_status_message(status), "incremental"));
    assert_non_null(strstr(tenon_status_message(status), "time"));
    tenon_status_free(status);
}

int main(void)
{
    // Before the first use: the choice holds for the process.
    setenv("TENON_NVJITLINK", "none", 1);
    fake_use("TENON_DRIVER", "good/lib/libcuda.so.1");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(driver_links_where_nvjitlink_is_missing, reset),
        cmocka_unit_test_setup(no_device_is_no_fallback, reset),
        cmocka_unit_test_setup(every_result_at_every_call_is_told, reset),
        cmocka_unit_test_setup(bad_result_is_an_error, reset),
        cmocka_unit_test_setup(what_the_driver_lacks_is_refused_by_name, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
