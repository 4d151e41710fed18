// What holds for objects of every kind: counting, digests, kinds and names. The readers' own tests
// are beside them.
#include "core/object.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n";

static tenon_object *make(const void *data, size_t size)
{
    tenon_object *object = NULL;
    tenon_status *status =
        tenon_object_create("it", TENON_KIND_ANY, (tenon_bytes){data, size}, &object);
    if (status) fail_msg("%s", tenon_status_message(status));
    return object;
}

/// An archive of two members, "a" and "b", both PTX.
static size_t make_archive(char *out)
{
    char *at = out;
    at += sprintf(at, "!<arch>\n");
    for (char name = 'a'; name <= 'b'; name++) {
        at += sprintf(at, "%c/              0           0     0     644     %-10zu`\n%s", name,
                      sizeof(ptx) - 1, ptx);
        if ((sizeof(ptx) - 1) % 2) *at++ = '\n';
    }
    return (size_t)(at - out);
}

static void a_member_keeps_its_container(void **state)
{
    (void)state;
    char data[512];
    tenon_object *archive = make(data, make_archive(data));
    assert_int_equal(tenon_object_kind(archive), TENON_KIND_ARCHIVE);
    assert_int_equal(tenon_object_member_count(archive), 2);
    assert_null(tenon_object_member(archive, 2));
    tenon_object *member = tenon_object_retain(tenon_object_member(archive, 1));
    assert_ptr_equal(tenon_object_retain(archive), archive);
    tenon_object_release(archive);
    tenon_object_release(archive);
    assert_string_equal(tenon_object_name(member), "it(b)");
    assert_string_equal(tenon_object_arch(member, 0), "compute_90");
    assert_int_equal(tenon_object_bytes(member).size, sizeof(ptx) - 1);
    assert_string_equal(tenon_object_bytes(member).data, ptx);  // with a NUL of its own
    tenon_object_release(member);
    tenon_object_release(NULL);
}

static void *ask(void *data)
{
    tenon_object *object = data;
    for (int i = 0; i < 1000; i++) {
        tenon_object_release(tenon_object_retain(tenon_object_member(object, 0)));
    }
    const uint8_t *digest = tenon_object_digest(object);
    tenon_object_release(object);
    return digest ? data : NULL;
}

static void threads_share_an_object(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    char data[512];
    pthread_t threads[THREADS];
    tenon_object *archive = make(data, make_archive(data));
    for (int i = 0; i < THREADS; i++) {
        tenon_object_retain(archive);
        assert_int_equal(pthread_create(&threads[i], NULL, ask, archive), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, archive);
    }
    tenon_object_release(archive);
}

static void the_digest_is_that_of_the_bytes(void **state)
{
    (void)state;
    tenon_object *one = make(ptx, sizeof(ptx) - 1);
    tenon_object *two = make(ptx, sizeof(ptx));  // the NUL at the end is none of the text
    tenon_object *three = make(ptx, sizeof(ptx) - 2);
    assert_memory_equal(tenon_object_digest(one), tenon_object_digest(two), 32);
    assert_memory_not_equal(tenon_object_digest(one), tenon_object_digest(three), 32);
    assert_ptr_equal(tenon_object_digest(one), tenon_object_digest(one));
    tenon_object_release(one);
    tenon_object_release(two);
    tenon_object_release(three);
}

static void what_is_not_there_is_nothing(void **state)
{
    (void)state;
    tenon_object *object = make(ptx, sizeof(ptx) - 1);
    assert_int_equal(tenon_object_kernel_count(object), 0);
    assert_null(tenon_object_kernel(object, 0));
    assert_null(tenon_object_symbol(object, 0));
    assert_null(tenon_object_undefined_name(object, 0));
    assert_null(tenon_object_member(object, 0));
    assert_null(tenon_object_arch(object, 1));
    assert_string_equal(tenon_object_compression(object), "");
    assert_string_equal(tenon_kind_name(TENON_KIND_LTOIR), "LTO-IR");
    assert_string_equal(tenon_kind_name((tenon_kind)77), "unknown kind");
    tenon_object_release(object);
}

static void names_private_to_a_unit_are_plain(void **state)
{
    (void)state;
    static const struct {
        const char *name, *plain;
    } names[] = {
        {"_Z5scalei", "scale(int)"},
        {"__nv_static_20__d5d58cba_6_st1_cu_k_counter", "counter"},
        {"__nv_static_20__d5d58cba_6_st1_cu_k__ZN29_INTERNAL_d5d58cba_6_st1_cu_k31_GLOBAL__N__"
         "d5d58cba_6_st1_cu_k2hvE",
         "(anonymous namespace)::hv"},
        {"_ZN29_INTERNAL_d5d58cba_6_st1_cu_k2ns2sfEi", "ns::sf(int)"},
        {"__nv_static_", "__nv_static_"},
        {"__nv_static_99_short", "__nv_static_99_short"},
        {"__nv_static_3_abc_", "__nv_static_3_abc_"},
        {"MY_INTERNAL_x", "MY_INTERNAL_x"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char text[128];
        assert_string_equal(tenon_demangle(names[i].name, text, sizeof(text)), names[i].plain);
    }
}

/// Each step of this name doubles what it stands for: 30 would take the demangler for ever.
static void a_name_that_would_explode_stays_as_it_is(void **state)
{
    (void)state;
    char name[512] = "_Z1f1AIiE";
    char text[512];
    strcat(name, "S_IS0_S0_E");
    for (int i = 0; i < 30; i++) strcat(name, "S_IS1_S1_E");
    assert_string_equal(tenon_demangle(name, text, sizeof(text)), name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_member_keeps_its_container),
        cmocka_unit_test(threads_share_an_object),
        cmocka_unit_test(the_digest_is_that_of_the_bytes),
        cmocka_unit_test(what_is_not_there_is_nothing),
        cmocka_unit_test(names_private_to_a_unit_are_plain),
        cmocka_unit_test(a_name_that_would_explode_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
