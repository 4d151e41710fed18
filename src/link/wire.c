#include "link/wire.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"

// Both marks also tell a job from a result, and close them, so that a cut one is seen.
static const uint64_t job_mark = 0x626f6a2d6e6f6e74, result_mark = 0x7365722d6e6f6e74;

static void put_number(tn_buffer *out, uint64_t value)
{
    tn_buffer_append(out, &value, sizeof(value));
}

/// Size, bytes and a NUL, so that a reader can use texts where they lie.
static void put_bytes(tn_buffer *out, const void *data, size_t size)
{
    put_number(out, size);
    tn_buffer_append(out, data, size);
    tn_buffer_append(out, "", 1);
}

static void put_text(tn_buffer *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

typedef struct reader {
    const char *at;
    size_t left;
    bool bad;
} reader;

static uint64_t get_number(reader *in)
{
    uint64_t value = 0;
    if (in->left < sizeof(value)) in->bad = true;
    if (in->bad) return 0;
    memcpy(&value, in->at, sizeof(value));
    in->at += sizeof(value);
    in->left -= sizeof(value);
    return value;
}

static tenon_bytes get_bytes(reader *in)
{
    uint64_t size = get_number(in);
    if (in->bad || size >= in->left || in->at[size] != '\0') {
        in->bad = true;
        return (tenon_bytes){"", 0};
    }
    tenon_bytes bytes = {in->at, size};
    in->at += size + 1;
    in->left -= size + 1;
    return bytes;
}

static const char *get_text(reader *in)
{
    return get_bytes(in).data;
}

/// A count of things that each take `least` bytes or more.
static size_t get_count(reader *in, size_t least)
{
    uint64_t count = get_number(in);
    if (count > in->left / least) in->bad = true;
    return in->bad ? 0 : count;
}

static void expect(reader *in, uint64_t mark)
{
    if (get_number(in) != mark) in->bad = true;
}

void tn_wire_put_job(tn_buffer *out, const tn_job *job)
{
    put_number(out, job_mark);
    put_text(out, job->library);
    put_number(out, job->target);
    put_number(out, job->option_count);
    for (size_t i = 0; i < job->option_count; i++) put_text(out, job->options[i]);
    put_number(out, job->input_count);
    for (size_t i = 0; i < job->input_count; i++) {
        put_number(out, job->inputs[i].type);
        put_text(out, job->inputs[i].name);
        put_bytes(out, job->inputs[i].data, job->inputs[i].size);
    }
    put_number(out, job_mark);
}

tenon_status *tn_wire_get_job(tenon_bytes bytes, tn_job *out_job)
{
    reader in = {bytes.data, bytes.size, false};
    expect(&in, job_mark);
    tn_job job = {.library = get_text(&in)};
    job.target = (uint32_t)get_number(&in);
    job.option_count = get_count(&in, 9);
    const char **options = calloc(job.option_count + 1, sizeof(*options));
    for (size_t i = 0; options && i < job.option_count; i++) options[i] = get_text(&in);
    job.input_count = get_count(&in, 26);
    tn_job_input *inputs = calloc(job.input_count + 1, sizeof(*inputs));
    for (size_t i = 0; inputs && i < job.input_count; i++) {
        inputs[i].type = (uint32_t)get_number(&in);
        inputs[i].name = get_text(&in);
        tenon_bytes data = get_bytes(&in);
        inputs[i].data = data.data;
        inputs[i].size = data.size;
    }
    expect(&in, job_mark);
    job.options = options;
    job.inputs = inputs;
    if (options && inputs && !in.bad && in.left == 0) {
        *out_job = job;
        return NULL;
    }
    bool memory = options && inputs;
    tn_wire_free_job(&job);
    return memory ? tenon_status_make(TENON_DATA_LOSS, "the worker was given no job")
                  : tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the job");
}

void tn_wire_free_job(tn_job *job)
{
    free((void *)job->options);
    free((void *)job->inputs);
    job->options = NULL;
    job->inputs = NULL;
}

void tn_wire_put_result(tn_buffer *out, const tn_job_result *result)
{
    put_number(out, result_mark);
    put_number(out, result->code);
    put_number(out, result->call);
    put_number(out, result->input);
    put_bytes(out, tn_buffer_text(&result->bytes), result->bytes.size);
    put_bytes(out, tn_buffer_text(&result->error_log), result->error_log.size);
    put_bytes(out, tn_buffer_text(&result->info_log), result->info_log.size);
    put_number(out, result_mark);
}

static void copy(reader *in, tn_buffer *out)
{
    tenon_bytes bytes = get_bytes(in);
    if (!in->bad) tn_buffer_append(out, bytes.data, bytes.size);
}

tenon_status *tn_wire_get_result(tenon_bytes bytes, tn_job_result *out_result)
{
    reader in = {bytes.data, bytes.size, false};
    expect(&in, result_mark);
    tn_job_result result = {.code = (uint32_t)get_number(&in)};
    result.call = (uint32_t)get_number(&in);
    result.input = (uint32_t)get_number(&in);
    copy(&in, &result.bytes);
    copy(&in, &result.error_log);
    copy(&in, &result.info_log);
    expect(&in, result_mark);
    bool memory = result.bytes.failed || result.error_log.failed || result.info_log.failed;
    if (!memory && !in.bad && in.left == 0) {
        *out_result = result;
        return NULL;
    }
    tn_job_result_deinit(&result);
    return memory ? tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the worker's result")
                  : tenon_status_make(TENON_DATA_LOSS, "the worker gave no whole result");
}
