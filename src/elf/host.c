// Host objects carry device code as fatbins in sections of their own: __nv_relfatbin where it can
// be linked, .nv_fatbin where it is finished.
#include <string.h>

#include "core/try.h"
#include "elf/elf.h"
#include "elf/read.h"

/// Reads the fatbins of one section.
static tenon_status *add_fatbin(tenon_object *object, const char *data, size_t size, unsigned depth)
{
    tenon_object *member = NULL;
    if (tn_recognise(data, size) != TENON_KIND_FATBIN) return NULL;  // an empty or zeroed section
    TN_TRY(tn_add_member(object, "", TENON_KIND_FATBIN, (tenon_bytes){data, size}, false, &member));
    return tn_read_member(member, depth);
}

tenon_status *tn_host_read(tenon_object *object, unsigned depth)
{
    tn_elf elf = {0};
    TN_TRY(tn_elf_open(object->name, object->data, object->size, &elf));
    if (elf.header.e_type != ET_REL) {
        return tenon_status_make(
            TENON_INVALID_ARGUMENT,
            "'%s' is a linked program or shared library, not an object: the device "
            "code in it cannot be linked any more",
            object->name);
    }
    for (size_t i = 1; i < elf.section_count; i++) {
        Elf64_Shdr s = tn_elf_section(&elf, i);
        const char *name = tn_elf_section_name(&elf, &s);
        if (strcmp(name, "__nv_relfatbin") != 0 && strcmp(name, ".nv_fatbin") != 0) continue;
        if (tn_elf_is_nobits(s.sh_type)) continue;
        TN_TRY(add_fatbin(object, elf.data + s.sh_offset, s.sh_size, depth));
    }
    return NULL;
}
