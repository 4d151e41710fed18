// tenon_program over an NVRTC that fails: every code at every call, with and without memory.
#include "tenon/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail_alloc.h"
#include "core/object.h"
#include "nv/nvrtc.h"

#include "path.h"

static int reset(void **state)
{
    (void)state;
    static const char *const variables[] = {"FAKE_FAIL", "FAKE_LOG", "FAKE_OUTPUT", "FAKE_STDERR"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) unsetenv(variables[i]);
    return 0;
}

static tenon_program *program_with(tenon_program_options options)
{
    static const char source[] = "__global__ void k() {}";
    tenon_program *program = NULL;
    if (!options.arch) options.arch = "sm_90";
    tenon_status *status =
        tenon_program_create(&options, "dir/x.cu", (tenon_bytes){source, strlen(source)}, &program);
    if (status) fail_msg("%s", tenon_status_message(status));
    assert_null(tenon_program_add_header(program, "x.h", (tenon_bytes){"", 0}));
    assert_null(tenon_program_add_name(program, "&k"));
    return program;
}

static tenon_status *compile(tenon_program *program, tenon_kind target, char *out_name, size_t size)
{
    tenon_object *object = NULL;
    tenon_status *status = tenon_program_compile(program, target, &object);
    if (status) assert_null(object);
    if (!status) snprintf(out_name, size, "%s", tenon_object_name(object));
    if (!status) assert_true(object->trusted);
    tenon_object_release(object);
    return status;
}

static void every_result_at_every_call_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        tenon_kind target;
    } rows[] = {
        {"nvrtcCreateProgram", TENON_KIND_PTX},  {"nvrtcAddNameExpression", TENON_KIND_PTX},
        {"nvrtcCompileProgram", TENON_KIND_PTX}, {"nvrtcGetPTXSize", TENON_KIND_PTX},
        {"nvrtcGetPTX", TENON_KIND_PTX},         {"nvrtcGetCUBINSize", TENON_KIND_CUBIN},
        {"nvrtcGetCUBIN", TENON_KIND_CUBIN},     {"nvrtcGetLTOIRSize", TENON_KIND_LTOIR},
        {"nvrtcGetLTOIR", TENON_KIND_LTOIR},     {"nvrtcGetLoweredName", TENON_KIND_PTX},
    };
    static const char log[] = "x.cu(1): error: what is wrong\nand a second line\n";
    setenv("FAKE_LOG", log, 1);
    tenon_program *program = program_with((tenon_program_options)TENON_PROGRAM_OPTIONS_INIT);
    char name[64], text[64];
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (unsigned code = 1; code <= 18; code++) {
            fake_fail(rows[i].call, code);
            tenon_status *status = compile(program, rows[i].target, name, sizeof(name));
            snprintf(text, sizeof(text), "%s: result %u, %s", rows[i].call, code,
                     code == 6   ? "NVRTC_ERROR_COMPILATION"
                     : code > 17 ? "unknown result"
                                 : "NVRTC_ERROR_FAKE");
            const char *message = tenon_status_message(status);
            if (!strstr(message, text)) fail_msg("'%s' is not in '%s'", text, message);
            assert_non_null(strstr(message, "dir/x.cu"));
            // Before there is a program there is no log.
            if (i > 1) assert_string_equal(tenon_status_log(status), log);
            assert_null(tenon_program_lowered_name(program, "&k"));
            tenon_status_free(status);
        }
    }
    tenon_program_release(program);
}

static void log_is_kept_after_success(void **state)
{
    (void)state;
    char name[64];
    tenon_program *program = program_with((tenon_program_options)TENON_PROGRAM_OPTIONS_INIT);
    assert_string_equal(tenon_program_log(program), "");
    setenv("FAKE_LOG", "a warning\n", 1);
    assert_null(compile(program, TENON_KIND_PTX, name, sizeof(name)));
    assert_string_equal(name, "dir/x.ptx");
    assert_string_equal(tenon_program_log(program), "a warning\n");
    assert_string_equal(tenon_program_lowered_name(program, "&k"), "_Z4fakev");
    assert_null(tenon_program_lowered_name(program, "&other"));
    unsetenv("FAKE_LOG");
    assert_null(compile(program, TENON_KIND_PTX, name, sizeof(name)));
    assert_string_equal(tenon_program_log(program), "");
    tenon_program_release(program);
}

static void expect_failure(tenon_kind target, tenon_program_options options, tenon_code code,
                           const char *text)
{
    char name[64];
    tenon_program *program = program_with(options);
    tenon_status *status = compile(program, target, name, sizeof(name));
    assert_int_equal(tenon_status_code(status), code);
    if (!strstr(tenon_status_message(status), text)) {
        fail_msg("'%s' is not in '%s'", text, tenon_status_message(status));
    }
    assert_non_null(strstr(tenon_status_message(status), "dir/x.cu"));
    tenon_status_free(status);
    tenon_program_release(program);
}

static void success_without_a_good_result_is_an_error(void **state)
{
    (void)state;
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    setenv("FAKE_OUTPUT", "empty", 1);
    expect_failure(TENON_KIND_CUBIN, options, TENON_COMPILE_FAILED, "cubin is empty");
    expect_failure(TENON_KIND_PTX, options, TENON_COMPILE_FAILED, "PTX is empty");
    expect_failure(TENON_KIND_LTOIR, options, TENON_COMPILE_FAILED, "LTO-IR is empty");
    unsetenv("FAKE_OUTPUT");
    // It gives PTX, whatever is asked for.
    expect_failure(TENON_KIND_CUBIN, options, TENON_INTERNAL, "its bytes are PTX");
    // A finished cubin where one to be linked was asked for, and the other way round.
    setenv("FAKE_OUTPUT", "tests/data/objects/final.cubin", 1);
    expect_failure(TENON_KIND_CUBIN, options, TENON_INTERNAL, "not relocatable");
    options.whole_program = 1;
    setenv("FAKE_OUTPUT", "tests/data/objects/unit.cubin", 1);
    expect_failure(TENON_KIND_CUBIN, options, TENON_INTERNAL, "relocatable");
}

static void arch_that_nvrtc_lacks_is_incompatible(void **state)
{
    (void)state;
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    char name[64];
    options.arch = "sm_120";
    expect_failure(TENON_KIND_PTX, options, TENON_INCOMPATIBLE, "sm_120");
    expect_failure(TENON_KIND_PTX, options, TENON_INCOMPATIBLE, "sm_80, sm_90");
    expect_failure(TENON_KIND_PTX, options, TENON_INCOMPATIBLE, "13.0");
    expect_failure(TENON_KIND_PTX, options, TENON_INCOMPATIBLE, "good/lib/libnvrtc.so.13");
    // Without a list, NVRTC itself has to say it.
    fake_fail("nvrtcGetNumSupportedArchs", 1);
    tenon_program *program = program_with(options);
    assert_null(compile(program, TENON_KIND_PTX, name, sizeof(name)));
    fake_fail("nvrtcGetSupportedArchs", 1);
    assert_null(compile(program, TENON_KIND_PTX, name, sizeof(name)));
    tenon_program_release(program);
}

static void every_failing_allocation_is_an_error(void **state)
{
    (void)state;
    const char *const folders[] = {"a", "b", NULL};
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = "sm_90";
    options.include_paths = folders;
    options.defines = folders;
    options.std = "c++17";
    long n = 0, failures = 0;
    for (tenon_code code = TENON_OUT_OF_MEMORY; code == TENON_OUT_OF_MEMORY; n++) {
        tenon_program *program = NULL;
        tenon_object *object = NULL;
        tn_allocations_left = n;
        tenon_status *status =
            tenon_program_create(&options, "x.cu", (tenon_bytes){"//", 2}, &program);
        if (!status) status = tenon_program_add_header(program, "x.h", (tenon_bytes){"//", 2});
        if (!status) status = tenon_program_add_name(program, "&k");
        if (!status) status = tenon_program_compile(program, TENON_KIND_PTX, &object);
        tn_allocations_left = -1;
        code = tenon_status_code(status);
        if (status) assert_int_equal(code, TENON_OUT_OF_MEMORY);
        if (status) assert_null(object);
        failures += status != NULL;
        tenon_status_free(status);
        tenon_object_release(object);
        tenon_program_release(program);
    }
    assert_true(failures > 30);
}

int main(void)
{
    // Before the first use: the choice holds for the process.
    fake_use("TENON_NVRTC", "good/lib/libnvrtc.so.13");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_result_at_every_call_is_told, reset),
        cmocka_unit_test_setup(log_is_kept_after_success, reset),
        cmocka_unit_test_setup(success_without_a_good_result_is_an_error, reset),
        cmocka_unit_test_setup(arch_that_nvrtc_lacks_is_incompatible, reset),
        cmocka_unit_test_setup(every_failing_allocation_is_an_error, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
