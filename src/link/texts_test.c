// Linked with --wrap, so that each allocation can be made to fail: __wrap_malloc, __wrap_calloc,
// __wrap_realloc, __wrap_strdup.
#include "link/texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fail_alloc.h"

static void fill(tn_texts *texts)
{
    static const char *const more[] = {"three", "", NULL};
    tn_texts_print(texts, "-I%s", "one");
    tn_texts_add(texts, "two of these", 3);
    tn_texts_copy(texts, more);
    tn_texts_copy(texts, NULL);
}

static void list_is_in_order_and_ended_by_null(void **state)
{
    (void)state;
    static const char *const want[] = {"-Ione", "two", "three", ""};
    tn_texts texts = {0};
    fill(&texts);
    assert_false(texts.failed);
    assert_int_equal(texts.count, 4);
    for (size_t i = 0; i < 4; i++) assert_string_equal(texts.items[i], want[i]);
    assert_null(texts.items[4]);
    assert_int_equal(tn_texts_find(&texts, "three"), 2);
    assert_int_equal(tn_texts_find(&texts, "four"), 4);
    tn_texts_deinit(&texts);
    assert_int_equal(tn_texts_find(&texts, "three"), 0);
}

static void long_list_stays_ended(void **state)
{
    (void)state;
    tn_texts texts = {0};
    for (int i = 0; i < 1000; i++) {
        tn_texts_print(&texts, "%d", i);
        assert_null(texts.items[texts.count]);
    }
    assert_string_equal(texts.items[999], "999");
    tn_texts_deinit(&texts);
}

static void every_failing_allocation_fails_the_list_for_good(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        tn_texts texts = {0};
        tn_allocations_made = 0;
        tn_allocations_left = n;
        fill(&texts);
        long made = tn_allocations_made;
        tn_allocations_left = -1;
        assert_true(texts.failed == (made > n));
        if (texts.failed) {
            size_t count = texts.count;
            tn_texts_add(&texts, "more", 4);
            assert_int_equal(texts.count, count);
        }
        tn_texts_deinit(&texts);
        if (made <= n) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(list_is_in_order_and_ended_by_null),
        cmocka_unit_test(long_list_stays_ended),
        cmocka_unit_test(every_failing_allocation_fails_the_list_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
