#include "elf/cubin.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "core/try.h"
#include "elf/bytes.h"
#include "elf/driver_names.h"

enum { STT_CUDA_OBJECT = 13 };

// st_other: what NVIDIA keeps there. Measured on CUDA 13.0; kernels also in facts of earlier ones.
enum { OTHER_KERNEL = 0x10, OTHER_GLOBAL = 0x20, OTHER_SHARED = 0x40, OTHER_CONSTANT = 0x80 };

bool tn_is_cubin(const char *data, size_t size)
{
    return size >= 20 && memcmp(data, ELFMAG, SELFMAG) == 0 && tn_u16(data + 18) == TN_EM_CUDA;
}

static Elf64_Sym symbol_at(const tn_cubin *cubin, size_t index)
{
    Elf64_Sym symbol;
    memcpy(&symbol, cubin->symbols + index * sizeof(symbol), sizeof(symbol));
    return symbol;
}

/// Finds the one symbol table and its names.
static tenon_status *find_symbols(tn_cubin *cubin)
{
    const tn_elf *elf = &cubin->elf;
    for (size_t i = 1; i < elf->header.e_shnum; i++) {
        Elf64_Shdr s = tn_elf_section(elf, i);
        if (s.sh_type != SHT_SYMTAB) continue;
        if (cubin->symbols) return tn_elf_damaged(elf, i, "is a second symbol table");
        if (s.sh_entsize != sizeof(Elf64_Sym) || s.sh_size % sizeof(Elf64_Sym) != 0 ||
            s.sh_size / sizeof(Elf64_Sym) > UINT32_MAX - 1) {
            return tn_elf_damaged(elf, i, "is no table of symbols: %llu bytes, %llu each",
                                  (unsigned long long)s.sh_size, (unsigned long long)s.sh_entsize);
        }
        Elf64_Shdr names = tn_elf_section(elf, s.sh_link);
        if (names.sh_type != SHT_STRTAB || names.sh_size == 0 ||
            elf->data[names.sh_offset + names.sh_size - 1] != '\0') {
            return tn_elf_damaged(elf, i, "has no table of names in section %u", s.sh_link);
        }
        cubin->symbols = elf->data + s.sh_offset;
        cubin->symbol_count = (uint32_t)(s.sh_size / sizeof(Elf64_Sym));
        cubin->strings = elf->data + names.sh_offset;
        cubin->strings_size = names.sh_size;
    }
    if (cubin->symbols) return NULL;
    return tenon_status_make(TENON_DATA_LOSS, "'%s' is damaged: it has no symbol table", elf->name);
}

static uint32_t space_of(uint8_t other)
{
    if (other & OTHER_CONSTANT) return TENON_SPACE_CONSTANT;
    if (other & OTHER_SHARED) return TENON_SPACE_SHARED;
    if (other & OTHER_GLOBAL) return TENON_SPACE_GLOBAL;
    return TENON_SPACE_UNKNOWN;
}

static uint32_t state_of(const Elf64_Sym *s, const char *name)
{
    if (s->st_shndx == SHN_COMMON) return TENON_SYMBOL_COMMON;
    if (s->st_shndx != SHN_UNDEF) return TENON_SYMBOL_DEFINED;
    if (tn_is_driver_name(name)) return TENON_SYMBOL_DRIVER;
    if (ELF64_ST_BIND(s->st_info) == STB_WEAK || tn_is_optional_name(name)) {
        return TENON_SYMBOL_OPTIONAL;
    }
    return TENON_SYMBOL_UNDEFINED;
}

static uint32_t binding_of(const Elf64_Sym *s)
{
    switch (ELF64_ST_BIND(s->st_info)) {
    case STB_LOCAL: return TENON_BINDING_LOCAL;
    case STB_WEAK: return TENON_BINDING_WEAK;
    default: return TENON_BINDING_GLOBAL;
    }
}

static tn_symbol convert(const Elf64_Sym *s, const char *name, uint32_t index)
{
    bool code = ELF64_ST_TYPE(s->st_info) == STT_FUNC;
    size_t length = strlen(name);
    tn_symbol out = {.hash = tn_map_hash(name, length), .length = (uint32_t)length, .index = index};
    out.section = s->st_shndx < SHN_LORESERVE ? s->st_shndx : 0;
    out.symbol.name = name;
    out.symbol.bytes = s->st_size;
    out.symbol.kind = TENON_SYMBOL_VARIABLE;
    if (code)
        out.symbol.kind = s->st_other & OTHER_KERNEL ? TENON_SYMBOL_KERNEL : TENON_SYMBOL_FUNCTION;
    out.symbol.binding = binding_of(s);
    out.symbol.state = state_of(s, name);
    out.symbol.space = code ? TENON_SPACE_CODE : space_of(s->st_other);
    if (out.section) out.symbol.offset = s->st_value;
    return out;
}

/// Checks a symbol of the file. `*out_shown` is false for sections, files and parameter banks.
static tenon_status *check_symbol(const tn_cubin *cubin, const Elf64_Sym *s, size_t index,
                                  bool *out_shown)
{
    const tn_elf *elf = &cubin->elf;
    if (s->st_name >= cubin->strings_size) {
        return tenon_status_make(
            TENON_DATA_LOSS, "'%s' is damaged: symbol %zu has its name at %u, outside of the table",
            elf->name, index, s->st_name);
    }
    const char *name = cubin->strings + s->st_name;
    uint32_t type = ELF64_ST_TYPE(s->st_info);
    *out_shown = type == STT_FUNC || type == STT_OBJECT || type == STT_CUDA_OBJECT;
    if (s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || s->st_shndx == SHN_COMMON)
        return NULL;
    if (s->st_shndx >= elf->header.e_shnum) {
        return tenon_status_make(TENON_DATA_LOSS,
                                 "'%s' is damaged: symbol '%s' is in section %u, and there are %u",
                                 elf->name, name, s->st_shndx, elf->header.e_shnum);
    }
    Elf64_Shdr section = tn_elf_section(elf, s->st_shndx);
    // Shared memory is laid out by the final link only: until then offsets there mean nothing.
    bool placed = *out_shown && !(s->st_other & OTHER_SHARED);
    if (placed && !tn_within(s->st_value, s->st_size, section.sh_size)) {
        return tenon_status_make(
            TENON_DATA_LOSS,
            "'%s' is damaged: symbol '%s' (offset %llu, %llu bytes) lies outside of "
            "section %u '%s'",
            elf->name, name, (unsigned long long)s->st_value, (unsigned long long)s->st_size,
            s->st_shndx, tn_elf_section_name(elf, &section));
    }
    if (strncmp(tn_elf_section_name(elf, &section), ".nv.constant0.", 14) == 0) *out_shown = false;
    return NULL;
}

static tenon_status *read_symbols(tn_cubin *cubin)
{
    tenon_object *object = cubin->object;
    object->symbols = malloc((cubin->symbol_count + 1) * sizeof(*object->symbols));
    cubin->places = malloc((cubin->symbol_count + 1) * sizeof(*cubin->places));
    if (!object->symbols || !cubin->places) {
        return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory for its symbols",
                                 object->name);
    }
    for (uint32_t i = 0; i < cubin->symbol_count; i++) {
        Elf64_Sym s = symbol_at(cubin, i);
        bool shown = false;
        TN_TRY(check_symbol(cubin, &s, i, &shown));
        cubin->places[i] = shown ? (uint32_t)object->symbol_count : TN_NO_PLACE;
        if (!shown) continue;
        object->symbols[object->symbol_count++] = convert(&s, cubin->strings + s.st_name, i);
    }
    return NULL;
}

static tenon_status *check_relocations(const tn_cubin *cubin, size_t index, const Elf64_Shdr *s)
{
    const tn_elf *elf = &cubin->elf;
    size_t each = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    if (s->sh_entsize != each || s->sh_size % each != 0) {
        return tn_elf_damaged(elf, index, "is no table of relocations: %llu bytes, %llu each",
                              (unsigned long long)s->sh_size, (unsigned long long)s->sh_entsize);
    }
    if (s->sh_info >= elf->header.e_shnum) {
        return tn_elf_damaged(elf, index, "relocates section %u, and there are %u", s->sh_info,
                              elf->header.e_shnum);
    }
    Elf64_Shdr target = tn_elf_section(elf, s->sh_info);
    const char *at = elf->data + s->sh_offset;
    for (uint64_t i = 0; i < s->sh_size / each; i++, at += each) {
        if (tn_u64(at) >= target.sh_size) {
            return tn_elf_damaged(elf, index, "has relocation %llu at %llu, outside of section %u",
                                  (unsigned long long)i, (unsigned long long)tn_u64(at),
                                  s->sh_info);
        }
        if (ELF64_R_SYM(tn_u64(at + 8)) >= cubin->symbol_count) {
            return tn_elf_damaged(elf, index, "has relocation %llu for symbol %u, and there are %u",
                                  (unsigned long long)i, (uint32_t)ELF64_R_SYM(tn_u64(at + 8)),
                                  cubin->symbol_count);
        }
    }
    return NULL;
}

/// Reads the two notes: the one of the tool, and the one of the target.
static void read_note(tenon_object *object, const char *name, const char *at, uint64_t size)
{
    // Note header, and "NVIDIA Corp" with its NUL.
    if (size < 24 || tn_u32(at) != 12 || memcmp(at + 12, "NVIDIA Corp", 12) != 0) return;
    const char *text = at + 24;
    uint64_t left = size - 24;
    if (tn_u32(at + 4) < left) left = tn_u32(at + 4);
    if (strcmp(name, ".note.nv.cuinfo") == 0) {
        if (left >= 8) object->toolkit = tn_u32(text + 4);
        return;
    }
    // Two numbers, then the places of the tool's name, version, build and options in the texts.
    if (left < 25) return;
    const char *texts = text + 24;
    uint64_t texts_size = left - 24;
    if (texts[texts_size - 1] != '\0') return;
    uint32_t tool = tn_u32(text + 8);
    uint32_t options = tn_u32(text + 20);
    if (tool >= texts_size || options >= texts_size) return;
    snprintf(object->producer, sizeof(object->producer), "%.30s", texts + tool);
    const char *arch = strstr(texts + options, "-arch sm_");
    if (arch) {
        const char *digits = arch + strlen("-arch sm_");
        char suffix = digits[strspn(digits, "0123456789")];
        if (suffix == 'a' || suffix == 'f') object->sm_suffix = suffix;
    }
}

static tenon_status *check_sections(tn_cubin *cubin)
{
    const tn_elf *elf = &cubin->elf;
    for (size_t i = 1; i < elf->header.e_shnum; i++) {
        Elf64_Shdr s = tn_elf_section(elf, i);
        const char *name = tn_elf_section_name(elf, &s);
        if (s.sh_type == SHT_RELA || s.sh_type == SHT_REL) TN_TRY(check_relocations(cubin, i, &s));
        if ((s.sh_flags & SHF_INFO_LINK) && s.sh_info >= elf->header.e_shnum) {
            return tn_elf_damaged(elf, i, "belongs to section %u, and there are %u", s.sh_info,
                                  elf->header.e_shnum);
        }
        if (s.sh_type == SHT_NOTE && strncmp(name, ".note.nv.", 9) == 0) {
            read_note(cubin->object, name, elf->data + s.sh_offset, s.sh_size);
        }
    }
    return NULL;
}

static int compare_symbol_names(const void *a, const void *b, void *symbols)
{
    const tn_symbol *all = symbols;
    return strcmp(all[*(const uint32_t *)a].symbol.name, all[*(const uint32_t *)b].symbol.name);
}

static tenon_status *list_undefined(tenon_object *object)
{
    for (size_t i = 0; i < object->symbol_count; i++) {
        object->undefined_count += object->symbols[i].symbol.state == TENON_SYMBOL_UNDEFINED;
    }
    if (object->undefined_count == 0) return NULL;
    object->undefined = malloc(object->undefined_count * sizeof(*object->undefined));
    if (!object->undefined) {
        object->undefined_count = 0;
        return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory for its symbols",
                                 object->name);
    }
    size_t count = 0;
    for (uint32_t i = 0; i < object->symbol_count; i++) {
        if (object->symbols[i].symbol.state == TENON_SYMBOL_UNDEFINED)
            object->undefined[count++] = i;
    }
    qsort_r(object->undefined, count, sizeof(*object->undefined), compare_symbol_names,
            object->symbols);
    return NULL;
}

static void finish_producer(tenon_object *object)
{
    size_t length = strlen(object->producer);
    if (length == 0 || object->toolkit == 0) return;
    snprintf(object->producer + length, sizeof(object->producer) - length, " %u.%u",
             object->toolkit / 10, object->toolkit % 10);
}

static tenon_status *read(tn_cubin *cubin)
{
    tenon_object *object = cubin->object;
    const Elf64_Ehdr *header = &cubin->elf.header;
    if (header->e_machine != TN_EM_CUDA) {
        return tenon_status_make(TENON_DATA_LOSS, "'%s' is for machine %u, not CUDA (%d)",
                                 object->name, header->e_machine, TN_EM_CUDA);
    }
    if (header->e_type != ET_REL && header->e_type != ET_EXEC) {
        return tenon_status_make(
            TENON_DATA_LOSS, "'%s' is damaged: ELF type %u is neither relocatable nor executable",
            object->name, header->e_type);
    }
    object->relocatable = header->e_type == ET_REL;
    object->sm = (header->e_flags >> 8) & 0xff;
    TN_TRY(find_symbols(cubin));
    TN_TRY(read_symbols(cubin));
    TN_TRY(check_sections(cubin));
    TN_TRY(tn_cubin_read_attributes(cubin));
    finish_producer(object);
    return list_undefined(object);
}

tenon_status *tn_cubin_read(tenon_object *object)
{
    tn_cubin cubin = {.object = object};
    TN_TRY(tn_elf_open(object->name, object->data, object->size, &cubin.elf));
    tenon_status *status = read(&cubin);
    free(cubin.places);
    free(cubin.kernels);
    return status;
}
