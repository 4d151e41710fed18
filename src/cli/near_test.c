#include "cli/near.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void nearest_name_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"--arch", "--incremental", "-r",
                                        "link",   "inspect",       "--fma"};
    static const struct {
        const char *word, *near;
    } rows[] = {
        {"--arhc", "--arch"},
        {"-arch", "--arch"},
        {"--incrementl", "--incremental"},
        {"--incremetnal", "--incremental"},
        {"lnk", "link"},
        {"ispect", "inspect"},
        {"inspection", "inspect"},
        {"--fam", "--fma"},
        {"frobnicate", ""},
        {"", ""},
        {"-q", ""},
        {"--x", ""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        tn_near near;
        tn_near_init(&near, rows[i].word);
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) tn_near_try(&near, names[k]);
        assert_string_equal(near.best, rows[i].near);
    }
}

static void long_words_are_near_to_nothing(void **state)
{
    (void)state;
    char word[4096];
    memset(word, 'a', sizeof(word));
    word[sizeof(word) - 1] = '\0';
    tn_near near;
    tn_near_init(&near, word);
    tn_near_try(&near, "--arch");
    tn_near_try(&near, word);
    assert_string_equal(near.best, "");
    tn_near_init(&near, "--arch");
    tn_near_try(&near, word);
    assert_string_equal(near.best, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_name_is_found),
        cmocka_unit_test(long_words_are_near_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
