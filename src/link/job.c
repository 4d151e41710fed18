#include "link/job.h"

#include "core/try.h"

const char *tn_job_call_name(tn_job_call call)
{
    switch (call) {
    case TN_JOB_CREATE: return "nvJitLinkCreate";
    case TN_JOB_ADD: return "nvJitLinkAddData";
    case TN_JOB_COMPLETE: return "nvJitLinkComplete";
    case TN_JOB_GET: return "nvJitLinkGetLinked";
    }
    return "nvJitLink";
}

void tn_job_result_deinit(tn_job_result *result)
{
    tn_buffer_deinit(&result->bytes);
    tn_buffer_deinit(&result->error_log);
    tn_buffer_deinit(&result->info_log);
    tn_buffer_deinit(&result->printed);
}

/// Notes the result of a call; true if it failed.
static bool failed(tn_job_result *result, tn_job_call call, tn_nvjitlink_result code)
{
    result->code = code;
    result->call = call;
    return code != 0;
}

static void get(const tn_nvjitlink *lib, tn_nvjitlink_handle link, const tn_job *job,
                tn_job_result *result)
{
    tn_nvjitlink_result (*get_size)(tn_nvjitlink_handle, size_t *) = lib->GetLinkedCubinSize;
    if (job->target == TENON_KIND_PTX) get_size = lib->GetLinkedPtxSize;
    if (job->target == TENON_KIND_LTOIR) get_size = lib->GetLinkedLTOIRSize;
    size_t size = 0;
    if (failed(result, TN_JOB_GET, get_size(link, &size))) return;
    char *data = tn_buffer_reserve(&result->bytes, size);
    if (!data) return;
    tn_nvjitlink_result code = 0;
    if (job->target == TENON_KIND_PTX) {
        code = lib->GetLinkedPtx(link, data);
    } else if (job->target == TENON_KIND_LTOIR) {
        code = lib->GetLinkedLTOIR(link, data);
    } else {
        code = lib->GetLinkedCubin(link, data);
    }
    if (failed(result, TN_JOB_GET, code)) return;
    result->bytes.size = size;
    data[size] = '\0';
}

static void add_all(const tn_nvjitlink *lib, tn_nvjitlink_handle link, const tn_job *job,
                    tn_job_result *result)
{
    for (size_t i = 0; i < job->input_count; i++) {
        const tn_job_input *in = &job->inputs[i];
        result->input = (uint32_t)i;
        tn_nvjitlink_result code = lib->AddData(link, in->type, in->data, in->size, in->name);
        // A handle is dead after its first failure: Complete would "succeed" without the input.
        if (failed(result, TN_JOB_ADD, code)) return;
    }
}

tenon_status *tn_job_run(const tn_nvjitlink *lib, const tn_job *job, tn_job_result *out_result)
{
    tn_job_result result = {0};
    tn_nvjitlink_handle link = NULL;
    // The type has no const where the vendor's version 12 had none; nothing is written through it.
    const char **options = (const char **)job->options;
    if (!failed(&result, TN_JOB_CREATE, lib->Create(&link, (uint32_t)job->option_count, options))) {
        add_all(lib, link, job, &result);
        if (result.code == 0) (void)failed(&result, TN_JOB_COMPLETE, lib->Complete(link));
        if (result.code == 0) get(lib, link, job, &result);
    }
    if (link) {
        tn_nvjitlink_error_log(lib, link, &result.error_log);
        tn_nvjitlink_info_log(lib, link, &result.info_log);
        lib->Destroy(&link);
    }
    if (result.bytes.failed || result.error_log.failed || result.info_log.failed) {
        tn_job_result_deinit(&result);
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the linked object");
    }
    *out_result = result;
    return NULL;
}
