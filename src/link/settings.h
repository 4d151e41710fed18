// The options of a linker, copied and checked, and their spelling for nvJitLink.
#ifndef TN_LINK_SETTINGS_H_
#define TN_LINK_SETTINGS_H_

#include "base/buffer.h"
#include "link/arch.h"
#include "link/texts.h"
#include "tenon/linker.h"

typedef struct tn_settings {
    tenon_linker_options options;  ///< Its strings and lists belong to the settings.
    tn_arch arch;                  ///< Number 0: that of the inputs.
} tn_settings;

/// Copies and checks options; NULL for all defaults. End with tn_settings_deinit().
///
/// TENON_INVALID_ARGUMENT: options that exclude each other, or a value out of its range.
TENON_NODISCARD tenon_status *tn_settings_init(const tenon_linker_options *options,
                                               tn_settings *out_settings);

void tn_settings_deinit(tn_settings *settings);

/// What a link is, after the inputs were looked at.
typedef struct tn_mode {
    tn_arch arch;
    bool lto, incremental;
    tenon_kind target;
    bool only_cubins;  ///< Nothing is compiled any more, so that what steers the compiler has no
                       ///< effect.
} tn_mode;

/// Spells the settings for nvJitLink `version` (1203 for 12.3; 0 if it cannot tell). Appends to
/// `notes` a line for each option that has no effect in this mode: nothing is dropped in silence.
void tn_settings_arguments(const tn_settings *settings, const tn_mode *mode, uint32_t version,
                           tn_texts *out, tn_buffer *notes);

#endif  // TN_LINK_SETTINGS_H_
