// The rules of binding, with a library that is nothing but names.
#include "nv/bind.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct table {
    void (*First)(void);
    void (*Second)(void);
} table;

static const tn_bind_row rows[] = {
    {"First", TN_REQUIRED, offsetof(table, First)},
    {"Second", TN_OPTIONAL, offsetof(table, Second)},
};

static const tn_bind_form forms[] = {{"x", ""}, {"__x", "_13_0"}, {"__x", "_12_0"}};

static const tn_bind_plan plan = {rows, 2, forms, 3};

/// Names that match `exports` and do not match `lacks`.
typedef struct fake {
    const char *exports, *lacks;
    char last[64];  // the name found last
} fake;

static void *look_up(void *data, const char *symbol)
{
    fake *library = data;
    if (fnmatch(library->exports, symbol, 0) != 0) return NULL;
    if (fnmatch(library->lacks, symbol, 0) == 0) return NULL;
    snprintf(library->last, sizeof(library->last), "%s", symbol);
    return library->last;
}

static void expect_last(const char *exports, const char *last)
{
    fake library = {exports, "", ""};
    table bound = {NULL, NULL};
    assert_null(tn_bind(&plan, look_up, &library, &bound));
    assert_string_equal(library.last, last);
    assert_true(bound.First != NULL);
    assert_true(bound.Second != NULL);
}

static void first_known_spelling_wins(void **state)
{
    (void)state;
    expect_last("*", "xSecond");
    expect_last("__x*", "__xSecond_13_0");
    expect_last("__x*_12_0", "__xSecond_12_0");
}

static void optional_functions_may_be_missing(void **state)
{
    (void)state;
    fake library = {"*", "*Second*", ""};
    table bound = {NULL, (void (*)(void))(uintptr_t)1};
    assert_null(tn_bind(&plan, look_up, &library, &bound));
    assert_true(bound.First != NULL);
    assert_true(bound.Second == NULL);
}

static void required_functions_are_named_when_missing(void **state)
{
    (void)state;
    fake library = {"*", "*First*", ""};
    table bound = {NULL, NULL};
    tenon_status *status = tn_bind(&plan, look_up, &library, &bound);
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_non_null(strstr(tenon_status_message(status), "xFirst and its versioned names"));
    tenon_status_free(status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_known_spelling_wins),
        cmocka_unit_test(optional_functions_may_be_missing),
        cmocka_unit_test(required_functions_are_named_when_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
