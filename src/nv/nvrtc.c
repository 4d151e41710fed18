// Binds NVRTC. The table says what; here is only how.
#include "nv/nvrtc.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/try.h"

static const char *const files[] = {"libnvrtc.so.13", "libnvrtc.so.12", NULL};

const tn_vendor tn_nvrtc_vendor = {
    .library = TENON_LIBRARY_NVRTC,
    .name = "libnvrtc",
    .variable = "TENON_NVRTC",
    .files = files,
    .wheel = "cuda_nvrtc/lib",
    .advice = "`pip install nvidia-cuda-nvrtc`, or set TENON_CUDA_PATH to a CUDA folder",
};

static const tn_bind_row rows[] = {
#define TN_NVRTC(name, need, returns, args) {#name, need, offsetof(tn_nvrtc, name)},
#include "nv/nvrtc.inc"
};

static const tn_bind_form forms[] = {{"nvrtc", ""}};

static const tn_bind_plan plan = {rows, sizeof(rows) / sizeof(rows[0]), forms, 1};

tenon_status *tn_nvrtc_bind(tn_lookup *lookup, void *data, tn_nvrtc *out_lib)
{
    tn_nvrtc lib = {.path = out_lib->path};
    TN_TRY(tn_bind(&plan, lookup, data, &lib));
    *out_lib = lib;
    return NULL;
}

/// Loads the library that NVRTC opens by its bare name at the first compile, from where NVRTC is.
/// Its own search path leads there too, but not where a sanitizer stands between it and the loader.
/// What is wrong with it NVRTC says itself.
static void load_builtins(const tn_nvrtc *lib)
{
    char path[PATH_MAX];
    const char *slash = strrchr(lib->path, '/');
    int folder = slash ? (int)(slash - lib->path) + 1 : 0;
    int length = snprintf(path, sizeof(path), "%.*slibnvrtc-builtins.so.%u.%u", folder, lib->path,
                          lib->major, lib->minor);
    if (folder && length > 0 && (size_t)length < sizeof(path)) tn_search_loader(path);
}

tenon_status *tn_nvrtc_load(void *handle, tn_nvrtc *out_lib)
{
    tn_nvrtc lib = {.path = tn_search_path(handle)};
    TN_TRY_CTX(tn_nvrtc_bind(dlsym, handle, &lib), "%s", lib.path);
    int major = 0, minor = 0;
    TN_TRY_CTX(TN_NVRTC_CALL(&lib, NULL, Version(&major, &minor)), "%s", lib.path);
    lib.major = (uint32_t)major;
    lib.minor = (uint32_t)minor;
    load_builtins(&lib);
    *out_lib = lib;
    return NULL;
}

tenon_status *tn_nvrtc_open(const char *path, tn_nvrtc *out_lib)
{
    void *handle = NULL;
    TN_TRY(tn_search_open(&tn_nvrtc_vendor, path, &handle));
    return tn_nvrtc_load(handle, out_lib);
}

static tn_choice choice;
static tn_nvrtc chosen;

static tenon_status *accept(void *handle)
{
    return tn_nvrtc_load(handle, &chosen);
}

tenon_status *tn_nvrtc_get(const tn_nvrtc **out_lib)
{
    TN_TRY(tn_choose(&tn_nvrtc_vendor, accept, &choice));
    *out_lib = &chosen;
    return NULL;
}

const char *tn_nvrtc_result_name(const tn_nvrtc *lib, tn_nvrtc_result result)
{
    const char *name = lib->GetErrorString(result);
    return name ? name : "unknown result";
}

void tn_nvrtc_log(const tn_nvrtc *lib, tn_nvrtc_program program, tn_buffer *out)
{
    size_t size = 0;
    if (lib->GetProgramLogSize(program, &size) != 0 || size == 0) return;
    char *log = tn_buffer_reserve(out, size + 1);
    if (!log) return;
    memset(log, 0, size + 1);
    if (lib->GetProgramLog(program, log) != 0) size = 0;
    while (size > 0 && log[size - 1] == '\0') size--;
    out->size += size;
    tn_buffer_append(out, "", 0);
}

static tenon_code code_of(tn_nvrtc_result result)
{
    switch (result) {
    case 1: return TENON_OUT_OF_MEMORY;
    case 5: return TENON_INVALID_ARGUMENT;  // an option
    case 12:                                // the time file
    case 17: return TENON_IO;               // the time trace
    case 3:                                 // input
    case 4:                                 // program
    case 11: return TENON_INTERNAL;
    default: return TENON_COMPILE_FAILED;
    }
}

tenon_status *tn_nvrtc_check(const tn_nvrtc *lib, tn_nvrtc_program program, tn_nvrtc_result result,
                             const char *call)
{
    if (result == 0) return NULL;
    tenon_status *status =
        tenon_status_make(code_of(result), "%.*s: result %u, %s", (int)strcspn(call, "("), call,
                          result, tn_nvrtc_result_name(lib, result));
    if (!program) return status;
    tn_buffer log = {0};
    tn_nvrtc_log(lib, program, &log);
    tenon_status_add_log(status, "%s", tn_buffer_text(&log));
    tn_buffer_deinit(&log);
    return status;
}

void tn_nvrtc_archs(const tn_nvrtc *lib, tn_buffer *out)
{
    enum { MOST = 1024 };  // a number beyond this is no number of archs
    int count = 0;
    if (lib->GetNumSupportedArchs(&count) != 0 || count <= 0 || count > MOST) return;
    int *archs = calloc((size_t)count, sizeof(*archs));
    if (archs && lib->GetSupportedArchs(archs) == 0) {
        for (int i = 0; i < count; i++) tn_buffer_print(out, "%ssm_%d", i ? ", " : "", archs[i]);
    }
    free(archs);
}
