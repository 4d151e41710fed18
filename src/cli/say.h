// What the command says about itself: errors and notes on stderr, results on stdout.
#ifndef TENON_CLI_SAY_H_
#define TENON_CLI_SAY_H_

#include <stdio.h>

#include "tenon.h"

enum { TN_EXIT_DONE = 0, TN_EXIT_FAILED = 1, TN_EXIT_WRONG = 2 };

/// Prints "tenon: error: ..." as one line.
void tn_say_error(const char *format, ...) TENON_PRINTF(1, 2);

/// Prints an error about how `command` was called, and where its help is. Returns TN_EXIT_WRONG.
int tn_say_wrong(const char *command, const char *format, ...) TENON_PRINTF(2, 3);

/// Prints an error and its log, frees it, and returns TN_EXIT_FAILED.
int tn_say_status(tenon_status *status);

/// Prints what a tool said although it succeeded: each line that is more than chatter as a note or,
/// if `whole`, all as it is.
void tn_say_log(const char *log, int whole);

/// Prints text that comes from a file, with control characters as "\x1b", so that no file can move
/// the cursor of who looks at it.
void tn_print_safe(const char *text, FILE *out);

/// Writes what is left for stdout. Returns `code`, or TN_EXIT_FAILED if not all could be written.
int tn_close_stdout(int code);

#endif  // TENON_CLI_SAY_H_
