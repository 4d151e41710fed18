// Names of archs, and which code a target can use. Source of the rules: NVIDIA's documentation of
// link compatibility, and measurements of nvJitLink 13.0 and 13.5 where that is silent.
#ifndef TN_LINK_ARCH_H_
#define TN_LINK_ARCH_H_

#include <stdbool.h>
#include <stdint.h>

#include "tenon/status.h"

typedef struct tn_arch {
    uint32_t number;  ///< 90 of "sm_90a"; 0: none.
    char suffix;      ///< 'a', 'f' or 0.
    bool virtual_;    ///< "compute_90".
} tn_arch;

enum { TN_ARCH_TEXT = 24 };

/// Reads "sm_90", "sm_90a", "compute_90", "lto_90" or "90". TENON_INVALID_ARGUMENT: it is none.
TENON_NODISCARD tenon_status *tn_arch_parse(const char *text, tn_arch *out_arch);

/// Writes the name into `buffer` of TN_ARCH_TEXT bytes and returns it.
const char *tn_arch_text(tn_arch arch, char *buffer);

/// True if machine code for `code` may go into a link for `target`: same major number, not newer;
/// and arch-specific code ('a') only into the very same arch.
bool tn_arch_links(tn_arch code, tn_arch target);

/// True if PTX or LTO-IR for `code` can be compiled for `target`.
bool tn_arch_compiles(tn_arch code, tn_arch target);

#endif  // TN_LINK_ARCH_H_
