// What is inside a tenon_object. src/elf fills it in; everyone else reads.
#ifndef TN_CORE_OBJECT_H_
#define TN_CORE_OBJECT_H_

#include <stdatomic.h>
#include <stdbool.h>

#include "tenon/object.h"

/// A symbol, with what a linker asks of it again and again.
typedef struct tn_symbol {
    tenon_symbol symbol;  ///< The name lies in the object's bytes.
    uint64_t hash;        ///< tn_map_hash of the name.
    uint32_t length;      ///< Of the name.
    uint32_t prototype;   ///< Hash of a function's signature from .nv.prototype; 0: not known.
    uint32_t section;     ///< Index in the file; 0 if undefined.
    uint32_t index;       ///< Index in the file's symbol table.
} tn_symbol;

/// One call in a cubin: indexes into `symbols`.
typedef struct tn_call {
    uint32_t caller, callee;
} tn_call;

struct tenon_object {
    atomic_size_t references;
    tenon_kind kind;
    bool relocatable;
    bool trusted;      ///< Made by tenon in this process, by a compiler or linker that succeeded.
    bool owns_bytes;   ///< Else they belong to `container`.
    bool opaque;       ///< Of a fatbin's entry: stored in a way that only NVIDIA's tools open.
    char *name;        ///< Owned.
    const char *data;  ///< A NUL follows if the object owns it.
    size_t size;
    const char *compression;
    char producer[48];
    char **archs;  ///< Owned, sorted.
    size_t arch_count;
    uint32_t sm;       ///< 90 of "sm_90a"; 0: not known, or several.
    char sm_suffix;    ///< 'a', 'f' or 0.
    uint32_t ptx_isa;  ///< Of PTX: 90 for 9.0; 0: not known.
    uint32_t toolkit;  ///< Of a cubin or LTO-IR: 130 for 13.0; 0: not known.

    tn_symbol *symbols;  ///< Owned. Of a cubin: all but sections and files.
    size_t symbol_count;
    tenon_kernel *kernels;  ///< Owned, sorted by name.
    size_t kernel_count;
    uint32_t *undefined;  ///< Owned: indexes of symbols in state UNDEFINED, sorted by name.
    size_t undefined_count;
    const char *loose_shared;  ///< A variable in shared memory that no one kernel owns; or NULL.
    tn_call *calls;            ///< Owned.
    size_t call_count;

    struct tenon_object **members;  ///< Owned references.
    size_t member_count;
    /// Of a member: whose bytes it shows. It keeps the container alive only while someone outside
    /// holds the member: retain and release of a member count at the container.
    struct tenon_object *container;

    atomic_int digest_state;  ///< 0 not made, 1 being made, 2 made.
    uint8_t digest[32];
};

/// As tenon_object_create(), but takes over `data`, which malloc made and which has a NUL at
/// `size`, also on failure.
TENON_NODISCARD tenon_status *tn_object_adopt(const char *name, tenon_kind kind, char *data,
                                              size_t size, tenon_object **out_object);

#endif  // TN_CORE_OBJECT_H_
