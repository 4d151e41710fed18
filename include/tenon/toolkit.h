// Where NVIDIA's libraries are. tenon links with none of them; each is looked for when it is first
// needed, in this order, and the choice holds for the process:
//   explicit       tenon_toolkit_select(), or a file in $TENON_NVJITLINK, $TENON_NVRTC,
//   $TENON_DRIVER; such a
//                  file is final: nothing else is looked for. "none" does without the library
//   TENON_CUDA_PATH
//   wheels         those of the active Python environment: nvidia/cu13/lib, nvidia/*/lib
//   CUDA_HOME, CUDA_PATH
//   nvcc           the toolkit of the nvcc on PATH
//   loader         the system's own search
//   usual folders  /usr/local/cuda, /opt/cuda, /usr/lib/cuda
// The driver comes from the loader and the usual folders of the driver only.
#ifndef TENON_TOOLKIT_H_
#define TENON_TOOLKIT_H_

#include "tenon/base.h"
#include "tenon/status.h"

TENON_BEGIN_DECLS

typedef enum tenon_library {
    TENON_LIBRARY_DRIVER = 1,     ///< libcuda
    TENON_LIBRARY_NVRTC = 2,      ///< libnvrtc
    TENON_LIBRARY_NVJITLINK = 3,  ///< libnvJitLink
} tenon_library;

typedef enum tenon_candidate_state {
    TENON_CANDIDATE_CHOSEN = 1,    ///< This one is used.
    TENON_CANDIDATE_LATER = 2,     ///< Usable, but another came first.
    TENON_CANDIDATE_UNUSABLE = 3,  ///< Found, but `why` says what it lacks.
    TENON_CANDIDATE_ABSENT = 4,    ///< Not there.
} tenon_candidate_state;

/// One place where a library was looked for. Grows only at its end.
typedef struct tenon_candidate {
    const char *place;    ///< A word of the order above, such as "wheels".
    const char *path;     ///< File or folder that was tried.
    const char *version;  ///< Such as "13.0"; "" if not known.
    const char *why;      ///< Why it was not chosen; "" for the chosen one.
    uint32_t library;     ///< A tenon_library.
    uint32_t state;       ///< A tenon_candidate_state.
} tenon_candidate;

typedef struct tenon_toolkit_report tenon_toolkit_report;

/// Puts a folder (a toolkit, or nvidia/cu13 of a wheel) before all others for this process. Copied.
///
/// TENON_INVALID_ARGUMENT: a library has been chosen already.
TENON_API TENON_NODISCARD tenon_status *tenon_toolkit_select(const char *root);

/// Looks everywhere for all libraries, also behind the chosen one. Free with
/// tenon_toolkit_report_free(). Slow (it opens what it finds); meant for `tenon doctor`.
TENON_API TENON_NODISCARD tenon_status *tenon_toolkit_scan(tenon_toolkit_report **out_report);

/// Returns the number of places, in the order of the search, library by library.
TENON_API size_t tenon_toolkit_report_count(const tenon_toolkit_report *report);

/// Returns one of them; NULL if `index` is too large.
TENON_API const tenon_candidate *tenon_toolkit_report_get(const tenon_toolkit_report *report,
                                                          size_t index);

/// Frees a report. NULL is allowed.
TENON_API void tenon_toolkit_report_free(tenon_toolkit_report *report);

/// Loads a library, if that was not done before, and tells its path (borrowed, for ever) and
/// version; a version of 0.0 means that the library cannot tell.
///
/// TENON_UNAVAILABLE: there is none; the log names each place and what the loader said of it.
TENON_API TENON_NODISCARD tenon_status *tenon_toolkit_library(tenon_library library,
                                                              const char **out_path,
                                                              uint32_t *out_major,
                                                              uint32_t *out_minor);

TENON_END_DECLS

#endif  // TENON_TOOLKIT_H_
