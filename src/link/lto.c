#include "link/lto.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "elf/driver_names.h"

enum { MOST_PROBES = 256 };

static bool starts(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/// Returns the name that a declaration is about: the last word before '(', '[', '=' or ';', where a
/// function's result, itself in parentheses, was passed over. NULL if there is none.
static const char *declared_name(const char *line, size_t *out_length)
{
    const char *at = strstr(line, ".func");
    const char *end = line + strcspn(line, "\n");
    if (at && at < end) {
        at += strlen(".func");
        while (*at == ' ' || *at == '\t') at++;
        if (*at == '(') at += strcspn(at, ")\n");
        while (*at == ')' || *at == ' ' || *at == '\t') at++;
        *out_length = strcspn(at, " \t(;\n");
        return *out_length ? at : NULL;
    }
    end = line + strcspn(line, "[=;\n");
    while (end > line && (end[-1] == ' ' || end[-1] == '\t')) end--;
    const char *name = end;
    while (name > line && name[-1] != ' ' && name[-1] != '\t') name--;
    *out_length = (size_t)(end - name);
    return *out_length ? name : NULL;
}

void tn_ptx_externs(const char *text, void (*each)(void *data, const char *name, size_t length),
                    void *data)
{
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (!starts(line, ".extern ")) continue;
        const char *what = line + strlen(".extern ");
        if (starts(what, ".shared")) continue;
        size_t length = 0;
        const char *name = declared_name(what, &length);
        if (name) each(data, name, length);
    }
}

/// Links some LTO-IR units with options of our own, to see what comes out. A failure is no error
/// here: `out_result->code` has it.
static tenon_status *probe(const tn_lto *lto, const tn_mode *mode, const size_t *which,
                           size_t count, tn_job_result *out_result)
{
    tn_texts arguments = {0};
    tn_buffer notes = {0};
    static const tn_settings plain = {0};
    tn_settings_arguments(&plain, mode, lto->runner->version, &arguments, &notes);
    const tn_selection selection = {lto->units, which, count};
    tenon_status *status =
        tn_runner_link(lto->runner, &arguments, &selection, mode->target, out_result);
    tn_texts_deinit(&arguments);
    tn_buffer_deinit(&notes);
    return status;
}

/// The places of the LTO-IR units; free it. `*out_count` of them.
static size_t *ltoir_units(const tn_lto *lto, size_t *out_count)
{
    size_t *places = calloc(lto->units->count + 1, sizeof(*places));
    *out_count = 0;
    for (size_t i = 0; places && i < lto->units->count; i++) {
        if (lto->units->items[i].kind == TENON_KIND_LTOIR) places[(*out_count)++] = i;
    }
    return places;
}

/// Appends a name to a list of texts, as tn_ptx_externs() calls it.
static void add_name(void *data, const char *name, size_t length)
{
    tn_texts_add(data, name, length);
}

/// Links one LTO-IR unit to a relocatable cubin, which shows its symbols; `*out_object` stays NULL
/// where that fails. Needs 13.3: earlier ones drop what nobody calls.
static tenon_status *show_unit(const tn_lto *lto, size_t unit, tenon_object **out_object)
{
    tn_mode mode = {lto->mode->arch, true, true, TENON_KIND_CUBIN, false};
    tn_job_result result = {0};
    TN_TRY(probe(lto, &mode, &unit, 1, &result));
    tenon_status *status = NULL;
    if (result.code == 0) {
        size_t size = result.bytes.size;
        char *data = tn_buffer_take(&result.bytes);
        status = data ? tn_object_adopt("probe", TENON_KIND_CUBIN, data, size, out_object)
                      : tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the symbols");
    }
    tn_job_result_deinit(&result);
    return status;
}

/// The same for libraries before 13.3, as far as they tell it: by the PTX that they make.
static tenon_status *wants_by_ptx(const tn_lto *lto, size_t unit, tn_texts *out)
{
    bool partial = lto->runner->version >= 1300;
    tn_mode mode = {lto->mode->arch, true, partial, TENON_KIND_PTX, false};
    tn_job_result result = {0};
    TN_TRY(probe(lto, &mode, &unit, 1, &result));
    if (result.code == 0) tn_ptx_externs(tn_buffer_text(&result.bytes), add_name, out);
    tn_job_result_deinit(&result);
    return NULL;
}

/// What one unit wants of others.
static tenon_status *wants_of(const tn_lto *lto, size_t unit, tn_texts *out)
{
    if (lto->runner->version < 1303) return wants_by_ptx(lto, unit, out);
    tenon_object *object = NULL;
    TN_TRY(show_unit(lto, unit, &object));
    for (size_t i = 0; object && i < object->undefined_count; i++) {
        const tn_symbol *symbol = &object->symbols[object->undefined[i]];
        tn_texts_add(out, symbol->symbol.name, symbol->length);
    }
    tenon_object_release(object);
    return NULL;
}

/// Notes the undefined names, each with the first unit that wants it.
static tenon_status *blame(const tn_lto *lto, const tn_texts *undefined, const size_t *places,
                           size_t count, tn_problems *problems)
{
    tenon_status *status = NULL;
    const char **wanted_by = calloc(undefined->count + 1, sizeof(*wanted_by));
    if (!wanted_by) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the symbols");
    for (size_t i = 0; i < count && i < MOST_PROBES; i++) {
        tn_texts wants = {0};
        status = wants_of(lto, places[i], &wants);
        for (size_t k = 0; k < undefined->count && !status; k++) {
            if (!wanted_by[k] && tn_texts_find(&wants, undefined->items[k]) < wants.count) {
                wanted_by[k] = lto->units->items[places[i]].name;
            }
        }
        tn_texts_deinit(&wants);
        if (status) goto done;
    }
    for (size_t k = 0; k < undefined->count; k++) {
        tn_buffer name = {0};
        tn_buffer wanter = {0};
        tn_print_symbol(&name, undefined->items[k]);
        if (wanted_by[k]) {
            tn_buffer_print(&wanter, "'%s'", wanted_by[k]);
        } else {
            // Before 13.3 the library does not show what a unit without kernels wants.
            tn_buffer_puts(&wanter, "one of ");
            tn_runner_names(lto->units, &wanter);
        }
        tn_problems_add(problems, "undefined: %s, wanted by %s", tn_buffer_text(&name),
                        tn_buffer_text(&wanter));
        tn_buffer_deinit(&name);
        tn_buffer_deinit(&wanter);
    }
done:
    free(wanted_by);
    return status;
}

tenon_status *tn_lto_undefined(const tn_lto *lto, tn_problems *problems)
{
    tenon_status *status = NULL;
    size_t count = 0;
    tn_job_result result = {0};
    tn_texts externs = {0};
    tn_texts undefined = {0};
    size_t *places = ltoir_units(lto, &count);
    if (!places) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the symbols");

    tn_mode mode = {lto->mode->arch, true, false, TENON_KIND_PTX, false};
    TN_TRY_DONE(probe(lto, &mode, places, count, &result));
    if (result.code == 0) tn_ptx_externs(tn_buffer_text(&result.bytes), add_name, &externs);
    for (size_t i = 0; i < externs.count; i++) {
        const char *name = externs.items[i];
        const tn_global *global = tn_globals_find(lto->globals, name);
        if (tn_is_driver_name(name) || (global && global->definition)) continue;
        tn_texts_add(&undefined, name, strlen(name));
    }
    if (externs.failed || undefined.failed) {
        status = tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the symbols");
        goto done;
    }
    if (undefined.count) status = blame(lto, &undefined, places, count, problems);
done:
    tn_texts_deinit(&externs);
    tn_texts_deinit(&undefined);
    tn_job_result_deinit(&result);
    free(places);
    return status;
}

/// The name between the first two quotes behind `mark` in `log`; free it. NULL if there is none.
static char *quoted_after(const char *log, const char *mark)
{
    const char *at = strstr(log, mark);
    at = at ? strchr(at + strlen(mark) - 1, '\'') : NULL;
    const char *end = at ? strchr(at + 1, '\'') : NULL;
    return end ? strndup(at + 1, (size_t)(end - at - 1)) : NULL;
}

static void note_twice(tn_problems *problems, const char *name, const char *first,
                       const char *again)
{
    tn_buffer symbol = {0};
    tn_print_symbol(&symbol, name);
    tn_problems_add(problems, "%s is defined twice: first in '%s', again in '%s'",
                    tn_buffer_text(&symbol), first, again);
    tn_buffer_deinit(&symbol);
}

/// True if linking just the two fails for the same name, as it does for the two definers.
static tenon_status *clashes(const tn_lto *lto, size_t first, size_t again, const char *name,
                             bool *out_yes)
{
    const size_t pair[] = {first, again};
    tn_mode mode = {lto->mode->arch, true, false, TENON_KIND_PTX, false};
    tn_job_result result = {0};
    TN_TRY(probe(lto, &mode, pair, 2, &result));
    char *found = quoted_after(tn_buffer_text(&result.error_log), "Linking globals named '");
    *out_yes = found && strcmp(found, name) == 0;
    free(found);
    tn_job_result_deinit(&result);
    return NULL;
}

/// Finds the pair of units that define `name`. The vendor reports one of a pair's several clashes.
static tenon_status *find_pair(const tn_lto *lto, const char *name, const size_t *places,
                               size_t count, tn_problems *problems)
{
    size_t probes = 0;
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < i && probes < MOST_PROBES; k++, probes++) {
            bool yes = false;
            TN_TRY(clashes(lto, places[k], places[i], name, &yes));
            if (!yes) continue;
            note_twice(problems, name, lto->units->items[places[k]].name,
                       lto->units->items[places[i]].name);
            return NULL;
        }
    }
    return NULL;
}

/// The place of the unit that a log calls "B: link error"; `count` if none.
static size_t named_in(const tn_lto *lto, const char *log, const size_t *places, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tn_buffer mark = {0};
        tn_buffer_print(&mark, "%s: link error", lto->units->items[places[i]].name);
        bool found = !mark.failed && strstr(log, mark.data);
        tn_buffer_deinit(&mark);
        if (found) return i;
    }
    return count;
}

/// True if a PTX text defines a name for others to see.
static bool ptx_defines(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (!starts(line, ".visible ") && !starts(line, ".weak ")) continue;
        size_t found_length = 0;
        const char *found = declared_name(line, &found_length);
        if (found && found_length == length && memcmp(found, name, length) == 0) return true;
    }
    return false;
}

/// What LTO-IR and a cubin both define, the vendor calls "in 'ltoPtx', first defined in" the cubin:
/// finds the input that it means.
static tenon_status *mixed_duplicate(const tn_lto *lto, const char *log, tn_problems *problems)
{
    char *name = quoted_after(log, "Multiple definition of '");
    const tn_global *global = name ? tn_globals_find(lto->globals, name) : NULL;
    tenon_status *status = NULL;
    tn_mode mode = {lto->mode->arch, true, false, TENON_KIND_PTX, false};
    for (size_t i = 0; global && global->definition && i < lto->units->count; i++) {
        if (lto->units->items[i].kind != TENON_KIND_LTOIR) continue;
        tn_job_result result = {0};
        TN_TRY_DONE(probe(lto, &mode, &i, 1, &result));
        bool defines = ptx_defines(tn_buffer_text(&result.bytes), name);
        tn_job_result_deinit(&result);
        if (!defines) continue;
        bool cubin_first = global->definer < i;
        const char *cubin = lto->units->items[global->definer].name;
        const char *other = lto->units->items[i].name;
        note_twice(problems, name, cubin_first ? cubin : other, cubin_first ? other : cubin);
        break;
    }
done:
    free(name);
    return status;
}

tenon_status *tn_lto_clashes(const tn_lto *lto, tn_problems *problems)
{
    for (size_t i = 0; i < lto->units->count; i++) {
        if (lto->units->items[i].kind != TENON_KIND_LTOIR) continue;
        tenon_object *object = NULL;
        TN_TRY(show_unit(lto, i, &object));
        for (size_t k = 0; object && k < object->symbol_count; k++) {
            const tn_symbol *symbol = &object->symbols[k];
            const tn_global *global = tn_symbol_is_strong(symbol)
                                          ? tn_globals_find(lto->globals, symbol->symbol.name)
                                          : NULL;
            if (!global || !global->definition || !tn_symbol_is_strong(global->definition))
                continue;
            const char *mine = lto->units->items[i].name;
            const char *other = lto->units->items[global->definer].name;
            bool other_first = global->definer < i;
            note_twice(problems, symbol->symbol.name, other_first ? other : mine,
                       other_first ? mine : other);
        }
        tenon_object_release(object);
    }
    return NULL;
}

tenon_status *tn_lto_duplicate(const tn_lto *lto, const char *log, tn_problems *problems)
{
    char *name = quoted_after(log, "Linking globals named '");
    if (!name) return mixed_duplicate(lto, log, problems);
    size_t count = 0;
    size_t *places = ltoir_units(lto, &count);
    tenon_status *status = NULL;
    size_t again = places ? named_in(lto, log, places, count) : 0;
    for (size_t k = 0; places && again < count && k < again && !status; k++) {
        bool yes = false;
        status = clashes(lto, places[k], places[again], name, &yes);
        if (!yes) continue;
        note_twice(problems, name, lto->units->items[places[k]].name,
                   lto->units->items[places[again]].name);
        break;
    }
    // Some versions name another unit than the second one: then all pairs are tried.
    if (places && !status && problems->count == 0) {
        status = find_pair(lto, name, places, count, problems);
    }
    free(places);
    free(name);
    return status;
}
