// CUDA C++ source, compiled at run time by NVRTC to PTX, a cubin or LTO-IR.
#ifndef TENON_PROGRAM_H_
#define TENON_PROGRAM_H_

#include "tenon/base.h"
#include "tenon/object.h"
#include "tenon/status.h"

TENON_BEGIN_DECLS

typedef struct tenon_program tenon_program;

/// How to compile. Only ever grows at its end; without padding. Lists end with NULL; NULL is empty.
typedef struct tenon_program_options {
    size_t size;                       ///< Set by TENON_PROGRAM_OPTIONS_INIT.
    const char *arch;                  ///< "sm_90", or "compute_90" for PTX and LTO-IR; required.
    const char *std;                   ///< Such as "c++17"; NULL: NVRTC's default.
    const char *const *include_paths;  ///< Folders, searched in order, before the toolkit's own.
    const char *const *defines;        ///< "NAME" or "NAME=VALUE".
    const char *const *extra_options;  ///< For NVRTC, as they are.
    const char *pch_dir;               ///< Where precompiled headers are kept; NULL: none are.
    const char *time_trace;            ///< File for NVRTC's time trace; NULL: none.
    uint32_t whole_program;            ///< 1: not relocatable, cannot be linked any more.
    uint32_t debug;                    ///< -G
    uint32_t lineinfo;                 ///< -lineinfo
    uint32_t fast_math;                ///< --use_fast_math
    uint32_t max_register_count;       ///< Per thread; 0: no limit.
    uint32_t no_default_headers;       ///< 1: neither the toolkit's folder nor the small C headers.
} tenon_program_options;

// clang-format off
#define TENON_PROGRAM_OPTIONS_INIT {sizeof(tenon_program_options), NULL, NULL, NULL, NULL, NULL, NULL, \
    NULL, 0u, 0u, 0u, 0u, 0u, 0u}
// clang-format on

/// Creates a program of source text, which is copied with all options. `name` is the file name in
/// messages; `#include "x"` is also searched for in its folder. Release with
/// tenon_program_release().
TENON_API TENON_NODISCARD tenon_status *tenon_program_create(const tenon_program_options *options,
                                                             const char *name, tenon_bytes source,
                                                             tenon_program **out_program);

/// Creates a program of a file.
TENON_API TENON_NODISCARD tenon_status *tenon_program_open(const tenon_program_options *options,
                                                           const char *path,
                                                           tenon_program **out_program);

/// Releases a program, but not the objects it made. NULL is allowed.
TENON_API void tenon_program_release(tenon_program *program);

/// Adds a header that exists in memory only, as `#include "name"` and `#include <name>` find it,
/// before any folder. Both are copied.
TENON_API TENON_NODISCARD tenon_status *tenon_program_add_header(tenon_program *program,
                                                                 const char *name,
                                                                 tenon_bytes text);

/// Asks for the mangled name of an expression, such as "&scale<float>", which also instantiates it.
TENON_API TENON_NODISCARD tenon_status *tenon_program_add_name(tenon_program *program,
                                                               const char *expression);

/// Compiles to `target`: PTX, cubin or LTO-IR. May be called again for another target. Release the
/// object with tenon_object_release().
///
/// TENON_COMPILE_FAILED: the status' log is NVRTC's log, whole. TENON_INVALID_ARGUMENT: the target
/// and the options exclude each other. TENON_UNAVAILABLE: NVRTC was not found. TENON_INCOMPATIBLE:
/// NVRTC does not know the arch; the message has its version and path.
TENON_API TENON_NODISCARD tenon_status *tenon_program_compile(tenon_program *program,
                                                              tenon_kind target,
                                                              tenon_object **out_object);

/// Returns the mangled name of an expression after a compile; NULL if it was not asked for.
TENON_API const char *tenon_program_lowered_name(const tenon_program *program,
                                                 const char *expression);

/// Returns NVRTC's log of the last compile, which may be warnings after a success; "" if nothing.
TENON_API const char *tenon_program_log(const tenon_program *program);

TENON_END_DECLS

#endif  // TENON_PROGRAM_H_
