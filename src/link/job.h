// One call of the vendor's linker, as plain data, so that it can run here or in the worker.
#ifndef TN_LINK_JOB_H_
#define TN_LINK_JOB_H_

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "nv/nvjitlink.h"
#include "tenon/object.h"

typedef struct tn_job_input {
    const char *name;  ///< Lives until the job has run: the vendor keeps the pointer.
    const char *data;
    size_t size;
    uint32_t type;  ///< TN_NVJITLINK_CUBIN and so on.
} tn_job_input;

typedef struct tn_job {
    const char *library;         ///< Path of nvJitLink.
    const char *const *options;  ///< `option_count` of them.
    size_t option_count;
    const tn_job_input *inputs;
    size_t input_count;
    uint32_t target;  ///< A tenon_kind: cubin, PTX or LTO-IR.
} tn_job;

/// What became of a job. Free with tn_job_result_deinit().
typedef struct tn_job_result {
    uint32_t code;    ///< The vendor's; 0 is success.
    uint32_t call;    ///< A tn_job_call: where it came from.
    uint32_t input;   ///< Index of the input, for TN_JOB_ADD.
    tn_buffer bytes;  ///< The linked object; empty unless `code` is 0.
    tn_buffer error_log;
    tn_buffer info_log;
    tn_buffer printed;  ///< What the worker's process printed; nobody can tell this in-process.
} tn_job_result;

typedef enum tn_job_call {
    TN_JOB_CREATE = 1,
    TN_JOB_ADD = 2,
    TN_JOB_COMPLETE = 3,
    TN_JOB_GET = 4,
} tn_job_call;

/// Returns the vendor's name of a call.
const char *tn_job_call_name(tn_job_call call);

/// Runs a job in this process. The vendor's failures are in the result, not in the status.
TENON_NODISCARD tenon_status *tn_job_run(const tn_nvjitlink *lib, const tn_job *job,
                                         tn_job_result *out_result);

void tn_job_result_deinit(tn_job_result *result);

#endif  // TN_LINK_JOB_H_
