#include "elf/elf.h"

#include <stdarg.h>

#include "base/buffer.h"
#include "core/try.h"
#include "elf/bytes.h"

// No device has this much of anything; a larger section without bytes is damage.
static const uint64_t nobits_limit = (uint64_t)1 << 40;

bool tn_elf_is_nobits(uint32_t type)
{
    switch (type) {
    case SHT_NOBITS:
    case 0x70000007:  // global memory without initial values
    case 0x70000009:  // local memory
    case 0x7000000a:  // shared memory
    case 0x70000015:  // shared memory that the system reserves
        return true;
    default: return false;
    }
}

tenon_status *tn_elf_damaged(const tn_elf *elf, size_t index, const char *format, ...)
{
    tn_buffer what = {0};
    va_list args;
    va_start(args, format);
    tn_buffer_vprint(&what, format, args);
    va_end(args);
    Elf64_Shdr section = tn_elf_section(elf, index);
    const char *name = section.sh_name < elf->names_size ? elf->names + section.sh_name : "?";
    tenon_status *status = tenon_status_make(
        TENON_DATA_LOSS, "'%s' is damaged: section %zu '%s' (offset %llu) %s", elf->name, index,
        name, (unsigned long long)section.sh_offset, tn_buffer_text(&what));
    tn_buffer_deinit(&what);
    return status;
}

static tenon_status *damaged_header(const tn_elf *elf, const char *field, uint64_t value)
{
    return tenon_status_make(
        TENON_DATA_LOSS,
        "'%s' is damaged or cut: ELF header field %s is %llu, which does not fit a "
        "file of %zu bytes",
        elf->name, field, (unsigned long long)value, elf->size);
}

/// Checks where the program headers and what they load are.
static tenon_status *check_programs(const tn_elf *elf)
{
    const Elf64_Ehdr *h = &elf->header;
    if (h->e_phnum == 0) return NULL;
    if (h->e_phentsize != sizeof(Elf64_Phdr)) {
        return damaged_header(elf, "e_phentsize", h->e_phentsize);
    }
    uint64_t size = (uint64_t)h->e_phnum * sizeof(Elf64_Phdr);
    if (!tn_within(h->e_phoff, size, elf->size)) return damaged_header(elf, "e_phoff", h->e_phoff);
    for (size_t i = 0; i < h->e_phnum; i++) {
        Elf64_Phdr program;
        memcpy(&program, elf->data + h->e_phoff + i * sizeof(program), sizeof(program));
        if (!tn_within(program.p_offset, program.p_filesz, elf->size)) {
            return tenon_status_make(TENON_DATA_LOSS,
                                     "'%s' is damaged: program header %zu (offset %llu, %llu "
                                     "bytes) lies outside of the file of %zu bytes",
                                     elf->name, i, (unsigned long long)program.p_offset,
                                     (unsigned long long)program.p_filesz, elf->size);
        }
    }
    return NULL;
}

static tenon_status *check_header(const tn_elf *elf)
{
    const Elf64_Ehdr *h = &elf->header;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0) {
        return tenon_status_make(TENON_DATA_LOSS,
                                 "'%s' is damaged: it does not begin like an ELF file", elf->name);
    }
    if (h->e_ident[EI_CLASS] != ELFCLASS64) {
        return damaged_header(elf, "EI_CLASS", h->e_ident[EI_CLASS]);
    }
    if (h->e_ident[EI_DATA] != ELFDATA2LSB) {
        return damaged_header(elf, "EI_DATA", h->e_ident[EI_DATA]);
    }
    if (h->e_ehsize != sizeof(*h)) return damaged_header(elf, "e_ehsize", h->e_ehsize);
    if (h->e_shentsize != sizeof(Elf64_Shdr)) {
        return damaged_header(elf, "e_shentsize", h->e_shentsize);
    }
    if (!tn_within(h->e_shoff, sizeof(Elf64_Shdr), elf->size)) {
        return damaged_header(elf, "e_shoff", h->e_shoff);
    }
    return check_programs(elf);
}

/// Finds the section table and the index of the table of names. Where there are too many sections
/// for the fields of the header, as in large host objects, section 0 has the numbers.
static tenon_status *find_sections(tn_elf *elf, uint32_t *out_names)
{
    const Elf64_Ehdr *h = &elf->header;
    elf->sections = elf->data + h->e_shoff;
    Elf64_Shdr first = tn_elf_section(elf, 0);
    uint64_t count = h->e_shnum ? h->e_shnum : first.sh_size;
    uint32_t names = h->e_shstrndx == SHN_XINDEX ? first.sh_link : h->e_shstrndx;
    if (count == 0 || count > elf->size / sizeof(Elf64_Shdr)) {
        return damaged_header(elf, "e_shnum", count);
    }
    if (!tn_within(h->e_shoff, count * sizeof(Elf64_Shdr), elf->size)) {
        return damaged_header(elf, "e_shoff", h->e_shoff);
    }
    if (names >= count) return damaged_header(elf, "e_shstrndx", names);
    elf->section_count = (uint32_t)count;
    *out_names = names;
    return NULL;
}

static tenon_status *check_section(const tn_elf *elf, size_t index)
{
    Elf64_Shdr s = tn_elf_section(elf, index);
    if (s.sh_name >= elf->names_size) {
        return tn_elf_damaged(elf, index, "has its name at %u, outside of the name table",
                              s.sh_name);
    }
    if (s.sh_link >= elf->section_count) {
        return tn_elf_damaged(elf, index, "is linked to section %u, and there are %u", s.sh_link,
                              elf->section_count);
    }
    if (s.sh_addralign & (s.sh_addralign - 1)) {
        return tn_elf_damaged(elf, index, "is aligned to %llu, which is no power of two",
                              (unsigned long long)s.sh_addralign);
    }
    bool nobits = tn_elf_is_nobits(s.sh_type);
    if (nobits ? s.sh_size >= nobits_limit || s.sh_offset > elf->size
               : !tn_within(s.sh_offset, s.sh_size, elf->size)) {
        return tn_elf_damaged(elf, index, "of %llu bytes lies outside of the file of %zu bytes",
                              (unsigned long long)s.sh_size, elf->size);
    }
    if (s.sh_type == SHT_STRTAB &&
        (s.sh_size == 0 || elf->data[s.sh_offset + s.sh_size - 1] != '\0')) {
        return tn_elf_damaged(elf, index, "is a table of names whose last one does not end");
    }
    return NULL;
}

tenon_status *tn_elf_open(const char *name, const char *data, size_t size, tn_elf *out_elf)
{
    tn_elf elf = {.name = name, .data = data, .size = size};
    if (size < sizeof(elf.header)) {
        return tenon_status_make(
            TENON_DATA_LOSS, "'%s' is cut: %zu bytes are less than an ELF header has", name, size);
    }
    memcpy(&elf.header, data, sizeof(elf.header));
    TN_TRY(check_header(&elf));
    uint32_t at = 0;
    TN_TRY(find_sections(&elf, &at));

    Elf64_Shdr names = tn_elf_section(&elf, at);
    if (names.sh_type != SHT_STRTAB || names.sh_size == 0 ||
        !tn_within(names.sh_offset, names.sh_size, size) ||
        data[names.sh_offset + names.sh_size - 1] != '\0') {
        return tn_elf_damaged(&elf, at, "is no table of names within the file of %zu bytes", size);
    }
    elf.names = data + names.sh_offset;
    elf.names_size = names.sh_size;
    for (size_t i = 1; i < elf.section_count; i++) TN_TRY(check_section(&elf, i));
    *out_elf = elf;
    return NULL;
}
