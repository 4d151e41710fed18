#include "elf/read.h"

#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "core/try.h"
#include "elf/bytes.h"
#include "elf/cubin.h"

tenon_kind tn_recognise(const char *data, size_t size)
{
    if (tn_is_cubin(data, size)) return TENON_KIND_CUBIN;
    if (size >= 4 && memcmp(data, ELFMAG, SELFMAG) == 0) return TENON_KIND_HOST;
    if (size >= 8 && (memcmp(data, "!<arch>\n", 8) == 0 || memcmp(data, "!<thin>\n", 8) == 0)) {
        return TENON_KIND_ARCHIVE;
    }
    if (size >= 4 && tn_u32(data) == 0xBA55ED50) return TENON_KIND_FATBIN;
    if (size >= 4 && tn_u32(data) == 0x7F4E43ED) return TENON_KIND_LTOIR;
    if (tn_is_ptx(data, size)) return TENON_KIND_PTX;
    return TENON_KIND_ANY;
}

tenon_status *tn_no_memory(const tenon_object *object)
{
    return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory", object->name);
}

bool tn_add_arch(tenon_object *object, const char *arch)
{
    size_t at = 0;
    while (at < object->arch_count) {
        int order = strverscmp(arch, object->archs[at]);
        if (order == 0) return true;
        if (order < 0) break;
        at++;
    }
    char **archs = realloc(object->archs, (object->arch_count + 1) * sizeof(*archs));
    if (archs) object->archs = archs;
    char *copy = archs ? strdup(arch) : NULL;
    if (!copy) return false;
    memmove(archs + at + 1, archs + at, (object->arch_count - at) * sizeof(*archs));
    archs[at] = copy;
    object->arch_count++;
    return true;
}

tenon_status *tn_add_member(tenon_object *container, const char *suffix, tenon_kind kind,
                            tenon_bytes bytes, bool owned, tenon_object **out_member)
{
    size_t count = container->member_count;
    tenon_object **members = realloc(container->members, (count + 1) * sizeof(tenon_object *));
    if (members) container->members = members;
    tenon_object *member = members ? calloc(1, sizeof(*member)) : NULL;
    size_t length = strlen(container->name);
    char *name = member ? malloc(length + strlen(suffix) + 1) : NULL;
    if (!name) {
        free(member);
        if (owned) free((void *)bytes.data);
        return tn_no_memory(container);
    }
    memcpy(name, container->name, length);
    memcpy(name + length, suffix, strlen(suffix) + 1);
    member->kind = kind;
    member->name = name;
    member->data = bytes.data;
    member->size = bytes.size;
    member->owns_bytes = owned;
    member->container = container;
    members[container->member_count++] = member;
    *out_member = member;
    return NULL;
}

/// PTX goes to the vendor as a C text, and bytes within a container have no NUL behind them.
static tenon_status *terminate(tenon_object *object)
{
    if (object->owns_bytes) return NULL;
    char *copy = malloc(object->size + 1);
    if (!copy) return tn_no_memory(object);
    memcpy(copy, object->data, object->size);
    copy[object->size] = '\0';
    object->data = copy;
    object->owns_bytes = true;
    return NULL;
}

/// The archs of an object: its own, or those of its members.
static tenon_status *list_archs(tenon_object *object)
{
    bool good = true;
    if (object->sm && object->arch_count == 0) {
        char arch[24];
        char *at = stpcpy(arch, object->kind == TENON_KIND_CUBIN ? "sm_" : "compute_");
        at = tn_put_number(at, object->sm);
        at[0] = object->sm_suffix;
        at[1] = '\0';
        good = tn_add_arch(object, arch);
    }
    for (size_t i = 0; i < object->member_count && good; i++) {
        const tenon_object *member = object->members[i];
        object->relocatable |= member->relocatable;
        for (size_t k = 0; k < member->arch_count && good; k++) {
            good = tn_add_arch(object, member->archs[k]);
        }
    }
    return good ? NULL : tn_no_memory(object);
}

static tenon_status *read_kind(tenon_object *object, unsigned depth)
{
    switch (object->kind) {
    case TENON_KIND_CUBIN: return tn_cubin_read(object);
    case TENON_KIND_LTOIR: return tn_ltoir_read(object);
    case TENON_KIND_FATBIN: return tn_fatbin_read(object, depth);
    case TENON_KIND_HOST: return tn_host_read(object, depth);
    case TENON_KIND_ARCHIVE: return tn_archive_read(object, depth);
    case TENON_KIND_PTX: TN_TRY(terminate(object)); return tn_ptx_read(object);
    case TENON_KIND_ANY: break;
    }
    return NULL;
}

tenon_status *tn_read_member(tenon_object *member, unsigned depth)
{
    if (depth + 1 >= TN_MAX_DEPTH) {
        return tenon_status_make(TENON_DATA_LOSS, "'%s': containers are nested too deep",
                                 member->name);
    }
    TN_TRY(read_kind(member, depth + 1));
    return list_archs(member);
}

static tenon_status *read_object(tenon_object *object, tenon_kind kind)
{
    tenon_kind found = tn_recognise(object->data, object->size);
    if (found == TENON_KIND_ANY) {
        // An ELF file that is too short to tell its machine is cut, whatever it was.
        return tenon_status_make(
            kind == TENON_KIND_ANY ? TENON_INVALID_ARGUMENT : TENON_DATA_LOSS,
            "'%s'%s%s: its %zu bytes are no cubin, PTX, LTO-IR, fatbin, host object or "
            "archive",
            object->name, kind == TENON_KIND_ANY ? "" : " was given as ",
            kind == TENON_KIND_ANY ? "" : tenon_kind_name(kind), object->size);
    }
    object->kind = found;
    TN_TRY(read_kind(object, 0));
    TN_TRY(list_archs(object));
    if (kind == TENON_KIND_ANY || kind == found) return NULL;
    return tenon_status_make(TENON_INVALID_ARGUMENT,
                             "'%s' was given as %s, but its bytes are %s%s%s%s", object->name,
                             tenon_kind_name(kind),
                             found != TENON_KIND_CUBIN ? ""
                             : object->relocatable     ? "a relocatable "
                                                       : "a finished ",
                             tenon_kind_name(found), object->arch_count ? " for " : "",
                             object->arch_count ? object->archs[0] : "");
}

tenon_status *tn_object_adopt(const char *name, tenon_kind kind, char *data, size_t size,
                              tenon_object **out_object)
{
    tenon_object *object = calloc(1, sizeof(*object));
    char *copy = object ? strdup(name) : NULL;
    if (!copy) {
        free(object);
        free(data);
        return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory", name);
    }
    object->references = 1;
    object->name = copy;
    object->data = data;
    object->size = size;
    object->owns_bytes = true;
    tenon_status *status = read_object(object, kind);
    if (status) {
        tenon_object_release(object);
        return status;
    }
    *out_object = object;
    return NULL;
}

tenon_status *tenon_object_create(const char *name, tenon_kind kind, tenon_bytes bytes,
                                  tenon_object **out_object)
{
    if (!name) return tenon_status_make(TENON_INVALID_ARGUMENT, "an object needs a name");
    if (!bytes.data && bytes.size) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "'%s' has a size, but no bytes (NULL)",
                                 name);
    }
    char *copy = bytes.size < SIZE_MAX ? malloc(bytes.size + 1) : NULL;
    if (!copy) return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory", name);
    if (bytes.size) memcpy(copy, bytes.data, bytes.size);
    copy[bytes.size] = '\0';
    return tn_object_adopt(name, kind, copy, bytes.size, out_object);
}

tenon_status *tenon_object_open(const char *path, tenon_kind kind, tenon_object **out_object)
{
    tn_buffer bytes = {0};
    int error = tn_file_read(path, &bytes);
    if (error == ENOMEM) return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory", path);
    if (error) {
        return tenon_status_make(error == ENOENT ? TENON_NOT_FOUND : TENON_IO, "'%s': %s", path,
                                 strerror(error));
    }
    size_t size = bytes.size;
    return tn_object_adopt(path, kind, tn_buffer_take(&bytes), size, out_object);
}
