// What the sections of a cubin must be like before the vendor's linker may see them. Each rule
// holds for all that ptxas and nvJitLink 12.2 to 13.5 were seen to make; most were broken in files
// that made nvJitLink crash.
#include "core/try.h"
#include "elf/bytes.h"
#include "elf/cubin.h"

// Types of NVIDIA's that use sh_info as ELF has it: data, and banks of constants. Others have ways
// of their own.
enum {
    SHT_CUDA_INFO = 0x70000000,
    SHT_CUDA_CALLGRAPH,
    SHT_CUDA_PROTOTYPE,
    SHT_CUDA_DATA_END = 0x70000010,
    SHT_CUDA_CONSTANT = 0x70000064,
    SHT_CUDA_CONSTANT_END = 0x7000007c,
    SHT_CUDA_END = 0x70000100,
};

// These say the same twice, by name and by type.
static const struct {
    const char *name;
    uint32_t type;
} named[] = {
    {".nv.info", SHT_CUDA_INFO},
    {".nv.callgraph", SHT_CUDA_CALLGRAPH},
    {".nv.prototype", SHT_CUDA_PROTOTYPE},
};

// Types of relocations are numbered up to some 120.
enum { RELOCATION_TYPE_END = 0x100 };

static tenon_status *check_relocation(const tn_cubin *cubin, size_t index, uint64_t number,
                                      const char *at, uint64_t target_size)
{
    uint64_t offset = tn_u64(at);
    uint64_t symbol = ELF64_R_SYM(tn_u64(at + 8));
    if (!tn_within(offset, 4, target_size)) {
        return tn_elf_damaged(&cubin->elf, index, "has relocation %llu at %llu of %llu bytes",
                              (unsigned long long)number, (unsigned long long)offset,
                              (unsigned long long)target_size);
    }
    if (symbol == 0 || symbol >= cubin->symbol_count) {
        return tn_elf_damaged(&cubin->elf, index, "has relocation %llu for symbol %llu of %u",
                              (unsigned long long)number, (unsigned long long)symbol,
                              cubin->symbol_count);
    }
    if (ELF64_R_TYPE(tn_u64(at + 8)) >= RELOCATION_TYPE_END) {
        return tn_elf_damaged(&cubin->elf, index, "has relocation %llu of type %u",
                              (unsigned long long)number, (uint32_t)ELF64_R_TYPE(tn_u64(at + 8)));
    }
    return NULL;
}

/// True if a section is not linked to the symbol table. The final cubins of CUDA 12.2 name another
/// section there, so only what is linked again has to be right.
static bool is_astray(const tn_cubin *cubin, const Elf64_Shdr *s)
{
    return cubin->object->relocatable && s->sh_link != cubin->symbol_table;
}

static tenon_status *check_relocations(const tn_cubin *cubin, size_t index, const Elf64_Shdr *s)
{
    const tn_elf *elf = &cubin->elf;
    size_t each = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    if (s->sh_entsize != each || s->sh_size % each != 0 || is_astray(cubin, s)) {
        return tn_elf_damaged(elf, index,
                              "is no table of relocations: %llu bytes, %llu each, for the symbols "
                              "of section %u",
                              (unsigned long long)s->sh_size, (unsigned long long)s->sh_entsize,
                              s->sh_link);
    }
    if (s->sh_info == 0 || s->sh_info >= elf->section_count) {
        return tn_elf_damaged(elf, index, "relocates section %u, and there are %u", s->sh_info,
                              elf->section_count);
    }
    Elf64_Shdr target = tn_elf_section(elf, s->sh_info);
    const char *name = tn_elf_section_name(elf, s);
    const char *prefix = s->sh_type == SHT_RELA ? ".rela" : ".rel";
    if (strncmp(name, prefix, strlen(prefix)) != 0 ||
        strcmp(name + strlen(prefix), tn_elf_section_name(elf, &target)) != 0) {
        return tn_elf_damaged(elf, index,
                              "relocates section %u '%s', which is not that of its name",
                              s->sh_info, tn_elf_section_name(elf, &target));
    }
    const char *at = elf->data + s->sh_offset;
    for (uint64_t i = 0; i < s->sh_size / each; i++, at += each) {
        TN_TRY(check_relocation(cubin, index, i, at, target.sh_size));
    }
    return NULL;
}

/// Code is in one section a function, which names the function in the low bits of sh_info; above
/// them older tools keep the number of registers.
static tenon_status *check_code(const tn_cubin *cubin, size_t index, const Elf64_Shdr *s)
{
    uint32_t symbol = s->sh_info & 0xffffff;
    if (is_astray(cubin, s) || symbol == 0 || symbol >= cubin->symbol_count) {
        return tn_elf_damaged(&cubin->elf, index, "holds the code of symbol %u, and there are %u",
                              symbol, cubin->symbol_count);
    }
    Elf64_Sym function;
    memcpy(&function, cubin->symbols + symbol * sizeof(function), sizeof(function));
    if (ELF64_ST_TYPE(function.st_info) != STT_FUNC || function.st_shndx != index) {
        return tn_elf_damaged(&cubin->elf, index, "holds the code of symbol %u, which is none here",
                              symbol);
    }
    return NULL;
}

/// False if a section has the name of one type and the type of another.
static bool is_named_right(const char *name, uint32_t type)
{
    bool own = strncmp(name, ".nv.", 4) == 0;
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        size_t length = strlen(named[i].name);
        bool same = own && name[4] == named[i].name[4] &&
                    strncmp(name, named[i].name, length) == 0 &&
                    (name[length] == '\0' || name[length] == '.');
        if (same != (type == named[i].type)) return false;
    }
    return true;
}

/// Checks what does not depend on the type.
static tenon_status *check_form(const tn_cubin *cubin, size_t index, const Elf64_Shdr *s)
{
    const tn_elf *elf = &cubin->elf;
    bool usual = s->sh_type <= SHT_SYMTAB_SHNDX;
    if (!usual && (s->sh_type < SHT_LOPROC || s->sh_type >= SHT_CUDA_END)) {
        return tn_elf_damaged(elf, index, "has type 0x%x, which is none", s->sh_type);
    }
    if (s->sh_addralign == 0 ||
        (!tn_elf_is_nobits(s->sh_type) && s->sh_offset % s->sh_addralign != 0)) {
        return tn_elf_damaged(elf, index, "is not aligned to %llu",
                              (unsigned long long)s->sh_addralign);
    }
    if (s->sh_flags & SHF_INFO_LINK && (s->sh_info == 0 || s->sh_info >= elf->section_count)) {
        return tn_elf_damaged(elf, index, "belongs to section %u, and there are %u", s->sh_info,
                              elf->section_count);
    }
    bool plain = s->sh_type < SHT_CUDA_DATA_END ||
                 (s->sh_type >= SHT_CUDA_CONSTANT && s->sh_type < SHT_CUDA_CONSTANT_END);
    bool free_of =
        plain && s->sh_type != SHT_SYMTAB && !(s->sh_flags & (SHF_INFO_LINK | SHF_EXECINSTR));
    if (free_of && cubin->object->relocatable && s->sh_info != 0) {
        return tn_elf_damaged(elf, index, "belongs to section %u, but says not so", s->sh_info);
    }
    if (!is_named_right(tn_elf_section_name(elf, s), s->sh_type)) {
        return tn_elf_damaged(elf, index, "has type 0x%x, which its name has not", s->sh_type);
    }
    return NULL;
}

static tenon_status *check_section(const tn_cubin *cubin, size_t index, const Elf64_Shdr *s)
{
    const tn_elf *elf = &cubin->elf;
    TN_TRY(check_form(cubin, index, s));
    if (s->sh_flags & SHF_EXECINSTR) return check_code(cubin, index, s);
    switch (s->sh_type) {
    case SHT_RELA:
    case SHT_REL: return check_relocations(cubin, index, s);
    case SHT_CUDA_CALLGRAPH:
    case SHT_CUDA_PROTOTYPE:
        // Of an empty cubin's they link to another section, so that is not looked at.
        if (s->sh_size && (s->sh_entsize != 8 || s->sh_size % 8 != 0)) {
            return tn_elf_damaged(elf, index, "is no table of pairs of symbols");
        }
        return NULL;
    default: return NULL;
    }
}

tenon_status *tn_cubin_check_sections(const tn_cubin *cubin)
{
    static const Elf64_Shdr none;
    if (memcmp(cubin->elf.sections, &none, sizeof(none)) != 0) {
        return tn_elf_damaged(&cubin->elf, 0, "should be empty");
    }
    for (size_t i = 1; i < cubin->elf.section_count; i++) {
        Elf64_Shdr s = tn_elf_section(&cubin->elf, i);
        TN_TRY(check_section(cubin, i, &s));
    }
    return NULL;
}
