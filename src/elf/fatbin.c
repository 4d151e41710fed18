// Fatbins: one piece of device code for several archs. Source of the layout: measured on nvcc 12.4
// and 13.0, all modes of --compress-mode.
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "core/try.h"
#include "elf/bytes.h"
#include "elf/lz4.h"
#include "elf/read.h"

static const uint32_t magic = 0xBA55ED50;

enum { HEADER = 16, ENTRY = 64 };

enum { ENTRY_PTX = 1, ENTRY_ELF = 2, ENTRY_LTOIR = 8 };

enum {
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_SCRAMBLED = 0x10000,
    FLAG_ARCH_SPECIFIC = 0x100000,
    FLAG_ARCH_FAMILY = 0x200000,
};

// What one entry may grow to; a damaged size would else take all memory.
static const uint64_t entry_limit = (uint64_t)1 << 31;

/// Where in the fatbin an entry is, and what it says.
typedef struct entry {
    uint16_t kind;
    uint32_t arch;
    uint64_t flags;
    const char *payload;
    uint64_t size;       // of what is stored
    uint64_t full_size;  // of what comes out
} entry;

static tenon_status *damaged(const tenon_object *object, uint64_t offset, const char *what)
{
    return tenon_status_make(TENON_DATA_LOSS, "'%s' is damaged: fatbin entry at %llu %s",
                             object->name, (unsigned long long)offset, what);
}

/// Reads the entry at `offset`; `end` is where the fatbin ends. `*out_next` is where the next one
/// is.
static tenon_status *read_entry(const tenon_object *object, uint64_t offset, uint64_t end,
                                entry *out_entry, uint64_t *out_next)
{
    if (!tn_within(offset, ENTRY, end)) return damaged(object, offset, "is cut");
    const char *at = object->data + offset;
    uint32_t header = tn_u32(at + 4);
    uint64_t padded = tn_u64(at + 8);
    uint32_t stored = tn_u32(at + 16);
    entry e = {.kind = tn_u16(at), .arch = tn_u32(at + 28), .flags = tn_u64(at + 40)};
    if (header < ENTRY || !tn_within(offset, header, end)) {
        return damaged(object, offset, "has a header that does not fit");
    }
    if (!tn_within(offset + header, padded, end)) {
        return damaged(object, offset, "has bytes beyond the end");
    }
    if (stored > padded) return damaged(object, offset, "stores more bytes than it has");
    bool packed = e.flags & (FLAG_LZ4 | FLAG_ZSTD | FLAG_SCRAMBLED);
    e.payload = at + header;
    e.size = packed && stored ? stored : padded;
    e.full_size = packed ? tn_u64(at + 56) : padded;
    if (e.full_size > entry_limit) return damaged(object, offset, "claims an impossible size");
    *out_entry = e;
    *out_next = offset + header + padded;
    return NULL;
}

static const char *compression_of(const entry *e)
{
    if (e->flags & FLAG_SCRAMBLED) return "NVIDIA's own";
    if (e->flags & FLAG_ZSTD) return "zstd";
    if (e->flags & FLAG_LZ4) return "lz4";
    return "";
}

static tenon_kind kind_of(const entry *e)
{
    switch (e->kind) {
    case ENTRY_PTX: return TENON_KIND_PTX;
    case ENTRY_ELF: return TENON_KIND_CUBIN;
    case ENTRY_LTOIR: return TENON_KIND_LTOIR;
    default: return TENON_KIND_ANY;
    }
}

/// Decompresses an entry into memory of its own.
static tenon_status *unpack(const tenon_object *object, uint64_t offset, const entry *e,
                            char **out_data)
{
    // A block can only grow so much: nothing is allocated for a size that cannot be true.
    if (e->full_size / 256 > e->size + 16 && !(e->flags & FLAG_ZSTD)) {
        return damaged(object, offset, "claims an impossible size");
    }
    if (e->flags & FLAG_ZSTD) {
        unsigned long long says = ZSTD_getFrameContentSize(e->payload, e->size);
        if (says != ZSTD_CONTENTSIZE_UNKNOWN && says != e->full_size) {
            return damaged(object, offset, "does not have the size that it claims");
        }
        if (e->full_size / 65536 > e->size) {
            return damaged(object, offset, "claims an impossible size");
        }
    }
    char *data = malloc(e->full_size + 1);
    if (!data) return tn_no_memory(object);
    size_t got = e->full_size;
    if (e->flags & FLAG_ZSTD) {
        got = ZSTD_decompress(data, e->full_size, e->payload, e->size);
    } else if (!tn_lz4_decode(e->payload, e->size, data, e->full_size)) {
        got = 0;
    }
    if (got != e->full_size) {
        free(data);
        bool memory =
            e->flags & FLAG_ZSTD && ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation;
        return memory ? tn_no_memory(object) : damaged(object, offset, "cannot be decompressed");
    }
    data[e->full_size] = '\0';
    *out_data = data;
    return NULL;
}

static char suffix_of(const entry *e)
{
    if (e->flags & FLAG_ARCH_SPECIFIC) return 'a';
    return e->flags & FLAG_ARCH_FAMILY ? 'f' : '\0';
}

/// What an entry's header says of its arch, for the name and where the bytes cannot be read.
static void print_arch(const entry *e, char *out, size_t size)
{
    char suffix[] = {suffix_of(e), '\0'};
    snprintf(out, size, "%s%u%s", e->kind == ENTRY_ELF ? "sm_" : "compute_", e->arch, suffix);
}

static tenon_status *add_entry(tenon_object *object, uint64_t offset, const entry *e,
                               unsigned depth)
{
    char arch[32];
    char suffix[64];
    tenon_kind kind = kind_of(e);
    print_arch(e, arch, sizeof(arch));
    snprintf(suffix, sizeof(suffix), "[%s %s]", arch, tenon_kind_name(kind));

    bool scrambled = e->flags & FLAG_SCRAMBLED;
    bool packed = !scrambled && e->flags & (FLAG_LZ4 | FLAG_ZSTD);
    const char *data = e->payload;
    uint64_t size = e->size;
    if (packed) {
        char *unpacked = NULL;
        TN_TRY(unpack(object, offset, e, &unpacked));
        data = unpacked;
        size = e->full_size;
    }
    tenon_object *member = NULL;
    TN_TRY(tn_add_member(object, suffix, kind, (tenon_bytes){data, size}, packed, &member));
    member->compression = compression_of(e);
    member->opaque = scrambled || kind == TENON_KIND_ANY;
    if (!member->opaque) {
        TN_TRY(tn_read_member(member, depth));
        if (member->sm_suffix || !suffix_of(e)) return NULL;
        free(member->archs[0]);  // LTO-IR and linked cubins do not always tell themselves
        member->arch_count = 0;
    }
    member->sm = e->arch;
    member->sm_suffix = suffix_of(e);
    if (member->opaque) member->relocatable = kind == TENON_KIND_LTOIR;
    return tn_add_arch(member, arch) ? NULL : tn_no_memory(object);
}

/// Reads the entries of the fatbin at `start` and returns where it ends.
static tenon_status *read_one(tenon_object *object, uint64_t start, unsigned depth,
                              uint64_t *out_end)
{
    const char *at = object->data + start;
    if (!tn_within(start, HEADER, object->size) || tn_u32(at) != magic) {
        return tenon_status_make(TENON_DATA_LOSS,
                                 "'%s' is damaged: there is no fatbin header at %llu", object->name,
                                 (unsigned long long)start);
    }
    uint16_t header = tn_u16(at + 6);
    uint64_t size = tn_u64(at + 8);
    if (header < HEADER || !tn_within(start, header, object->size) ||
        !tn_within(start + header, size, object->size)) {
        return tenon_status_make(
            TENON_DATA_LOSS, "'%s' is cut or damaged: its fatbin at %llu claims %llu bytes of %zu",
            object->name, (unsigned long long)start, (unsigned long long)size, object->size);
    }
    uint64_t end = start + header + size;
    for (uint64_t offset = start + header; offset < end;) {
        entry e = {0};
        uint64_t here = offset;
        TN_TRY(read_entry(object, here, end, &e, &offset));
        TN_TRY(add_entry(object, here, &e, depth));
    }
    *out_end = end;
    return NULL;
}

/// How many fatbins stand one behind the other, as `ld -r` puts them, with zeros between.
static uint64_t next_start(const tenon_object *object, uint64_t end)
{
    while (end < object->size && object->data[end] == 0) end++;
    return end;
}

tenon_status *tn_fatbin_read(tenon_object *object, unsigned depth)
{
    uint64_t end = 0;
    uint64_t size = object->size >= HEADER ? tn_u64(object->data + 8) : 0;
    uint64_t first_end = size < object->size ? size + HEADER : object->size;
    if (next_start(object, first_end) >= object->size) {
        return read_one(object, 0, depth, &end);
    }
    // Several: each becomes a member of its own, since each offers its own choice of archs.
    for (uint64_t start = 0; start < object->size; start = next_start(object, end)) {
        char suffix[24];
        uint64_t own =
            tn_within(start, HEADER, object->size) ? tn_u64(object->data + start + 8) : 0;
        uint16_t header = own ? tn_u16(object->data + start + 6) : 0;
        if (!own || !tn_within(start, header, object->size) ||
            !tn_within(start + header, own, object->size)) {
            return tenon_status_make(TENON_DATA_LOSS, "'%s' is cut or damaged: fatbin %zu at %llu",
                                     object->name, object->member_count, (unsigned long long)start);
        }
        end = start + header + own;
        tenon_object *member = NULL;
        snprintf(suffix, sizeof(suffix), "[%zu]", object->member_count);
        TN_TRY(tn_add_member(object, suffix, TENON_KIND_FATBIN,
                             (tenon_bytes){object->data + start, end - start}, false, &member));
        TN_TRY(tn_read_member(member, depth));
    }
    return NULL;
}
