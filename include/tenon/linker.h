// Device linking: several pieces of device code in, one object out.
#ifndef TENON_LINKER_H_
#define TENON_LINKER_H_

#include "tenon/base.h"
#include "tenon/object.h"
#include "tenon/status.h"

TENON_BEGIN_DECLS

typedef struct tenon_linker tenon_linker;

/// Zero means default everywhere in an options struct, so "no optimisation" cannot be 0.
typedef enum tenon_opt_level {
    TENON_OPT_DEFAULT = 0,
    TENON_OPT_NONE = 1,
    TENON_OPT_FULL = 2,
} tenon_opt_level;

/// A wish about something that has a default of its own.
typedef enum tenon_choice {
    TENON_CHOICE_DEFAULT = 0,
    TENON_CHOICE_ON = 1,
    TENON_CHOICE_OFF = 2,
} tenon_choice;

/// Where the vendor's linker runs. $TENON_ISOLATION (auto, in-process, worker) is the default.
typedef enum tenon_isolation {
    TENON_ISOLATION_AUTO = 0,        ///< In this process only what tenon made in this process.
    TENON_ISOLATION_IN_PROCESS = 1,  ///< A crash of the vendor's linker takes the process with it.
    TENON_ISOLATION_WORKER = 2,      ///< In a process of its own, always.
} tenon_isolation;

/// Who links. $TENON_LINKER (auto, nvjitlink, driver) is the default.
typedef enum tenon_linker_backend {
    TENON_LINKER_BACKEND_AUTO = 0,  ///< nvJitLink, and the driver where there is none.
    TENON_LINKER_BACKEND_NVJITLINK = 1,
    TENON_LINKER_BACKEND_DRIVER = 2,
} tenon_linker_backend;

/// For split_compile and split_compile_extended: as many threads as there are processors.
#define TENON_THREADS_ALL UINT32_MAX

/// How to link. Fields have the names of cuda.core's LinkerOptions where it has them. Only ever
/// grows at its end; without padding, see src/base/options.h. Lists end with NULL; NULL is empty.
typedef struct tenon_linker_options {
    size_t size;                        ///< Set by TENON_LINKER_OPTIONS_INIT.
    const char *name;                   ///< Of the result; NULL: "linked".
    const char *arch;                   ///< Such as "sm_90"; NULL: that of the inputs.
    const char *const *kernels_used;    ///< Keep these kernels only; final links only.
    const char *const *variables_used;  ///< Keep these variables; with LTO.
    const char *const *ptxas_options;   ///< For the assembler, where PTX or LTO-IR is compiled.
    const char *const *extra_options;   ///< For the vendor's linker, as they are.
    uint32_t incremental;               ///< Undefined symbols may stay; the result links again.
    uint32_t link_time_optimization;    ///< A tenon_choice; default: if any input is LTO-IR.
    uint32_t ptx;                       ///< Finish to PTX; with LTO, and not with incremental.
    uint32_t optimization_level;        ///< A tenon_opt_level.
    uint32_t max_register_count;        ///< Per thread, where code is compiled; 0: no limit.
    uint32_t debug;
    uint32_t lineinfo;
    uint32_t time;     ///< Times of the phases in the information log.
    uint32_t verbose;  ///< More in the information log.
    uint32_t no_cache;
    uint32_t optimize_unused_variables;  ///< With LTO.
    uint32_t ftz;                        ///< A tenon_choice, as the next three; with LTO.
    uint32_t prec_div;
    uint32_t prec_sqrt;
    uint32_t fma;
    uint32_t split_compile;           ///< Threads of the optimiser; 0: one, or TENON_THREADS_ALL.
    uint32_t split_compile_extended;  ///< The same, also across functions; code grows.
    uint32_t jump_table_density;      ///< Percent from 1 to 101; 0: the vendor's default.
    uint32_t device_stack_protector;  ///< 1: on.
    uint32_t isolation;               ///< A tenon_isolation.
    uint32_t backend;                 ///< A tenon_linker_backend.
    uint32_t deadline_ms;             ///< For a link in the worker; 0: 10 minutes.
} tenon_linker_options;

// clang-format off
#define TENON_LINKER_OPTIONS_INIT {sizeof(tenon_linker_options), NULL, NULL, NULL, NULL, NULL, NULL, \
    0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u}
// clang-format on

/// Creates a linker; all options are copied. `options` may be NULL. Release with
/// tenon_linker_release().
///
/// TENON_INVALID_ARGUMENT: options that exclude each other, or that this tenon does not know.
TENON_API TENON_NODISCARD tenon_status *tenon_linker_create(const tenon_linker_options *options,
                                                            tenon_linker **out_linker);

/// Releases a linker, but not the objects it made. NULL is allowed.
TENON_API void tenon_linker_release(tenon_linker *linker);

/// Adds an input, copying its name and its bytes. `name` is what messages call it.
///
/// An input that is refused is not added, and the linker can go on without it.
/// TENON_DATA_LOSS: the bytes are damaged. TENON_INVALID_ARGUMENT: they are not what `kind` says,
/// or a finished cubin, or have no device code.
TENON_API TENON_NODISCARD tenon_status *tenon_linker_add(tenon_linker *linker, const char *name,
                                                         tenon_kind kind, tenon_bytes bytes);

/// Adds a file as tenon_linker_add() does, under its path as the name.
TENON_API TENON_NODISCARD tenon_status *tenon_linker_add_file(tenon_linker *linker,
                                                              const char *path, tenon_kind kind);

/// Adds an object, and a reference to it; nothing is copied or checked again.
TENON_API TENON_NODISCARD tenon_status *tenon_linker_add_object(tenon_linker *linker,
                                                                tenon_object *object);

/// Links the inputs, in the order they were added, into an object of kind `target`: cubin, PTX or
/// LTO-IR. Release the object with tenon_object_release(). A linker finishes once; its logs can
/// still be read.
///
/// TENON_LINK_FAILED: symbols are undefined, defined twice or do not fit, or the vendor's linker
/// failed: the status' log is its error log, whole. TENON_INCOMPATIBLE: an input is for another
/// arch, or the library is too old: the message has the version found, the version needed, and the
/// path. TENON_UNAVAILABLE: no linker was found. TENON_TOOL_CRASHED: the vendor's linker died in
/// the worker. TENON_DEADLINE: it did not end in time.
TENON_API TENON_NODISCARD tenon_status *tenon_linker_finish(tenon_linker *linker, tenon_kind target,
                                                            tenon_object **out_object);

/// Returns what the vendor's linker said, which may be warnings after a success, and tenon's own
/// notes; "" if nothing.
TENON_API const char *tenon_linker_info_log(const tenon_linker *linker);

/// Returns the errors of the vendor's linker; "" if there were none.
TENON_API const char *tenon_linker_error_log(const tenon_linker *linker);

TENON_END_DECLS

#endif  // TENON_LINKER_H_
