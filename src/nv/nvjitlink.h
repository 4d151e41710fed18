// NVIDIA's linker library, found at run time: to build tenon takes no CUDA, and to start it
// neither.
#ifndef TN_NV_NVJITLINK_H_
#define TN_NV_NVJITLINK_H_

#include <stdbool.h>

#include "base/buffer.h"
#include "nv/bind.h"
#include "nv/search.h"

typedef struct nvJitLink *tn_nvjitlink_handle;  // the vendor's tag makes it the vendor's type
typedef unsigned tn_nvjitlink_result;           // which is what its enums are

/// Kinds of input for AddData and AddFile.
enum {
    TN_NVJITLINK_CUBIN = 1,
    TN_NVJITLINK_PTX = 2,
    TN_NVJITLINK_LTOIR = 3,
    TN_NVJITLINK_FATBIN = 4,
    TN_NVJITLINK_HOST = 5,
    TN_NVJITLINK_ARCHIVE = 6,
    TN_NVJITLINK_ANY = 10,
};

/// The library's functions. Optional ones are NULL where the library is too old. A plain value: it
/// owns nothing, since the library is never unloaded.
typedef struct tn_nvjitlink {
    const char *path;       ///< The file that was loaded.
    uint32_t major, minor;  ///< 0.0 if the library cannot tell.
    bool has_version;       ///< False for 12.0 to 12.2.
#define TN_NVJITLINK(name, need, args) tn_nvjitlink_result(*name) args;
#include "nv/nvjitlink.inc"
} tn_nvjitlink;

extern const tn_vendor tn_nvjitlink_vendor;

/// Gives the library of this process, borrowed for ever. Any thread.
///
/// TENON_UNAVAILABLE: there is none; the log names each place and what the loader said of it.
/// TENON_INCOMPATIBLE: it lacks what we need.
TENON_NODISCARD tenon_status *tn_nvjitlink_get(const tn_nvjitlink **out_lib);

/// Loads the library in the file `path`, whatever the process has chosen.
TENON_NODISCARD tenon_status *tn_nvjitlink_open(const char *path, tn_nvjitlink *out_lib);

/// Fills in the functions of a handle of the loader, and the version and path.
TENON_NODISCARD tenon_status *tn_nvjitlink_load(void *handle, tn_nvjitlink *out_lib);

/// Fills in the functions, each under the first of its names that `lookup` knows.
TENON_NODISCARD tenon_status *tn_nvjitlink_bind(tn_lookup *lookup, void *data,
                                                tn_nvjitlink *out_lib);

/// Returns the vendor's name of a result, such as "ERROR_PTX_COMPILE"; a number gets no name before
/// it is known: "unknown result".
const char *tn_nvjitlink_result_name(tn_nvjitlink_result result);

/// Appends a log of the library, without the NULs at its end. Without memory `out` fails.
void tn_nvjitlink_error_log(const tn_nvjitlink *lib, tn_nvjitlink_handle link, tn_buffer *out);
void tn_nvjitlink_info_log(const tn_nvjitlink *lib, tn_nvjitlink_handle link, tn_buffer *out);

/// Makes an error of a result other than 0, with the library's error log if `link` is not NULL.
/// `call` may have arguments, which the message leaves out.
TENON_NODISCARD tenon_status *tn_nvjitlink_check(const tn_nvjitlink *lib, tn_nvjitlink_handle link,
                                                 tn_nvjitlink_result result, const char *call);

/// Calls and checks: TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, Complete(link))).
#define TN_NVJITLINK_CALL(lib, link, call) \
    tn_nvjitlink_check(lib, link, (lib)->call, "nvJitLink" #call)

#endif  // TN_NV_NVJITLINK_H_
