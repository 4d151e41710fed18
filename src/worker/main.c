// tenon-worker: one job of the vendor's linker, in a process that may die of it. Reads the job from
// descriptor 3 and writes the result to 4; whoever holds the other end of 5 sees when it is gone.
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "core/try.h"
#include "link/wire.h"
#include "link/worker.h"

static tenon_status *read_job(tn_buffer *bytes, tn_job *out_job)
{
    int error = tn_file_read("/proc/self/fd/3", bytes);
    if (error) {
        return tenon_status_make(TENON_IO, "the job on descriptor 3 cannot be read: %s",
                                 strerror(error));
    }
    return tn_wire_get_job((tenon_bytes){bytes->data, bytes->size}, out_job);
}

static tenon_status *work(void)
{
    tenon_status *status = NULL;
    tn_buffer bytes = {0};
    tn_buffer answer = {0};
    tn_job job = {0};
    tn_job_result result = {0};
    tn_nvjitlink lib = {0};

    TN_TRY_DONE(read_job(&bytes, &job));
    TN_TRY_DONE(tn_nvjitlink_open(job.library, &lib));
    TN_TRY_DONE(tn_job_run(&lib, &job, &result));
    tn_wire_put_result(&answer, &result);
    if (answer.failed) {
        status = tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the result");
        goto done;
    }
    int error = tn_file_write_all(TN_WORKER_RESULT, answer.data, answer.size);
    if (error) status = tenon_status_make(TENON_IO, "the result: %s", strerror(error));
done:
    tn_job_result_deinit(&result);
    tn_wire_free_job(&job);
    tn_buffer_deinit(&answer);
    tn_buffer_deinit(&bytes);
    return status;
}

int main(void)
{
    struct stat info;
    if (fstat(TN_WORKER_JOB, &info) != 0 || !S_ISREG(info.st_mode)) {
        fputs("tenon-worker is started by libtenon, not by hand; see `tenon help`\n", stderr);
        return 2;
    }
    // Nothing stays when the host is killed, and a crash on bad input is no news for the disk.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct pollfd host = {TN_WORKER_ALIVE, 0, 0};
    if (poll(&host, 1, 0) > 0) return 1;  // killed before the line above
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);

    tenon_status *status = work();
    int code = status ? TN_WORKER_FAILED : 0;
    if (status) {
        fprintf(stderr, "%s\n%s", tenon_status_message(status), tenon_status_log(status));
        tenon_status_free(status);
    }
    fflush(stderr);
    // The vendor's exit handlers have been seen to run for long, and there is nothing left to save.
    _exit(code);
}
