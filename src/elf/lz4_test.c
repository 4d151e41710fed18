#include "elf/lz4.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool decodes(const void *data, size_t size, const char *want)
{
    char out[600];
    size_t length = strlen(want);
    return tn_lz4_decode(data, size, out, length) && memcmp(out, want, length) == 0;
}

static void literals_and_matches_are_put_together(void **state)
{
    (void)state;
    assert_true(decodes("\x50hello", 6, "hello"));
    // "abc", then 6 bytes from 3 back, then "!".
    assert_true(
        decodes("\x32"
                "abc\x03\x00\x10!",
                8, "abcabcabc!"));
    // A match that reaches into what it writes.
    assert_true(decodes("\x14x\x01\x00\x10.", 6, "xxxxxxxxx."));
}

static void long_lengths_go_on_in_more_bytes(void **state)
{
    (void)state;
    char data[400] = "\xf0\xff\x0f";
    char want[286];
    memset(want, 'q', sizeof(want) - 1);
    want[285] = '\0';
    memset(data + 3, 'q', 285);
    assert_true(decodes(data, 3 + 285, want));
    assert_false(decodes(data, 3 + 284, want));
    assert_false(decodes(data, 2, want));
}

static void damage_is_refused(void **state)
{
    (void)state;
    assert_false(decodes("\x50hell", 5, "hello"));            // cut in the literals
    assert_false(decodes("\x60hello!", 7, "hello"));          // more than there is room for
    assert_false(decodes("\x40hell", 5, "hello"));            // less than was promised
    assert_false(decodes("\x14x\x01", 3, "xxxxxxxxx"));       // cut in the offset
    assert_false(decodes("\x14x\x00\x00", 4, "xxxxxxxxx"));   // a match with itself
    assert_false(decodes("\x14x\x02\x00", 4, "xxxxxxxxx"));   // before the beginning
    assert_false(decodes("\x1fx\x01\x00", 4, "xxxxxxxxx"));   // cut in the length
    assert_false(decodes("\x1fx\x01\x00\x40", 5, "xxxxxx"));  // a match beyond the end
    assert_false(decodes("", 0, "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(literals_and_matches_are_put_together),
        cmocka_unit_test(long_lengths_go_on_in_more_bytes),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
