// Fills a table of functions from a vendor's library. Each table is a struct whose fields are the
// rows of an .inc file; here is what all of them share.
#ifndef TN_NV_BIND_H_
#define TN_NV_BIND_H_

#include <stddef.h>

#include "tenon/status.h"

typedef enum tn_need { TN_OPTIONAL, TN_REQUIRED } tn_need;

/// One function: its name without the library's prefix, and where its pointer goes in the table.
typedef struct tn_bind_row {
    const char *name;
    tn_need need;
    size_t offset;
} tn_bind_row;

/// One way in which a library spells its names, such as {"__nvJitLink", "_13_0"}.
typedef struct tn_bind_form {
    const char *prefix, *suffix;
} tn_bind_form;

/// Has the shape of dlsym, so that tests can put a table in its place.
typedef void *tn_lookup(void *data, const char *symbol);

typedef struct tn_bind_plan {
    const tn_bind_row *rows;
    size_t row_count;
    const tn_bind_form *forms;  ///< Tried in this order, name by name.
    size_t form_count;
} tn_bind_plan;

/// Stores each function in `table`, under the first of its spellings that `lookup` knows; optional
/// ones that are missing become NULL.
///
/// TENON_INCOMPATIBLE: a required one is missing; `table` is left half filled.
TENON_NODISCARD tenon_status *tn_bind(const tn_bind_plan *plan, tn_lookup *lookup, void *data,
                                      void *table);

#endif  // TN_NV_BIND_H_
