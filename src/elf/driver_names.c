#include "elf/driver_names.h"

#include <stddef.h>
#include <string.h>

// Measured: what a final link by nvJitLink 13.0.88 and 13.5.37 leaves undefined with success, out
// of all names in the library's strings.
static const char *const names[] = {
    "vprintf",
    "vfprintf",
    "malloc",
    "free",
    "__assertfail",
    "__profile",
    "cudaGraphLaunch",
    "cudaGraphSetConditional",
    "cudaGraphKernelNodeSetParam",
    "cudaGraphKernelNodeSetGridDim",
    "cudaGraphKernelNodeSetEnabled",
};

static const char *const prefixes[] = {"cnp", "__cuda_syscall", ".nv."};

static bool starts(const char *name, const char *prefix)
{
    return name[0] == prefix[0] && strncmp(name, prefix, strlen(prefix)) == 0;
}

bool tn_is_driver_name(const char *name)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (name[0] == names[i][0] && strcmp(name, names[i]) == 0) return true;
    }
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (starts(name, prefixes[i])) return true;
    }
    return false;
}

bool tn_is_optional_name(const char *name)
{
    return starts(name, "__UFT") || starts(name, "__UDT");
}
