#include "link/units.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"

typedef struct collector {
    tn_units units;
    tn_mode *mode;
    bool lto_allowed;
    bool lto_found;          // LTO-IR was taken although the link was native until then
    size_t not_relocatable;  // pieces of finished code seen in the input at hand
} collector;

tn_arch tn_unit_arch(const tenon_object *object)
{
    tn_arch arch = {object->sm, object->sm_suffix, object->kind != TENON_KIND_CUBIN};
    return arch;
}

static bool is_leaf(const tenon_object *object)
{
    return object->kind == TENON_KIND_CUBIN || object->kind == TENON_KIND_PTX ||
           object->kind == TENON_KIND_LTOIR;
}

void tn_units_deinit(tn_units *units)
{
    for (size_t i = 0; i < units->count; i++) tenon_object_release(units->items[i].object);
    free(units->items);
    tn_buffer_deinit(&units->unused);
    *units = (tn_units){0};
}

void tn_units_replace(tn_units *units, size_t index, tenon_object *object)
{
    tn_unit *unit = &units->items[index];
    units->by_kind[unit->kind]--;
    units->by_kind[object->kind]++;
    tenon_object_release(unit->object);
    unit->object = object;
    unit->kind = object->kind;
}

/// Takes an object as a unit with code of `kind`.
static tenon_status *take(collector *c, tenon_object *object, tenon_kind kind)
{
    tn_units *units = &c->units;
    tn_unit *items = tn_grow(units->items, units->count, &units->capacity, sizeof(*items));
    if (!items)
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the link's inputs");
    units->items = items;
    items[units->count++] = (tn_unit){tenon_object_retain(object), object->name, kind};
    units->by_kind[kind]++;
    if (kind == TENON_KIND_LTOIR && !c->mode->lto) c->lto_found = true;
    return NULL;
}

static void list_archs(const tenon_object *object, tn_buffer *out)
{
    for (size_t i = 0; i < object->arch_count; i++) {
        tn_buffer_print(out, "%s%s", i ? ", " : "", object->archs[i]);
    }
    if (object->arch_count == 0) tn_buffer_puts(out, "nothing");
}

static tenon_status *no_arch(const collector *c, const tenon_object *object)
{
    char target[TN_ARCH_TEXT];
    tn_buffer archs = {0};
    list_archs(object, &archs);
    tenon_status *status = tenon_status_make(
        TENON_INCOMPATIBLE, "'%s' has no code that a link for %s can use; it has %s", object->name,
        tn_arch_text(c->mode->arch, target), tn_buffer_text(&archs));
    tn_buffer_deinit(&archs);
    return status;
}

tenon_status *tn_refuse_finished(const tenon_object *object)
{
    if (object->kind != TENON_KIND_CUBIN || object->relocatable) return NULL;
    return tenon_status_make(
        TENON_INVALID_ARGUMENT,
        "'%s' is already linked (executable, not relocatable): compile it with relocatable device "
        "code (-rdc=true), or use it as it is",
        object->name);
}

static tenon_status *take_leaf(collector *c, tenon_object *object)
{
    tn_arch arch = tn_unit_arch(object);
    TN_TRY(tn_refuse_finished(object));
    if (object->kind == TENON_KIND_LTOIR && !c->lto_allowed) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s' is LTO-IR, which is only linked with link_time_optimization",
                                 object->name);
    }
    bool fits = object->kind == TENON_KIND_CUBIN ? tn_arch_links(arch, c->mode->arch)
                                                 : tn_arch_compiles(arch, c->mode->arch);
    if (arch.number && !fits) return no_arch(c, object);
    return take(c, object, object->kind);
}

/// How well an entry of a fatbin serves; 0: not at all.
static uint32_t score(const collector *c, const tenon_object *entry)
{
    tn_arch arch = tn_unit_arch(entry);
    uint32_t nearness = arch.number * 4 + (arch.suffix ? 1 : 0);
    bool compiles = arch.number && tn_arch_compiles(arch, c->mode->arch);
    switch (entry->kind) {
    case TENON_KIND_CUBIN:
        return entry->relocatable && tn_arch_links(arch, c->mode->arch) ? 300000 + nearness : 0;
    case TENON_KIND_PTX: return compiles ? 200000 + nearness : 0;
    case TENON_KIND_LTOIR:
        if (!compiles || !c->lto_allowed) return 0;
        return (c->mode->lto ? 400000 : 100000) + nearness;
    default: return 0;
    }
}

static tenon_status *take_from_fatbin(collector *c, tenon_object *fatbin)
{
    tenon_object *best = NULL;
    uint32_t best_score = 0;
    bool finished = false;
    for (size_t i = 0; i < fatbin->member_count; i++) {
        tenon_object *entry = fatbin->members[i];
        finished |= entry->kind == TENON_KIND_CUBIN && !entry->relocatable;
        uint32_t s = score(c, entry);
        if (s > best_score) {
            best = entry;
            best_score = s;
        }
    }
    // PTX beside finished code is whole-program PTX: its __device__ functions are not in it.
    if (finished && (!best || best->kind == TENON_KIND_PTX)) {
        c->not_relocatable++;
        tn_buffer_print(&c->units.unused,
                        "'%s' has device code that is not relocatable (built without -rdc=true)\n",
                        fatbin->name);
        return NULL;
    }
    if (!best) return no_arch(c, fatbin);
    return take(c, best->opaque ? fatbin : best, best->kind);
}

static bool has_leaf(const tenon_object *container)
{
    for (size_t i = 0; i < container->member_count; i++) {
        if (is_leaf(container->members[i])) return true;
    }
    return false;
}

/// Takes what an object and its members have; archives hold host objects, these fatbins, these
/// code.
// NOLINTNEXTLINE(misc-no-recursion): as deep as containers nest, which the readers limit
static tenon_status *visit(collector *c, tenon_object *object)
{
    if (is_leaf(object)) return take_leaf(c, object);
    if (object->kind == TENON_KIND_FATBIN && has_leaf(object)) return take_from_fatbin(c, object);
    for (size_t i = 0; i < object->member_count; i++) {
        TN_TRY(visit(c, object->members[i]));
    }
    return NULL;
}

/// An input that gives nothing is an error, but for an archive that has finished code: whether that
/// matters is known when all symbols are.
static tenon_status *visit_input(collector *c, tenon_object *input)
{
    size_t before = c->units.count;
    c->not_relocatable = 0;
    TN_TRY(visit(c, input));
    if (c->units.count > before) return NULL;
    if (c->not_relocatable && input->kind != TENON_KIND_ARCHIVE) {
        return tenon_status_make(
            TENON_INVALID_ARGUMENT,
            "'%s' has device code, but it is already linked (not relocatable): "
            "compile it with relocatable device code (-rdc=true)",
            input->name);
    }
    if (c->not_relocatable) return NULL;
    const char *what =
        input->kind == TENON_KIND_ARCHIVE ? "is an archive of which no member has" : "has no";
    return tenon_status_make(TENON_INVALID_ARGUMENT, "'%s' %s device code", input->name, what);
}

/// True if `arch` says more than `best`: newer, or of the same number and specific.
static bool is_better(tn_arch arch, tn_arch best)
{
    if (arch.number != best.number) return arch.number > best.number;
    return arch.suffix && !best.suffix;
}

static tenon_status *ask_for_arch(const tenon_object *input)
{
    tn_buffer archs = {0};
    list_archs(input, &archs);
    tenon_status *status =
        tenon_status_make(TENON_INVALID_ARGUMENT,
                          "no arch is given, and '%s' has code for %s: give one of them (arch)",
                          input->name, tn_buffer_text(&archs));
    tn_buffer_deinit(&archs);
    return status;
}

static bool has_arch(const tenon_object *object, const char *arch)
{
    for (size_t i = 0; i < object->arch_count; i++) {
        if (strcmp(object->archs[i], arch) == 0) return true;
    }
    return false;
}

/// The one arch with machine code that all containers with code have; if none has machine code, the
/// one virtual arch of the first.
static tenon_status *arch_of_containers(tenon_object *const *inputs, size_t count,
                                        tn_arch *out_arch)
{
    const tenon_object *fewest = NULL;
    for (size_t i = 0; i < count; i++) {
        if (inputs[i]->arch_count == 0) continue;
        if (!fewest || inputs[i]->arch_count < fewest->arch_count) fewest = inputs[i];
    }
    if (!fewest) return NULL;
    const char *common = NULL;
    size_t found = 0;
    for (size_t k = 0; k < fewest->arch_count; k++) {
        bool in_all = strncmp(fewest->archs[k], "sm_", 3) == 0;
        for (size_t i = 0; i < count && in_all; i++) {
            in_all = inputs[i]->arch_count == 0 || has_arch(inputs[i], fewest->archs[k]);
        }
        if (!in_all) continue;
        common = fewest->archs[k];
        found++;
    }
    if (found == 0 && fewest->arch_count == 1) common = fewest->archs[0];
    if (found > 1 || !common) return ask_for_arch(fewest);
    return tn_arch_parse(common, out_arch);
}

/// The arch of the inputs: of machine code before that of PTX and LTO-IR before that of containers.
static tenon_status *find_arch(tenon_object *const *inputs, size_t count, tn_arch *out_arch)
{
    tn_arch machine = {0};
    tn_arch intermediate = {0};
    for (size_t i = 0; i < count; i++) {
        tn_arch arch = tn_unit_arch(inputs[i]);
        if (inputs[i]->kind == TENON_KIND_CUBIN && is_better(arch, machine)) machine = arch;
        if (is_leaf(inputs[i]) && is_better(arch, intermediate)) intermediate = arch;
    }
    tn_arch found = machine.number ? machine : intermediate;
    if (!found.number) TN_TRY(arch_of_containers(inputs, count, &found));
    if (!found.number) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "no arch is given, and the inputs do not tell it: give one, such "
                                 "as sm_90 (arch)");
    }
    found.virtual_ = false;
    *out_arch = found;
    return NULL;
}

static bool any_ltoir(tenon_object *const *inputs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (inputs[i]->kind == TENON_KIND_LTOIR) return true;
    }
    return false;
}

static tenon_status *collect(collector *c, tenon_object *const *inputs, size_t count)
{
    c->lto_found = false;
    for (size_t i = 0; i < count; i++) TN_TRY(visit_input(c, inputs[i]));
    if (c->units.unused.failed) {
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the link's inputs");
    }
    return NULL;
}

tenon_status *tn_units_collect(tenon_object *const *inputs, size_t count,
                               const tn_settings *settings, tn_mode *mode, tn_units *out_units)
{
    uint32_t choice = settings->options.link_time_optimization;
    mode->arch = settings->arch;
    if (!mode->arch.number) TN_TRY(find_arch(inputs, count, &mode->arch));
    mode->lto = choice == TENON_CHOICE_ON ||
                (choice == TENON_CHOICE_DEFAULT &&
                 (any_ltoir(inputs, count) || mode->target != TENON_KIND_CUBIN));

    collector c = {.mode = mode, .lto_allowed = choice != TENON_CHOICE_OFF};
    tenon_status *status = collect(&c, inputs, count);
    if (!status && c.lto_found) {
        // Some fatbin has nothing but LTO-IR for the target, so that the others may give theirs
        // too.
        tn_units_deinit(&c.units);
        mode->lto = true;
        status = collect(&c, inputs, count);
    }
    if (status) {
        tn_units_deinit(&c.units);
        return status;
    }
    *out_units = c.units;
    return NULL;
}
