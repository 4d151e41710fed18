// Both readers of the worker's protocol, over any bytes.
#include "link/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tenon_bytes bytes = {data, size};
    tn_job job = {0};
    tenon_status *status = tn_wire_get_job(bytes, &job);
    if (!status) tn_wire_free_job(&job);
    tenon_status_free(status);
    tn_job_result result = {0};
    status = tn_wire_get_result(bytes, &result);
    if (!status) tn_job_result_deinit(&result);
    tenon_status_free(status);
    return 0;
}
