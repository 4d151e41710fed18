#include "elf/loadable.h"

#include <string.h>

#include "core/try.h"
#include "elf/elf.h"

tenon_status *tn_cubin_make_loadable(const char *name, char *data, size_t size)
{
    tn_elf elf = {0};
    TN_TRY(tn_elf_open(name, data, size, &elf));
    for (size_t i = 1; i < elf.section_count; i++) {
        Elf64_Shdr section = tn_elf_section(&elf, i);
        if (section.sh_type != SHT_SYMTAB) continue;
        char *table = data + section.sh_offset;
        for (uint64_t k = 0; k < section.sh_size / sizeof(Elf64_Sym); k++) {
            Elf64_Sym symbol;
            char *at = table + k * sizeof(symbol);
            memcpy(&symbol, at, sizeof(symbol));
            if (ELF64_ST_TYPE(symbol.st_info) != TN_STT_CUDA_OBJECT) continue;
            symbol.st_info =
                (unsigned char)ELF64_ST_INFO(ELF64_ST_BIND(symbol.st_info), STT_OBJECT);
            memcpy(at, &symbol, sizeof(symbol));
        }
    }
    return NULL;
}
