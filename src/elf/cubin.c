#include "elf/cubin.h"

#include <stdlib.h>

#include "base/map.h"
#include "core/try.h"
#include "elf/bytes.h"
#include "elf/driver_names.h"

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
    for (size_t i = 1; i < elf->section_count; i++) {
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
        if (s.sh_info > s.sh_size / sizeof(Elf64_Sym)) {
            return tn_elf_damaged(elf, i, "has %u local symbols, and more than there are",
                                  s.sh_info);
        }
        cubin->symbols = elf->data + s.sh_offset;
        cubin->symbol_table = (uint32_t)i;
        cubin->symbol_count = (uint32_t)(s.sh_size / sizeof(Elf64_Sym));
        cubin->strings = elf->data + names.sh_offset;
        cubin->strings_size = names.sh_size;
    }
    if (cubin->symbols) return NULL;
    return tenon_status_make(TENON_DATA_LOSS, "'%s' is damaged: it has no symbol table", elf->name);
}

static bool starts(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/// Where a variable lives. In finished code only the name of its section tells.
static uint32_t space_of(const tn_elf *elf, const Elf64_Sym *s)
{
    if (s->st_other & OTHER_CONSTANT) return TENON_SPACE_CONSTANT;
    if (s->st_other & OTHER_SHARED) return TENON_SPACE_SHARED;
    if (s->st_other & OTHER_GLOBAL) return TENON_SPACE_GLOBAL;
    if (s->st_shndx == SHN_UNDEF || s->st_shndx >= SHN_LORESERVE) return TENON_SPACE_UNKNOWN;
    Elf64_Shdr section = tn_elf_section(elf, s->st_shndx);
    const char *name = tn_elf_section_name(elf, &section);
    if (starts(name, ".nv.global")) return TENON_SPACE_GLOBAL;
    if (starts(name, ".nv.constant")) return TENON_SPACE_CONSTANT;
    if (starts(name, ".nv.shared")) return TENON_SPACE_SHARED;
    if (starts(name, ".nv.local")) return TENON_SPACE_LOCAL;
    return TENON_SPACE_UNKNOWN;
}

static uint32_t state_of(const Elf64_Sym *s, const char *name)
{
    if (s->st_shndx == SHN_COMMON) return TENON_SYMBOL_COMMON;
    if (s->st_shndx != SHN_UNDEF) return TENON_SYMBOL_DEFINED;
    if (tn_is_driver_name(name)) return TENON_SYMBOL_DRIVER;
    // `extern __shared__ T x[]`: the final link gives it its place, and nobody defines it.
    bool dynamic = s->st_other & OTHER_SHARED && s->st_size == 0;
    if (dynamic || ELF64_ST_BIND(s->st_info) == STB_WEAK || tn_is_optional_name(name)) {
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

static tn_symbol convert(const tn_cubin *cubin, const Elf64_Sym *s, uint32_t index)
{
    const char *name = cubin->strings + s->st_name;
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
    out.symbol.space = code ? TENON_SPACE_CODE : space_of(&cubin->elf, s);
    if (out.section) out.symbol.offset = s->st_value;
    return out;
}

static tenon_status *bad_symbol(const tn_cubin *cubin, const Elf64_Sym *s, size_t index,
                                const char *what)
{
    return tenon_status_make(
        TENON_DATA_LOSS,
        "'%s' is damaged: symbol %zu '%s' (section %u, offset %llu, %llu bytes) %s",
        cubin->elf.name, index, cubin->strings + s->st_name, s->st_shndx,
        (unsigned long long)s->st_value, (unsigned long long)s->st_size, what);
}

/// Checks the place of a symbol that is in a section.
static tenon_status *check_place(const tn_cubin *cubin, const Elf64_Sym *s, size_t index)
{
    Elf64_Shdr section = tn_elf_section(&cubin->elf, s->st_shndx);
    uint32_t type = ELF64_ST_TYPE(s->st_info);
    bool code = section.sh_flags & SHF_EXECINSTR;
    if (type == STT_FUNC && !code) return bad_symbol(cubin, s, index, "is code outside of code");
    if (type == STT_SECTION && (s->st_value || s->st_size)) {
        return bad_symbol(cubin, s, index, "is a section, but does not begin where that does");
    }
    // Shared memory is laid out by the final link only: until then offsets there mean nothing.
    bool shared = s->st_other & OTHER_SHARED ||
                  (tn_elf_is_nobits(section.sh_type) &&
                   starts(tn_elf_section_name(&cubin->elf, &section), ".nv.shared"));
    if (!shared && !tn_within(s->st_value, s->st_size, section.sh_size)) {
        return bad_symbol(cubin, s, index, "lies outside of its section");
    }
    return NULL;
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
    uint32_t type = ELF64_ST_TYPE(s->st_info);
    bool shown = type == STT_FUNC || type == STT_OBJECT || type == TN_STT_CUDA_OBJECT;
    if ((!shown && type > STT_FILE) || ELF64_ST_BIND(s->st_info) > STB_WEAK) {
        return bad_symbol(cubin, s, index, "has an impossible type");
    }
    if (shown && cubin->strings[s->st_name] == '\0') {
        return bad_symbol(cubin, s, index, "has no name");
    }
    bool outside = s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS || s->st_shndx == SHN_COMMON;
    // What has no place yet has its alignment there.
    bool aligned = s->st_value && !(s->st_value & (s->st_value - 1));
    if (s->st_shndx == SHN_COMMON && !aligned) {
        return bad_symbol(cubin, s, index, "has an impossible alignment");
    }
    if (!outside) {
        if (s->st_shndx >= elf->section_count) {
            return bad_symbol(cubin, s, index, "is in a section that is not there");
        }
        TN_TRY(check_place(cubin, s, index));
        Elf64_Shdr section = tn_elf_section(elf, s->st_shndx);
        if (s->st_other & OTHER_CONSTANT &&
            starts(tn_elf_section_name(elf, &section), ".nv.constant0.")) {
            shown = false;
        }
    }
    *out_shown = shown;
    return NULL;
}

/// Reads the symbols and counts those that are undefined.
/// True for shared memory of a __device__ function, or of the file: a kernel's own is in
/// .nv.shared.KERNEL.
static bool is_loose_shared(const tn_cubin *cubin, const tn_symbol *s)
{
    if (s->symbol.space != TENON_SPACE_SHARED || s->section == 0 || s->symbol.bytes == 0)
        return false;
    Elf64_Shdr section = tn_elf_section(&cubin->elf, s->section);
    return !starts(tn_elf_section_name(&cubin->elf, &section), ".nv.shared.");
}

static tenon_status *read_symbols(tn_cubin *cubin, size_t *out_undefined)
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
        tn_symbol converted = convert(cubin, &s, i);
        *out_undefined += converted.symbol.state == TENON_SYMBOL_UNDEFINED;
        object->symbols[object->symbol_count++] = converted;
        if (is_loose_shared(cubin, &converted)) object->loose_shared = converted.symbol.name;
    }
    return NULL;
}

static int compare_symbol_names(const void *a, const void *b, void *symbols)
{
    const tn_symbol *all = symbols;
    return strcmp(all[*(const uint32_t *)a].symbol.name, all[*(const uint32_t *)b].symbol.name);
}

/// Lists the `wanted` symbols that are undefined.
static tenon_status *list_undefined(tenon_object *object, size_t wanted)
{
    if (wanted == 0) return NULL;
    object->undefined = malloc(wanted * sizeof(*object->undefined));
    if (!object->undefined) {
        return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory for its symbols",
                                 object->name);
    }
    for (uint32_t i = 0; i < object->symbol_count && object->undefined_count < wanted; i++) {
        if (object->symbols[i].symbol.state != TENON_SYMBOL_UNDEFINED) continue;
        object->undefined[object->undefined_count++] = i;
    }
    qsort_r(object->undefined, object->undefined_count, sizeof(*object->undefined),
            compare_symbol_names, object->symbols);
    return NULL;
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
    TN_TRY(tn_cubin_read_target(&cubin->elf, object));
    size_t wanted = 0;
    TN_TRY(find_symbols(cubin));
    TN_TRY(read_symbols(cubin, &wanted));
    TN_TRY(tn_cubin_check_sections(cubin));
    TN_TRY(tn_cubin_read_attributes(cubin));
    return list_undefined(object, wanted);
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
