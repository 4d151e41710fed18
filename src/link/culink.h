// The driver's own linker, for where nvJitLink is missing. It makes final cubins of PTX and cubins,
// and refuses by name what it cannot do.
#ifndef TN_LINK_CULINK_H_
#define TN_LINK_CULINK_H_

#include "link/settings.h"
#include "link/units.h"

/// Returns NULL if there is a driver and a device, else why not; free it.
TENON_NODISCARD tenon_status *tn_culink_probe(void);

/// Links through the driver's first device.
///
/// TENON_INCOMPATIBLE: an option, an input or the target that the driver's linker does not have.
TENON_NODISCARD tenon_status *tn_culink_run(const tn_settings *settings, const tn_mode *mode,
                                            const tn_units *units, tn_buffer *info_log,
                                            tn_buffer *error_log, tenon_object **out_object);

#endif  // TN_LINK_CULINK_H_
