// Everything that is wrong with a link, told at once: a user who sees one of ten undefined symbols
// links ten times.
#ifndef TN_LINK_PROBLEMS_H_
#define TN_LINK_PROBLEMS_H_

#include "base/buffer.h"
#include "tenon/status.h"

typedef struct tn_problems {
    tn_buffer message;  ///< The first ones, joined by "; ".
    tn_buffer lines;    ///< All, one a line.
    size_t count;
} tn_problems;

/// Adds a problem, a sentence without its full stop.
void tn_problems_add(tn_problems *problems, const char *format, ...) TENON_PRINTF(2, 3);

/// Returns an error of all problems, after which there are none; NULL if there were none.
TENON_NODISCARD tenon_status *tn_problems_status(tn_problems *problems, tenon_code code);

void tn_problems_deinit(tn_problems *problems);

/// Writes a symbol for a message: "scale(int)" [_Z5scalei], or only 'lut' where both are the same.
void tn_print_symbol(tn_buffer *out, const char *name);

#endif  // TN_LINK_PROBLEMS_H_
