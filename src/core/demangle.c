// C++ names for people. The demangler is that of the C++ runtime, which is opened when first
// needed: libtenon itself does without one.
#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
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

/// Passes over what nvcc puts before the name of a static variable: "__nv_static_20_", as many
/// characters that name the unit, and "_".
static const char *skip_static(const char *name)
{
    static const char prefix[] = "__nv_static_";
    if (strncmp(name, prefix, sizeof(prefix) - 1) != 0) return name;
    char *end = NULL;
    const char *digits = name + sizeof(prefix) - 1;
    unsigned long length = strtoul(digits, &end, 10);
    if (end == digits || *end != '_' || length >= strlen(end + 1)) return name;
    const char *rest = end + 1 + length;
    return rest[0] == '_' && rest[1] ? rest + 1 : name;
}

/// Takes out "_INTERNAL_d5d58cba_4_a_cu_x::", the namespace that nvcc invents for a unit.
static void drop_internal(char *text)
{
    static const char word[] = "_INTERNAL_";
    for (char *at = strstr(text, word); at; at = strstr(at, word)) {
        char *end = at + strspn(at,
                                "_0123456789"
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool starts = at == text || !(at[-1] == '_' || isalnum((unsigned char)at[-1]));
        if (starts && strncmp(end, "::", 2) == 0) {
            memmove(at, end + 2, strlen(end + 2) + 1);
        } else {
            at = end;
        }
    }
}

/// True if a name refers back to its own parts so often that its plain form could double with each:
/// a hostile one of 300 bytes would take the demangler longer than anyone waits.
static bool is_explosive(const char *name)
{
    enum { MOST_REFERENCES = 16 };
    int references = 0;
    for (const char *at = strchr(name, 'S'); at; at = strchr(at + 1, 'S')) {
        size_t digits = strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        references += at[1 + digits] == '_';
    }
    return references > MOST_REFERENCES;
}

const char *tenon_demangle(const char *name, char *buffer, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const char *own = skip_static(name);
    char *plain = NULL;
    // Nothing but a function's or variable's name is asked for: "i" would come out as "int".
    if (strncmp(own, "_Z", 2) == 0 && !is_explosive(own)) {
        pthread_once(&once, open_runtime);
        int result = 0;
        if (demangle_cxx) plain = demangle_cxx(own, NULL, NULL, &result);
        if (plain) drop_internal(plain);
    }
    if (size) snprintf(buffer, size, "%s", plain ? plain : own);
    free(plain);
    return buffer;
}
