// `ar` archives, with the long names of GNU and BSD. Source of the format: ar(5) of both.
#include <stdio.h>

#include "core/try.h"
#include "elf/bytes.h"
#include "elf/read.h"

enum { AR_HEADER = 60, AR_MAGIC = 8 };

/// A number in the text fields of a member's header; false if it is none.
static bool ar_number(const char *field, size_t width, uint64_t *out)
{
    uint64_t value = 0;
    size_t i = 0;
    for (; i < width && field[i] >= '0' && field[i] <= '9'; i++) {
        value = value * 10 + (uint64_t)(field[i] - '0');
    }
    for (size_t k = i; k < width; k++) {
        if (field[k] != ' ') return false;
    }
    *out = value;
    return i > 0;
}

typedef struct ar_member {
    const char *name;
    size_t name_length;
    const char *data;
    uint64_t size;
} ar_member;

static size_t length_until(const char *text, size_t limit, const char *ends)
{
    size_t length = 0;
    while (length < limit && !strchr(ends, text[length])) length++;
    return length;
}

/// Resolves GNU's "/123" and BSD's "#1/12" names; false if they lead nowhere.
static bool ar_name(const char *header, tenon_bytes long_names, ar_member *m)
{
    uint64_t number = 0;
    if (header[0] == '/' && header[1] >= '0' && header[1] <= '9') {
        if (!ar_number(header + 1, 15, &number) || number >= long_names.size) return false;
        m->name = (const char *)long_names.data + number;
        m->name_length = length_until(m->name, long_names.size - number, "/\n");
    } else if (memcmp(header, "#1/", 3) == 0) {
        if (!ar_number(header + 3, 13, &number) || number > m->size) return false;
        m->name = m->data;
        m->name_length = strnlen(m->name, number);
        m->data += number;
        m->size -= number;
    } else {
        m->name = header;
        m->name_length = length_until(header, 16, header[0] == '/' ? " " : "/ ");
    }
    return true;
}

static bool is_named(const ar_member *m, const char *name)
{
    return m->name_length == strlen(name) && memcmp(m->name, name, m->name_length) == 0;
}

/// Tables of symbols, not members.
static bool is_index(const ar_member *m)
{
    return is_named(m, "/") || is_named(m, "/SYM64/") || is_named(m, "__.SYMDEF") ||
           is_named(m, "__.SYMDEF SORTED");
}

static tenon_status *add_ar_member(tenon_object *object, const ar_member *m, unsigned depth)
{
    char suffix[300];
    tenon_object *member = NULL;
    snprintf(suffix, sizeof(suffix), "(%.*s)", (int)(m->name_length < 256 ? m->name_length : 256),
             m->name);
    tenon_kind kind = tn_recognise(m->data, m->size);
    if (kind == TENON_KIND_ANY || kind == TENON_KIND_ARCHIVE) return NULL;  // no business of ours
    TN_TRY(tn_add_member(object, suffix, kind, (tenon_bytes){m->data, m->size}, false, &member));
    return tn_read_member(member, depth);
}

tenon_status *tn_archive_read(tenon_object *object, unsigned depth)
{
    if (object->size >= AR_MAGIC && memcmp(object->data, "!<thin>\n", AR_MAGIC) == 0) {
        return tenon_status_make(
            TENON_INVALID_ARGUMENT,
            "'%s' is a thin archive, which only names its members: give these, or "
            "make a full archive (ar rcs)",
            object->name);
    }
    tenon_bytes long_names = {"", 0};
    for (uint64_t at = AR_MAGIC; at < object->size;) {
        const char *header = object->data + at;
        ar_member m = {0};
        bool whole = tn_within(at, AR_HEADER, object->size) && memcmp(header + 58, "`\n", 2) == 0 &&
                     ar_number(header + 48, 10, &m.size) &&
                     tn_within(at + AR_HEADER, m.size, object->size);
        uint64_t next = at + AR_HEADER + m.size + (m.size & 1);
        m.data = header + AR_HEADER;
        if (whole && memcmp(header, "// ", 3) == 0) {
            long_names = (tenon_bytes){m.data, m.size};
        } else if (!whole || !ar_name(header, long_names, &m)) {
            return tenon_status_make(TENON_DATA_LOSS,
                                     "'%s' is cut or damaged: there is no archive member at %llu",
                                     object->name, (unsigned long long)at);
        } else if (!is_index(&m)) {
            TN_TRY(add_ar_member(object, &m, depth));
        }
        at = next;
    }
    return NULL;
}
