// Binds the driver. The table says what; here is only how.
#include "nv/driver.h"

#include <dlfcn.h>
#include <string.h>

#include "core/try.h"

static const char *const files[] = {"libcuda.so.1", NULL};

const tn_vendor tn_driver_vendor = {
    .library = TENON_LIBRARY_DRIVER,
    .name = "libcuda: driver",
    .variable = "TENON_DRIVER",
    .files = files,
    .advice = "install NVIDIA's driver; a toolkit does not contain it",
};

static const tn_bind_row rows[] = {
#define TN_DRIVER(name, version, need, args) {#name #version, need, offsetof(tn_driver, name)},
#include "nv/driver.inc"
};

static const tn_bind_form forms[] = {{"cu", ""}};

static const tn_bind_plan plan = {rows, sizeof(rows) / sizeof(rows[0]), forms, 1};

tenon_status *tn_driver_bind(tn_lookup *lookup, void *data, tn_driver *out_driver)
{
    tn_driver driver = {.path = out_driver->path};
    TN_TRY(tn_bind(&plan, lookup, data, &driver));
    *out_driver = driver;
    return NULL;
}

tenon_status *tn_driver_load(void *handle, tn_driver *out_driver)
{
    tn_driver driver = {.path = tn_search_path(handle)};
    TN_TRY_CTX(tn_driver_bind(dlsym, handle, &driver), "%s", driver.path);
    // Without Init, which takes long; a stub, made to link with where no driver is, says here too
    // that it is one.
    int version = 0;
    tn_driver_result result = driver.DriverGetVersion(&version);
    if (result == TN_DRIVER_STUB_LIBRARY) {
        return tenon_status_make(
            TENON_UNAVAILABLE, "%s: is a toolkit's stub to link with, and no driver", driver.path);
    }
    TN_TRY_CTX(tn_driver_check(&driver, result, "cuDriverGetVersion"), "%s", driver.path);
    driver.major = (uint32_t)version / 1000;
    driver.minor = (uint32_t)version % 1000 / 10;
    *out_driver = driver;
    return NULL;
}

tenon_status *tn_driver_open(const char *path, tn_driver *out_driver)
{
    void *handle = NULL;
    TN_TRY(tn_search_open(&tn_driver_vendor, path, &handle));
    return tn_driver_load(handle, out_driver);
}

static tn_choice choice;
static tn_driver chosen;

static tenon_status *accept(void *handle)
{
    return tn_driver_load(handle, &chosen);
}

tenon_status *tn_driver_get(const tn_driver **out_driver)
{
    TN_TRY(tn_choose(&tn_driver_vendor, accept, &choice));
    *out_driver = &chosen;
    return NULL;
}

static tenon_code code_of(tn_driver_result result)
{
    switch (result) {
    case 1: return TENON_INVALID_ARGUMENT;  // INVALID_VALUE
    case TN_DRIVER_OUT_OF_MEMORY: return TENON_OUT_OF_MEMORY;
    case 3:  // NOT_INITIALIZED
    case 4:  // DEINITIALIZED
    case TN_DRIVER_STUB_LIBRARY:
    case 46:  // DEVICE_UNAVAILABLE
    case TN_DRIVER_NO_DEVICE:
    case 101: return TENON_UNAVAILABLE;     // INVALID_DEVICE
    case 200:                               // INVALID_IMAGE
    case 209:                               // NO_BINARY_FOR_GPU
    case 222:                               // UNSUPPORTED_PTX_VERSION
    case 803:                               // SYSTEM_DRIVER_MISMATCH
    case 804: return TENON_INCOMPATIBLE;    // COMPAT_NOT_SUPPORTED_ON_DEVICE
    case 218: return TENON_COMPILE_FAILED;  // INVALID_PTX
    case TN_DRIVER_NOT_FOUND: return TENON_NOT_FOUND;
    default: return TENON_INTERNAL;
    }
}

tenon_status *tn_driver_check(const tn_driver *driver, tn_driver_result result, const char *call)
{
    if (result == 0) return NULL;
    const char *name = NULL, *text = NULL;
    if (driver->GetErrorName(result, &name) != 0 || !name) name = "unknown result";
    if (driver->GetErrorString(result, &text) != 0 || !text)
        text = "the driver has no words for it";
    return tenon_status_make(code_of(result), "%.*s: result %u, %s: %s", (int)strcspn(call, "("),
                             call, result, name, text);
}
