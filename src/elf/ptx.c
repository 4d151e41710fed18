// PTX is text; what matters of it stands at its beginning.
#include <stdio.h>

#include "core/try.h"
#include "elf/bytes.h"
#include "elf/read.h"

/// Passes over blanks and comments.
static const char *skip_space(const char *at, const char *end)
{
    while (at < end) {
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
            at++;
        } else if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
            const char *line = memchr(at, '\n', (size_t)(end - at));
            at = line ? line + 1 : end;
        } else if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
            const char *close = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
            at = close ? close + 2 : end;
        } else {
            break;
        }
    }
    return at;
}

/// Passes over a word and the blanks behind it; NULL if another stands there.
static const char *skip_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - at) <= length || memcmp(at, word, length) != 0) return NULL;
    return skip_space(at + length, end);
}

/// Reads a decimal number; its end is where a text without digits begins.
static const char *number(const char *at, const char *end, uint32_t *out)
{
    *out = 0;
    while (at < end && *at >= '0' && *at <= '9' && *out < 100000) {
        *out = *out * 10 + (uint32_t)(*at++ - '0');
    }
    return at;
}

bool tn_is_ptx(const char *data, size_t size)
{
    const char *end = data + size;
    const char *word = skip_space(data, end);
    const char *after = skip_word(word, end, ".version");
    return after && after > word + strlen(".version");  // blanks or a comment stand between
}

static tenon_status *bad_ptx(const tenon_object *object, const char *what)
{
    return tenon_status_make(TENON_DATA_LOSS, "'%s' is PTX, but %s", object->name, what);
}

tenon_status *tn_ptx_read(tenon_object *object)
{
    while (object->size && object->data[object->size - 1] == '\0') object->size--;
    if (memchr(object->data, '\0', object->size)) return bad_ptx(object, "has a NUL in its text");
    const char *end = object->data + object->size;
    uint32_t major = 0;
    uint32_t minor = 0;
    const char *at = skip_word(skip_space(object->data, end), end, ".version");
    at = at ? number(at, end, &major) : end;
    if (at < end && *at == '.') at = number(at + 1, end, &minor);
    if (!major) return bad_ptx(object, "its .version is no number");
    object->ptx_isa = major * 10 + minor;
    object->relocatable = true;
    snprintf(object->producer, sizeof(object->producer), "PTX ISA %u.%u", major, minor);

    at = skip_word(skip_space(at, end), end, ".target");
    if (!at || !skip_word(at, end, "sm_"))
        return bad_ptx(object, "no .target follows its .version");
    at = number(at + 3, end, &object->sm);
    if (object->sm < 10) return bad_ptx(object, "its .target is no arch");
    if (at < end && (*at == 'a' || *at == 'f')) object->sm_suffix = *at;
    return NULL;
}
