// What of the inputs takes part in a link: containers are opened, and of each fatbin the one entry
// that fits the target is taken. So the vendor's linker only ever sees what was looked at here.
#ifndef TN_LINK_UNITS_H_
#define TN_LINK_UNITS_H_

#include "base/buffer.h"
#include "core/object.h"
#include "link/settings.h"

/// One piece of device code: a cubin, PTX or LTO-IR; or a fatbin whose LTO-IR is stored in a way
/// that only NVIDIA's tools open, which is then given to them whole.
typedef struct tn_unit {
    tenon_object *object;  ///< A reference is owned.
    const char *name;      ///< Lives with the inputs.
    tenon_kind kind;       ///< Of the code; of such a fatbin TENON_KIND_LTOIR.
} tn_unit;

typedef struct tn_units {
    tn_unit *items;
    size_t count, capacity;
    size_t by_kind[TENON_KIND_ARCHIVE + 1];  ///< How many units are of each kind.
    tn_buffer unused;  ///< Lines that say which parts of containers could not take part, and why.
} tn_units;

/// Opens the inputs. `mode->arch` and `mode->lto` are decided here where the settings leave them
/// open.
///
/// TENON_INCOMPATIBLE: an input has nothing for the target. TENON_INVALID_ARGUMENT: an input has no
/// device code, or only finished code.
TENON_NODISCARD tenon_status *tn_units_collect(tenon_object *const *inputs, size_t count,
                                               const tn_settings *settings, tn_mode *mode,
                                               tn_units *out_units);

void tn_units_deinit(tn_units *units);

/// Puts another object in the place of a unit's; takes over the reference.
void tn_units_replace(tn_units *units, size_t index, tenon_object *object);

/// Refuses a finished cubin, which the vendor would leave out in silence.
TENON_NODISCARD tenon_status *tn_refuse_finished(const tenon_object *object);

/// The arch of a leaf: of a cubin the real one, of PTX and LTO-IR the virtual one.
tn_arch tn_unit_arch(const tenon_object *object);

#endif  // TN_LINK_UNITS_H_
