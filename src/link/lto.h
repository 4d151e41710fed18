// LTO-IR is a closed container: its symbols are seen only in what the vendor's linker makes of it.
// So what tenon wants to know, it finds out with further links, and only when something is wrong.
#ifndef TN_LINK_LTO_H_
#define TN_LINK_LTO_H_

#include "link/check.h"
#include "link/runner.h"

typedef struct tn_lto {
    const tn_runner *runner;
    const tn_mode *mode;
    const tn_units *units;
    const tn_globals *globals;  ///< Of the cubins among the units.
} tn_lto;

/// Notes each name that the LTO-IR inputs want and nobody defines, with the input that wants it.
TENON_NODISCARD tenon_status *tn_lto_undefined(const tn_lto *lto, tn_problems *problems);

/// Notes the definition that `log` of a failed link says to be there twice, with both inputs.
TENON_NODISCARD tenon_status *tn_lto_duplicate(const tn_lto *lto, const char *log,
                                               tn_problems *problems);

/// Notes what LTO-IR inputs define and cubins define again, which the vendor does not see where it
/// inlines its own copy. Needs nvJitLink 13.3.
TENON_NODISCARD tenon_status *tn_lto_clashes(const tn_lto *lto, tn_problems *problems);

/// Calls `each` for every name that a PTX text declares as external code or variable, but not for
/// dynamic shared memory. The name is not terminated.
void tn_ptx_externs(const char *text, void (*each)(void *data, const char *name, size_t length),
                    void *data);

#endif  // TN_LINK_LTO_H_
