#include "cli/json.h"

#include <inttypes.h>
#include <string.h>

/// Returns the length of the UTF-8 character at `s`, which ends with a NUL; 0 if it is none.
static size_t utf8_length(const unsigned char *s)
{
    // Length, and the range of the second byte, by the first one: neither overlong forms, nor
    // surrogates, nor what is beyond U+10FFFF.
    unsigned char least = 0x80;
    unsigned char most = 0xbf;
    size_t length = 0;
    if (s[0] < 0x80) return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) length = 2;
    if (s[0] >= 0xe0 && s[0] <= 0xef) length = 3;
    if (s[0] >= 0xf0 && s[0] <= 0xf4) length = 4;
    if (s[0] == 0xe0) least = 0xa0;
    if (s[0] == 0xed) most = 0x9f;
    if (s[0] == 0xf0) least = 0x90;
    if (s[0] == 0xf4) most = 0x8f;
    if (length == 0 || s[1] < least || s[1] > most) return 0;
    for (size_t i = 2; i < length; i++) {
        if (s[i] < 0x80 || s[i] > 0xbf) return 0;
    }
    return length;
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t length = utf8_length(s);
        if (length == 0) {
            fputs("\\ufffd", out);
            length = 1;
        } else if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\u%04x", *s);
        } else {
            fwrite(s, 1, length, out);
        }
        s += length;
    }
    fputc('"', out);
}

/// What stands before a value.
static void begin(tn_json *json, const char *key)
{
    if (json->more) fputs(", ", json->out);
    json->more = true;
    if (!key) return;
    put_string(json->out, key);
    fputs(": ", json->out);
}

void tn_json_open(tn_json *json, const char *key, char bracket)
{
    begin(json, key);
    fputc(bracket, json->out);
    json->more = false;
}

void tn_json_close(tn_json *json, char bracket)
{
    fputc(bracket, json->out);
    json->more = true;
}

void tn_json_text(tn_json *json, const char *key, const char *value)
{
    begin(json, key);
    put_string(json->out, value);
}

void tn_json_number(tn_json *json, const char *key, uint64_t value)
{
    begin(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void tn_json_bool(tn_json *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}
