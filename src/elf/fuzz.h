// What all readers' fuzz targets do: read, then ask for everything there is.
#ifndef TN_ELF_FUZZ_H_
#define TN_ELF_FUZZ_H_

#include <stdlib.h>
#include <string.h>

#include "elf/read.h"

/// Asks an object and its members for all they have.
static inline size_t tn_fuzz_ask(const tenon_object *object)
{
    char text[256];
    size_t sum = object->arch_count + strlen(tenon_object_producer(object));
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        sum += strlen(tenon_demangle(tenon_object_symbol(object, i)->name, text, sizeof(text)));
    }
    for (size_t i = 0; i < tenon_object_kernel_count(object); i++) {
        sum += strlen(tenon_object_kernel(object, i)->name);
    }
    for (size_t i = 0; i < tenon_object_undefined_count(object); i++) {
        sum += strlen(tenon_object_undefined_name(object, i));
    }
    for (size_t i = 0; i < tenon_object_member_count(object); i++) {
        sum += tn_fuzz_ask(tenon_object_member(object, i));
    }
    return sum;
}

/// Reads the bytes as `kind`, whatever they look like; TENON_KIND_ANY: as what they look like.
static inline int tn_fuzz(tenon_kind kind, const uint8_t *data, size_t size)
{
    tenon_object *object = NULL;
    tenon_status *status = NULL;
    char *copy = malloc(size + 1);
    if (!copy) return 0;
    if (size) memcpy(copy, data, size);
    copy[size] = '\0';
    if (kind == TENON_KIND_ANY) {
        status = tn_object_adopt("fuzz", kind, copy, size, &object);
    } else {
        object = calloc(1, sizeof(*object));
        if (!object) abort();
        *object = (tenon_object){.references = 1,
                                 .kind = kind,
                                 .name = strdup("fuzz"),
                                 .data = copy,
                                 .size = size,
                                 .owns_bytes = true};
        status = tn_read_member(object, 0);
    }
    if (!status && tn_fuzz_ask(object) == SIZE_MAX) abort();
    tenon_status_free(status);
    tenon_object_release(object);
    return 0;
}

#endif  // TN_ELF_FUZZ_H_
