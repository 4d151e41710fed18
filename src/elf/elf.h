// The parts of ELF64, little endian, that cubins and host objects share: header, section table,
// names. Source of the format: the System V ABI; of NVIDIA's section types: measured on CUDA 12.4
// to 13.5.
#ifndef TN_ELF_ELF_H_
#define TN_ELF_ELF_H_

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tenon/status.h"

enum { TN_EM_CUDA = 190 };

/// The type that compilers and partial links give to variables.
enum { TN_STT_CUDA_OBJECT = 13 };

/// An ELF file whose section table was checked: it lies in the file, and so do the bytes of each
/// section that has any; each name is in the name table, and each table of names is terminated.
typedef struct tn_elf {
    const char *name;  ///< For messages.
    const char *data;
    size_t size;
    Elf64_Ehdr header;
    const char *sections;  ///< Not aligned: read with tn_elf_section().
    uint32_t section_count;
    const char *names;
    size_t names_size;
} tn_elf;

/// TENON_DATA_LOSS: the message has the file's name, the section and what is wrong.
TENON_NODISCARD tenon_status *tn_elf_open(const char *name, const char *data, size_t size,
                                          tn_elf *out_elf);

/// Returns a section header; `index` is below section_count.
static inline Elf64_Shdr tn_elf_section(const tn_elf *elf, size_t index)
{
    Elf64_Shdr section;
    memcpy(&section, elf->sections + index * sizeof(section), sizeof(section));
    return section;
}

/// Returns the name of a section.
static inline const char *tn_elf_section_name(const tn_elf *elf, const Elf64_Shdr *section)
{
    return elf->names + section->sh_name;
}

/// True if a section of this type has a size, but no bytes in the file.
bool tn_elf_is_nobits(uint32_t type);

/// Makes the error of damage in a section: "'x.cubin': section 5 '.text' ...".
TENON_NODISCARD tenon_status *tn_elf_damaged(const tn_elf *elf, size_t index, const char *format,
                                             ...) TENON_PRINTF(3, 4);

#endif  // TN_ELF_ELF_H_
