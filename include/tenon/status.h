// Errors are objects that the caller owns. There is no "last error": with two threads or two
// libraries nobody can say which one was last.
#ifndef TENON_STATUS_H_
#define TENON_STATUS_H_

#include "tenon/base.h"

TENON_BEGIN_DECLS

// One row per code: name, value for ever, text. A code says what the caller can do about it; what
// happened is in the message.
#define TENON_CODES(X)                                                     \
    X(INVALID_ARGUMENT, 1, "invalid argument") /* correct the call */      \
    X(NOT_FOUND, 2, "not found")               /* correct the name */      \
    X(OUT_OF_MEMORY, 3, "out of memory")       /* free some, try again */  \
    X(UNAVAILABLE, 4, "unavailable")           /* install what it needs */ \
    X(INCOMPATIBLE, 5, "incompatible")         /* change a version */      \
    X(COMPILE_FAILED, 6, "compile failed")     /* read the log */          \
    X(LINK_FAILED, 7, "link failed")           /* read the log */          \
    X(IO, 8, "input/output error")             /* look at the disk */      \
    X(DATA_LOSS, 9, "data loss")               /* discard the bytes */     \
    X(INTERNAL, 10, "internal error")          /* report it to us */       \
    X(TOOL_CRASHED, 11, "vendor tool crashed") /* look at the inputs */    \
    X(DEADLINE, 12, "deadline exceeded")       /* wait longer, or split */

typedef enum tenon_code {
    TENON_OK = 0,
#define TENON_CODE_ENUMERATOR_(name, value, text) TENON_##name = value,
    TENON_CODES(TENON_CODE_ENUMERATOR_)
#undef TENON_CODE_ENUMERATOR_
} tenon_code;

typedef struct tenon_status tenon_status;

/// Returns the code; TENON_OK for NULL.
TENON_API tenon_code tenon_status_code(const tenon_status *status);

/// Returns one line for a person; "" for NULL.
TENON_API const char *tenon_status_message(const tenon_status *status);

/// Returns what the tool behind the error printed, whole; "" when there was none.
TENON_API const char *tenon_status_log(const tenon_status *status);

/// Frees an error. NULL is allowed.
TENON_API void tenon_status_free(tenon_status *status);

/// Returns the text of a code, also of one this library does not know.
TENON_API const char *tenon_code_name(tenon_code code);

// For those who make errors: the library, its backends, its bindings. None of these can fail:
// without memory, make returns an out-of-memory error that needs none, and the others leave the
// error as it was.

/// Makes an error. Free with tenon_status_free().
TENON_API TENON_NODISCARD tenon_status *tenon_status_make(tenon_code code, const char *format, ...)
    TENON_PRINTF(2, 3);

/// Puts "text: " before the message: what was being done when it failed.
TENON_API void tenon_status_prepend(tenon_status *status, const char *format, ...)
    TENON_PRINTF(2, 3);

/// Adds text to the end of the log.
TENON_API void tenon_status_add_log(tenon_status *status, const char *format, ...)
    TENON_PRINTF(2, 3);

TENON_END_DECLS

#endif  // TENON_STATUS_H_
