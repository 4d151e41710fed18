// Fatbins written by hand: what an entry's header says of it, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "elf/read.h"

static const char ptx[] = ".version 8.0\n.target sm_90\n";

enum { PTX = 1, LTOIR = 8, LZ4 = 0x2000, SCRAMBLED = 0x18000, SPECIFIC = 0x100000 };

typedef struct entry {
    uint16_t kind;
    uint32_t arch;
    uint64_t flags;
    uint64_t full_size;
    const char *data;
    uint32_t size;
} entry;

static void number(tn_buffer *b, uint64_t value, size_t size)
{
    tn_buffer_append(b, &value, size);  // the lower bytes come first
}

static void add_fatbin(tn_buffer *b, const entry *entries, size_t count)
{
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++) size += 64 + entries[i].size;
    number(b, 0xBA55ED50, 4);
    number(b, 1, 2);
    number(b, 16, 2);
    number(b, size, 8);
    for (size_t i = 0; i < count; i++) {
        const entry *e = &entries[i];
        number(b, e->kind | 0x101u << 16, 4);
        number(b, 64, 4);
        number(b, e->size, 8);
        number(b, e->flags & (LZ4 | 0x8000) ? e->size : 0, 4);
        number(b, 0, 8);
        number(b, e->arch, 4);
        number(b, 0, 8);
        number(b, e->flags, 8);
        number(b, 0, 8);
        number(b, e->full_size, 8);
        tn_buffer_append(b, e->data, e->size);
    }
}

static tenon_status *read_and_free(tn_buffer *b, tenon_object **out_object)
{
    tenon_status *status =
        tenon_object_create("it", TENON_KIND_ANY, (tenon_bytes){b->data, b->size}, out_object);
    tn_buffer_deinit(b);
    return status;
}

static void entries_are_listed_also_if_they_stay_closed(void **state)
{
    (void)state;
    const entry entries[] = {{PTX, 90, 0, 0, ptx, sizeof(ptx)},
                             {LTOIR, 90, SCRAMBLED | SPECIFIC, 4000, "closed", 6}};
    tn_buffer b = {0};
    add_fatbin(&b, entries, 2);
    tenon_object *object = NULL;
    assert_null(read_and_free(&b, &object));
    assert_int_equal(tenon_object_member_count(object), 2);
    assert_string_equal(tenon_object_name(tenon_object_member(object, 0)), "it[compute_90 PTX]");
    const tenon_object *closed = tenon_object_member(object, 1);
    assert_string_equal(tenon_object_name(closed), "it[compute_90a LTO-IR]");
    assert_string_equal(tenon_object_arch(closed, 0), "compute_90a");
    assert_true(closed->opaque);
    tenon_object_release(object);
}

static void fatbins_may_stand_in_a_row(void **state)
{
    (void)state;
    const entry one = {PTX, 90, 0, 0, ptx, sizeof(ptx)};
    tn_buffer b = {0};
    add_fatbin(&b, &one, 1);
    tn_buffer_append(&b, "\0\0\0\0\0\0\0\0", 8);
    add_fatbin(&b, &one, 1);
    tenon_object *object = NULL;
    assert_null(read_and_free(&b, &object));
    assert_int_equal(tenon_object_member_count(object), 2);
    tenon_object *second = tenon_object_member(object, 1);
    assert_string_equal(tenon_object_name(second), "it[1]");
    assert_int_equal(tenon_object_kind(second), TENON_KIND_FATBIN);
    assert_string_equal(tenon_object_name(tenon_object_member(second, 0)), "it[1][compute_90 PTX]");
    tenon_object_release(object);
}

static void check_refused(const entry *e, size_t at, uint64_t value, size_t size, const char *says)
{
    tn_buffer b = {0};
    tenon_object *object = NULL;
    add_fatbin(&b, e, 1);
    memcpy(b.data + at, &value, size);
    tenon_status *status = read_and_free(&b, &object);
    assert_int_equal(tenon_status_code(status), TENON_DATA_LOSS);
    if (!strstr(tenon_status_message(status), says)) {
        fail_msg("'%s' is not in '%s'", says, tenon_status_message(status));
    }
    assert_null(object);
    tenon_status_free(status);
}

static void damage_is_refused(void **state)
{
    (void)state;
    const entry plain = {PTX, 90, 0, 0, ptx, sizeof(ptx)};
    check_refused(&plain, 8, 1u << 20, 8, "claims");
    check_refused(&plain, 6, 8, 2, "claims");
    check_refused(&plain, 16 + 4, 60, 4, "a header that does not fit");
    check_refused(&plain, 16 + 4, 6000, 4, "a header that does not fit");
    check_refused(&plain, 16 + 8, UINT64_MAX - 8, 8, "has bytes beyond the end");
    check_refused(&plain, 16 + 16, 600, 4, "stores more bytes than it has");
    check_refused(&plain, 16 + 40, 0x8000, 8, "does not have the size");  // zstd that is none

    const entry packed = {PTX, 90, LZ4, 27, "\xf0\x0c.version 8.0\n.target sm_90\n", 29};
    check_refused(&packed, 16 + 56, UINT64_MAX, 8, "an impossible size");
    check_refused(&packed, 16 + 56, 1u << 20, 8, "an impossible size");
    check_refused(&packed, 16 + 56, 28, 8, "cannot be decompressed");
    tn_buffer b = {0};
    add_fatbin(&b, &packed, 1);
    tenon_object *object = NULL;
    assert_null(read_and_free(&b, &object));
    assert_string_equal(tenon_object_bytes(tenon_object_member(object, 0)).data, ptx);
    tenon_object_release(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_listed_also_if_they_stay_closed),
        cmocka_unit_test(fatbins_may_stand_in_a_row),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
