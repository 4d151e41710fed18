// What every object can tell. How it is filled in is src/elf's business.
#include "core/object.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"

/// The object whose count keeps this one alive: of a member the outermost container.
static tenon_object *owner_of(tenon_object *object)
{
    while (object->container) object = object->container;
    return object;
}

static void free_one(tenon_object *object)
{
    free(object->members);
    for (size_t i = 0; i < object->arch_count; i++) free(object->archs[i]);
    free(object->archs);
    free(object->symbols);
    free(object->kernels);
    free(object->undefined);
    free(object->calls);
    free(object->name);
    if (object->owns_bytes) free((void *)object->data);
    free(object);
}

/// Frees an object and its members, from the innermost out.
static void destroy(tenon_object *root)
{
    tenon_object *object = root;
    while (object) {
        if (object->member_count) {
            object = object->members[--object->member_count];
            continue;
        }
        tenon_object *outer = object == root ? NULL : object->container;
        free_one(object);
        object = outer;
    }
}

tenon_object *tenon_object_retain(tenon_object *object)
{
    atomic_fetch_add_explicit(&owner_of(object)->references, 1, memory_order_relaxed);
    return object;
}

void tenon_object_release(tenon_object *object)
{
    if (!object) return;
    tenon_object *owner = owner_of(object);
    if (atomic_fetch_sub_explicit(&owner->references, 1, memory_order_acq_rel) == 1) destroy(owner);
}

const char *tenon_object_name(const tenon_object *object)
{
    return object->name;
}

tenon_kind tenon_object_kind(const tenon_object *object)
{
    return object->kind;
}

const char *tenon_kind_name(tenon_kind kind)
{
    switch (kind) {
    case TENON_KIND_ANY: return "any kind";
    case TENON_KIND_CUBIN: return "cubin";
    case TENON_KIND_PTX: return "PTX";
    case TENON_KIND_LTOIR: return "LTO-IR";
    case TENON_KIND_FATBIN: return "fatbin";
    case TENON_KIND_HOST: return "host object";
    case TENON_KIND_ARCHIVE: return "archive";
    }
    return "unknown kind";
}

tenon_bytes tenon_object_bytes(const tenon_object *object)
{
    return (tenon_bytes){object->data, object->size};
}

const uint8_t *tenon_object_digest(const tenon_object *object)
{
    // Made when first asked for; the one thing in an object that is not there from the start.
    tenon_object *own = (tenon_object *)object;
    int state = 0;
    if (atomic_compare_exchange_strong(&own->digest_state, &state, 1)) {
        tn_sha256(object->data, object->size, own->digest);
        atomic_store(&own->digest_state, 2);
    }
    while (atomic_load(&own->digest_state) != 2) sched_yield();
    return own->digest;
}

size_t tenon_object_arch_count(const tenon_object *object)
{
    return object->arch_count;
}

const char *tenon_object_arch(const tenon_object *object, size_t index)
{
    return index < object->arch_count ? object->archs[index] : NULL;
}

const char *tenon_object_producer(const tenon_object *object)
{
    return object->producer;
}

int tenon_object_is_relocatable(const tenon_object *object)
{
    return object->relocatable;
}

size_t tenon_object_kernel_count(const tenon_object *object)
{
    return object->kernel_count;
}

const tenon_kernel *tenon_object_kernel(const tenon_object *object, size_t index)
{
    return index < object->kernel_count ? &object->kernels[index] : NULL;
}

size_t tenon_object_symbol_count(const tenon_object *object)
{
    return object->symbol_count;
}

const tenon_symbol *tenon_object_symbol(const tenon_object *object, size_t index)
{
    return index < object->symbol_count ? &object->symbols[index].symbol : NULL;
}

size_t tenon_object_undefined_count(const tenon_object *object)
{
    return object->undefined_count;
}

const char *tenon_object_undefined_name(const tenon_object *object, size_t index)
{
    if (index >= object->undefined_count) return NULL;
    return object->symbols[object->undefined[index]].symbol.name;
}

size_t tenon_object_member_count(const tenon_object *object)
{
    return object->member_count;
}

tenon_object *tenon_object_member(const tenon_object *object, size_t index)
{
    return index < object->member_count ? object->members[index] : NULL;
}

const char *tenon_object_compression(const tenon_object *object)
{
    return object->compression ? object->compression : "";
}
