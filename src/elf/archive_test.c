// Archives written by hand: names of all kinds, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "elf/read.h"

static const char ptx[] = ".version 8.0\n.target sm_90\n";

static void add(tn_buffer *b, const char *name, const char *data, size_t size)
{
    tn_buffer_print(b, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "644", size);
    tn_buffer_append(b, data, size);
    if (size % 2) tn_buffer_puts(b, "\n");
}

static tenon_status *read_and_free(tn_buffer *b, tenon_object **out_object)
{
    tenon_status *status = tenon_object_create("lib.a", TENON_KIND_ARCHIVE,
                                               (tenon_bytes){b->data, b->size}, out_object);
    tn_buffer_deinit(b);
    return status;
}

static void names_of_gnu_and_bsd_are_read(void **state)
{
    (void)state;
    tn_buffer b = {0};
    tn_buffer_puts(&b, "!<arch>\n");
    add(&b, "/", "\0\0\0\0", 4);
    add(&b, "//", "a_quite_long_name.ptx/\nb_quite_long_name.ptx/\n", 46);
    add(&b, "short.ptx/", ptx, sizeof(ptx) - 1);
    add(&b, "/23", ptx, sizeof(ptx) - 1);
    add(&b, "readme/", "not ours", 8);
    char bsd[64] = "bsd name.ptx\0\0\0\0";
    memcpy(bsd + 16, ptx, sizeof(ptx) - 1);
    add(&b, "#1/16", bsd, 16 + sizeof(ptx) - 1);
    add(&b, "__.SYMDEF", "....", 4);
    tenon_object *object = NULL;
    assert_null(read_and_free(&b, &object));
    assert_int_equal(tenon_object_member_count(object), 3);
    static const char *const names[] = {"lib.a(short.ptx)", "lib.a(b_quite_long_name.ptx)",
                                        "lib.a(bsd name.ptx)"};
    for (size_t i = 0; i < 3; i++) {
        const tenon_object *member = tenon_object_member(object, i);
        assert_string_equal(tenon_object_name(member), names[i]);
        assert_int_equal(tenon_object_bytes(member).size, sizeof(ptx) - 1);
    }
    tenon_object_release(object);
}

static void check_refused(tn_buffer *b, tenon_code code, const char *says)
{
    tenon_object *object = NULL;
    tenon_status *status = read_and_free(b, &object);
    assert_int_equal(tenon_status_code(status), code);
    if (!strstr(tenon_status_message(status), says)) {
        fail_msg("'%s' is not in '%s'", says, tenon_status_message(status));
    }
    assert_null(object);
    tenon_status_free(status);
}

static void what_is_no_archive_is_refused(void **state)
{
    (void)state;
    tn_buffer b = {0};
    tn_buffer_puts(&b, "!<thin>\n");
    add(&b, "x.o/", "", 0);
    check_refused(&b, TENON_INVALID_ARGUMENT, "'lib.a' is a thin archive");

    tn_buffer_puts(&b, "!<arch>\n");
    add(&b, "x.ptx/", ptx, sizeof(ptx) - 1);
    b.size -= 10;
    check_refused(&b, TENON_DATA_LOSS, "no archive member at 8");

    tn_buffer_puts(&b, "!<arch>\n");
    add(&b, "/99", ptx, sizeof(ptx) - 1);  // there is no table of names
    check_refused(&b, TENON_DATA_LOSS, "no archive member at 8");

    tn_buffer_puts(&b, "!<arch>\n");
    add(&b, "#1/99", ptx, sizeof(ptx) - 1);  // a name longer than its member
    check_refused(&b, TENON_DATA_LOSS, "no archive member at 8");

    tn_buffer_puts(&b, "!<arch>\n");
    add(&b, "x.ptx/", ptx, sizeof(ptx) - 1);
    b.data[8 + 48] = '-';
    check_refused(&b, TENON_DATA_LOSS, "no archive member at 8");

    tn_buffer_puts(&b, "!<arch>\n");
    add(&b, "x.ptx/", ".version 8", 10);
    check_refused(&b, TENON_DATA_LOSS, "'lib.a(x.ptx)' is PTX, but no .target");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_gnu_and_bsd_are_read),
        cmocka_unit_test(what_is_no_archive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
