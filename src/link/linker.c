// The public linker: what is asked for, in which order things are found out, and who does the work.
#include "tenon/linker.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "link/check.h"
#include "link/culink.h"
#include "link/lto.h"
#include "link/result.h"
#include "link/runner.h"

struct tenon_linker {
    tn_settings settings;
    tenon_object **inputs;
    size_t count, capacity;
    bool finished;
    tn_buffer info_log, error_log;
};

/// One call of finish: what is known so far.
typedef struct link_run {
    tenon_linker *linker;
    tn_mode mode;
    tn_units units;
    tn_globals globals;
    tn_runner runner;
    tn_nvjitlink lib;
} link_run;

tenon_status *tenon_linker_create(const tenon_linker_options *options, tenon_linker **out_linker)
{
    tn_settings settings = {0};
    TN_TRY(tn_settings_init(options, &settings));
    tenon_linker *linker = calloc(1, sizeof(*linker));
    if (!linker) {
        tn_settings_deinit(&settings);
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the linker");
    }
    linker->settings = settings;
    *out_linker = linker;
    return NULL;
}

void tenon_linker_release(tenon_linker *linker)
{
    if (!linker) return;
    for (size_t i = 0; i < linker->count; i++) tenon_object_release(linker->inputs[i]);
    free(linker->inputs);
    tn_settings_deinit(&linker->settings);
    tn_buffer_deinit(&linker->info_log);
    tn_buffer_deinit(&linker->error_log);
    free(linker);
}

/// True if anything in the object can be linked, or may turn out so when the target is known.
static tenon_status *check_input(const tenon_object *object)
{
    TN_TRY(tn_refuse_finished(object));
    if (object->kind == TENON_KIND_HOST && object->member_count == 0) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s' is a host object without device code", object->name);
    }
    return NULL;
}

tenon_status *tenon_linker_add_object(tenon_linker *linker, tenon_object *object)
{
    if (linker->finished) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s' cannot be added: the linker has finished", object->name);
    }
    TN_TRY(check_input(object));
    tenon_object **inputs =
        tn_grow(linker->inputs, linker->count, &linker->capacity, sizeof(tenon_object *));
    if (!inputs) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the input");
    linker->inputs = inputs;
    inputs[linker->count++] = tenon_object_retain(object);
    return NULL;
}

/// Adds an object that the caller has just made, and gives up the caller's reference.
static tenon_status *add_made(tenon_linker *linker, tenon_object *object)
{
    tenon_status *status = tenon_linker_add_object(linker, object);
    tenon_object_release(object);
    return status;
}

tenon_status *tenon_linker_add(tenon_linker *linker, const char *name, tenon_kind kind,
                               tenon_bytes bytes)
{
    tenon_object *object = NULL;
    TN_TRY(tenon_object_create(name, kind, bytes, &object));
    return add_made(linker, object);
}

tenon_status *tenon_linker_add_file(tenon_linker *linker, const char *path, tenon_kind kind)
{
    tenon_object *object = NULL;
    TN_TRY(tenon_object_open(path, kind, &object));
    return add_made(linker, object);
}

static tenon_status *check_target(const tenon_linker *linker, tenon_kind target)
{
    const tenon_linker_options *o = &linker->settings.options;
    if (linker->finished) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "the linker has finished already");
    }
    if (linker->count == 0) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "nothing to link: no input was added");
    }
    if (target != TENON_KIND_CUBIN && target != TENON_KIND_PTX && target != TENON_KIND_LTOIR) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "a link gives a cubin, PTX or LTO-IR, not %s",
                                 tenon_kind_name(target));
    }
    if (o->ptx && target != TENON_KIND_PTX) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "option ptx is set, but %s is asked for",
                                 tenon_kind_name(target));
    }
    if (target == TENON_KIND_PTX && o->incremental) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "a partial (incremental) link gives a cubin or LTO-IR, never PTX");
    }
    if (target != TENON_KIND_CUBIN && o->link_time_optimization == TENON_CHOICE_OFF) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "%s comes only out of a link with link_time_optimization",
                                 tenon_kind_name(target));
    }
    return NULL;
}

/// Only LTO-IR survives where the result is LTO-IR or PTX: the vendor drops the rest in silence.
static tenon_status *check_survivors(const link_run *run)
{
    tn_problems problems = {0};
    for (size_t i = 0; i < run->units.count && run->mode.target != TENON_KIND_CUBIN; i++) {
        const tn_unit *unit = &run->units.items[i];
        if (unit->kind == TENON_KIND_LTOIR) continue;
        tn_problems_add(&problems, "'%s' is %s, and only LTO-IR inputs survive in %s", unit->name,
                        tenon_kind_name(unit->kind), tenon_kind_name(run->mode.target));
    }
    TN_TRY(tn_problems_status(&problems, TENON_INVALID_ARGUMENT));
    if (run->mode.lto && run->units.by_kind[TENON_KIND_LTOIR] == 0) {
        return tenon_status_make(
            TENON_INVALID_ARGUMENT,
            "link_time_optimization is asked for, but no input has LTO-IR: compile "
            "them to LTO-IR");
    }
    return NULL;
}

static tenon_status *too_old(const link_run *run, const char *what, unsigned need)
{
    char found[TN_VERSION_TEXT];
    tn_runner_version(&run->runner, found);
    return tenon_status_make(TENON_INCOMPATIBLE,
                             "%s needs nvJitLink %u.%u or newer; found %s in %s", what, need / 100,
                             need % 100, found, run->runner.lib->path);
}

// Measured with each release from 13.0 to 13.5: partial links before it give shared memory of
// __device__ functions no place, so that it overlaps the kernel's own in the final link, without a
// word.
static const uint32_t shared_memory_version = 1302;

/// True if a unit is a partial result in which that has happened already.
static bool lost_shared_memory(const tenon_object *object)
{
    return object->loose_shared && object->toolkit < shared_memory_version / 100 * 10 + 2 &&
           strncmp(object->producer, "ptxas", 5) != 0;
}

/// Refuses partial results in which it has happened.
static tenon_status *check_lost_memory(const link_run *run)
{
    for (size_t i = 0; i < run->units.count; i++) {
        const tenon_object *object = run->units.items[i].object;
        if (!lost_shared_memory(object)) continue;
        return tenon_status_make(
            TENON_INCOMPATIBLE,
            "'%s' is a partial result of CUDA %u.%u, which lost the place of '%s' in shared "
            "memory: make "
            "it again with nvJitLink 13.2 or newer, or link its inputs in one step",
            run->units.items[i].name, object->toolkit / 10, object->toolkit % 10,
            object->loose_shared);
    }
    return NULL;
}

/// Refuses what a partial link by an older library would turn into such a result.
static tenon_status *check_shared_memory(const link_run *run)
{
    bool partial = run->mode.incremental && run->runner.version < shared_memory_version;
    for (size_t i = 0; i < run->units.count && partial; i++) {
        const tn_unit *unit = &run->units.items[i];
        const tenon_object *object = unit->object;
        bool ptx = unit->kind == TENON_KIND_PTX && strstr(object->data, ".shared");
        if (!object->loose_shared && !ptx) continue;
        tenon_status *status = too_old(run, "a partial link of shared memory outside of kernels",
                                       shared_memory_version);
        tenon_status_prepend(status, "'%s' of '%s' would overlap that of the kernels",
                             ptx ? ".shared" : object->loose_shared, unit->name);
        return status;
    }
    return NULL;
}

/// Asks for the symbol where a feature has one, and for the version where it has none.
static tenon_status *check_version(const link_run *run)
{
    const tn_mode *mode = &run->mode;
    uint32_t version = run->runner.version;
    if (mode->target == TENON_KIND_LTOIR &&
        (!run->lib.GetLinkedLTOIR || !run->lib.GetLinkedLTOIRSize)) {
        return too_old(run, "an LTO-IR result", 1303);
    }
    if (mode->incremental && version < 1300)
        return too_old(run, "a partial (incremental) link", 1300);
    if (mode->incremental && mode->lto && version < 1303) {
        return too_old(run, "a partial link of LTO-IR", 1303);
    }
    return NULL;
}

/// True if all code comes from compilers and linkers that ran in this process and succeeded.
static bool all_trusted(const link_run *run)
{
    for (size_t i = 0; i < run->units.count; i++) {
        if (!run->units.items[i].object->trusted) return false;
    }
    return true;
}

/// Decides where the vendor's linker runs. LTO-IR beside cubins always goes to the worker: what
/// clashes between the two is only seen on the vendor's stderr, and can crash it (docs/linking.md).
static void choose_place(link_run *run)
{
    const tenon_linker_options *o = &run->linker->settings.options;
    size_t ltoir = run->units.by_kind[TENON_KIND_LTOIR];
    bool mixed = ltoir > 0 && ltoir < run->units.count;
    bool wish = o->isolation == TENON_ISOLATION_IN_PROCESS ||
                (o->isolation == TENON_ISOLATION_AUTO && all_trusted(run));
    run->runner.in_process = wish && !mixed;
    run->runner.deadline_ms = o->deadline_ms;
}

static void keep_logs(tenon_linker *linker, const tn_job_result *result)
{
    tn_buffer_append(&linker->info_log, tn_buffer_text(&result->info_log), result->info_log.size);
    tn_buffer_append(&linker->error_log, tn_buffer_text(&result->error_log),
                     result->error_log.size);
    tn_buffer_append(result->code ? &linker->error_log : &linker->info_log,
                     tn_buffer_text(&result->printed), result->printed.size);
}

/// Compiles one PTX unit to a relocatable cubin, so that its symbols are seen like all others.
static tenon_status *compile_unit(link_run *run, size_t index)
{
    tn_mode mode = {run->mode.arch, false, true, TENON_KIND_CUBIN, false};
    const char *name = run->units.items[index].name;
    tn_texts arguments = {0};
    tn_buffer notes = {0};
    tn_job_result result = {0};
    tenon_object *object = NULL;
    tenon_status *status = NULL;
    tn_settings_arguments(&run->linker->settings, &mode, run->runner.version, &arguments, &notes);
    const tn_selection selection = {&run->units, &index, 1};
    TN_TRY_DONE(tn_runner_link(&run->runner, &arguments, &selection, TENON_KIND_CUBIN, &result));
    keep_logs(run->linker, &result);
    if (result.code != 0 || tn_runner_said_error(&result)) {
        tn_buffer quoted = {0};
        tn_buffer_print(&quoted, "'%s'", name);
        status = tn_runner_failure(&run->runner, &result, tn_buffer_text(&quoted));
        tn_buffer_deinit(&quoted);
        goto done;
    }
    size_t size = result.bytes.size;
    char *data = tn_buffer_take(&result.bytes);
    TN_TRY_DONE(data ? tn_object_adopt(name, TENON_KIND_CUBIN, data, size, &object)
                     : tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for '%s'", name));
    if (!object) goto done;  // never so; the analyser cannot know
    object->trusted = run->units.items[index].object->trusted;
    tn_units_replace(&run->units, index, object);
done:
    tn_texts_deinit(&arguments);
    tn_buffer_deinit(&notes);
    tn_job_result_deinit(&result);
    return status;
}

static tenon_status *compile_ptx(link_run *run)
{
    if (run->units.by_kind[TENON_KIND_PTX] == 0 || run->mode.target != TENON_KIND_CUBIN)
        return NULL;
    if (run->runner.version < 1300) {
        // No partial links: PTX goes in as it is, and what clashes is seen on the worker's stderr.
        run->runner.in_process = false;
        return NULL;
    }
    for (size_t i = 0; i < run->units.count; i++) {
        const tenon_object *object = run->units.items[i].object;
        if (object->kind != TENON_KIND_PTX) continue;
        bool shared =
            run->runner.version < shared_memory_version && strstr(object->data, ".shared");
        if (shared || strstr(object->data, ".common ")) {
            // A partial link would lose the one's place, and make plain definitions of the other,
            // which merges. So the PTX goes in as it is, and what clashes is seen on the worker's
            // stderr.
            run->runner.in_process = false;
        } else {
            TN_TRY(compile_unit(run, i));
        }
    }
    return NULL;
}

// What the vendor's final link takes for one call path, measured with versions 13.0 and 13.5 on
// call graphs of 22 to 26 functions (bench/RESULTS.md).
static const double ms_per_path = 1e-5;

static tenon_status *check_paths(link_run *run)
{
    double paths = tn_globals_call_paths(&run->globals, &run->units);
    if (paths < 0)
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the call graph");
    double ms = paths * ms_per_path;
    uint32_t deadline = run->linker->settings.options.deadline_ms;
    if (ms > deadline) {
        return tenon_status_make(
            TENON_DEADLINE,
            "this final link would not end in time: NVIDIA's linker walks each of its %.3g call "
            "paths on "
            "its own, about %.3g s, and the deadline is %u s; make fewer calls between units "
            "(__forceinline__, fewer layers), or link with -r, which does not walk them",
            paths, ms / 1000, deadline / 1000);
    }
    if (ms > 1000) {
        tn_buffer_print(&run->linker->info_log,
                        "tenon: the final link walks %.3g call paths, about %.3g s\n", paths,
                        ms / 1000);
    }
    return NULL;
}

/// Checks that need no vendor: whatever is wrong with the symbols of the cubins.
static tenon_status *check_symbols(link_run *run)
{
    tn_problems problems = {0};
    tenon_status *status = tn_globals_init(&run->units, &problems, &run->globals);
    bool all_seen = run->units.by_kind[TENON_KIND_CUBIN] == run->units.count;
    if (!status && !run->mode.incremental && all_seen) {
        tn_globals_undefined(&run->globals, &run->units, &problems);
        if (problems.count && run->units.unused.size) {
            tn_buffer_append(&problems.lines, run->units.unused.data, run->units.unused.size);
            tn_buffer_print(&problems.message, "; note that %.*s",
                            (int)strcspn(run->units.unused.data, "\n"), run->units.unused.data);
        }
    }
    if (!status) status = tn_problems_status(&problems, TENON_LINK_FAILED);
    tn_problems_deinit(&problems);
    if (status || run->mode.incremental || !all_seen) return status;
    return check_paths(run);
}

static tn_lto lto_view(const link_run *run)
{
    return (tn_lto){&run->runner, &run->mode, &run->units, &run->globals};
}

/// What LTO-IR and cubins both define: found by looking, where the library lets us.
static tenon_status *check_mixed(const link_run *run)
{
    size_t ltoir = run->units.by_kind[TENON_KIND_LTOIR];
    if (ltoir == 0 || ltoir == run->units.count) return NULL;
    if (run->runner.version < 1303) {
        tn_buffer_puts(
            &run->linker->info_log,
            "tenon: nvJitLink before 13.3 does not show what LTO-IR defines: a function that a "
            "cubin defines again is not noticed\n");
        return NULL;
    }
    tn_problems problems = {0};
    tn_lto lto = lto_view(run);
    tenon_status *status = tn_lto_clashes(&lto, &problems);
    if (!status) status = tn_problems_status(&problems, TENON_LINK_FAILED);
    tn_problems_deinit(&problems);
    return status;
}

/// Says more than the vendor about an LTO link that failed: which inputs, and all symbols.
static tenon_status *explain_lto(const link_run *run, const tn_job_result *result,
                                 tn_problems *problems)
{
    if (run->units.by_kind[TENON_KIND_LTOIR] == 0) return NULL;
    tn_lto lto = lto_view(run);
    TN_TRY(tn_lto_duplicate(&lto, tn_buffer_text(&result->error_log), problems));
    if (problems->count || run->mode.incremental) return NULL;
    return tn_lto_undefined(&lto, problems);
}

/// Writes the input that the vendor refused to take; one of a newer toolkit is often the reason.
static void name_refused(const link_run *run, const tn_unit *unit, tn_buffer *out)
{
    uint32_t made_by = unit->object->toolkit;
    uint32_t version = run->runner.version;
    tn_buffer_print(out, "'%s'", unit->name);
    if (made_by > version / 100 * 10 + version % 100) {
        tn_buffer_print(out, ", which CUDA %u.%u made, newer than this linker,", made_by / 10,
                        made_by % 10);
    }
}

static tenon_status *failure(const link_run *run, const tn_job_result *result)
{
    tn_problems problems = {0};
    tenon_status *status = explain_lto(run, result, &problems);
    if (status && tenon_status_code(status) != TENON_OUT_OF_MEMORY) {
        // A further link that only was to explain the first one failed: the first one's words stay.
        tenon_status_free(status);
        status = NULL;
    }
    if (!status && problems.count) {
        status = tn_problems_status(&problems, TENON_LINK_FAILED);
        tenon_status_add_log(status, "%s%s", tn_buffer_text(&result->error_log),
                             tn_buffer_text(&result->printed));
    } else if (!status) {
        tn_buffer names = {0};
        if (result->call == TN_JOB_ADD && result->input < run->units.count) {
            name_refused(run, &run->units.items[result->input], &names);
        } else {
            tn_runner_names(&run->units, &names);
        }
        status = tn_runner_failure(&run->runner, result, tn_buffer_text(&names));
        tn_buffer_deinit(&names);
    }
    tn_problems_deinit(&problems);
    return status;
}

/// A final LTO-IR or PTX result may still want names: nobody else would say so.
static tenon_status *check_lto_result(const link_run *run)
{
    if (run->mode.target == TENON_KIND_CUBIN || run->mode.incremental) return NULL;
    tn_problems problems = {0};
    tn_lto lto = lto_view(run);
    tenon_status *status = tn_lto_undefined(&lto, &problems);
    if (!status) status = tn_problems_status(&problems, TENON_LINK_FAILED);
    tn_problems_deinit(&problems);
    return status;
}

static tenon_status *link_units(link_run *run, tenon_object **out_object)
{
    tn_texts arguments = {0};
    tn_job_result result = {0};
    tenon_status *status = NULL;
    tenon_linker *linker = run->linker;
    tn_settings_arguments(&linker->settings, &run->mode, run->runner.version, &arguments,
                          &linker->info_log);
    const tn_selection all = {&run->units, NULL, run->units.count};
    TN_TRY_DONE(tn_runner_link(&run->runner, &arguments, &all, run->mode.target, &result));
    keep_logs(linker, &result);
    if (result.code != 0 || tn_runner_said_error(&result)) {
        status = failure(run, &result);
        goto done;
    }
    TN_TRY_DONE(check_lto_result(run));
    size_t size = result.bytes.size;
    status = tn_result_make(tn_buffer_take(&result.bytes), size, &linker->settings, &run->mode,
                            &run->units, out_object);
    if (status) tenon_status_add_log(status, "%s", tn_buffer_text(&linker->info_log));
done:
    tn_texts_deinit(&arguments);
    tn_job_result_deinit(&result);
    return status;
}

/// Finds nvJitLink; where there is none and the caller leaves it to us, the driver links.
static tenon_status *choose_linker(link_run *run, bool *out_driver)
{
    uint32_t backend = run->linker->settings.options.backend;
    *out_driver = backend == TENON_LINKER_BACKEND_DRIVER;
    if (*out_driver) return NULL;
    const tn_nvjitlink *lib = NULL;
    tenon_status *status = tn_nvjitlink_get(&lib);
    if (!status) {
        run->lib = *lib;
        run->runner.lib = &run->lib;
        run->runner.version = lib->major * 100 + lib->minor;  // 0 for 12.0 to 12.2
        return NULL;
    }
    // Whoever names a file wants that one, and not another linker.
    const char *forced = getenv("TENON_NVJITLINK");
    bool named = forced && *forced && strcmp(forced, "none") != 0;
    bool left_to_us = backend == TENON_LINKER_BACKEND_AUTO && !named;
    if (!left_to_us || tenon_status_code(status) != TENON_UNAVAILABLE) return status;
    tenon_status *no_driver = tn_culink_probe();
    if (no_driver) {
        tenon_status_add_log(status, "the driver cannot link either: %s\n",
                             tenon_status_message(no_driver));
        tenon_status_free(no_driver);
        return status;
    }
    tn_buffer_print(&run->linker->info_log, "tenon: the driver links instead: %s\n",
                    tenon_status_message(status));
    tenon_status_free(status);
    *out_driver = true;
    return NULL;
}

/// What holds for every linker: there is something to link, and it is whole.
static tenon_status *check_units(const link_run *run)
{
    if (run->units.count == 0) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "nothing to link: %s",
                                 tn_buffer_text(&run->units.unused));
    }
    TN_TRY(check_survivors(run));
    return check_lost_memory(run);
}

/// All that can be said before nvJitLink runs.
static tenon_status *check_all(link_run *run)
{
    TN_TRY(check_version(run));
    choose_place(run);
    TN_TRY(check_shared_memory(run));
    TN_TRY(compile_ptx(run));
    TN_TRY(check_symbols(run));
    return check_mixed(run);
}

static tenon_status *link_by_driver(link_run *run, tenon_object **out_object)
{
    tenon_linker *linker = run->linker;
    TN_TRY(check_symbols(run));
    return tn_culink_run(&linker->settings, &run->mode, &run->units, &linker->info_log,
                         &linker->error_log, out_object);
}

static tenon_status *link_by_nvjitlink(link_run *run, tenon_object **out_object)
{
    TN_TRY(check_all(run));
    return link_units(run, out_object);
}

static tenon_status *run_link(link_run *run, tenon_object **out_object)
{
    bool driver = false;
    tenon_linker *linker = run->linker;
    TN_TRY(tn_units_collect(linker->inputs, linker->count, &linker->settings, &run->mode,
                            &run->units));
    run->mode.only_cubins = run->units.by_kind[TENON_KIND_CUBIN] == run->units.count;
    TN_TRY(check_units(run));
    TN_TRY(choose_linker(run, &driver));
    TN_TRY(driver ? link_by_driver(run, out_object) : link_by_nvjitlink(run, out_object));
    tn_buffer_append(&linker->info_log, tn_buffer_text(&run->units.unused), run->units.unused.size);
    return NULL;
}

tenon_status *tenon_linker_finish(tenon_linker *linker, tenon_kind target,
                                  tenon_object **out_object)
{
    TN_TRY(check_target(linker, target));
    linker->finished = true;
    link_run run = {.linker = linker};
    run.mode.target = target;
    run.mode.incremental = linker->settings.options.incremental;
    tenon_status *status = run_link(&run, out_object);
    if (status && linker->error_log.size == 0) {
        tn_buffer_puts(&linker->error_log, tenon_status_log(status));
    }
    tn_globals_deinit(&run.globals);
    tn_units_deinit(&run.units);
    return status;
}

const char *tenon_linker_info_log(const tenon_linker *linker)
{
    return tn_buffer_text(&linker->info_log);
}

const char *tenon_linker_error_log(const tenon_linker *linker)
{
    return tn_buffer_text(&linker->error_log);
}
