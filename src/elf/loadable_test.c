#include "elf/loadable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "core/object.h"

static void only_the_type_of_variables_changes(void **state)
{
    (void)state;
    tn_buffer before = {0};
    tn_buffer after = {0};
    assert_int_equal(tn_file_read("tests/data/objects/unit.cubin", &before), 0);
    tn_buffer_append(&after, before.data, before.size);
    assert_null(tn_cubin_make_loadable("unit", after.data, after.size));

    tenon_object *was = NULL;
    tenon_object *is = NULL;
    tenon_bytes a = {before.data, before.size};
    tenon_bytes b = {after.data, after.size};
    assert_null(tenon_object_create("a", TENON_KIND_CUBIN, a, &was));
    assert_null(tenon_object_create("b", TENON_KIND_CUBIN, b, &is));
    size_t variables = 0;
    assert_int_equal(was->symbol_count, is->symbol_count);
    for (size_t i = 0; i < was->symbol_count; i++) {
        const tenon_symbol *s = &was->symbols[i].symbol;
        const tenon_symbol *t = &is->symbols[i].symbol;
        assert_string_equal(s->name, t->name);
        assert_int_equal(s->kind, t->kind);
        assert_int_equal(s->space, t->space);
        assert_int_equal(s->state, t->state);
        variables += s->kind == TENON_SYMBOL_VARIABLE && s->space != TENON_SPACE_UNKNOWN;
    }
    size_t changed = 0;
    for (size_t i = 0; i < before.size; i++) changed += before.data[i] != after.data[i];
    assert_int_equal(changed, variables);
    assert_in_range(changed, 2, 20);
    tenon_object_release(was);
    tenon_object_release(is);
    tn_buffer_deinit(&before);
    tn_buffer_deinit(&after);
}

static void what_is_no_cubin_is_refused(void **state)
{
    (void)state;
    char text[] = "this is no cubin, but it is longer than the header of an ELF file, as one sees.";
    tenon_status *status = tn_cubin_make_loadable("x", text, sizeof(text));
    assert_int_equal(tenon_status_code(status), TENON_DATA_LOSS);
    tenon_status_free(status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_type_of_variables_changes),
        cmocka_unit_test(what_is_no_cubin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
