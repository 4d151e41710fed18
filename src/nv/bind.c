#include "nv/bind.h"

#include <stdio.h>
#include <string.h>

static void *find(const tn_bind_plan *plan, tn_lookup *lookup, void *data, const char *name)
{
    void *found = NULL;
    for (size_t i = 0; i < plan->form_count && !found; i++) {
        char symbol[96];
        int length = snprintf(symbol, sizeof(symbol), "%s%s%s", plan->forms[i].prefix, name,
                              plan->forms[i].suffix);
        if (length > 0 && (size_t)length < sizeof(symbol)) found = lookup(data, symbol);
    }
    return found;
}

tenon_status *tn_bind(const tn_bind_plan *plan, tn_lookup *lookup, void *data, void *table)
{
    for (size_t i = 0; i < plan->row_count; i++) {
        const tn_bind_row *row = &plan->rows[i];
        void *found = find(plan, lookup, data, row->name);
        if (!found && row->need == TN_REQUIRED) {
            return tenon_status_make(TENON_INCOMPATIBLE,
                                     "lacks %s%s%s%s; another version is needed",
                                     plan->forms[0].prefix, row->name, plan->forms[0].suffix,
                                     plan->form_count > 1 ? " and its versioned names" : "");
        }
        memcpy((char *)table + row->offset, &found, sizeof(found));
    }
    return NULL;
}
