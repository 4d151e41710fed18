// A libnvJitLink that links nothing. FAKE_ONLY_12_0: all its names end in _12_0, and it lacks what
// came later. FAKE_LACKS_COMPLETE: it lacks what no library may lack. FAKE_LACKS_LTOIR: it is older
// than 13.3.
#include <stdlib.h>
#include <string.h>

#include "nv/nvjitlink.h"

#include "fake.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct nvJitLink {
    void *output;
    size_t size;
    const char *first_name;  // the real library keeps pointers to names too
};

#ifdef FAKE_ONLY_12_0
#define NAME(name) __nvJitLink##name##_12_0
#else
#define NAME(name) nvJitLink##name
#endif

// Declared after the table, so that a fake that differs from it does not compile.
#define TN_NVJITLINK(name, need, args) tn_nvjitlink_result NAME(name) args;
#include "nv/nvjitlink.inc"

tn_nvjitlink_result NAME(Create)(tn_nvjitlink_handle *link, uint32_t count, const char **options)
{
    unsigned result = fake_call("nvJitLinkCreate");
    // As the real one does: after a bad option there is a handle, for the log.
    *link = result == 6 ? NULL : calloc(1, sizeof(**link));
    return result;
}

tn_nvjitlink_result NAME(Destroy)(tn_nvjitlink_handle *link)
{
    if (*link) free((*link)->output);
    free(*link);
    *link = NULL;
    return fake_call("nvJitLinkDestroy");
}

tn_nvjitlink_result NAME(AddData)(tn_nvjitlink_handle link, unsigned kind, const void *data,
                                  size_t size, const char *name)
{
    if (!link->first_name) link->first_name = name;
    return fake_call("nvJitLinkAddData");
}

tn_nvjitlink_result NAME(AddFile)(tn_nvjitlink_handle link, unsigned kind, const char *path)
{
    return fake_call("nvJitLinkAddFile");
}

#ifndef FAKE_LACKS_COMPLETE
tn_nvjitlink_result NAME(Complete)(tn_nvjitlink_handle link)
{
    // Reads the name, so that one which was freed too early is found.
    if (link->first_name && strlen(link->first_name) == 0) return 6;
    fake_print();
    link->output = fake_output("no cubin", &link->size);
    return fake_call("nvJitLinkComplete");
}
#endif

static unsigned size_of(tn_nvjitlink_handle link, const char *call, size_t *size)
{
    *size = link->size;
    return fake_call(call);
}

static unsigned bytes_of(tn_nvjitlink_handle link, const char *call, void *data)
{
    if (link->size) memcpy(data, link->output, link->size);
    return fake_call(call);
}

tn_nvjitlink_result NAME(GetLinkedCubinSize)(tn_nvjitlink_handle link, size_t *size)
{
    return size_of(link, "nvJitLinkGetLinkedCubinSize", size);
}

tn_nvjitlink_result NAME(GetLinkedCubin)(tn_nvjitlink_handle link, void *data)
{
    return bytes_of(link, "nvJitLinkGetLinkedCubin", data);
}

tn_nvjitlink_result NAME(GetLinkedPtxSize)(tn_nvjitlink_handle link, size_t *size)
{
    return size_of(link, "nvJitLinkGetLinkedPtxSize", size);
}

tn_nvjitlink_result NAME(GetLinkedPtx)(tn_nvjitlink_handle link, char *data)
{
    return bytes_of(link, "nvJitLinkGetLinkedPtx", data);
}

// The logs, which have a NUL too many as the real ones have.
static unsigned log_size(const char *call, const char *variable, size_t *size)
{
    *size = strlen(fake_text(variable, "")) + 1;
    return fake_call(call);
}

static unsigned log_of(const char *call, const char *variable, char *log)
{
    strcpy(log, fake_text(variable, ""));
    return fake_call(call);
}

tn_nvjitlink_result NAME(GetErrorLogSize)(tn_nvjitlink_handle link, size_t *size)
{
    return log_size("nvJitLinkGetErrorLogSize", "FAKE_LOG", size);
}

tn_nvjitlink_result NAME(GetErrorLog)(tn_nvjitlink_handle link, char *log)
{
    return log_of("nvJitLinkGetErrorLog", "FAKE_LOG", log);
}

tn_nvjitlink_result NAME(GetInfoLogSize)(tn_nvjitlink_handle link, size_t *size)
{
    return log_size("nvJitLinkGetInfoLogSize", "FAKE_INFO", size);
}

tn_nvjitlink_result NAME(GetInfoLog)(tn_nvjitlink_handle link, char *log)
{
    return log_of("nvJitLinkGetInfoLog", "FAKE_INFO", log);
}

#ifndef FAKE_ONLY_12_0
tn_nvjitlink_result nvJitLinkVersion(unsigned *major, unsigned *minor)
{
    fake_version(13, 5, (int *)major, (int *)minor);
    return fake_call("nvJitLinkVersion");
}
#endif

#if !defined(FAKE_ONLY_12_0) && !defined(FAKE_LACKS_LTOIR)
tn_nvjitlink_result nvJitLinkGetLinkedLTOIRSize(tn_nvjitlink_handle link, size_t *size)
{
    return size_of(link, "nvJitLinkGetLinkedLTOIRSize", size);
}

tn_nvjitlink_result nvJitLinkGetLinkedLTOIR(tn_nvjitlink_handle link, void *data)
{
    return bytes_of(link, "nvJitLinkGetLinkedLTOIR", data);
}
#endif
