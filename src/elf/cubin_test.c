// Reads cubins that are changed at one place each: what the readers make of files of other
// toolkits, and that damage is refused by section and place.
#include "elf/cubin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "elf/read.h"

static tn_buffer bytes;

static void load(const char *path)
{
    tn_buffer_deinit(&bytes);
    assert_int_equal(tn_file_read(path, &bytes), 0);
}

static tenon_status *read_it(tenon_object **out_object)
{
    return tenon_object_create("it", TENON_KIND_ANY, (tenon_bytes){bytes.data, bytes.size},
                               out_object);
}

static tenon_object *must_read(void)
{
    tenon_object *object = NULL;
    tenon_status *status = read_it(&object);
    if (status) fail_msg("%s", tenon_status_message(status));
    return object;
}

/// The header of a section, in the file.
static char *header_of(const char *name)
{
    tn_elf elf;
    assert_null(tn_elf_open("it", bytes.data, bytes.size, &elf));
    for (size_t i = 1; i < elf.section_count; i++) {
        Elf64_Shdr s = tn_elf_section(&elf, i);
        if (strcmp(tn_elf_section_name(&elf, &s), name) == 0) {
            return bytes.data + elf.header.e_shoff + i * sizeof(s);
        }
    }
    fail_msg("there is no section %s", name);
    return NULL;
}

static char *bytes_of(const char *name)
{
    Elf64_Shdr s;
    memcpy(&s, header_of(name), sizeof(s));
    return bytes.data + s.sh_offset;
}

static void put32(char *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

static void older_toolkits_keep_the_arch_elsewhere(void **state)
{
    (void)state;
    load("tests/data/objects/leaf.cubin");
    // As CUDA 12 writes it: ABI 7, the toolkit in e_version, the arch twice in e_flags, no notes.
    bytes.data[EI_ABIVERSION] = 7;
    put32(bytes.data + offsetof(Elf64_Ehdr, e_version), 124);
    put32(bytes.data + offsetof(Elf64_Ehdr, e_flags), 0x5a0d5a);
    put32(header_of(".note.nv.tkinfo") + offsetof(Elf64_Shdr, sh_type), SHT_PROGBITS);
    tenon_object *object = must_read();
    assert_string_equal(tenon_object_arch(object, 0), "sm_90a");
    assert_string_equal(tenon_object_producer(object), "CUDA 12.4");
    tenon_object_release(object);
}

static void compat_is_surer_than_the_options(void **state)
{
    (void)state;
    load("tests/data/objects/specific.cubin");
    char *note = bytes_of(".note.nv.tkinfo");
    char *arch = memmem(note, 164, "-arch sm_90a", 12);
    assert_non_null(arch);
    arch[11] = ' ';
    tenon_object *object = must_read();
    assert_string_equal(tenon_object_arch(object, 0), "sm_90a");
    tenon_object_release(object);

    // Linked from sm_90a, but for sm_90: the record says so, while the note is still the
    // compiler's.
    arch[11] = 'a';
    bytes_of(".nv.compat")[2] = 0;
    object = must_read();
    assert_string_equal(tenon_object_arch(object, 0), "sm_90");
    tenon_object_release(object);

    arch[11] = 'f';
    object = must_read();
    assert_string_equal(tenon_object_arch(object, 0), "sm_90f");
    tenon_object_release(object);
}

static const tenon_symbol *symbol_named(const tenon_object *object, const char *name)
{
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *s = tenon_object_symbol(object, i);
        if (strcmp(s->name, name) == 0) return s;
    }
    fail_msg("there is no symbol %s", name);
    return NULL;
}

static void dynamic_shared_memory_needs_no_definition(void **state)
{
    (void)state;
    load("tests/data/objects/dynamic.cubin");
    tenon_object *object = must_read();
    const tenon_symbol *s = symbol_named(object, "dynamic");
    assert_int_equal(s->state, TENON_SYMBOL_OPTIONAL);
    assert_int_equal(s->space, TENON_SPACE_SHARED);
    assert_int_equal(tenon_object_undefined_count(object), 0);
    tenon_object_release(object);
}

static void finished_code_tells_spaces_by_its_sections(void **state)
{
    (void)state;
    load("tests/data/objects/final.cubin");
    tenon_object *object = must_read();
    assert_int_equal(symbol_named(object, "lut")->space, TENON_SPACE_GLOBAL);
    tenon_object_release(object);
}

enum where { FILE_HEADER, SECTION_HEADER, SECTION_BYTES };

/// One number of unit.cubin, made wrong.
static const struct damage {
    const char *section;
    enum where where;
    size_t at;
    uint32_t value;
    const char *says;
} damages[] = {
    {"", FILE_HEADER, EI_CLASS, 1, "EI_CLASS"},
    {"", FILE_HEADER, offsetof(Elf64_Ehdr, e_type), ET_DYN | TN_EM_CUDA << 16, "ELF type 3"},
    {"", FILE_HEADER, offsetof(Elf64_Ehdr, e_flags), 0x6000004, "e_flags"},
    {"", FILE_HEADER, offsetof(Elf64_Ehdr, e_shoff), 0x7fffffff, "e_shoff"},
    {".symtab", SECTION_HEADER, offsetof(Elf64_Shdr, sh_entsize), 16, "no table of symbols"},
    {".symtab", SECTION_HEADER, offsetof(Elf64_Shdr, sh_info), 0xffff, "local symbols"},
    {".symtab", SECTION_HEADER, offsetof(Elf64_Shdr, sh_link), 0xffff, "is linked to section"},
    {".symtab", SECTION_HEADER, offsetof(Elf64_Shdr, sh_link), 3, "has no table of names"},
    {".symtab", SECTION_BYTES, 24, 0x7fffffff, "has its name at"},
    {".symtab", SECTION_BYTES, 28, 0x7fff0003, "is in a section that is not there"},
    {".symtab", SECTION_BYTES, 28, 0x0001000f, "impossible type"},
    {".symtab", SECTION_BYTES, 32, 1, "is a section, but does not begin"},
    {".strtab", SECTION_HEADER, offsetof(Elf64_Shdr, sh_size), 10, "last one does not end"},
    {".text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_info), 0x1fff, "the code of symbol"},
    {".text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_info), 1, "which is none here"},
    {".text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_size), 0x7fffffff, "outside of the file"},
    {".text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_addralign), 0, "is not aligned"},
    {".text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_addralign), 96, "no power of two"},
    {".rela.text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_entsize), 16, "of relocations"},
    {".rela.text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_info), 1, "not that of its name"},
    {".rela.text.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_info), 999,
     "belongs to section 999"},
    {".rela.text.run", SECTION_BYTES, 0, 0x7ffffff0, "has relocation 0 at"},
    {".rela.text.run", SECTION_BYTES, 8, 0x100, "has relocation 0 of type 256"},
    {".rela.text.run", SECTION_BYTES, 12, 0x7fff, "has relocation 0 for symbol 32767"},
    {".rela.text.run", SECTION_BYTES, 12, 0, "has relocation 0 for symbol 0"},
    {".nv.info", SECTION_HEADER, offsetof(Elf64_Shdr, sh_type), 0x70000003, "its name has not"},
    {".nv.info", SECTION_BYTES, 0, 0xffff2f04, "broken record at 0"},
    {".nv.info", SECTION_BYTES, 0, 0x00082f09, "broken record at 0"},
    {".nv.info", SECTION_BYTES, 0, 0x00042f04, "broken record at 0"},
    {".nv.info", SECTION_BYTES, 4, 0x7fff, "broken record at 0"},
    {".nv.info.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_info), 999, "belongs to section 999"},
    {".nv.info.run", SECTION_HEADER, offsetof(Elf64_Shdr, sh_type), 0x20000000, "which is none"},
    {".nv.compat", SECTION_BYTES, 0, 0x7fff0904, "broken record at 0"},
    {".nv.callgraph", SECTION_HEADER, offsetof(Elf64_Shdr, sh_size), 12, "pairs of symbols"},
    {".nv.callgraph", SECTION_BYTES, 8, 0x7fff, "has a call from symbol 32767"},
    {".nv.prototype", SECTION_BYTES, 0, 0x7fff, "has a pair of symbol 32767"},
    {".nv.prototype", SECTION_BYTES, 4, 0x7fffffff, "and name 2147483647"},
    {".note.nv.tkinfo", SECTION_BYTES, 4, 0x7fff, "broken note at 0"},
    {".note.nv.tkinfo", SECTION_BYTES, 12, 0, "broken note at 0"},
};

static void damage_is_refused_with_its_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        const struct damage *d = &damages[i];
        load("tests/data/objects/unit.cubin");
        char *at = bytes.data;
        if (d->where == SECTION_HEADER) at = header_of(d->section);
        if (d->where == SECTION_BYTES) at = bytes_of(d->section);
        put32(at + d->at, d->value);
        tenon_object *object = NULL;
        tenon_status *status = read_it(&object);
        const char *message = tenon_status_message(status);
        if (tenon_status_code(status) != TENON_DATA_LOSS || !strstr(message, d->says)) {
            fail_msg("%s + %zu: '%s' is not in '%s'", d->section, d->at, d->says, message);
        }
        if (d->where == SECTION_HEADER && !strstr(message, d->section)) {
            fail_msg("%s is not named in '%s'", d->section, message);
        }
        assert_non_null(strstr(message, "'it'"));
        assert_null(object);
        tenon_status_free(status);
    }
}

/// No bit of what is not code or data can be flipped and make the readers lose their way.
static void any_flipped_bit_is_survived(void **state)
{
    (void)state;
    load("tests/data/objects/unit.cubin");
    for (size_t i = 0; i < bytes.size; i++) {
        tenon_object *object = NULL;
        char bit = (char)(1 << (i % 7));
        bytes.data[i] ^= bit;
        tenon_status *status = read_it(&object);
        assert_true((status == NULL) == (object != NULL));
        tenon_status_free(status);
        tenon_object_release(object);
        bytes.data[i] ^= bit;
    }
}

static int forget(void **state)
{
    (void)state;
    tn_buffer_deinit(&bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_toolkits_keep_the_arch_elsewhere),
        cmocka_unit_test(compat_is_surer_than_the_options),
        cmocka_unit_test(dynamic_shared_memory_needs_no_definition),
        cmocka_unit_test(finished_code_tells_spaces_by_its_sections),
        cmocka_unit_test(damage_is_refused_with_its_place),
        cmocka_unit_test(any_flipped_bit_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
