#include "link/texts.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

/// Takes over `text`, which is NULL without memory.
static void take(tn_texts *texts, char *text)
{
    // One more than is needed, for the NULL.
    char **items = text && !texts->failed
                       ? tn_grow(texts->items, texts->count + 1, &texts->capacity, sizeof(*items))
                       : NULL;
    if (!items) {
        free(text);
        texts->failed = true;
        return;
    }
    texts->items = items;
    items[texts->count++] = text;
    items[texts->count] = NULL;
}

void tn_texts_print(tn_texts *texts, const char *format, ...)
{
    tn_buffer buffer = {0};
    va_list args;
    va_start(args, format);
    tn_buffer_vprint(&buffer, format, args);
    va_end(args);
    take(texts, tn_buffer_take(&buffer));
}

void tn_texts_add(tn_texts *texts, const char *data, size_t size)
{
    char *text = size < SIZE_MAX ? malloc(size + 1) : NULL;
    if (text) {
        if (size) memcpy(text, data, size);
        text[size] = '\0';
    }
    take(texts, text);
}

void tn_texts_copy(tn_texts *texts, const char *const *list)
{
    for (size_t i = 0; list && list[i]; i++) tn_texts_add(texts, list[i], strlen(list[i]));
}

size_t tn_texts_find(const tn_texts *texts, const char *text)
{
    size_t i = 0;
    while (i < texts->count && strcmp(texts->items[i], text) != 0) i++;
    return i;
}

void tn_texts_deinit(tn_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) free(texts->items[i]);
    free(texts->items);
    *texts = (tn_texts){0};
}
