#include "link/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "link/worker.h"

static uint32_t vendor_type(const tenon_object *object)
{
    switch (object->kind) {
    case TENON_KIND_PTX: return TN_NVJITLINK_PTX;
    case TENON_KIND_LTOIR: return TN_NVJITLINK_LTOIR;
    case TENON_KIND_FATBIN: return TN_NVJITLINK_FATBIN;
    default: return TN_NVJITLINK_CUBIN;
    }
}

tenon_status *tn_runner_link(const tn_runner *runner, const tn_texts *arguments,
                             const tn_selection *selection, tenon_kind target,
                             tn_job_result *out_result)
{
    size_t count = selection->count;
    if (arguments->failed) {
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the linker's options");
    }
    tn_job_input *inputs = calloc(count + 1, sizeof(*inputs));
    if (!inputs) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the link");
    for (size_t i = 0; i < count; i++) {
        const tn_unit *unit = &selection->units->items[selection->which ? selection->which[i] : i];
        const tenon_object *object = unit->object;
        // The vendor wants the NUL of a PTX text counted; every object has one behind its bytes.
        size_t nul = object->kind == TENON_KIND_PTX ? 1 : 0;
        inputs[i] =
            (tn_job_input){unit->name, object->data, object->size + nul, vendor_type(object)};
    }
    tn_job job = {
        runner->lib->path, (const char *const *)arguments->items, arguments->count, inputs, count,
        (uint32_t)target};
    tenon_status *status = runner->in_process
                               ? tn_job_run(runner->lib, &job, out_result)
                               : tn_worker_run(&job, runner->deadline_ms, out_result);
    free(inputs);
    return status;
}

void tn_runner_names(const tn_units *units, tn_buffer *out)
{
    enum { MOST = 4 };
    for (size_t i = 0; i < units->count && i < MOST; i++) {
        tn_buffer_print(out, "%s'%s'", i ? ", " : "", units->items[i].name);
    }
    if (units->count > MOST) tn_buffer_print(out, " and %zu more", units->count - MOST);
}

/// Appends the first line of a log that says what is wrong, without the tool's "error   : ".
static void first_error(const char *log, tn_buffer *out)
{
    static const char *const marks[] = {"error   : ", "fatal   : ", "error: ", "ERROR: "};
    const char *line = NULL;
    size_t skip = 0;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !line; i++) {
        line = strstr(log, marks[i]);
        skip = line ? strlen(marks[i]) : 0;
    }
    if (!line) {
        line = log;
        while (*line == '\n') line++;
    }
    size_t length = strcspn(line + skip, "\n");
    if (length) tn_buffer_print(out, ": %.*s", (int)length, line + skip);
}

static tenon_code code_of(const tn_job_result *result)
{
    switch (result->code) {
    case 1:   // UNRECOGNIZED_OPTION
    case 11:  // INCOMPATIBLE_OPTIONS
        return TENON_INVALID_ARGUMENT;
    case 13:  // ARCH_MISMATCH
    case 14:  // OUTDATED_LIBRARY
    case 16:  // UNRECOGNIZED_ARCH
    case 17:  // UNSUPPORTED_ARCH
        return TENON_INCOMPATIBLE;
    default: return TENON_LINK_FAILED;
    }
}

void tn_runner_version(const tn_runner *runner, char out[TN_VERSION_TEXT])
{
    if (runner->version) {
        snprintf(out, TN_VERSION_TEXT, "%u.%u", runner->version / 100, runner->version % 100);
    } else {
        snprintf(out, TN_VERSION_TEXT, "older than 12.3");
    }
}

tenon_status *tn_runner_failure(const tn_runner *runner, const tn_job_result *result,
                                const char *names)
{
    tn_buffer why = {0};
    first_error(tn_buffer_text(&result->error_log), &why);
    if (why.size == 0) first_error(tn_buffer_text(&result->printed), &why);
    char version[TN_VERSION_TEXT];
    tn_runner_version(runner, version);
    tenon_status *status = tenon_status_make(
        code_of(result), "linking %s failed%s (%s: %s, nvJitLink %s)", names, tn_buffer_text(&why),
        tn_job_call_name(result->call), tn_nvjitlink_result_name(result->code), version);
    tenon_status_add_log(status, "%s%s", tn_buffer_text(&result->error_log),
                         tn_buffer_text(&result->printed));
    tn_buffer_deinit(&why);
    return status;
}

static bool says_error(const tn_buffer *text)
{
    return strstr(tn_buffer_text(text), "error   : ") || strstr(tn_buffer_text(text), "fatal   : ");
}

bool tn_runner_said_error(const tn_job_result *result)
{
    return says_error(&result->error_log) || says_error(&result->printed);
}
