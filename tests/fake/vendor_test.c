// The tables over libraries that fail: what is said of a result at each call, and of a library that
// is too old, lacks a function, is a stub or is none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/try.h"
#include "nv/driver.h"
#include "nv/nvjitlink.h"
#include "nv/nvrtc.h"

#include "path.h"

static int reset(void **state)
{
    (void)state;
    static const char *const variables[] = {"FAKE_FAIL",    "FAKE_LOG",        "FAKE_INFO",
                                            "FAKE_VERSION", "TENON_NVJITLINK", "TENON_NVRTC",
                                            "TENON_DRIVER", "FAKE_CALLS"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) unsetenv(variables[i]);
    return 0;
}

/// Expects an error whose message has all of the texts, and frees it.
static void expect(tenon_status *status, tenon_code code, const char *first, const char *second)
{
    assert_int_equal(tenon_status_code(status), code);
    if (!strstr(tenon_status_message(status), first)) {
        fail_msg("'%s' is not in '%s'", first, tenon_status_message(status));
    }
    if (!strstr(tenon_status_message(status), second)) {
        fail_msg("'%s' is not in '%s'", second, tenon_status_message(status));
    }
    tenon_status_free(status);
}

static tn_nvjitlink nvjitlink(const char *file)
{
    char path[512];
    tn_nvjitlink lib = {0};
    tenon_status *status = tn_nvjitlink_open(fake_path(file, path, sizeof(path)), &lib);
    if (status) fail_msg("%s", tenon_status_message(status));
    return lib;
}

/// Calls every function of nvJitLink; returns the first error.
static tenon_status *use_nvjitlink(const tn_nvjitlink *lib)
{
    const char *options[] = {"-arch=sm_90"};
    char bytes[64];
    size_t size = 0;
    tn_nvjitlink_handle link = NULL;
    tenon_status *status = NULL;
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, NULL, Create(&link, 1, options)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, AddData(link, 1, "x", 1, "x.cubin")));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, AddFile(link, 1, "x.cubin")));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, Complete(link)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedCubinSize(link, &size)));
    assert_in_range(size, 1, sizeof(bytes));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedCubin(link, bytes)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedPtxSize(link, &size)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedPtx(link, bytes)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedLTOIRSize(link, &size)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedLTOIR(link, bytes)));
done:
    if (link) lib->Destroy(&link);
    return status;
}

static void every_result_of_nvjitlink_is_told(void **state)
{
    (void)state;
    static const char *const calls[] = {"nvJitLinkCreate",
                                        "nvJitLinkAddData",
                                        "nvJitLinkAddFile",
                                        "nvJitLinkComplete",
                                        "nvJitLinkGetLinkedCubinSize",
                                        "nvJitLinkGetLinkedCubin",
                                        "nvJitLinkGetLinkedPtxSize",
                                        "nvJitLinkGetLinkedPtx",
                                        "nvJitLinkGetLinkedLTOIRSize",
                                        "nvJitLinkGetLinkedLTOIR"};
    tn_nvjitlink lib = nvjitlink("good/lib/libnvJitLink.so.13");
    assert_null(use_nvjitlink(&lib));
    setenv("FAKE_LOG", "error   : first line\nsecond line", 1);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        for (unsigned code = 1; code <= 20; code++) {
            char text[64];
            fake_fail(calls[i], code);
            tenon_status *status = use_nvjitlink(&lib);
            snprintf(text, sizeof(text), "%s: result %u, %s", calls[i], code,
                     tn_nvjitlink_result_name(code));
            // Without a handle there is no log.
            assert_string_equal(tenon_status_log(status),
                                i == 0 ? "" : "error   : first line\nsecond line");
            expect(status, TENON_LINK_FAILED, text, "");
        }
    }
}

static void log_that_cannot_be_had_is_left_out(void **state)
{
    (void)state;
    tn_nvjitlink lib = nvjitlink("good/lib/libnvJitLink.so.13");
    setenv("FAKE_LOG", "a log", 1);
    static const char *const fails[] = {"nvJitLinkComplete:4,nvJitLinkGetErrorLogSize:6",
                                        "nvJitLinkComplete:4,nvJitLinkGetErrorLog:6"};
    for (size_t i = 0; i < 2; i++) {
        setenv("FAKE_FAIL", fails[i], 1);
        tenon_status *status = use_nvjitlink(&lib);
        assert_string_equal(tenon_status_log(status), "");
        expect(status, TENON_LINK_FAILED, "nvJitLinkComplete", "ERROR_PTX_COMPILE");
    }
}

static void versions_are_told(void **state)
{
    (void)state;
    tn_nvjitlink lib = nvjitlink("good/lib/libnvJitLink.so.13");
    assert_true(lib.has_version && lib.major == 13 && lib.minor == 5);
    assert_non_null(strstr(lib.path, "good/lib/libnvJitLink.so.13"));
    setenv("FAKE_VERSION", "12.4", 1);
    lib = nvjitlink("early/lib/libnvJitLink.so.13");
    assert_true(lib.has_version && lib.major == 12 && lib.minor == 4);
    assert_null(lib.GetLinkedLTOIR);
    lib = nvjitlink("old/lib/libnvJitLink.so.12");
    assert_false(lib.has_version);
    assert_int_equal(lib.major, 0);
    assert_non_null(lib.Complete);
}

static tenon_status *open_nvjitlink(const char *path)
{
    tn_nvjitlink lib = {0};
    return tn_nvjitlink_open(path, &lib);
}

static tenon_status *open_nvrtc(const char *path)
{
    tn_nvrtc lib = {0};
    return tn_nvrtc_open(path, &lib);
}

static tenon_status *open_driver(const char *path)
{
    tn_driver driver = {0};
    return tn_driver_open(path, &driver);
}

static void what_a_library_lacks_is_named(void **state)
{
    (void)state;
    char path[512];
    fake_path("lacking/lib/libnvJitLink.so.13", path, sizeof(path));
    expect(open_nvjitlink(path), TENON_INCOMPATIBLE, path, "nvJitLinkComplete");
    fake_path("lacking/lib/libnvrtc.so.13", path, sizeof(path));
    expect(open_nvrtc(path), TENON_INCOMPATIBLE, path, "nvrtcGetLTOIR");
    fake_path("lacking/lib/libcuda.so.1", path, sizeof(path));
    expect(open_driver(path), TENON_INCOMPATIBLE, path, "cuLinkDestroy");
}

static void what_is_no_library_is_unavailable(void **state)
{
    (void)state;
    char path[512];
    expect(open_nvjitlink(fake_path("broken/lib/libnvJitLink.so.13", path, sizeof(path))),
           TENON_UNAVAILABLE, path, "cannot be loaded");
    expect(open_nvrtc(fake_path("broken/lib/libnvrtc.so.13", path, sizeof(path))),
           TENON_UNAVAILABLE, path, "cannot be loaded");
    expect(open_driver(fake_path("none/libcuda.so.1", path, sizeof(path))), TENON_UNAVAILABLE, path,
           "No such file");
}

static void version_that_fails_is_an_error(void **state)
{
    (void)state;
    char path[512];
    fake_fail("nvJitLinkVersion", 6);
    expect(open_nvjitlink(fake_path("good/lib/libnvJitLink.so.13", path, sizeof(path))),
           TENON_LINK_FAILED, path, "nvJitLinkVersion: result 6");
    fake_fail("nvrtcVersion", 2);
    expect(open_nvrtc(fake_path("good/lib/libnvrtc.so.13", path, sizeof(path))),
           TENON_COMPILE_FAILED, path, "nvrtcVersion: result 2");
    fake_fail("cuDriverGetVersion", 1);
    expect(open_driver(fake_path("good/lib/libcuda.so.1", path, sizeof(path))),
           TENON_INVALID_ARGUMENT, path, "cuDriverGetVersion: result 1");
}

static void stub_is_no_driver(void **state)
{
    (void)state;
    char path[512];
    expect(open_driver(fake_path("stub/lib/libcuda.so.1", path, sizeof(path))), TENON_UNAVAILABLE,
           path, "stub");
    fake_use("TENON_DRIVER", "stub/lib/libcuda.so.1");
    const tn_driver *driver = NULL;
    tenon_status *status = tn_driver_get(&driver);
    assert_null(driver);
    assert_non_null(strstr(tenon_status_log(status), "stub"));
    expect(status, TENON_UNAVAILABLE, "TENON_DRIVER", "");
}

static void driver_says_name_and_words(void **state)
{
    (void)state;
    char path[512];
    tn_driver driver = {0};
    assert_null(tn_driver_open(fake_path("good/lib/libcuda.so.1", path, sizeof(path)), &driver));
    assert_true(driver.major == 13 && driver.minor == 0);
    static const struct {
        unsigned result;
        tenon_code code;
    } rows[] = {{1, TENON_INVALID_ARGUMENT}, {2, TENON_OUT_OF_MEMORY},  {100, TENON_UNAVAILABLE},
                {200, TENON_INCOMPATIBLE},   {209, TENON_INCOMPATIBLE}, {218, TENON_COMPILE_FAILED},
                {500, TENON_NOT_FOUND},      {700, TENON_INTERNAL},     {999, TENON_INTERNAL}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[96];
        tn_driver_module module = NULL;
        fake_fail("cuModuleLoadData", rows[i].result);
        snprintf(text, sizeof(text),
                 "cuModuleLoadData: result %u, CUDA_ERROR_FAKE_%u: what went wrong", rows[i].result,
                 rows[i].result);
        expect(TN_DRIVER_CALL(&driver, ModuleLoadData(&module, "x")), rows[i].code, text, "");
    }
    setenv("FAKE_FAIL", "cuInit:7,cuGetErrorName:1,cuGetErrorString:1", 1);
    expect(TN_DRIVER_CALL(&driver, Init(0)), TENON_INTERNAL, "cuInit: result 7", "unknown result");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_result_of_nvjitlink_is_told, reset),
        cmocka_unit_test_setup(log_that_cannot_be_had_is_left_out, reset),
        cmocka_unit_test_setup(versions_are_told, reset),
        cmocka_unit_test_setup(what_a_library_lacks_is_named, reset),
        cmocka_unit_test_setup(what_is_no_library_is_unavailable, reset),
        cmocka_unit_test_setup(version_that_fails_is_an_error, reset),
        cmocka_unit_test_setup(stub_is_no_driver, reset),
        cmocka_unit_test_setup(driver_says_name_and_words, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
