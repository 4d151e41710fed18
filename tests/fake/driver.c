// A driver without a device behind it. Memory of the "device" is the host's. FAKE_STUB: it is what
// toolkits have to link with, where every call says so. FAKE_LACKS_LINK: it lacks what no driver
// may lack.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nv/driver.h"

#include "fake.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

// So that the fake cannot differ from the table.
#define TN_DRIVER(name, version, need, args) tn_driver_result cu##name##version args;
#include "nv/driver.inc"

struct CUmod_st {
    char unused;
};

struct CUlinkState_st {
    void *result;
    size_t size;
    char *error_log;
    size_t error_log_size;
};

#ifdef FAKE_STUB
#define fake_call(name) ((void)(name), (unsigned)TN_DRIVER_STUB_LIBRARY)
#endif

// Calls that give nothing back.
#define CALL(name, version, args)           \
    tn_driver_result cu##name##version args \
    {                                       \
        return fake_call("cu" #name);       \
    }

// Calls that give something back through `out`, but not when they fail.
#define GIVE(name, version, args, value)         \
    tn_driver_result cu##name##version args      \
    {                                            \
        unsigned result = fake_call("cu" #name); \
        if (result == 0) *out = value;           \
        return result;                           \
    }

#define SOME(type) ((type)(uintptr_t)16)
typedef tn_driver_pointer address;

CALL(Init, , (unsigned flags))
CALL(DevicePrimaryCtxRelease, _v2, (tn_driver_device device))
CALL(CtxPushCurrent, _v2, (tn_driver_context context))
CALL(CtxSetCurrent, , (tn_driver_context context))
CALL(CtxSynchronize, , (void))
CALL(CtxSetLimit, , (unsigned limit, size_t value))
CALL(LaunchKernel, ,
     (tn_driver_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
      unsigned bz, unsigned shared, tn_driver_stream stream, void **arguments, void **extra))
GIVE(DeviceGet, , (tn_driver_device * out, int ordinal), ordinal)
GIVE(DeviceGetCount, , (int *out), 1)
GIVE(DeviceGetAttribute, , (int *out, unsigned attribute, tn_driver_device device),
     attribute == TN_DRIVER_DEVICE_CC_MAJOR ? 9 : 0)
GIVE(DevicePrimaryCtxRetain, , (tn_driver_context * out, tn_driver_device device),
     SOME(tn_driver_context))
GIVE(CtxPopCurrent, _v2, (tn_driver_context * out), SOME(tn_driver_context))
GIVE(CtxGetCurrent, , (tn_driver_context * out), SOME(tn_driver_context))
GIVE(ModuleLoadData, , (tn_driver_module * out, const void *image), calloc(1, sizeof(**out)))
GIVE(ModuleLoadDataEx, ,
     (tn_driver_module * out, const void *image, unsigned count, unsigned *options, void **values),
     calloc(1, sizeof(**out)))
GIVE(ModuleGetFunction, , (tn_driver_function * out, tn_driver_module module, const char *name),
     SOME(tn_driver_function))
GIVE(FuncGetAttribute, , (int *out, unsigned attribute, tn_driver_function function), 0)
GIVE(MemAlloc, _v2, (address * out, size_t size), (address)(uintptr_t)malloc(size))

tn_driver_result cuDriverGetVersion(int *version)
{
    int major = 0, minor = 0;
    fake_version(13, 0, &major, &minor);
    *version = major * 1000 + minor * 10;
    return fake_call("cuDriverGetVersion");
}

tn_driver_result cuGetErrorName(tn_driver_result error, const char **text)
{
    static _Thread_local char name[32];
    snprintf(name, sizeof(name), "CUDA_ERROR_FAKE_%u", error);
    unsigned result = fake_call("cuGetErrorName");
    *text = result ? NULL : name;
    return result;
}

tn_driver_result cuGetErrorString(tn_driver_result error, const char **text)
{
    unsigned result = fake_call("cuGetErrorString");
    *text = result ? NULL : "what went wrong";
    return result;
}

tn_driver_result cuDeviceGetName(char *name, int size, tn_driver_device device)
{
    snprintf(name, (size_t)size, "fake %d", device);
    return fake_call("cuDeviceGetName");
}

tn_driver_result cuModuleUnload(tn_driver_module module)
{
    free(module);
    return fake_call("cuModuleUnload");
}

tn_driver_result cuModuleGetGlobal_v2(address *pointer, size_t *size, tn_driver_module module,
                                      const char *name)
{
    *pointer = 16;
    *size = 4;
    return fake_call("cuModuleGetGlobal");
}

tn_driver_result cuMemFree_v2(address pointer)
{
    free((void *)(uintptr_t)pointer);
    return fake_call("cuMemFree");
}

tn_driver_result cuMemcpyHtoD_v2(address to, const void *from, size_t size)
{
    unsigned result = fake_call("cuMemcpyHtoD");
    if (!result) memcpy((void *)(uintptr_t)to, from, size);
    return result;
}

tn_driver_result cuMemcpyDtoH_v2(void *to, address from, size_t size)
{
    unsigned result = fake_call("cuMemcpyDtoH");
    if (!result) memcpy(to, (const void *)(uintptr_t)from, size);
    return result;
}

tn_driver_result cuMemsetD8_v2(address to, unsigned char value, size_t size)
{
    unsigned result = fake_call("cuMemsetD8");
    if (!result) memset((void *)(uintptr_t)to, value, size);
    return result;
}

tn_driver_result cuLinkCreate_v2(unsigned count, unsigned *options, void **values,
                                 tn_driver_link *out)
{
    unsigned result = fake_call("cuLinkCreate");
    tn_driver_link link = result ? NULL : calloc(1, sizeof(*link));
    if (!link) return result ? result : TN_DRIVER_OUT_OF_MEMORY;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == TN_DRIVER_JIT_ERROR_LOG_BUFFER) link->error_log = values[i];
        if (options[i] == TN_DRIVER_JIT_ERROR_LOG_BUFFER_BYTES) {
            link->error_log_size = (size_t)(uintptr_t)values[i];
        }
    }
    *out = link;
    return 0;
}

/// Writes the log where the options of the link say.
static tn_driver_result finish(tn_driver_link link, unsigned result)
{
    if (result && link->error_log && link->error_log_size) {
        snprintf(link->error_log, link->error_log_size, "%s", fake_text("FAKE_LOG", ""));
    }
    return result;
}

tn_driver_result cuLinkAddData_v2(tn_driver_link link, unsigned type, void *data, size_t size,
                                  const char *name, unsigned count, unsigned *options,
                                  void **values)
{
    return finish(link, fake_call("cuLinkAddData"));
}

tn_driver_result cuLinkAddFile_v2(tn_driver_link link, unsigned type, const char *path,
                                  unsigned count, unsigned *options, void **values)
{
    return finish(link, fake_call("cuLinkAddFile"));
}

tn_driver_result cuLinkComplete(tn_driver_link link, void **data, size_t *size)
{
    unsigned result = fake_call("cuLinkComplete");
    fake_print();
    if (result) return finish(link, result);
    free(link->result);
    link->result = fake_output("no cubin", &link->size);
    *data = link->result;
    *size = link->size;
    return 0;
}

#ifndef FAKE_LACKS_LINK
tn_driver_result cuLinkDestroy(tn_driver_link link)
{
    free(link->result);
    free(link);
    return fake_call("cuLinkDestroy");
}
#endif
