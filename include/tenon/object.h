// Device code as bytes: what kind it is, for which arch, what it defines and what it still needs.
//
// An object never changes once it is made, so any number of threads may read it at once. Its kind
// is found from its bytes, never from its name. Containers (fatbin, host object, archive) have
// members, which are objects themselves.
#ifndef TENON_OBJECT_H_
#define TENON_OBJECT_H_

#include "tenon/base.h"
#include "tenon/status.h"

TENON_BEGIN_DECLS

typedef struct tenon_object tenon_object;

/// What the bytes of an input or an object are.
typedef enum tenon_kind {
    TENON_KIND_ANY = 0,  ///< Input only: look at the bytes.
    TENON_KIND_CUBIN = 1,
    TENON_KIND_PTX = 2,
    TENON_KIND_LTOIR = 3,
    TENON_KIND_FATBIN = 4,
    TENON_KIND_HOST = 5,     ///< A host object, which may have device code inside.
    TENON_KIND_ARCHIVE = 6,  ///< An `ar` archive of such objects.
} tenon_kind;

typedef enum tenon_symbol_kind {
    TENON_SYMBOL_FUNCTION = 1,  ///< A __device__ function.
    TENON_SYMBOL_KERNEL = 2,    ///< A __global__ function.
    TENON_SYMBOL_VARIABLE = 3,
} tenon_symbol_kind;

typedef enum tenon_symbol_binding {
    TENON_BINDING_LOCAL = 1,
    TENON_BINDING_GLOBAL = 2,
    TENON_BINDING_WEAK = 3,
} tenon_symbol_binding;

typedef enum tenon_symbol_state {
    TENON_SYMBOL_DEFINED = 1,
    TENON_SYMBOL_COMMON = 2,     ///< Defined, to be merged with others of its name.
    TENON_SYMBOL_UNDEFINED = 3,  ///< Another input has to define it.
    TENON_SYMBOL_DRIVER = 4,    ///< Undefined, but the driver provides it at load: vprintf, malloc.
    TENON_SYMBOL_OPTIONAL = 5,  ///< Undefined and weak: may stay so.
} tenon_symbol_state;

/// Where a variable lives. Undefined symbols do not always tell.
typedef enum tenon_space {
    TENON_SPACE_UNKNOWN = 0,
    TENON_SPACE_CODE = 1,
    TENON_SPACE_GLOBAL = 2,
    TENON_SPACE_CONSTANT = 3,
    TENON_SPACE_SHARED = 4,
    TENON_SPACE_LOCAL = 5,
} tenon_space;

/// One symbol of a cubin. Grows only at its end.
typedef struct tenon_symbol {
    const char *name;  ///< As in the file: mangled.
    uint64_t offset;   ///< In its section; 0 if it is undefined.
    uint64_t bytes;    ///< Size; 0 if not known.
    uint32_t kind;     ///< A tenon_symbol_kind.
    uint32_t binding;  ///< A tenon_symbol_binding.
    uint32_t state;    ///< A tenon_symbol_state.
    uint32_t space;    ///< A tenon_space.
} tenon_symbol;

/// One kernel of a cubin. Grows only at its end. Counts are per thread or per block as CUDA has
/// them.
typedef struct tenon_kernel {
    const char *name;       ///< As in the file: mangled.
    uint32_t registers;     ///< Per thread; 0 if the file does not say.
    uint32_t shared_bytes;  ///< Static shared memory per block.
    uint32_t frame_bytes;   ///< Stack frame of the kernel itself, per thread.
    uint32_t stack_bytes;   ///< Stack with all callees, per thread; 0 before the final link.
    uint32_t parameter_count;
    uint32_t parameter_bytes;
    uint32_t max_threads;     ///< Of __launch_bounds__; 0: none given.
    uint32_t constant_bytes;  ///< Size of its constant bank 0.
} tenon_kernel;

/// Makes an object of bytes, which are copied, and checks them. `name` is what messages call it;
/// `kind` is TENON_KIND_ANY or what the caller takes the bytes for. Release with
/// tenon_object_release().
///
/// TENON_DATA_LOSS: the bytes are damaged; the message says where.
/// TENON_INVALID_ARGUMENT: they are of another kind than `kind`, or of none that tenon knows.
TENON_API TENON_NODISCARD tenon_status *tenon_object_create(const char *name, tenon_kind kind,
                                                            tenon_bytes bytes,
                                                            tenon_object **out_object);

/// Makes an object of a file, under its path as the name.
///
/// TENON_NOT_FOUND, TENON_IO: the file cannot be read. Else as tenon_object_create().
TENON_API TENON_NODISCARD tenon_status *tenon_object_open(const char *path, tenon_kind kind,
                                                          tenon_object **out_object);

/// Adds a reference, and returns the object. Any thread, at any time.
TENON_API tenon_object *tenon_object_retain(tenon_object *object);

/// Gives up a reference. NULL is allowed. Any thread, at any time.
TENON_API void tenon_object_release(tenon_object *object);

/// Returns what messages call the object; for a member "archive(member)" or "fatbin[entry]".
TENON_API const char *tenon_object_name(const tenon_object *object);

/// Returns the kind, never TENON_KIND_ANY.
TENON_API tenon_kind tenon_object_kind(const tenon_object *object);

/// Returns a word for a kind: "cubin", "PTX", "LTO-IR", "fatbin", "host object", "archive".
TENON_API const char *tenon_kind_name(tenon_kind kind);

/// Returns the bytes, borrowed. PTX has no terminating NUL in its size, but one after it.
TENON_API tenon_bytes tenon_object_bytes(const tenon_object *object);

/// Returns the SHA-256 of the bytes: 32 of them, borrowed.
TENON_API const uint8_t *tenon_object_digest(const tenon_object *object);

/// Returns the number of archs that the object has code for: 1 for a cubin, as many as its members
/// have for a container, 0 where the bytes do not tell.
TENON_API size_t tenon_object_arch_count(const tenon_object *object);

/// Returns one of them, sorted: "sm_90", "sm_90a" for machine code, "compute_80" for PTX and
/// LTO-IR; NULL if `index` is too large.
TENON_API const char *tenon_object_arch(const tenon_object *object, size_t index);

/// Returns the tool that made the object and its version, such as "ptxas 13.0" or "PTX ISA 9.0"; ""
/// where the bytes do not tell.
TENON_API const char *tenon_object_producer(const tenon_object *object);

/// Returns 1 if the object can be linked again, 0 if it is finished code. For a container: 1 if any
/// member is relocatable.
TENON_API int tenon_object_is_relocatable(const tenon_object *object);

/// Returns the number of kernels of a cubin; 0 for other kinds.
TENON_API size_t tenon_object_kernel_count(const tenon_object *object);

/// Returns one of them, sorted by name; NULL if `index` is too large.
TENON_API const tenon_kernel *tenon_object_kernel(const tenon_object *object, size_t index);

/// Returns the number of symbols of a cubin, without sections and file names; 0 for other kinds.
TENON_API size_t tenon_object_symbol_count(const tenon_object *object);

/// Returns one of them, in the order of the file; NULL if `index` is too large.
TENON_API const tenon_symbol *tenon_object_symbol(const tenon_object *object, size_t index);

/// Returns how many symbols a cubin needs from others; 0 for finished code and other kinds.
TENON_API size_t tenon_object_undefined_count(const tenon_object *object);

/// Returns the name of one of those symbols, sorted by name; NULL if `index` is too large.
TENON_API const char *tenon_object_undefined_name(const tenon_object *object, size_t index);

/// Returns the number of members of a container; 0 for other kinds.
TENON_API size_t tenon_object_member_count(const tenon_object *object);

/// Returns one of them, in the order of the file, borrowed from the container; NULL if `index` is
/// too large. It may be retained.
TENON_API tenon_object *tenon_object_member(const tenon_object *object, size_t index);

/// Returns how a member is compressed in its container: "", "lz4" or "zstd".
TENON_API const char *tenon_object_compression(const tenon_object *object);

/// Writes the C++ spelling of a mangled name, as "scale(int)" for "_Z5scalei", to `buffer`, cut to
/// `size` bytes with the NUL; a name that is not mangled is written as it is. Returns `buffer`.
TENON_API const char *tenon_demangle(const char *name, char *buffer, size_t size);

TENON_END_DECLS

#endif  // TENON_OBJECT_H_
