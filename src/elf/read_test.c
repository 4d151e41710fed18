// Reads what tests/data/make.sh made, whole, damaged, and with each allocation failing.
#include "elf/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/fail_alloc.h"
#include "base/file.h"
#include "elf/bytes.h"

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof(path), "tests/data/objects/%s", name);
    return path;
}

static tenon_object *open_object(const char *name)
{
    tenon_object *object = NULL;
    tenon_status *status = tenon_object_open(path_of(name), TENON_KIND_ANY, &object);
    if (status) fail_msg("%s", tenon_status_message(status));
    return object;
}

static const tenon_symbol *symbol_named(const tenon_object *object, const char *name)
{
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *s = tenon_object_symbol(object, i);
        if (strcmp(s->name, name) == 0) return s;
    }
    return NULL;
}

static void a_cubin_tells_its_symbols(void **state)
{
    (void)state;
    tenon_object *o = open_object("unit.cubin");
    assert_int_equal(tenon_object_kind(o), TENON_KIND_CUBIN);
    assert_int_equal(tenon_object_arch_count(o), 1);
    assert_string_equal(tenon_object_arch(o, 0), "sm_90");
    assert_null(tenon_object_arch(o, 1));
    assert_string_equal(tenon_object_producer(o), "ptxas 13.0");
    assert_true(tenon_object_is_relocatable(o));
    assert_int_equal(tenon_object_undefined_count(o), 2);
    assert_string_equal(tenon_object_undefined_name(o, 0), "_Z4leafi");
    assert_string_equal(tenon_object_undefined_name(o, 1), "lut");
    assert_null(tenon_object_undefined_name(o, 2));

    const tenon_symbol *s = symbol_named(o, "_Z5twicei");
    assert_int_equal(s->kind, TENON_SYMBOL_FUNCTION);
    assert_int_equal(s->state, TENON_SYMBOL_DEFINED);
    s = symbol_named(o, "four");
    assert_int_equal(s->space, TENON_SPACE_CONSTANT);
    assert_int_equal(s->bytes, 4);
    s = symbol_named(o, "lut");
    assert_int_equal(s->state, TENON_SYMBOL_UNDEFINED);
    assert_int_equal(s->space, TENON_SPACE_GLOBAL);
    assert_int_equal(s->bytes, 64);
    assert_int_equal(symbol_named(o, "__UFT")->state, TENON_SYMBOL_OPTIONAL);
    assert_int_equal(o->call_count, 2);
    tenon_object_release(o);
}

static void a_cubin_tells_its_kernels(void **state)
{
    (void)state;
    tenon_object *o = open_object("unit.cubin");
    assert_int_equal(tenon_object_kernel_count(o), 1);
    const tenon_kernel *k = tenon_object_kernel(o, 0);
    assert_string_equal(k->name, "run");
    assert_in_range(k->registers, 8, 64);
    assert_int_equal(k->parameter_count, 3);
    assert_int_equal(k->parameter_bytes, 17);
    assert_int_equal(k->max_threads, 128);
    assert_in_range(k->constant_bytes, 0x210 + 17, 0x400);
    assert_null(tenon_object_kernel(o, 1));
    tenon_object_release(o);
}

static void prototypes_tell_signatures_apart(void **state)
{
    (void)state;
    tenon_object *unit = open_object("unit.cubin");
    tenon_object *leaf = open_object("leaf.cubin");
    uint32_t wanted = 0;
    uint32_t defined = 0;
    uint32_t other = 0;
    for (size_t i = 0; i < unit->symbol_count; i++) {
        const tn_symbol *s = &unit->symbols[i];
        if (strcmp(s->symbol.name, "_Z4leafi") == 0) wanted = s->prototype;
        if (strcmp(s->symbol.name, "run") == 0) other = s->prototype;
    }
    for (size_t i = 0; i < leaf->symbol_count; i++) {
        const tn_symbol *s = &leaf->symbols[i];
        if (strcmp(s->symbol.name, "_Z4leafi") == 0) defined = s->prototype;
    }
    assert_int_not_equal(defined, 0);
    if (wanted) assert_int_equal(wanted, defined);
    assert_int_not_equal(other, defined);
    tenon_object_release(unit);
    tenon_object_release(leaf);
}

static void final_and_specific_code_are_told(void **state)
{
    (void)state;
    tenon_object *o = open_object("final.cubin");
    assert_false(tenon_object_is_relocatable(o));
    tenon_object_release(o);
    o = open_object("specific.cubin");
    assert_string_equal(tenon_object_arch(o, 0), "sm_90a");
    tenon_object_release(o);
    o = open_object("leaf.ptx");
    assert_int_equal(tenon_object_kind(o), TENON_KIND_PTX);
    assert_string_equal(tenon_object_arch(o, 0), "compute_90");
    assert_string_equal(tenon_object_producer(o), "PTX ISA 9.0");
    tenon_object_release(o);
}

static void fatbins_are_unpacked(void **state)
{
    (void)state;
    static const char *const names[] = {"zstd.fatbin", "lz4.fatbin", "plain.fatbin"};
    static const char *const compressions[] = {"zstd", "lz4", ""};
    for (size_t i = 0; i < 3; i++) {
        tenon_object *o = open_object(names[i]);
        assert_int_equal(tenon_object_kind(o), TENON_KIND_FATBIN);
        assert_in_range(tenon_object_member_count(o), 2, 3);
        bool cubin = false;
        for (size_t k = 0; k < tenon_object_member_count(o); k++) {
            tenon_object *m = tenon_object_member(o, k);
            assert_string_equal(tenon_object_compression(m), compressions[i]);
            if (tenon_object_kind(m) != TENON_KIND_CUBIN) continue;
            cubin = true;
            assert_non_null(symbol_named(m, "_Z4leafi"));
        }
        assert_true(cubin);
        tenon_object_release(o);
    }
    tenon_object *o = open_object("zstd.fatbin");
    assert_int_equal(tenon_object_arch_count(o), 3);
    assert_string_equal(tenon_object_arch(o, 0), "compute_80");
    assert_string_equal(tenon_object_arch(o, 1), "sm_80");
    assert_string_equal(tenon_object_arch(o, 2), "sm_90a");
    tenon_object_release(o);
}

static void lto_ir_in_fatbins_is_seen_even_when_scrambled(void **state)
{
    (void)state;
    tenon_object *o = open_object("scrambled.fatbin");
    tenon_object *m = tenon_object_member(o, tenon_object_member_count(o) - 1);
    assert_int_equal(tenon_object_kind(m), TENON_KIND_LTOIR);
    assert_string_equal(tenon_object_arch(m, 0), "compute_90");
    assert_true(m->opaque);
    tenon_object_release(o);
    o = open_object("plain.fatbin");
    m = tenon_object_member(o, 1);
    assert_int_equal(tenon_object_kind(m), TENON_KIND_LTOIR);
    assert_false(m->opaque);
    assert_int_equal(m->sm, 90);
    tenon_object_release(o);
}

static void archives_and_host_objects_are_opened(void **state)
{
    (void)state;
    tenon_object *o = open_object("lib.a");
    assert_int_equal(tenon_object_kind(o), TENON_KIND_ARCHIVE);
    assert_int_equal(tenon_object_member_count(o), 3);
    assert_string_equal(tenon_object_name(tenon_object_member(o, 0)),
                        "tests/data/objects/lib.a(leaf.o)");
    assert_string_equal(tenon_object_name(tenon_object_member(o, 2)),
                        "tests/data/objects/lib.a(a_member_with_a_long_name.o)");
    assert_int_equal(tenon_object_member_count(tenon_object_member(o, 1)), 0);
    tenon_object *member = tenon_object_retain(tenon_object_member(o, 0));
    tenon_object_release(o);  // the member keeps what it shows
    assert_int_equal(tenon_object_kind(member), TENON_KIND_HOST);
    assert_true(tenon_object_is_relocatable(member));
    tenon_object_release(member);

    o = open_object("whole.o");
    assert_false(tenon_object_is_relocatable(tenon_object_member(o, 0)->members[0]));
    tenon_object_release(o);
}

static void a_wrong_tag_is_refused_by_name(void **state)
{
    (void)state;
    tenon_object *o = NULL;
    tenon_status *status = tenon_object_open(path_of("unit.cubin"), TENON_KIND_HOST, &o);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_non_null(strstr(tenon_status_message(status),
                           "unit.cubin' was given as host object, but its bytes are a relocatable "
                           "cubin for sm_90"));
    tenon_status_free(status);
    status = tenon_object_open(path_of("none"), TENON_KIND_ANY, &o);
    assert_int_equal(tenon_status_code(status), TENON_NOT_FOUND);
    tenon_status_free(status);
    status = tenon_object_create("x", TENON_KIND_ANY, (tenon_bytes){NULL, 5}, &o);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    tenon_status_free(status);
    assert_null(o);
}

/// Every cut of every file is an error or a smaller whole, and never a crash.
static void every_cut_is_survived(void **state)
{
    (void)state;
    static const char *const names[] = {"unit.cubin", "zstd.fatbin", "lib.a", "leaf.o", "leaf.ptx"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        tn_buffer bytes = {0};
        assert_int_equal(tn_file_read(path_of(names[i]), &bytes), 0);
        for (size_t size = 0; size < bytes.size; size += 1 + size / 64) {
            tenon_object *o = NULL;
            tenon_status *status =
                tenon_object_create("cut", TENON_KIND_ANY, (tenon_bytes){bytes.data, size}, &o);
            if (status) assert_non_null(strstr(tenon_status_message(status), "'cut'"));
            if (!status && strcmp(names[i], "unit.cubin") == 0) fail_msg("cut at %zu", size);
            tenon_status_free(status);
            tenon_object_release(o);
        }
        tn_buffer_deinit(&bytes);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const names[] = {"unit.cubin", "zstd.fatbin", "lib.a", "leaf.ptx"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        long n = 0;
        for (tenon_code code = TENON_OUT_OF_MEMORY; code != TENON_OK; n++) {
            tenon_object *o = NULL;
            tn_allocations_left = n;
            tenon_status *status = tenon_object_open(path_of(names[i]), TENON_KIND_ANY, &o);
            tn_allocations_left = -1;
            code = tenon_status_code(status);
            // zstd allocates for itself, and says no more than that it failed.
            if (code != TENON_DATA_LOSS && code != TENON_OK) {
                assert_int_equal(code, TENON_OUT_OF_MEMORY);
            }
            assert_true((o == NULL) == (status != NULL));
            tenon_status_free(status);
            tenon_object_release(o);
        }
        assert_in_range(n, 5, 500);
    }
}

static void names_are_demangled(void **state)
{
    (void)state;
    char text[64];
    assert_string_equal(tenon_demangle("_Z5scalei", text, sizeof(text)), "scale(int)");
    assert_string_equal(tenon_demangle("plain", text, sizeof(text)), "plain");
    assert_string_equal(tenon_demangle("_Zbroken", text, sizeof(text)), "_Zbroken");
    assert_string_equal(tenon_demangle("_Z5scalei", text, 6), "scale");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cubin_tells_its_symbols),
        cmocka_unit_test(a_cubin_tells_its_kernels),
        cmocka_unit_test(prototypes_tell_signatures_apart),
        cmocka_unit_test(final_and_specific_code_are_told),
        cmocka_unit_test(fatbins_are_unpacked),
        cmocka_unit_test(lto_ir_in_fatbins_is_seen_even_when_scrambled),
        cmocka_unit_test(archives_and_host_objects_are_opened),
        cmocka_unit_test(a_wrong_tag_is_refused_by_name),
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(names_are_demangled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
