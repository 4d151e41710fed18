// Buffers, maps and files.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/fail_alloc.h"
#include "base/file.h"
#include "base/map.h"

static void a_buffer_grows_and_is_a_text(void **state)
{
    (void)state;
    tn_buffer b = {0};
    assert_string_equal(tn_buffer_text(&b), "");
    for (int i = 0; i < 1000; i++) tn_buffer_print(&b, "%d,", i);
    assert_int_equal(b.size, strlen(tn_buffer_text(&b)));
    assert_memory_equal(b.data, "0,1,2,", 6);
    char *text = tn_buffer_take(&b);
    assert_int_equal(b.size, 0);
    free(text);
}

static void a_buffer_without_memory_fails_for_good(void **state)
{
    (void)state;
    tn_buffer b = {0};
    tn_buffer_puts(&b, "kept until now");
    tn_allocations_left = 0;
    tn_buffer_print(&b, "%200s", "x");
    tn_allocations_left = -1;
    tn_buffer_puts(&b, "more");
    assert_true(b.failed);
    assert_string_equal(tn_buffer_text(&b), "");
    assert_null(tn_buffer_take(&b));
    tn_buffer_deinit(&b);
    assert_null(tn_buffer_reserve(&b, SIZE_MAX - 2));
    tn_buffer_deinit(&b);
}

static void a_map_keeps_what_was_put(void **state)
{
    (void)state;
    static char keys[5000][8];
    tn_map map = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        size_t length = (size_t)snprintf(keys[i], sizeof(keys[i]), "k%u", i);
        uint32_t *value = tn_map_put(&map, keys[i], length, tn_map_hash(keys[i], length), i);
        assert_int_equal(*value, i);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        size_t length = strlen(keys[i]);
        assert_int_equal(*tn_map_get(&map, keys[i], length, tn_map_hash(keys[i], length)), i);
    }
    assert_null(tn_map_get(&map, "none", 4, tn_map_hash("none", 4)));
    assert_int_equal(*tn_map_put(&map, "k7", 2, tn_map_hash("k7", 2), 99), 7);
    tn_map_deinit(&map);

    tn_allocations_left = 0;
    assert_null(tn_map_put(&map, "a", 1, tn_map_hash("a", 1), 1));
    tn_allocations_left = -1;
}

static char folder[] = "/tmp/tenon-base-test-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void a_file_is_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    tn_buffer b = {0};
    assert_non_null(mkdtemp(folder));
    const char *path = in_folder("f");
    assert_int_equal(tn_file_replace(path, "one", 3), 0);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(tn_file_replace(path, "twice", 5), 0);
    assert_int_equal(tn_file_read(path, &b), 0);
    assert_string_equal(tn_buffer_text(&b), "twice");
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    tn_buffer_deinit(&b);

    assert_int_equal(tn_file_replace(folder, "x", 1), EISDIR);
    assert_int_equal(tn_file_replace(in_folder("none/f"), "x", 1), ENOENT);
    assert_int_equal(tn_file_replace("/dev/full", "x", 1), ENOSPC);
    assert_int_equal(tn_file_read(folder, &b), EISDIR);
    assert_int_equal(tn_file_read(in_folder("none"), &b), ENOENT);
    assert_int_equal(unlink(in_folder("f")), 0);
    assert_int_equal(rmdir(folder), 0);  // nothing else was left in it
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_grows_and_is_a_text),
        cmocka_unit_test(a_buffer_without_memory_fails_for_good),
        cmocka_unit_test(a_map_keeps_what_was_put),
        cmocka_unit_test(a_file_is_replaced_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
