// The places where CUDA may be installed, in the order in which they are searched. To find them no
// process is started: the active Python environment is read from the environment and from files.
#ifndef TN_NV_PLACES_H_
#define TN_NV_PLACES_H_

#include <stdbool.h>
#include <stddef.h>

#include "tenon/status.h"

typedef struct tn_place {
    const char *word;  ///< Such as "wheels": which step of the order this is.
    char *path;        ///< A folder; "" stands for the loader's own search; owned.
    char *absent;      ///< Why there is no folder to look into; NULL if there is one; owned.
} tn_place;

typedef struct tn_places {
    tn_place *items;
    size_t count, capacity;
    bool failed;  ///< Memory ran out; the list is not whole.
} tn_places;

/// Lists the places for nvJitLink and NVRTC. `selected` comes first unless it is NULL.
TENON_NODISCARD tenon_status *tn_places_make(const char *selected, tn_places *out_places);

/// Lists the places for the driver, which is no part of a toolkit.
TENON_NODISCARD tenon_status *tn_places_make_driver(tn_places *out_places);

void tn_places_add(tn_places *places, const char *word, const char *path);
void tn_places_add_absent(tn_places *places, const char *word, const char *path, const char *why);

/// Frees the list; it is empty and can be used again.
void tn_places_deinit(tn_places *places);

#endif  // TN_NV_PLACES_H_
