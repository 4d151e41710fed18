// A list of texts that grows, ended by NULL as the vendor's functions and options want it.
#ifndef TN_LINK_TEXTS_H_
#define TN_LINK_TEXTS_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct tn_texts {
    char **items;  ///< NULL, or `count` texts and then NULL; owned.
    size_t count, capacity;
    bool failed;  ///< Memory ran out; the list is not whole.
} tn_texts;

/// Appends a formatted text. Without memory the list fails, once and for all.
void tn_texts_print(tn_texts *texts, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Appends `size` bytes as a text.
void tn_texts_add(tn_texts *texts, const char *data, size_t size);

/// Appends copies of a list ended by NULL; NULL is an empty list.
void tn_texts_copy(tn_texts *texts, const char *const *list);

/// Returns the place of a text in the list, or its count if it is not in it.
size_t tn_texts_find(const tn_texts *texts, const char *text);

/// Frees the texts; the list is empty and can be used again.
void tn_texts_deinit(tn_texts *texts);

#endif  // TN_LINK_TEXTS_H_
