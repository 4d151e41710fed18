// Jobs and results as bytes, for the worker. Both sides are of one build, so there is no version;
// but neither side trusts the other's bytes.
#ifndef TN_LINK_WIRE_H_
#define TN_LINK_WIRE_H_

#include "link/job.h"

/// Appends a job; the buffer fails without memory.
void tn_wire_put_job(tn_buffer *out, const tn_job *job);

/// Reads a job whose strings and data lie in `bytes`. Free its arrays with tn_wire_free_job().
///
/// TENON_DATA_LOSS: the bytes are no job.
TENON_NODISCARD tenon_status *tn_wire_get_job(tenon_bytes bytes, tn_job *out_job);

void tn_wire_free_job(tn_job *job);

void tn_wire_put_result(tn_buffer *out, const tn_job_result *result);

/// Reads a result, all but `printed`, copying its buffers.
///
/// TENON_DATA_LOSS: the bytes are no result, or not all of it.
TENON_NODISCARD tenon_status *tn_wire_get_result(tenon_bytes bytes, tn_job_result *out_result);

#endif  // TN_LINK_WIRE_H_
