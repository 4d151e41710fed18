// Binds nvJitLink. The table says what; here is only how.
#include "nv/nvjitlink.h"

#include <dlfcn.h>
#include <string.h>

#include "core/try.h"

static const char *const files[] = {"libnvJitLink.so.13", "libnvJitLink.so.12", NULL};

const tn_vendor tn_nvjitlink_vendor = {
    .library = TENON_LIBRARY_NVJITLINK,
    .name = "libnvJitLink",
    .variable = "TENON_NVJITLINK",
    .files = files,
    .wheel = "nvjitlink/lib",
    .advice = "`pip install nvidia-nvjitlink`, or set TENON_CUDA_PATH to a CUDA folder",
};

static const tn_bind_row rows[] = {
#define TN_NVJITLINK(name, need, args) {#name, need, offsetof(tn_nvjitlink, name)},
#include "nv/nvjitlink.inc"
};

// 12.0 to 12.2 export no plain names, only those with a version.
static const tn_bind_form forms[] = {
    {"nvJitLink", ""}, {"__nvJitLink", "_13_0"}, {"__nvJitLink", "_12_0"}};

static const tn_bind_plan plan = {rows, sizeof(rows) / sizeof(rows[0]), forms,
                                  sizeof(forms) / sizeof(forms[0])};

tenon_status *tn_nvjitlink_bind(tn_lookup *lookup, void *data, tn_nvjitlink *out_lib)
{
    tn_nvjitlink lib = {.path = out_lib->path};
    TN_TRY(tn_bind(&plan, lookup, data, &lib));
    *out_lib = lib;
    return NULL;
}

tenon_status *tn_nvjitlink_load(void *handle, tn_nvjitlink *out_lib)
{
    tn_nvjitlink lib = {.path = tn_search_path(handle)};
    TN_TRY_CTX(tn_nvjitlink_bind(dlsym, handle, &lib), "%s", lib.path);
    if (lib.Version) {
        unsigned major = 0, minor = 0;
        TN_TRY_CTX(TN_NVJITLINK_CALL(&lib, NULL, Version(&major, &minor)), "%s", lib.path);
        lib.major = major;
        lib.minor = minor;
        lib.has_version = true;
    }
    *out_lib = lib;
    return NULL;
}

tenon_status *tn_nvjitlink_open(const char *path, tn_nvjitlink *out_lib)
{
    void *handle = NULL;
    TN_TRY(tn_search_open(&tn_nvjitlink_vendor, path, &handle));
    return tn_nvjitlink_load(handle, out_lib);
}

static tn_choice choice;
static tn_nvjitlink chosen;

static tenon_status *accept(void *handle)
{
    return tn_nvjitlink_load(handle, &chosen);
}

tenon_status *tn_nvjitlink_get(const tn_nvjitlink **out_lib)
{
    TN_TRY(tn_choose(&tn_nvjitlink_vendor, accept, &choice));
    *out_lib = &chosen;
    return NULL;
}

const char *tn_nvjitlink_result_name(tn_nvjitlink_result result)
{
    static const char *const names[] = {
        "SUCCESS",
        "ERROR_UNRECOGNIZED_OPTION",
        "ERROR_MISSING_ARCH",
        "ERROR_INVALID_INPUT",
        "ERROR_PTX_COMPILE",
        "ERROR_NVVM_COMPILE",
        "ERROR_INTERNAL",
        "ERROR_THREADPOOL",
        "ERROR_UNRECOGNIZED_INPUT",
        "ERROR_FINALIZE",
        "ERROR_NULL_INPUT",
        "ERROR_INCOMPATIBLE_OPTIONS",
        "ERROR_INCORRECT_INPUT_TYPE",
        "ERROR_ARCH_MISMATCH",
        "ERROR_OUTDATED_LIBRARY",
        "ERROR_MISSING_FATBIN",
        "ERROR_UNRECOGNIZED_ARCH",
        "ERROR_UNSUPPORTED_ARCH",
        "ERROR_LTO_NOT_ENABLED",
    };
    return result < sizeof(names) / sizeof(names[0]) ? names[result] : "unknown result";
}

/// Appends `size` bytes that `get` writes, without the NULs at their end.
static void append_log(tn_nvjitlink_result (*get)(tn_nvjitlink_handle, char *),
                       tn_nvjitlink_handle link, size_t size, tn_buffer *out)
{
    char *log = tn_buffer_reserve(out, size + 1);  // nothing says whether the size counts the NUL
    if (!log) return;
    memset(log, 0, size + 1);
    if (get(link, log) != 0) size = 0;
    while (size > 0 && log[size - 1] == '\0') size--;
    out->size += size;
    tn_buffer_append(out, "", 0);
}

void tn_nvjitlink_error_log(const tn_nvjitlink *lib, tn_nvjitlink_handle link, tn_buffer *out)
{
    size_t size = 0;
    if (lib->GetErrorLogSize(link, &size) != 0 || size == 0) return;
    append_log(lib->GetErrorLog, link, size, out);
}

void tn_nvjitlink_info_log(const tn_nvjitlink *lib, tn_nvjitlink_handle link, tn_buffer *out)
{
    size_t size = 0;
    if (lib->GetInfoLogSize(link, &size) != 0 || size == 0) return;
    append_log(lib->GetInfoLog, link, size, out);
}

tenon_status *tn_nvjitlink_check(const tn_nvjitlink *lib, tn_nvjitlink_handle link,
                                 tn_nvjitlink_result result, const char *call)
{
    if (result == 0) return NULL;
    tenon_status *status =
        tenon_status_make(TENON_LINK_FAILED, "%.*s: result %u, %s", (int)strcspn(call, "("), call,
                          result, tn_nvjitlink_result_name(result));
    if (!link) return status;
    tn_buffer log = {0};
    tn_nvjitlink_error_log(lib, link, &log);
    tenon_status_add_log(status, "%s", tn_buffer_text(&log));
    tn_buffer_deinit(&log);
    return status;
}
