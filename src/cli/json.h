// Writes JSON: one value, on one line. What is not UTF-8 becomes U+FFFD, so that any reader takes
// it.
#ifndef TENON_CLI_JSON_H_
#define TENON_CLI_JSON_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tn_json {
    FILE *out;
    bool more;  ///< Something stands before, at this level.
} tn_json;

/// Opens an object or array, with '{' or '['. `key` is NULL inside of arrays, here and below.
void tn_json_open(tn_json *json, const char *key, char bracket);

/// Closes it, with '}' or ']'.
void tn_json_close(tn_json *json, char bracket);

void tn_json_text(tn_json *json, const char *key, const char *value);
void tn_json_number(tn_json *json, const char *key, uint64_t value);
void tn_json_bool(tn_json *json, const char *key, bool value);

#endif  // TENON_CLI_JSON_H_
