#include "base/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tn_buffer_deinit(tn_buffer *buffer)
{
    free(buffer->data);
    *buffer = (tn_buffer){0};
}

static void fail(tn_buffer *buffer)
{
    tn_buffer_deinit(buffer);
    buffer->failed = true;
}

char *tn_buffer_reserve(tn_buffer *buffer, size_t more)
{
    if (buffer->failed) return NULL;
    if (more >= SIZE_MAX / 4 || buffer->size >= SIZE_MAX / 4) {
        fail(buffer);
        return NULL;
    }
    size_t need = buffer->size + more + 1;
    if (need > buffer->capacity) {
        size_t capacity = buffer->capacity * 2 > need ? buffer->capacity * 2 : need;
        char *data = realloc(buffer->data, capacity);
        if (!data) {
            fail(buffer);
            return NULL;
        }
        buffer->data = data;
        buffer->capacity = capacity;
    }
    return buffer->data + buffer->size;
}

void tn_buffer_append(tn_buffer *buffer, const void *bytes, size_t size)
{
    char *end = tn_buffer_reserve(buffer, size);
    if (!end) return;
    if (size) memcpy(end, bytes, size);
    end[size] = '\0';
    buffer->size += size;
}

void tn_buffer_puts(tn_buffer *buffer, const char *text)
{
    tn_buffer_append(buffer, text, strlen(text));
}

void tn_buffer_vprint(tn_buffer *buffer, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return;
    char *end = tn_buffer_reserve(buffer, (size_t)length);
    if (!end) return;
    vsnprintf(end, (size_t)length + 1, format, args);
    buffer->size += (size_t)length;
}

void tn_buffer_print(tn_buffer *buffer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tn_buffer_vprint(buffer, format, args);
    va_end(args);
}

const char *tn_buffer_text(const tn_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

char *tn_buffer_take(tn_buffer *buffer)
{
    tn_buffer_append(buffer, "", 0);
    char *data = buffer->data;
    *buffer = (tn_buffer){0};
    return data;
}

void *tn_grow(void *items, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity) return items;
    size_t more = *capacity ? *capacity * 2 : 8;
    if (more > SIZE_MAX / item_size) return NULL;
    void *grown = realloc(items, more * item_size);
    if (grown) *capacity = more;
    return grown;
}
