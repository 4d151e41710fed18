// Bytes that grow. Without memory a buffer fails once and for all, so that a writer checks at the
// end and not after each step.
#ifndef TN_BASE_BUFFER_H_
#define TN_BASE_BUFFER_H_

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct tn_buffer {
    char *data;  ///< NULL, or `size` bytes and a NUL after them.
    size_t size;
    size_t capacity;
    bool failed;  ///< Memory ran out; the buffer stays empty.
} tn_buffer;

/// Frees the bytes; the buffer is empty and can be used again.
void tn_buffer_deinit(tn_buffer *buffer);

/// Makes room for `more` bytes behind the end and returns where they go; NULL without memory.
char *tn_buffer_reserve(tn_buffer *buffer, size_t more);

void tn_buffer_append(tn_buffer *buffer, const void *bytes, size_t size);
void tn_buffer_puts(tn_buffer *buffer, const char *text);
void tn_buffer_print(tn_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tn_buffer_vprint(tn_buffer *buffer, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/// Returns the bytes as a text, "" for an empty buffer; valid until the next change.
const char *tn_buffer_text(const tn_buffer *buffer);

/// Hands out the bytes, NUL behind them, and empties the buffer; NULL without memory. Free with
/// free().
char *tn_buffer_take(tn_buffer *buffer);

/// Makes room for one more item of `item_size` bytes in an array. Returns the array, perhaps moved,
/// with `*capacity` raised; NULL without memory, and then the old array is still good.
void *tn_grow(void *items, size_t count, size_t *capacity, size_t item_size);

#endif  // TN_BASE_BUFFER_H_
