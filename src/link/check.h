// What tenon finds out from the symbol tables before the vendor's linker is asked: it reports some
// of these on stderr only, with success, and crashes on others (docs/linking.md lists them).
#ifndef TN_LINK_CHECK_H_
#define TN_LINK_CHECK_H_

#include "base/map.h"
#include "link/problems.h"
#include "link/units.h"

/// True for a definition of which there can only be one.
static inline bool tn_symbol_is_strong(const tn_symbol *s)
{
    return s->symbol.state == TENON_SYMBOL_DEFINED && s->symbol.binding == TENON_BINDING_GLOBAL;
}

/// A name that units share: who defines it, and who was the first to want it.
typedef struct tn_global {
    const tn_symbol *definition;  ///< NULL: nobody defines it.
    const tn_symbol *use;         ///< NULL: nobody wants it.
    uint32_t definer, user;       ///< Indexes of units.
} tn_global;

/// The symbols of the cubins among the units. LTO-IR and PTX show none.
typedef struct tn_globals {
    tn_global *items;
    size_t count, capacity;
    tn_map by_name;
} tn_globals;

/// Enters all symbols and notes what does not fit: definitions that exclude each other, sizes,
/// memory spaces, kinds and prototypes. End with tn_globals_deinit().
TENON_NODISCARD tenon_status *tn_globals_init(const tn_units *units, tn_problems *problems,
                                              tn_globals *out_globals);

void tn_globals_deinit(tn_globals *globals);

/// Returns a name's entry, or NULL.
const tn_global *tn_globals_find(const tn_globals *globals, const char *name);

/// Notes each name that is wanted and not defined, with the input that wants it.
void tn_globals_undefined(const tn_globals *globals, const tn_units *units, tn_problems *problems);

/// Returns the number of call paths from all kernels, over all units: what the vendor's final link
/// walks, each path on its own. A recursive call ends its path. Negative without memory.
double tn_globals_call_paths(const tn_globals *globals, const tn_units *units);

#endif  // TN_LINK_CHECK_H_
