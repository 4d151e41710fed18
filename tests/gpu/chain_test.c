// Runs on a GPU what tenon compiled and linked, through tenon's own table of the driver: every way
// of linking has to give the same numbers. Prints TAP; exit 77 where there is no GPU.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "nv/driver.h"
#include "tenon.h"

enum { COUNT = 64, SKIP = 77, UNITS_MAX = 3 };

typedef struct machine {
    const tn_driver *driver;
    tn_driver_context context;
    char arch[16];
} machine;

// Three units that need each other. The numbers are checked against expected() below.
static const char caller[] =
    "extern __device__ int scale(int x);\n"
    "extern \"C\" __global__ void apply(int *values, int count)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < count) values[i] = scale(values[i]) + 1;\n"
    "}\n";
static const char helper[] =
    "extern __device__ int offset(int x);\n"
    "__device__ int scale(int x) { return 3 * x + offset(x); }\n";
static const char leaf[] =
    "__device__ int bias = 10;\n"
    "__device__ int offset(int x) { return x % 2 ? bias : -bias; }\n";

// Two units with static names in common.
static const char one[] =
    "static __device__ int counter = 11;\n"
    "static __device__ int step(int x) { return x + counter; }\n"
    "extern \"C\" __global__ void one(int *p) { *p = step(*p); counter += 1; }\n";
static const char two[] =
    "static __device__ int counter = 22;\n"
    "static __device__ int step(int x) { return x * counter; }\n"
    "extern \"C\" __global__ void two(int *p) { *p = step(*p); counter += 2; }\n";

static int expected(int x)
{
    return 3 * x + (x % 2 ? 10 : -10) + 1;
}

static tenon_status *compile(const machine *m, const char *name, const char *source,
                             tenon_kind kind, tenon_object **out_object)
{
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = m->arch;
    tenon_program *program = NULL;
    tenon_status *status =
        tenon_program_create(&options, name, (tenon_bytes){source, strlen(source)}, &program);
    if (!status) status = tenon_program_compile(program, kind, out_object);
    tenon_program_release(program);
    return status;
}

typedef struct link_request {
    tenon_object *objects[UNITS_MAX];  // up to the first NULL
    bool incremental, lto;
    tenon_kind target;
} link_request;

static tenon_status *link_objects(const link_request *request, tenon_object **out_object)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.incremental = request->incremental;
    if (request->lto) options.link_time_optimization = TENON_CHOICE_ON;
    tenon_linker *linker = NULL;
    tenon_status *status = tenon_linker_create(&options, &linker);
    for (size_t i = 0; !status && i < UNITS_MAX && request->objects[i]; i++) {
        status = tenon_linker_add_object(linker, request->objects[i]);
    }
    if (!status) status = tenon_linker_finish(linker, request->target, out_object);
    tenon_linker_release(linker);
    return status;
}

// A loaded cubin and one buffer on the device.
typedef struct loaded {
    const tn_driver *driver;
    tn_driver_module module;
    tn_driver_pointer values;
} loaded;

static void unload(loaded *l)
{
    if (l->values) (void)l->driver->MemFree(l->values);
    if (l->module) (void)l->driver->ModuleUnload(l->module);
}

static tenon_status *load(const machine *m, const tenon_object *object, loaded *out)
{
    const tn_driver *d = m->driver;
    *out = (loaded){.driver = d};
    tenon_status *status = NULL;
    TN_TRY_DONE(TN_DRIVER_CALL(d, ModuleLoadData(&out->module, tenon_object_bytes(object).data)));
    TN_TRY_DONE(TN_DRIVER_CALL(d, MemAlloc(&out->values, COUNT * sizeof(int))));
done:
    if (status) unload(out);
    return status;
}

// Runs `kernel` on the values, in place.
static tenon_status *launch(const loaded *l, const char *kernel, int *values, int count)
{
    const tn_driver *d = l->driver;
    size_t size = (size_t)count * sizeof(int);
    tn_driver_function function = NULL;
    tn_driver_pointer device = l->values;
    void *arguments[] = {&device, &count};
    TN_TRY(TN_DRIVER_CALL(d, ModuleGetFunction(&function, l->module, kernel)));
    TN_TRY(TN_DRIVER_CALL(d, MemcpyHtoD(device, values, size)));
    unsigned threads = (unsigned)count;
    TN_TRY(TN_DRIVER_CALL(
        d, LaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL)));
    TN_TRY(TN_DRIVER_CALL(d, CtxSynchronize()));
    return TN_DRIVER_CALL(d, MemcpyDtoH(values, device, size));
}

static tenon_status *run_apply(const machine *m, const tenon_object *object)
{
    int values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = i - 7;
    loaded l;
    TN_TRY_CTX(load(m, object, &l), "loading %s", tenon_object_name(object));
    tenon_status *status = launch(&l, "apply", values, COUNT);
    unload(&l);
    for (int i = 0; !status && i < COUNT; i++) {
        if (values[i] == expected(i - 7)) continue;
        status = tenon_status_make(TENON_INTERNAL, "apply on %d gives %d, not %d", i - 7, values[i],
                                   expected(i - 7));
    }
    return status;
}

static tenon_status *compile_units(const machine *m, tenon_kind kind, tenon_object **units)
{
    TN_TRY(compile(m, "caller.cu", caller, kind, &units[0]));
    TN_TRY(compile(m, "helper.cu", helper, kind, &units[1]));
    return compile(m, "leaf.cu", leaf, kind, &units[2]);
}

static void release_all(tenon_object **objects, size_t count)
{
    for (size_t i = 0; i < count; i++) tenon_object_release(objects[i]);
}

// The units, linked in one step or with a partial one first, to `kind` and at last to a cubin.
static tenon_status *chain(const machine *m, tenon_kind kind, bool partial, bool final_incremental)
{
    bool lto = kind == TENON_KIND_LTOIR;
    tenon_object *o[5] = {NULL};
    link_request all = {{NULL}, final_incremental, lto, TENON_KIND_CUBIN};
    tenon_status *status = NULL;
    TN_TRY_DONE(compile_units(m, kind, o));
    if (partial) {
        const link_request first = {{o[0], o[1], NULL}, true, lto, kind};
        TN_TRY_DONE(link_objects(&first, &o[3]));
        all.objects[0] = o[3];
        all.objects[1] = o[2];
    } else {
        memcpy(all.objects, o, sizeof(all.objects));
    }
    TN_TRY_DONE(link_objects(&all, &o[4]));
    if (tenon_object_is_relocatable(o[4]) != (int)final_incremental) {
        status = tenon_status_make(TENON_INTERNAL, "the result is not what was asked for");
        goto done;
    }
    TN_TRY_DONE(run_apply(m, o[4]));
done:
    release_all(o, 5);
    return status;
}

static tenon_status *native_direct(const machine *m)
{
    return chain(m, TENON_KIND_CUBIN, false, false);
}

static tenon_status *native_in_steps(const machine *m)
{
    return chain(m, TENON_KIND_CUBIN, true, false);
}

static tenon_status *resolved_but_relocatable(const machine *m)
{
    return chain(m, TENON_KIND_CUBIN, true, true);
}

static tenon_status *ptx_direct(const machine *m)
{
    return chain(m, TENON_KIND_PTX, false, false);
}

static tenon_status *lto_direct(const machine *m)
{
    return chain(m, TENON_KIND_LTOIR, false, false);
}

static tenon_status *lto_in_steps(const machine *m)
{
    return chain(m, TENON_KIND_LTOIR, true, false);
}

static tenon_status *expect_launch(const loaded *l, const char *kernel, int in, int want)
{
    int value = in;
    TN_TRY(launch(l, kernel, &value, 1));
    if (value == want) return NULL;
    return tenon_status_make(TENON_INTERNAL, "%s on %d gives %d, not %d", kernel, in, value, want);
}

static tenon_status *statics(const machine *m, bool partial)
{
    tenon_object *o[4] = {NULL};
    loaded l = {0};
    tenon_status *status = NULL;
    TN_TRY_DONE(compile(m, "one.cu", one, TENON_KIND_CUBIN, &o[0]));
    TN_TRY_DONE(compile(m, "two.cu", two, TENON_KIND_CUBIN, &o[1]));
    link_request request = {{o[0], o[1], NULL}, partial, false, TENON_KIND_CUBIN};
    TN_TRY_DONE(link_objects(&request, &o[2]));
    if (partial) {
        const link_request last = {{o[2], NULL, NULL}, false, false, TENON_KIND_CUBIN};
        TN_TRY_DONE(link_objects(&last, &o[3]));
    }
    TN_TRY_DONE(load(m, partial ? o[3] : o[2], &l));
    status = expect_launch(&l, "one", 1, 12);
    if (!status) status = expect_launch(&l, "two", 1, 22);
    if (!status) status = expect_launch(&l, "one", 1, 13);
    if (!status) status = expect_launch(&l, "two", 1, 24);
    unload(&l);
done:
    release_all(o, 4);
    return status;
}

static tenon_status *statics_direct(const machine *m)
{
    return statics(m, false);
}

static tenon_status *statics_in_steps(const machine *m)
{
    return statics(m, true);
}

// The driver's linker, which is there without any toolkit.
static tenon_status *driver_links(const machine *m)
{
    tenon_object *o[4] = {NULL};
    tenon_linker *linker = NULL;
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.backend = TENON_LINKER_BACKEND_DRIVER;
    tenon_status *status = NULL;
    TN_TRY_DONE(compile_units(m, TENON_KIND_CUBIN, o));
    TN_TRY_DONE(tenon_linker_create(&options, &linker));
    for (size_t i = 0; i < 3; i++) TN_TRY_DONE(tenon_linker_add_object(linker, o[i]));
    TN_TRY_DONE(tenon_linker_finish(linker, TENON_KIND_CUBIN, &o[3]));
    TN_TRY_DONE(run_apply(m, o[3]));
done:
    tenon_linker_release(linker);
    release_all(o, 4);
    return status;
}

static const struct {
    const char *name;
    tenon_status *(*run)(const machine *m);
    uint32_t major, minor;  // the oldest nvJitLink that can
} tests[] = {
    {"native, linked directly", native_direct, 12, 0},
    {"native, in steps", native_in_steps, 13, 0},
    {"native, all resolved but still relocatable", resolved_but_relocatable, 13, 0},
    {"PTX, linked directly", ptx_direct, 12, 0},
    {"LTO, linked directly", lto_direct, 12, 0},
    {"LTO, in steps", lto_in_steps, 13, 3},
    {"static names in common, linked directly", statics_direct, 12, 0},
    {"static names in common, in steps", statics_in_steps, 13, 0},
    {"linked by the driver", driver_links, 0, 0},
};

enum { TEST_COUNT = sizeof(tests) / sizeof(tests[0]) };

static tenon_status *open_machine(machine *m)
{
    TN_TRY(tn_driver_get(&m->driver));
    const tn_driver *d = m->driver;
    int device = 0, major = 0, minor = 0;
    char name[128] = "";
    TN_TRY(TN_DRIVER_CALL(d, Init(0)));
    TN_TRY(TN_DRIVER_CALL(d, DeviceGet(&device, 0)));
    TN_TRY(TN_DRIVER_CALL(d, DeviceGetName(name, sizeof(name), device)));
    TN_TRY(TN_DRIVER_CALL(d, DeviceGetAttribute(&major, TN_DRIVER_DEVICE_CC_MAJOR, device)));
    TN_TRY(TN_DRIVER_CALL(d, DeviceGetAttribute(&minor, TN_DRIVER_DEVICE_CC_MINOR, device)));
    TN_TRY(TN_DRIVER_CALL(d, DevicePrimaryCtxRetain(&m->context, device)));
    snprintf(m->arch, sizeof(m->arch), "sm_%d%d", major, minor);
    printf("# %s, %s\n", name, m->arch);
    return TN_DRIVER_CALL(d, CtxSetCurrent(m->context));
}

static bool run_test(const machine *m, size_t i, uint32_t major, uint32_t minor)
{
    if (major < tests[i].major || (major == tests[i].major && minor < tests[i].minor)) {
        printf("ok %zu - %s # SKIP nvJitLink %u.%u is older than %u.%u\n", i + 1, tests[i].name,
               (unsigned)major, (unsigned)minor, (unsigned)tests[i].major,
               (unsigned)tests[i].minor);
        return true;
    }
    tenon_status *status = tests[i].run(m);
    printf("%s %zu - %s\n", status ? "not ok" : "ok", i + 1, tests[i].name);
    if (!status) return true;
    printf("# %s\n# %s\n", tenon_status_message(status), tenon_status_log(status));
    tenon_status_free(status);
    return false;
}

int main(void)
{
    machine m = {0};
    const char *path = NULL;
    uint32_t major = 0, minor = 0;
    tenon_status *status = open_machine(&m);
    if (status) {
        printf("skipped: no GPU: %s\n", tenon_status_message(status));
        tenon_status_free(status);
        return SKIP;
    }
    status = tenon_toolkit_library(TENON_LIBRARY_NVJITLINK, &path, &major, &minor);
    if (status) {
        printf("not ok 1 - %s\n", tenon_status_message(status));
        tenon_status_free(status);
        return 1;
    }
    printf("# nvJitLink %u.%u, %s\n1..%d\n", (unsigned)major, (unsigned)minor, path, TEST_COUNT);
    int failed = 0;
    for (size_t i = 0; i < TEST_COUNT; i++) failed += !run_test(&m, i, major, minor);
    return failed != 0;
}
