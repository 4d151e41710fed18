#include "cli/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cli/file.h"

static void kind_comes_from_the_option_then_from_the_output(void **state)
{
    (void)state;
    static const struct {
        uint32_t emit;
        const char *output;
        tenon_kind kind;
    } rows[] = {
        {0, NULL, TENON_KIND_CUBIN},
        {0, "a.cubin", TENON_KIND_CUBIN},
        {0, "a.ptx", TENON_KIND_PTX},
        {0, "b/a.x.ltoir", TENON_KIND_LTOIR},
        {0, "a", TENON_KIND_CUBIN},
        {0, "-", TENON_KIND_CUBIN},
        {0, "b.ptx/a", TENON_KIND_CUBIN},
        {0, "a.PTX", TENON_KIND_CUBIN},
        {0, "a.", TENON_KIND_CUBIN},
        {TENON_KIND_CUBIN, "a.ptx", TENON_KIND_CUBIN},
        {TENON_KIND_LTOIR, NULL, TENON_KIND_LTOIR},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        assert_int_equal(tn_target(rows[i].emit, rows[i].output), rows[i].kind);
    }
    assert_string_equal(tn_target_extension(TENON_KIND_LTOIR), "ltoir");
}

static void output_is_named_after_the_source(void **state)
{
    (void)state;
    static const struct {
        const char *path, *output;
    } rows[] = {
        {"a.cu", "a.ptx"},  {"b/c.d/a.x.cu", "a.x.ptx"}, {"a", "a.ptx"},  {"b.c/a", "a.ptx"},
        {".cu", ".cu.ptx"}, {"b/.cu", ".cu.ptx"},        {"a.", "a.ptx"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *output = tn_default_output(rows[i].path, "ptx");
        assert_string_equal(output, rows[i].output);
        free(output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kind_comes_from_the_option_then_from_the_output),
        cmocka_unit_test(output_is_named_after_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
