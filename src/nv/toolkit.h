// The toolkit that this process uses, beyond what include/tenon/toolkit.h tells.
#ifndef TN_NV_TOOLKIT_H_
#define TN_NV_TOOLKIT_H_

#include "base/buffer.h"
#include "tenon/toolkit.h"

/// Appends the include folders that belong to the chosen NVRTC, a NUL after each, most important
/// first; none if no folder with CUDA headers of its major version was found.
///
/// As tn_nvrtc_get().
TENON_NODISCARD tenon_status *tn_toolkit_include(tn_buffer *out_folders);

/// The same for an NVRTC of this path and major version.
TENON_NODISCARD tenon_status *tn_toolkit_include_for(const char *nvrtc, uint32_t major,
                                                     tn_buffer *out_folders);

#endif  // TN_NV_TOOLKIT_H_
