// C++ names for people. The demangler is that of the C++ runtime, which is opened when first
// needed: libtenon itself does without one.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/object.h"

typedef char *demangler(const char *name, char *buffer, size_t *size, int *status);

static demangler *demangle_cxx;

static void open_runtime(void)
{
    void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) library = dlopen("libc++abi.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
    memcpy(&demangle_cxx, &symbol, sizeof(demangle_cxx));
}

const char *tenon_demangle(const char *name, char *buffer, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *plain = NULL;
    // Nothing but a function's or variable's name is asked for: "i" would come out as "int".
    if (strncmp(name, "_Z", 2) == 0) {
        pthread_once(&once, open_runtime);
        int result = 0;
        if (demangle_cxx) plain = demangle_cxx(name, NULL, NULL, &result);
    }
    if (size) snprintf(buffer, size, "%s", plain ? plain : name);
    free(plain);
    return buffer;
}
