// Looks at what the vendor's linker made before anyone else sees it.
#ifndef TN_LINK_RESULT_H_
#define TN_LINK_RESULT_H_

#include "link/settings.h"
#include "link/units.h"

/// Makes an object of a link's bytes, which it takes over (`size` of them and a NUL), and checks
/// that it is what was asked for: kind, relocatable or final, every kernel there, nothing
/// undefined.
///
/// TENON_LINK_FAILED: it is not.
TENON_NODISCARD tenon_status *tn_result_make(char *data, size_t size, const tn_settings *settings,
                                             const tn_mode *mode, const tn_units *units,
                                             tenon_object **out_object);

#endif  // TN_LINK_RESULT_H_
