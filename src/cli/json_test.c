#include "cli/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Writes one text as JSON. Returns what came out, to be freed.
static char *written(const char *value)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    assert_non_null(out);
    tn_json json = {out, false};
    tn_json_text(&json, NULL, value);
    fclose(out);
    return data;
}

static void text_is_escaped_and_always_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"", "\"\""},
        {"a b", "\"a b\""},
        {"\"\\/", "\"\\\"\\\\/\""},
        {"\n\t\x01\x1b\x7f", "\"\\u000a\\u0009\\u0001\\u001b\\u007f\""},
        {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\""},
        {"\x80", "\"\\ufffd\""},
        {"\xc3", "\"\\ufffd\""},
        {"\xc3x", "\"\\ufffdx\""},
        {"\xe2\x82", "\"\\ufffd\\ufffd\""},
        {"\xc0\x80", "\"\\ufffd\\ufffd\""},                        // overlong
        {"\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\""},             // overlong
        {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""},             // a surrogate
        {"\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},  // beyond U+10FFFF
        {"\xff\xfe", "\"\\ufffd\\ufffd\""},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *out = written(rows[i].in);
        assert_string_equal(out, rows[i].out);
        free(out);
    }
}

static void values_nest_with_commas_between_them(void **state)
{
    (void)state;
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    assert_non_null(out);
    tn_json json = {out, false};
    tn_json_open(&json, NULL, '{');
    tn_json_open(&json, "empty", '[');
    tn_json_close(&json, ']');
    tn_json_open(&json, "list", '[');
    tn_json_number(&json, NULL, 0);
    tn_json_number(&json, NULL, UINT64_MAX);
    tn_json_open(&json, NULL, '{');
    tn_json_close(&json, '}');
    tn_json_close(&json, ']');
    tn_json_bool(&json, "yes", true);
    tn_json_bool(&json, "no", false);
    tn_json_text(&json, "a\"b", "c");
    tn_json_close(&json, '}');
    fclose(out);
    assert_string_equal(data,
                        "{\"empty\": [], \"list\": [0, 18446744073709551615, {}], \"yes\": true, "
                        "\"no\": false, \"a\\\"b\": \"c\"}");
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped_and_always_utf8),
        cmocka_unit_test(values_nest_with_commas_between_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
