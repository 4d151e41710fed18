// Reads a cubin: NVIDIA's ELF. Every section, symbol, relocation and attribute is checked, since
// the vendor's linker crashes on many that are wrong.
#ifndef TN_ELF_CUBIN_H_
#define TN_ELF_CUBIN_H_

#include "core/object.h"
#include "elf/elf.h"

/// True if the bytes start like an ELF file of CUDA's machine.
bool tn_is_cubin(const char *data, size_t size);

/// Fills in an object of kind cubin from its bytes.
TENON_NODISCARD tenon_status *tn_cubin_read(tenon_object *object);

/// For the files that read a cubin: the file, and where its symbols went.
typedef struct tn_cubin {
    tn_elf elf;
    tenon_object *object;
    const char *symbols;    ///< The symbol table in the file, unaligned.
    uint32_t symbol_table;  ///< Its section.
    uint32_t symbol_count;  ///< Of the file.
    const char *strings;    ///< Names of symbols.
    uint64_t strings_size;
    uint32_t *kernels;  ///< Of each section, 1 + the index of the kernel in it, or 0; or NULL.
    uint32_t *places;   ///< Of each symbol of the file its index in the object, or TN_NO_PLACE.
} tn_cubin;

#define TN_NO_PLACE UINT32_MAX

/// Finds out for which arch the code is and what made it.
TENON_NODISCARD tenon_status *tn_cubin_read_target(const tn_elf *elf, tenon_object *object);

/// Checks what refers to other sections and to symbols.
TENON_NODISCARD tenon_status *tn_cubin_check_sections(const tn_cubin *cubin);

/// Reads what the attributes say: kernels, calls, prototypes. The symbols have been read.
TENON_NODISCARD tenon_status *tn_cubin_read_attributes(tn_cubin *cubin);

#endif  // TN_ELF_CUBIN_H_
