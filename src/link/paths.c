// Counts call paths. The vendor's final link walks every path of the call graph on its own, so that
// 40 functions of which each calls the next three keep it busy for longer than anyone waits.
#include <stdlib.h>
#include <string.h>

#include "link/check.h"

// With so few calls there cannot be more than 3^(calls / 3) paths: not worth a walk.
enum { FEW_CALLS = 40 };

/// All functions of all units as one graph; a node is a symbol.
typedef struct graph {
    size_t *base;   // first node of each unit, and the end
    size_t *first;  // first edge of each node, and the end
    size_t *edges;  // callees
    double *paths;  // of each node; -1: not known, -2: being counted
    size_t *stack;  // nodes being counted
    size_t *next;   // next edge of each of these
    size_t nodes, calls;
} graph;

static void graph_deinit(graph *g)
{
    free(g->base);
    free(g->first);
    free(g->edges);
    free(g->paths);
    free(g->stack);
    free(g->next);
}

static bool graph_init(const tn_units *units, graph *g)
{
    for (size_t i = 0; i < units->count; i++) {
        g->nodes += units->items[i].object->symbol_count;
        g->calls += units->items[i].object->call_count;
    }
    g->base = calloc(units->count + 1, sizeof(*g->base));
    g->first = calloc(g->nodes + 2, sizeof(*g->first));
    g->edges = calloc(g->calls + 1, sizeof(*g->edges));
    g->paths = calloc(g->nodes + 1, sizeof(*g->paths));
    g->stack = calloc(g->nodes + 1, sizeof(*g->stack));
    g->next = calloc(g->nodes + 1, sizeof(*g->next));
    return g->base && g->first && g->edges && g->paths && g->stack && g->next;
}

/// The node of the function that a call reaches: an undefined one is another unit's.
static size_t target_of(const graph *g, const tn_globals *globals, const tn_units *units,
                        size_t unit, uint32_t callee)
{
    const tn_symbol *symbol = &units->items[unit].object->symbols[callee];
    if (symbol->symbol.state != TENON_SYMBOL_UNDEFINED) return g->base[unit] + callee;
    const uint32_t *at =
        tn_map_get(&globals->by_name, symbol->symbol.name, symbol->length, symbol->hash);
    const tn_global *global = at ? &globals->items[*at] : NULL;
    if (!global || !global->definition) return g->base[unit] + callee;
    const tenon_object *definer = units->items[global->definer].object;
    return g->base[global->definer] + (size_t)(global->definition - definer->symbols);
}

/// Sorts the calls by caller: counts first, then positions.
static void graph_fill(graph *g, const tn_globals *globals, const tn_units *units)
{
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        g->base[i + 1] = g->base[i] + object->symbol_count;
        for (size_t k = 0; k < object->call_count; k++) {
            g->first[g->base[i] + object->calls[k].caller + 2]++;
        }
    }
    for (size_t n = 2; n < g->nodes + 2; n++) g->first[n] += g->first[n - 1];
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        for (size_t k = 0; k < object->call_count; k++) {
            size_t *at = &g->first[g->base[i] + object->calls[k].caller + 1];
            g->edges[(*at)++] = target_of(g, globals, units, i, object->calls[k].callee);
        }
    }
    for (size_t n = 0; n < g->nodes; n++) g->paths[n] = -1;
}

/// Counts the paths from a node without recursion of our own: inputs may nest as deep as they like.
static double count_from(graph *g, size_t start)
{
    if (g->paths[start] >= 0) return g->paths[start];
    size_t depth = 1;
    g->stack[0] = start;
    g->next[0] = g->first[start];
    g->paths[start] = -2;
    while (depth > 0) {
        size_t node = g->stack[depth - 1];
        if (g->next[depth - 1] == g->first[node + 1]) {
            double sum = 1;
            for (size_t e = g->first[node]; e < g->first[node + 1]; e++) {
                if (g->paths[g->edges[e]] > 0) sum += g->paths[g->edges[e]];
            }
            g->paths[node] = sum;
            depth--;
            continue;
        }
        size_t callee = g->edges[g->next[depth - 1]++];
        if (g->paths[callee] != -1) continue;
        g->paths[callee] = -2;
        g->stack[depth] = callee;
        g->next[depth++] = g->first[callee];
    }
    return g->paths[start];
}

double tn_globals_call_paths(const tn_globals *globals, const tn_units *units)
{
    size_t calls = 0;
    for (size_t i = 0; i < units->count; i++) calls += units->items[i].object->call_count;
    if (calls <= FEW_CALLS) return 0;
    graph g = {0};
    double total = -1;
    if (graph_init(units, &g)) {
        graph_fill(&g, globals, units);
        total = 0;
        for (size_t i = 0; i < units->count; i++) {
            const tenon_object *object = units->items[i].object;
            for (size_t k = 0; k < object->symbol_count; k++) {
                if (object->symbols[k].symbol.kind != TENON_SYMBOL_KERNEL) continue;
                total += count_from(&g, g.base[i] + k);
            }
        }
    }
    graph_deinit(&g);
    return total;
}
