// One compile by NVRTC: what was asked for is checked, spelled for NVRTC, run, and the result
// checked.
#ifndef TN_LINK_COMPILE_H_
#define TN_LINK_COMPILE_H_

#include "link/program.h"
#include "nv/nvrtc.h"

/// Checks, without NVRTC, that target and options do not exclude each other.
TENON_NODISCARD tenon_status *tn_compile_check(const tenon_program *program, tenon_kind target);

/// Compiles; fills in the program's log and lowered names. Errors as tenon_program_compile().
TENON_NODISCARD tenon_status *tn_compile_run(const tn_nvrtc *lib, tenon_program *program,
                                             tenon_kind target, tenon_object **out_object);

#endif  // TN_LINK_COMPILE_H_
