#include "link/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "core/try.h"

/// The lists of the options, so that they are copied and freed by one loop.
static const size_t lists[] = {
    offsetof(tenon_linker_options, kernels_used),
    offsetof(tenon_linker_options, variables_used),
    offsetof(tenon_linker_options, ptxas_options),
    offsetof(tenon_linker_options, extra_options),
};

enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

static const char *const **list_of(tenon_linker_options *options, size_t i)
{
    return (const char *const **)(void *)((char *)options + lists[i]);
}

static void free_list(const char *const *list)
{
    for (size_t i = 0; list && list[i]; i++) free((void *)list[i]);
    free((void *)list);
}

/// Copies a list; false without memory.
static bool copy_list(const char *const *list, const char *const **out)
{
    if (!list) return true;
    size_t count = 0;
    while (list[count]) count++;
    const char **copy = calloc(count + 1, sizeof(*copy));
    if (!copy) return false;
    *out = copy;
    for (size_t i = 0; i < count; i++) {
        copy[i] = strdup(list[i]);
        if (!copy[i]) return false;
    }
    return true;
}

void tn_settings_deinit(tn_settings *settings)
{
    tenon_linker_options *options = &settings->options;
    free((void *)options->name);
    free((void *)options->arch);
    for (size_t i = 0; i < LISTS; i++) free_list(*list_of(options, i));
    *settings = (tn_settings){0};
}

static tenon_status *copy_texts(const tenon_linker_options *from, tn_settings *settings)
{
    tenon_linker_options *to = &settings->options;
    tenon_linker_options source = *from;
    to->name = NULL;
    to->arch = NULL;
    for (size_t i = 0; i < LISTS; i++) *list_of(to, i) = NULL;

    to->name = strdup(source.name ? source.name : "linked");
    if (source.arch) to->arch = strdup(source.arch);
    bool good = to->name && (to->arch || !source.arch);
    for (size_t i = 0; i < LISTS && good; i++) {
        good = copy_list(*list_of(&source, i), list_of(to, i));
    }
    if (good) return NULL;
    tn_settings_deinit(settings);
    return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the linker's options");
}

/// A field that may only have the values up to `most`.
typedef struct range {
    const char *name;
    size_t offset;
    uint32_t most;
} range;

#define RANGE(field, most)                                  \
    {                                                       \
#field, offsetof(tenon_linker_options, field), most \
    }

static const range ranges[] = {
    RANGE(incremental, 1),
    RANGE(link_time_optimization, TENON_CHOICE_OFF),
    RANGE(ptx, 1),
    RANGE(optimization_level, TENON_OPT_FULL),
    RANGE(debug, 1),
    RANGE(lineinfo, 1),
    RANGE(time, 1),
    RANGE(verbose, 1),
    RANGE(no_cache, 1),
    RANGE(optimize_unused_variables, 1),
    RANGE(ftz, TENON_CHOICE_OFF),
    RANGE(prec_div, TENON_CHOICE_OFF),
    RANGE(prec_sqrt, TENON_CHOICE_OFF),
    RANGE(fma, TENON_CHOICE_OFF),
    RANGE(jump_table_density, 101),
    RANGE(device_stack_protector, 1),
    RANGE(isolation, TENON_ISOLATION_WORKER),
    RANGE(backend, TENON_LINKER_BACKEND_DRIVER),
    RANGE(max_register_count, 255),
};

static tenon_status *check_ranges(const tenon_linker_options *options)
{
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        uint32_t value = 0;
        memcpy(&value, (const char *)options + ranges[i].offset, sizeof(value));
        if (value > ranges[i].most) {
            return tenon_status_make(TENON_INVALID_ARGUMENT,
                                     "linker option %s is %u, which is more than %u",
                                     ranges[i].name, value, ranges[i].most);
        }
    }
    return NULL;
}

static tenon_status *check_together(const tenon_linker_options *options)
{
    bool no_lto = options->link_time_optimization == TENON_CHOICE_OFF;
    if (options->incremental && options->ptx) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "incremental and ptx exclude each other: a partial link gives a "
                                 "cubin or LTO-IR, never PTX");
    }
    if (options->ptx && no_lto) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "ptx needs link_time_optimization: only LTO-IR is linked to PTX");
    }
    if (options->incremental && options->kernels_used && options->kernels_used[0]) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "kernels_used has no meaning in an incremental link, which keeps "
                                 "all kernels; give it to the final link");
    }
    return NULL;
}

/// The arch decides what of the inputs is taken, so a second one behind tenon's back cannot be.
static tenon_status *check_extra(const tenon_linker_options *options)
{
    const char *const *extra = options->extra_options;
    for (size_t i = 0; extra && extra[i]; i++) {
        const char *name = extra[i] + strspn(extra[i], "-");
        if (strncmp(name, "arch", 4) == 0 && (name[4] == '=' || name[4] == '\0')) {
            return tenon_status_make(TENON_INVALID_ARGUMENT,
                                     "extra option '%s': give the arch as option arch", extra[i]);
        }
    }
    return NULL;
}

/// Takes a default from the environment: 0 where the variable is not set.
static tenon_status *from_environment(const char *name, const char *const *words, uint32_t *value)
{
    const char *text = getenv(name);
    if (*value != 0 || !text || !*text) return NULL;
    for (uint32_t i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *value = i;
            return NULL;
        }
    }
    return tenon_status_make(TENON_INVALID_ARGUMENT, "%s is '%s'; it can be %s, %s or %s", name,
                             text, words[0], words[1], words[2]);
}

static tenon_status *check_options(tenon_linker_options *own)
{
    static const char *const isolations[] = {"auto", "in-process", "worker", NULL};
    static const char *const backends[] = {"auto", "nvjitlink", "driver", NULL};
    TN_TRY(check_ranges(own));
    TN_TRY(check_together(own));
    TN_TRY(check_extra(own));
    TN_TRY(from_environment("TENON_ISOLATION", isolations, &own->isolation));
    return from_environment("TENON_LINKER", backends, &own->backend);
}

tenon_status *tn_settings_init(const tenon_linker_options *options, tn_settings *out_settings)
{
    tn_settings settings = {0};
    tenon_linker_options *own = &settings.options;
    if (!tn_options_read(options, own, sizeof(*own))) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "linker options: size is not set (use TENON_LINKER_OPTIONS_INIT), "
                                 "or a field is set that this tenon does not know");
    }
    TN_TRY(check_options(own));
    if (own->arch) {
        TN_TRY(tn_arch_parse(own->arch, &settings.arch));
        // "compute_90" is how PTX for "sm_90" is asked for; the link itself is for the real one.
        settings.arch.virtual_ = false;
    }
    if (own->deadline_ms == 0) own->deadline_ms = 600000;
    tenon_linker_options given = *own;
    TN_TRY(copy_texts(&given, &settings));
    *out_settings = settings;
    return NULL;
}

static void add_choice(tn_texts *out, const char *name, uint32_t choice)
{
    if (choice != TENON_CHOICE_DEFAULT) {
        tn_texts_print(out, "-%s=%d", name, choice == TENON_CHOICE_ON ? 1 : 0);
    }
}

static void add_list(tn_texts *out, const char *name, const char *const *list)
{
    for (size_t i = 0; list && list[i]; i++) tn_texts_print(out, "-%s=%s", name, list[i]);
}

static void add_threads(tn_texts *out, const char *name, uint32_t threads)
{
    if (threads) tn_texts_print(out, "-%s=%u", name, threads == TENON_THREADS_ALL ? 0 : threads);
}

/// An option that only some links heed, and whether it is set.
typedef struct wish {
    const char *name;
    bool set;
} wish;

static void note_wishes(const wish *wishes, size_t count, const char *why, tn_buffer *notes)
{
    for (size_t i = 0; i < count; i++) {
        if (!wishes[i].set) continue;
        tn_buffer_print(notes, "tenon: %s has no effect: %s\n", wishes[i].name, why);
    }
}

static void note_without_lto(const tenon_linker_options *o, tn_buffer *notes)
{
    const wish wishes[] = {
        {"variables_used", o->variables_used && o->variables_used[0]},
        {"optimize_unused_variables", o->optimize_unused_variables},
        {"ftz", o->ftz},
        {"prec_div", o->prec_div},
        {"prec_sqrt", o->prec_sqrt},
        {"fma", o->fma},
        {"split_compile_extended", o->split_compile_extended},
    };
    note_wishes(wishes, sizeof(wishes) / sizeof(wishes[0]), "no LTO-IR is linked", notes);
}

static void note_without_compiler(const tenon_linker_options *o, tn_buffer *notes)
{
    const wish wishes[] = {
        {"max_register_count", o->max_register_count},
        {"ptxas_options", o->ptxas_options && o->ptxas_options[0]},
        {"split_compile", o->split_compile},
        {"jump_table_density", o->jump_table_density},
        {"device_stack_protector", o->device_stack_protector},
    };
    note_wishes(wishes, sizeof(wishes) / sizeof(wishes[0]), "the inputs are compiled already",
                notes);
}

static void add_flags(const tenon_linker_options *o, uint32_t version, tn_texts *out)
{
    if (o->optimization_level)
        tn_texts_print(out, "-O%d", o->optimization_level == TENON_OPT_NONE ? 0 : 3);
    if (o->debug) tn_texts_print(out, "-g");
    if (o->lineinfo) tn_texts_print(out, "-lineinfo");
    if (o->time) tn_texts_print(out, "-time");
    if (o->verbose) tn_texts_print(out, "-verbose");
    if (o->max_register_count) tn_texts_print(out, "-maxrregcount=%u", o->max_register_count);
    // Older libraries do not know the option, and keep nothing that it could turn off.
    if (o->no_cache && version >= 1205) tn_texts_print(out, "-no-cache");
    if (o->jump_table_density) tn_texts_print(out, "-jump-table-density=%u", o->jump_table_density);
    // nvJitLink.h names this option, but 13.0 and 13.5 do not know it; their assembler does.
    if (o->device_stack_protector) tn_texts_print(out, "-Xptxas=--device-stack-protector=true");
}

void tn_settings_arguments(const tn_settings *settings, const tn_mode *mode, uint32_t version,
                           tn_texts *out, tn_buffer *notes)
{
    const tenon_linker_options *o = &settings->options;
    char arch[TN_ARCH_TEXT];
    tn_texts_print(out, "-arch=%s", tn_arch_text(mode->arch, arch));
    if (mode->lto) tn_texts_print(out, "-lto");
    if (mode->target == TENON_KIND_PTX) tn_texts_print(out, "-ptx");
    if (mode->incremental) tn_texts_print(out, "-r");
    add_flags(o, version, out);
    add_threads(out, "split-compile", o->split_compile);
    add_list(out, "Xptxas", o->ptxas_options);
    add_list(out, "kernels-used", o->kernels_used);
    if (mode->lto) {
        add_threads(out, "split-compile-extended", o->split_compile_extended);
        add_list(out, "variables-used", o->variables_used);
        if (o->optimize_unused_variables) tn_texts_print(out, "-optimize-unused-variables");
        add_choice(out, "ftz", o->ftz);
        add_choice(out, "prec-div", o->prec_div);
        add_choice(out, "prec-sqrt", o->prec_sqrt);
        add_choice(out, "fma", o->fma);
    } else {
        note_without_lto(o, notes);
    }
    if (mode->only_cubins) note_without_compiler(o, notes);
    for (size_t i = 0; o->extra_options && o->extra_options[i]; i++) {
        tn_texts_print(out, "%s", o->extra_options[i]);
    }
}
