// Runs a job in a process of its own: the vendor's linker dies of damaged input, and prints what it
// reports nowhere else on stderr.
#ifndef TN_LINK_WORKER_H_
#define TN_LINK_WORKER_H_

#include "link/job.h"

/// Descriptors of the worker. All others are closed in it.
enum { TN_WORKER_JOB = 3, TN_WORKER_RESULT = 4, TN_WORKER_ALIVE = 5 };

/// Exit status of a worker that could not do the job, for a reason of its own, which it has
/// printed.
enum { TN_WORKER_FAILED = 3 };

/// Starts tenon-worker, gives it the job, and waits for its result at most `deadline_ms`. Leaves
/// neither a process nor a descriptor behind, whatever happens.
///
/// TENON_UNAVAILABLE: there is no tenon-worker; the log names each place. TENON_TOOL_CRASHED: it
/// died; the message has the signal and the inputs, the log what it printed. TENON_DEADLINE: it was
/// killed.
TENON_NODISCARD tenon_status *tn_worker_run(const tn_job *job, uint32_t deadline_ms,
                                            tn_job_result *out_result);

#endif  // TN_LINK_WORKER_H_
