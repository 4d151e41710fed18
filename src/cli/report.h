// What an object is, as text and as JSON.
#ifndef TENON_CLI_REPORT_H_
#define TENON_CLI_REPORT_H_

#include <stdio.h>

#include "tenon.h"

void tn_report_text(const tenon_object *object, FILE *out);

/// Prints one line.
void tn_report_json(const tenon_object *object, FILE *out);

/// Returns the word of a tenon_space, tenon_symbol_kind, tenon_symbol_binding.
const char *tn_space_word(uint32_t space);
const char *tn_symbol_word(uint32_t kind);
const char *tn_binding_word(uint32_t binding);

#endif  // TENON_CLI_REPORT_H_
