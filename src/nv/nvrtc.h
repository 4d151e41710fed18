// NVIDIA's run-time compiler, found at run time.
#ifndef TN_NV_NVRTC_H_
#define TN_NV_NVRTC_H_

#include "base/buffer.h"
#include "nv/bind.h"
#include "nv/search.h"

// The vendor's tag makes it the vendor's type. NOLINTNEXTLINE(bugprone-reserved-identifier)
typedef struct _nvrtcProgram *tn_nvrtc_program;
typedef unsigned tn_nvrtc_result;  // which is what its enum is

enum { TN_NVRTC_ERROR_COMPILATION = 6 };

/// The library's functions. Optional ones are NULL where the library is too old. A plain value: it
/// owns nothing, since the library is never unloaded.
typedef struct tn_nvrtc {
    const char *path;       ///< The file that was loaded.
    uint32_t major, minor;  ///< Such as 13.0.
#define TN_NVRTC(name, need, returns, args) returns(*name) args;
#include "nv/nvrtc.inc"
} tn_nvrtc;

extern const tn_vendor tn_nvrtc_vendor;

/// Gives the library of this process, borrowed for ever. Any thread.
///
/// TENON_UNAVAILABLE: there is none; the log names each place and what the loader said of it.
/// TENON_INCOMPATIBLE: it lacks what we need.
TENON_NODISCARD tenon_status *tn_nvrtc_get(const tn_nvrtc **out_lib);

/// Loads the library in the file `path`, whatever the process has chosen.
TENON_NODISCARD tenon_status *tn_nvrtc_open(const char *path, tn_nvrtc *out_lib);

/// Fills in the functions of a handle of the loader, and the version and path.
TENON_NODISCARD tenon_status *tn_nvrtc_load(void *handle, tn_nvrtc *out_lib);

/// Fills in the functions.
TENON_NODISCARD tenon_status *tn_nvrtc_bind(tn_lookup *lookup, void *data, tn_nvrtc *out_lib);

/// Returns the vendor's name of a result, such as "NVRTC_ERROR_COMPILATION".
const char *tn_nvrtc_result_name(const tn_nvrtc *lib, tn_nvrtc_result result);

/// Appends the log of a program, without the NULs at its end. Without memory `out` fails.
void tn_nvrtc_log(const tn_nvrtc *lib, tn_nvrtc_program program, tn_buffer *out);

/// Makes an error of a result other than 0, with the program's log if `program` is not NULL. `call`
/// may have arguments, which the message leaves out.
TENON_NODISCARD tenon_status *tn_nvrtc_check(const tn_nvrtc *lib, tn_nvrtc_program program,
                                             tn_nvrtc_result result, const char *call);

/// Calls and checks: TN_TRY_DONE(TN_NVRTC_CALL(lib, program, GetPTXSize(program, &size))).
#define TN_NVRTC_CALL(lib, program, call) tn_nvrtc_check(lib, program, (lib)->call, "nvrtc" #call)

/// Appends "sm_75, sm_80, ...": what the library compiles for; nothing if it cannot tell.
void tn_nvrtc_archs(const tn_nvrtc *lib, tn_buffer *out);

#endif  // TN_NV_NVRTC_H_
