// Objects made by hand: which entry of a fatbin is taken, and what is refused.
#include "link/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

static tenon_object pool[16];
static tenon_object *members[16][MOST];
static char archs[16][MOST][16];
static char *arch_list[16][MOST];
static size_t used;

static int start(void **state)
{
    (void)state;
    memset(pool, 0, sizeof(pool));
    used = 0;
    return 0;
}

static tenon_object *leaf(tenon_kind kind, const char *name, uint32_t sm, char suffix,
                          bool relocatable)
{
    tenon_object *o = &pool[used];
    o->kind = kind;
    o->name = (char *)(uintptr_t)name;
    o->sm = sm;
    o->sm_suffix = suffix;
    o->relocatable = relocatable;
    o->references = 1000;  // nobody frees the pool
    char tail[2] = {suffix, '\0'};
    snprintf(archs[used][0], sizeof(archs[used][0]), "%s%u%s",
             kind == TENON_KIND_CUBIN ? "sm_" : "compute_", sm, tail);
    arch_list[used][0] = archs[used][0];
    o->archs = arch_list[used];
    o->arch_count = sm ? 1 : 0;
    used++;
    return o;
}

static tenon_object *holder(tenon_kind kind, const char *name, tenon_object *const *list,
                            size_t count)
{
    size_t at = used;
    tenon_object *o = leaf(kind, name, 0, 0, true);
    o->members = members[at];
    o->member_count = count;
    for (size_t i = 0; i < count; i++) {
        o->members[i] = list[i];
        for (size_t k = 0; k < list[i]->arch_count; k++) {
            arch_list[at][o->arch_count++] = list[i]->archs[k];
        }
    }
    return o;
}

/// Collects and returns the name of the unit taken last, or the message of the error.
static const char *taken(tenon_object *const *inputs, size_t count, const tn_settings *settings,
                         tn_mode *mode)
{
    static char text[512];
    tn_units units = {0};
    tenon_status *status = tn_units_collect(inputs, count, settings, mode, &units);
    if (status) {
        snprintf(text, sizeof(text), "%d: %s", tenon_status_code(status),
                 tenon_status_message(status));
    } else {
        snprintf(text, sizeof(text), "%s", units.count ? units.items[units.count - 1].name : "");
    }
    tenon_status_free(status);
    tn_units_deinit(&units);
    return text;
}

static const tn_settings for_90 = {.arch = {90, 0, false}};

static void the_nearest_entry_of_a_fatbin_is_taken(void **state)
{
    (void)state;
    tenon_object *entries[] = {leaf(TENON_KIND_CUBIN, "sm_80", 80, 0, true),
                               leaf(TENON_KIND_PTX, "ptx_80", 80, 0, true),
                               leaf(TENON_KIND_PTX, "ptx_86", 86, 0, true),
                               leaf(TENON_KIND_CUBIN, "sm_90a", 90, 'a', true),
                               leaf(TENON_KIND_CUBIN, "sm_90", 90, 0, true)};
    tn_mode mode = {.target = TENON_KIND_CUBIN};
    tenon_object *fatbin = holder(TENON_KIND_FATBIN, "f", entries, 5);
    assert_string_equal(taken(&fatbin, 1, &for_90, &mode), "sm_90");
    fatbin->member_count = 4;  // machine code for 90a is none for 90: the newest PTX
    assert_string_equal(taken(&fatbin, 1, &for_90, &mode), "ptx_86");
}

static void a_fatbin_without_the_arch_lists_all_it_has(void **state)
{
    (void)state;
    tenon_object *entries[] = {leaf(TENON_KIND_CUBIN, "a", 80, 0, true),
                               leaf(TENON_KIND_CUBIN, "b", 86, 0, true)};
    tenon_object *fatbin = holder(TENON_KIND_FATBIN, "poly.fatbin", entries, 2);
    tn_mode mode = {.target = TENON_KIND_CUBIN};
    assert_string_equal(taken(&fatbin, 1, &for_90, &mode),
                        "5: 'poly.fatbin' has no code that a link for sm_90 can use; it has sm_80, "
                        "sm_86");
}

static void lto_ir_turns_lto_on(void **state)
{
    (void)state;
    tenon_object *entries[] = {leaf(TENON_KIND_CUBIN, "code", 90, 0, true),
                               leaf(TENON_KIND_LTOIR, "ir", 90, 0, true)};
    tenon_object *both = holder(TENON_KIND_FATBIN, "both", entries, 2);
    tenon_object *only = holder(TENON_KIND_FATBIN, "only", entries + 1, 1);
    tenon_object *inputs[] = {only, both};
    tn_mode mode = {.target = TENON_KIND_CUBIN};
    assert_string_equal(taken(&both, 1, &for_90, &mode), "code");
    assert_false(mode.lto);
    assert_string_equal(taken(inputs, 2, &for_90, &mode), "ir");
    assert_true(mode.lto);

    tn_settings off = for_90;
    off.options.link_time_optimization = TENON_CHOICE_OFF;
    assert_non_null(strstr(taken(&only, 1, &off, &mode), "has no code"));
    assert_non_null(strstr(taken(&entries[1], 1, &off, &mode), "link_time_optimization"));
}

static void finished_code_is_refused_or_noted(void **state)
{
    (void)state;
    tenon_object *done = leaf(TENON_KIND_CUBIN, "done.cubin", 90, 0, false);
    tenon_object *fatbin = holder(TENON_KIND_FATBIN, "lib.a(x.o)", &done, 1);
    tenon_object *host = holder(TENON_KIND_HOST, "x.o", &fatbin, 1);
    tenon_object *plain = holder(TENON_KIND_HOST, "plain.o", NULL, 0);
    tenon_object *archive = holder(TENON_KIND_ARCHIVE, "lib.a", &host, 1);
    tenon_object *bare = holder(TENON_KIND_ARCHIVE, "bare.a", &plain, 1);
    tn_mode mode = {.target = TENON_KIND_CUBIN};
    assert_non_null(strstr(taken(&done, 1, &for_90, &mode), "'done.cubin' is already linked"));
    assert_non_null(strstr(taken(&host, 1, &for_90, &mode), "-rdc=true"));
    assert_non_null(strstr(taken(&bare, 1, &for_90, &mode), "no member has device code"));
    assert_string_equal(taken(&archive, 1, &for_90, &mode), "");  // the linker decides
}

static void the_inputs_tell_the_arch(void **state)
{
    (void)state;
    tenon_object *inputs[] = {leaf(TENON_KIND_PTX, "p", 100, 0, true),
                              leaf(TENON_KIND_CUBIN, "c", 80, 0, true),
                              leaf(TENON_KIND_CUBIN, "d", 86, 0, true)};
    static const tn_settings none = {0};
    tn_mode mode = {.target = TENON_KIND_CUBIN};
    assert_string_equal(taken(inputs + 1, 2, &none, &mode), "d");
    assert_int_equal(mode.arch.number, 86);
    assert_string_equal(taken(inputs, 1, &none, &mode), "p");
    assert_int_equal(mode.arch.number, 100);
    assert_false(mode.arch.virtual_);
    tenon_object *fatbin = holder(TENON_KIND_FATBIN, "f", inputs + 1, 2);
    assert_non_null(strstr(taken(&fatbin, 1, &none, &mode), "code for sm_80, sm_86: give one"));
    tenon_object *unknown = leaf(TENON_KIND_LTOIR, "u", 0, 0, true);
    assert_non_null(strstr(taken(&unknown, 1, &none, &mode), "no arch is given"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_nearest_entry_of_a_fatbin_is_taken, start),
        cmocka_unit_test_setup(a_fatbin_without_the_arch_lists_all_it_has, start),
        cmocka_unit_test_setup(lto_ir_turns_lto_on, start),
        cmocka_unit_test_setup(finished_code_is_refused_or_noted, start),
        cmocka_unit_test_setup(the_inputs_tell_the_arch, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
