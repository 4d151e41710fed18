#include "raw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUT_CUBIN = 1 };

// A function that dlsym finds, without a cast that ISO C does not have.
typedef union symbol {
    void *data;
    int (*create)(void **handle, unsigned option_count, const char *const *options);
    int (*destroy)(void **handle);
    int (*add)(void *handle, int kind, const void *data, size_t size, const char *name);
    int (*complete)(void *handle);
    int (*size)(void *handle, size_t *size);
    int (*get)(void *handle, void *data);
} symbol;

enum { CREATE, DESTROY, ADD, COMPLETE, SIZE, GET, SYMBOL_COUNT };

static const char *const symbol_names[SYMBOL_COUNT] = {
    "nvJitLinkCreate",
    "nvJitLinkDestroy",
    "nvJitLinkAddData",
    "nvJitLinkComplete",
    "nvJitLinkGetLinkedCubinSize",
    "nvJitLinkGetLinkedCubin",
};
static symbol symbols[SYMBOL_COUNT];

bool bench_raw_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), false;
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        symbols[i].data = dlsym(library, symbol_names[i]);
        if (!symbols[i].data) return fprintf(stderr, "%s\n", dlerror()), false;
    }
    return true;
}

static size_t finish(void *handle)
{
    size_t size = 0;
    if (symbols[COMPLETE].complete(handle) || symbols[SIZE].size(handle, &size)) return 0;
    void *data = malloc(size);
    if (!data || symbols[GET].get(handle, data)) size = 0;
    free(data);
    return size;
}

size_t bench_raw_link(const tenon_bytes *cubins, const char *const *names, size_t count)
{
    static const char *const options[] = {"-arch=sm_90"};
    void *handle = NULL;
    if (symbols[CREATE].create(&handle, 1, options)) return 0;
    size_t i = 0, size = 0;
    while (i < count &&
           !symbols[ADD].add(handle, INPUT_CUBIN, cubins[i].data, cubins[i].size, names[i])) {
        i++;
    }
    if (i == count) size = finish(handle);
    symbols[DESTROY].destroy(&handle);
    return size;
}
