#include "link/check.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"

void tn_globals_deinit(tn_globals *globals)
{
    free(globals->items);
    tn_map_deinit(&globals->by_name);
    *globals = (tn_globals){0};
}

const tn_global *tn_globals_find(const tn_globals *globals, const char *name)
{
    size_t length = strlen(name);
    const uint32_t *at = tn_map_get(&globals->by_name, name, length, tn_map_hash(name, length));
    return at ? &globals->items[*at] : NULL;
}

static const char *space_name(uint32_t space)
{
    switch (space) {
    case TENON_SPACE_CODE: return "code";
    case TENON_SPACE_GLOBAL: return "global memory";
    case TENON_SPACE_CONSTANT: return "constant memory";
    case TENON_SPACE_SHARED: return "shared memory";
    case TENON_SPACE_LOCAL: return "local memory";
    default: return "unknown memory";
    }
}

static bool is_variable(const tn_symbol *s)
{
    return s->symbol.kind == TENON_SYMBOL_VARIABLE;
}

/// True if two symbols of a name name different sizes of a variable. 0 is an extern array's.
static bool sizes_differ(const tn_symbol *a, const tn_symbol *b)
{
    return is_variable(a) && is_variable(b) && a->symbol.bytes && b->symbol.bytes &&
           a->symbol.bytes != b->symbol.bytes;
}

/// Notes a name that is strongly defined twice.
static void note_twice(tn_problems *problems, const tn_units *units, const tn_global *first,
                       const tn_symbol *again, uint32_t unit)
{
    tn_buffer name = {0};
    tn_print_symbol(&name, again->symbol.name);
    const char *a = units->items[first->definer].name;
    const char *b = units->items[unit].name;
    if (sizes_differ(first->definition, again)) {
        tn_problems_add(
            problems,
            "%s is defined twice, and the sizes differ: first in '%s' (%llu bytes), again "
            "in '%s' (%llu bytes)",
            tn_buffer_text(&name), a, (unsigned long long)first->definition->symbol.bytes, b,
            (unsigned long long)again->symbol.bytes);
    } else {
        tn_problems_add(problems, "%s is defined twice: first in '%s', again in '%s'",
                        tn_buffer_text(&name), a, b);
    }
    tn_buffer_deinit(&name);
}

/// Says why two symbols of one name cannot be the same thing; false if they can.
static bool misfit(const tn_symbol *a, const tn_symbol *b, const char *in_a, const char *in_b,
                   tn_buffer *out)
{
    const tenon_symbol *s = &a->symbol;
    const tenon_symbol *t = &b->symbol;
    if (is_variable(a) != is_variable(b)) {
        tn_buffer_print(out, "is a %s in '%s' and a %s in '%s'",
                        is_variable(a) ? "variable" : "function", in_a,
                        is_variable(b) ? "variable" : "function", in_b);
    } else if (s->space && t->space && s->space != t->space) {
        tn_buffer_print(out, "is in %s in '%s' and in %s in '%s': the memory spaces differ",
                        space_name(s->space), in_a, space_name(t->space), in_b);
    } else if (sizes_differ(a, b)) {
        tn_buffer_print(out, "has %llu bytes in '%s' and %llu bytes in '%s': the sizes differ",
                        (unsigned long long)s->bytes, in_a, (unsigned long long)t->bytes, in_b);
    } else if (a->prototype && b->prototype && a->prototype != b->prototype) {
        tn_buffer_print(out,
                        "has other parameters or another result in '%s' than in '%s': the "
                        "prototypes differ",
                        in_a, in_b);
    } else {
        return false;
    }
    return true;
}

static void note_misfit(tn_problems *problems, const tn_symbol *a, const tn_symbol *b,
                        const char *in_a, const char *in_b)
{
    tn_buffer why = {0};
    tn_buffer name = {0};
    if (misfit(a, b, in_a, in_b, &why)) {
        tn_print_symbol(&name, a->symbol.name);
        tn_problems_add(problems, "%s %s", tn_buffer_text(&name), tn_buffer_text(&why));
    }
    tn_buffer_deinit(&why);
    tn_buffer_deinit(&name);
}

static bool is_defined(const tn_symbol *s)
{
    return s->symbol.state == TENON_SYMBOL_DEFINED || s->symbol.state == TENON_SYMBOL_COMMON;
}

/// Joins a symbol with what is known of its name.
static void merge(tn_problems *problems, const tn_units *units, tn_global *global,
                  const tn_symbol *symbol, uint32_t unit)
{
    const char *here = units->items[unit].name;
    if (!is_defined(symbol)) {
        if (!global->use) {
            global->use = symbol;
            global->user = unit;
        }
        return;
    }
    if (global->definition && tn_symbol_is_strong(global->definition) &&
        tn_symbol_is_strong(symbol)) {
        note_twice(problems, units, global, symbol, unit);
        return;
    }
    const tn_symbol *other = global->definition;
    // Common symbols may have any sizes among themselves: the largest is taken.
    bool commons = other && other->symbol.state == TENON_SYMBOL_COMMON &&
                   symbol->symbol.state == TENON_SYMBOL_COMMON;
    if (other && !commons) {
        note_misfit(problems, other, symbol, units->items[global->definer].name, here);
    }
    if (!global->definition || tn_symbol_is_strong(symbol)) {
        global->definition = symbol;
        global->definer = unit;
    }
}

static tenon_status *enter(tn_globals *globals, tn_problems *problems, const tn_units *units,
                           const tn_symbol *symbol, uint32_t unit)
{
    uint32_t next = (uint32_t)globals->count;
    const uint32_t *at =
        tn_map_put(&globals->by_name, symbol->symbol.name, symbol->length, symbol->hash, next);
    if (!at) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the symbol table");
    if (*at == next) {
        tn_global *items =
            tn_grow(globals->items, globals->count, &globals->capacity, sizeof(*items));
        if (!items) {
            return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the symbol table");
        }
        globals->items = items;
        items[globals->count++] = is_defined(symbol) ? (tn_global){symbol, NULL, unit, 0}
                                                     : (tn_global){NULL, symbol, 0, unit};
        return NULL;
    }
    merge(problems, units, &globals->items[*at], symbol, unit);
    return NULL;
}

static bool is_shared(const tn_symbol *s)
{
    return s->symbol.binding != TENON_BINDING_LOCAL && s->symbol.state != TENON_SYMBOL_DRIVER &&
           s->symbol.state != TENON_SYMBOL_OPTIONAL;
}

/// Compares every use with the definition, or where there is none with the first use. Only now: one
/// use may say what another leaves open, so each has to be asked.
static void compare_uses(const tn_globals *globals, const tn_units *units, tn_problems *problems)
{
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        for (size_t k = 0; k < object->undefined_count; k++) {
            const tn_symbol *use = &object->symbols[object->undefined[k]];
            const uint32_t *at =
                tn_map_get(&globals->by_name, use->symbol.name, use->length, use->hash);
            const tn_global *global = at && is_shared(use) ? &globals->items[*at] : NULL;
            if (!global || (global->use == use && !global->definition)) continue;
            bool defined = global->definition != NULL;
            note_misfit(problems, defined ? global->definition : global->use, use,
                        units->items[defined ? global->definer : global->user].name,
                        units->items[i].name);
        }
    }
}

tenon_status *tn_globals_init(const tn_units *units, tn_problems *problems, tn_globals *out_globals)
{
    tn_globals globals = {0};
    size_t total = 0;
    // Most symbols of a unit are its own or the driver's: room for them all would be touched for
    // nothing.
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        for (size_t k = 0; k < object->symbol_count; k++) total += is_shared(&object->symbols[k]);
    }
    tn_map_reserve(&globals.by_name, total);
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        for (size_t k = 0; k < object->symbol_count; k++) {
            const tn_symbol *symbol = &object->symbols[k];
            tenon_status *status =
                is_shared(symbol) ? enter(&globals, problems, units, symbol, (uint32_t)i) : NULL;
            if (status) {
                tn_globals_deinit(&globals);
                return status;
            }
        }
    }
    compare_uses(&globals, units, problems);
    *out_globals = globals;
    return NULL;
}

void tn_globals_undefined(const tn_globals *globals, const tn_units *units, tn_problems *problems)
{
    for (size_t i = 0; i < globals->count; i++) {
        const tn_global *global = &globals->items[i];
        if (global->definition) continue;
        tn_buffer name = {0};
        tn_print_symbol(&name, global->use->symbol.name);
        tn_problems_add(problems, "undefined: %s, wanted by '%s'", tn_buffer_text(&name),
                        units->items[global->user].name);
        tn_buffer_deinit(&name);
    }
}
