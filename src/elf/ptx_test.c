// PTX is known by what it says first, and by nothing else.
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "elf/read.h"

static tenon_status *read_text(const char *text, tenon_object **out_object)
{
    return tenon_object_create("it", TENON_KIND_ANY, (tenon_bytes){text, strlen(text)}, out_object);
}

static void comments_and_blanks_may_come_first(void **state)
{
    (void)state;
    static const struct {
        const char *text, *arch, *producer;
    } good[] = {
        {".version 8.0\n.target sm_90\n", "compute_90", "PTX ISA 8.0"},
        {"\n\t .version 8.7\r\n.target sm_90a, debug", "compute_90a", "PTX ISA 8.7"},
        {"// one\n/* two\n.version 1.0 */ .version /**/ 9.0 // three\n.target sm_100f\n",
         "compute_100f", "PTX ISA 9.0"},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        tenon_object *object = NULL;
        tenon_status *status = read_text(good[i].text, &object);
        if (status) fail_msg("%s", tenon_status_message(status));
        assert_int_equal(tenon_object_kind(object), TENON_KIND_PTX);
        assert_string_equal(tenon_object_arch(object, 0), good[i].arch);
        assert_string_equal(tenon_object_producer(object), good[i].producer);
        assert_true(tenon_object_is_relocatable(object));
        tenon_object_release(object);
    }
}

static void other_texts_are_told_from_broken_ptx(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        tenon_code code;
        const char *says;
    } bad[] = {
        {"", TENON_INVALID_ARGUMENT, "its 0 bytes are no cubin"},
        {".versions", TENON_INVALID_ARGUMENT, "are no cubin"},
        {"int main(void) {}", TENON_INVALID_ARGUMENT, "are no cubin"},
        {"/* never ends .version 8.0", TENON_INVALID_ARGUMENT, "are no cubin"},
        {".version x\n.target sm_90\n", TENON_DATA_LOSS, "its .version is no number"},
        {".version 8.0\n.visible .entry k() {}", TENON_DATA_LOSS, "no .target"},
        {".version 8.0\n.target texmode_independent\n", TENON_DATA_LOSS, "no .target"},
        {".version 8.0\n.target sm_x\n", TENON_DATA_LOSS, "is no arch"},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        tenon_object *object = NULL;
        tenon_status *status = read_text(bad[i].text, &object);
        assert_int_equal(tenon_status_code(status), bad[i].code);
        if (!strstr(tenon_status_message(status), bad[i].says)) {
            fail_msg("'%s' is not in '%s'", bad[i].says, tenon_status_message(status));
        }
        assert_null(object);
        tenon_status_free(status);
    }
}

static void a_nul_ends_the_text(void **state)
{
    (void)state;
    static const char text[] = ".version 8.0\n.target sm_90\n\0\0";
    tenon_object *object = NULL;
    assert_null(
        tenon_object_create("it", TENON_KIND_PTX, (tenon_bytes){text, sizeof(text)}, &object));
    assert_int_equal(tenon_object_bytes(object).size, strlen(text));
    tenon_object_release(object);

    static const char inside[] = ".version 8.0\n.target sm_90\n\0.visible";
    object = NULL;
    tenon_status *status =
        tenon_object_create("it", TENON_KIND_PTX, (tenon_bytes){inside, sizeof(inside)}, &object);
    assert_int_equal(tenon_status_code(status), TENON_DATA_LOSS);
    assert_null(object);
    tenon_status_free(status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_blanks_may_come_first),
        cmocka_unit_test(other_texts_are_told_from_broken_ptx),
        cmocka_unit_test(a_nul_ends_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
