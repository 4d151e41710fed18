// LTO-IR is a closed container: only its header can be read.
#include <stdio.h>

#include "core/try.h"
#include "elf/bytes.h"
#include "elf/read.h"

enum { LTOIR_HEADER = 36 };

tenon_status *tn_ltoir_read(tenon_object *object)
{
    if (object->size < LTOIR_HEADER || tn_u32(object->data) != 0x7F4E43ED) {
        return tenon_status_make(TENON_DATA_LOSS,
                                 "'%s' is cut or damaged: its %zu bytes do not "
                                 "begin with the header of LTO-IR",
                                 object->name, object->size);
    }
    // Measured on NVRTC 12.4, 13.0 and 13.5: the container's version in bytes 4 and 5
    // (1.61, 1.65, 1.67), ten times the arch at 26, and at 32 a number that tells arch-specific
    // code from other.
    const uint8_t *bytes = (const uint8_t *)object->data;
    uint32_t arch = tn_u16(object->data + 26);
    object->sm = arch / 10;
    if (tn_u32(object->data + 32) == 0x10020) object->sm_suffix = 'a';
    object->relocatable = true;
    snprintf(object->producer, sizeof(object->producer), "LTO-IR %u.%u", bytes[4], bytes[5]);
    return NULL;
}
