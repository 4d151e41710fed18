// Runs jobs where the settings want them, and makes errors of what went wrong.
#ifndef TN_LINK_RUNNER_H_
#define TN_LINK_RUNNER_H_

#include "link/job.h"
#include "link/settings.h"
#include "link/units.h"

typedef struct tn_runner {
    const tn_nvjitlink *lib;
    uint32_t version;  ///< 1303 for 13.3; 0: the library cannot tell, so it is older than 12.3.
    uint32_t deadline_ms;
    bool in_process;
} tn_runner;

/// Some of the units: `count` of them, at the places that `which` names (NULL: the first ones).
typedef struct tn_selection {
    const tn_units *units;
    const size_t *which;
    size_t count;
} tn_selection;

/// Links units with these options. The vendor's failures are in the result.
TENON_NODISCARD tenon_status *tn_runner_link(const tn_runner *runner, const tn_texts *arguments,
                                             const tn_selection *selection, tenon_kind target,
                                             tn_job_result *out_result);

/// Makes an error of a failed result, whose logs become its log. `names` is how the inputs are
/// called in the message.
TENON_NODISCARD tenon_status *tn_runner_failure(const tn_runner *runner,
                                                const tn_job_result *result, const char *names);

enum { TN_VERSION_TEXT = 24 };

/// Writes the library's version, as far as it can tell.
void tn_runner_version(const tn_runner *runner, char out[TN_VERSION_TEXT]);

/// Returns true if the vendor's linker said "error" although it reported success.
bool tn_runner_said_error(const tn_job_result *result);

/// Writes "'a.cubin', 'b.cubin' and 3 more".
void tn_runner_names(const tn_units *units, tn_buffer *out);

#endif  // TN_LINK_RUNNER_H_
