#include "link/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const options[] = {"-arch=sm_90", "-r"};
static const tn_job_input inputs[] = {{"a.cubin", "bytes\0more", 10, 1}, {"b.ptx", "", 0, 2}};
static const tn_job job = {"/lib/x.so", options, 2, inputs, 2, TENON_KIND_CUBIN};

static void a_job_comes_back(void **state)
{
    (void)state;
    tn_buffer bytes = {0};
    tn_job got = {0};
    tn_wire_put_job(&bytes, &job);
    assert_null(tn_wire_get_job((tenon_bytes){bytes.data, bytes.size}, &got));
    assert_string_equal(got.library, "/lib/x.so");
    assert_int_equal(got.option_count, 2);
    assert_string_equal(got.options[1], "-r");
    assert_int_equal(got.input_count, 2);
    assert_string_equal(got.inputs[0].name, "a.cubin");
    assert_int_equal(got.inputs[0].size, 10);
    assert_memory_equal(got.inputs[0].data, "bytes\0more", 10);
    assert_int_equal(got.inputs[1].type, 2);
    tn_wire_free_job(&got);
    tn_buffer_deinit(&bytes);
}

static void a_result_comes_back(void **state)
{
    (void)state;
    tn_job_result result = {.code = 6, .call = TN_JOB_COMPLETE, .input = 1};
    tn_buffer_puts(&result.error_log, "error");
    tn_buffer_append(&result.bytes, "\0x", 2);
    tn_buffer bytes = {0};
    tn_job_result got = {0};
    tn_wire_put_result(&bytes, &result);
    assert_null(tn_wire_get_result((tenon_bytes){bytes.data, bytes.size}, &got));
    assert_int_equal(got.code, 6);
    assert_int_equal(got.input, 1);
    assert_int_equal(got.bytes.size, 2);
    assert_string_equal(tn_buffer_text(&got.error_log), "error");
    tn_job_result_deinit(&got);
    tn_job_result_deinit(&result);
    tn_buffer_deinit(&bytes);
}

/// Every cut and every changed byte is either refused or read without harm.
static void damage_is_refused(void **state)
{
    (void)state;
    tn_buffer bytes = {0};
    tn_wire_put_job(&bytes, &job);
    for (size_t i = 0; i < bytes.size; i++) {
        char *cut = malloc(i ? i : 1);
        memcpy(cut, bytes.data, i);
        tn_job got = {0};
        tenon_status *status = tn_wire_get_job((tenon_bytes){cut, i}, &got);
        assert_int_equal(tenon_status_code(status), TENON_DATA_LOSS);
        tenon_status_free(status);
        free(cut);

        char was = bytes.data[i];
        bytes.data[i] = (char)(was ^ 0x81);
        status = tn_wire_get_job((tenon_bytes){bytes.data, bytes.size}, &got);
        if (!status) tn_wire_free_job(&got);
        tenon_status_free(status);
        bytes.data[i] = was;
    }
    tn_buffer_deinit(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_comes_back),
        cmocka_unit_test(a_result_comes_back),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
