#include "link/arch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static tn_arch parsed(const char *text)
{
    tn_arch arch = {0};
    assert_null(tn_arch_parse(text, &arch));
    return arch;
}

static void every_spelling_is_read(void **state)
{
    (void)state;
    static const char *const same[] = {"sm_90a", "compute_90a", "lto_90a", "90a"};
    for (size_t i = 0; i < 4; i++) {
        tn_arch arch = parsed(same[i]);
        assert_int_equal(arch.number, 90);
        assert_int_equal(arch.suffix, 'a');
    }
    char text[TN_ARCH_TEXT];
    assert_string_equal(tn_arch_text(parsed("compute_100f"), text), "compute_100f");
    assert_string_equal(tn_arch_text(parsed("75"), text), "sm_75");
}

static void what_is_no_arch_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",       "sm_",      "sm_9",  "sm_90b", "sm_90aa",    "sm90",
                                      "native", "sm_12345", "SM_90", "sm_-90", "compute_90 "};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        tn_arch arch = {7, 0, false};
        tenon_status *status = tn_arch_parse(bad[i], &arch);
        assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
        assert_int_equal(arch.number, 7);
        tenon_status_free(status);
    }
}

typedef struct rule {
    const char *code, *target;
    bool links, compiles;
} rule;

static void targets_use_what_the_documentation_says(void **state)
{
    (void)state;
    static const rule rules[] = {
        {"sm_80", "sm_86", true, true},      {"sm_86", "sm_80", false, false},
        {"sm_80", "sm_90", false, true},     {"sm_90", "sm_90a", true, true},
        {"sm_90a", "sm_90", false, false},   {"sm_90a", "sm_90a", true, true},
        {"sm_90a", "sm_100", false, false},  {"sm_100f", "sm_103a", true, true},
        {"sm_100f", "sm_103", false, false}, {"sm_100f", "sm_120f", false, false},
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        tn_arch code = parsed(rules[i].code);
        tn_arch target = parsed(rules[i].target);
        assert_int_equal(tn_arch_links(code, target), rules[i].links);
        assert_int_equal(tn_arch_compiles(code, target), rules[i].compiles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_is_read),
        cmocka_unit_test(what_is_no_arch_is_refused),
        cmocka_unit_test(targets_use_what_the_documentation_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
