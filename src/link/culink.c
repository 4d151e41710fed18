#include "link/culink.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "link/problems.h"
#include "link/result.h"
#include "nv/driver.h"

enum { LOG_SIZE = 64 * 1024, MOST_OPTIONS = 12 };

/// The driver's link, with its first device's context current. The options and logs must outlive
/// `state`: the driver keeps pointers to them.
typedef struct driver_link {
    const tn_driver *driver;
    tn_driver_device device;
    bool retained, pushed;
    tn_driver_link state;
    unsigned names[MOST_OPTIONS];
    void *values[MOST_OPTIONS];
    unsigned count;
    char info[LOG_SIZE], error[LOG_SIZE];
} driver_link;

tenon_status *tn_culink_probe(void)
{
    const tn_driver *driver = NULL;
    int count = 0;
    TN_TRY(tn_driver_get(&driver));
    TN_TRY(TN_DRIVER_CALL(driver, Init(0)));
    TN_TRY(TN_DRIVER_CALL(driver, DeviceGetCount(&count)));
    if (count > 0) return NULL;
    return tenon_status_make(TENON_UNAVAILABLE, "the driver has no device");
}

static bool has_items(const char *const *list)
{
    return list && list[0];
}

/// Everything that was asked for and that the driver's linker does not have, at once.
static tenon_status *refuse(const tn_settings *settings, const tn_mode *mode, const tn_units *units)
{
    const tenon_linker_options *o = &settings->options;
    const struct {
        const char *name;
        bool set;
    } missing[] = {
        {"incremental", mode->incremental},
        {"link_time_optimization", mode->lto},
        {"a PTX result", mode->target == TENON_KIND_PTX},
        {"an LTO-IR result", mode->target == TENON_KIND_LTOIR},
        {"a worker process (isolation)", o->isolation == TENON_ISOLATION_WORKER},
        {"time", o->time},
        {"ptxas_options", has_items(o->ptxas_options)},
        {"extra_options", has_items(o->extra_options)},
        {"split_compile", o->split_compile},
        {"split_compile_extended", o->split_compile_extended},
        {"kernels_used", has_items(o->kernels_used)},
        {"variables_used", has_items(o->variables_used)},
        {"optimize_unused_variables", o->optimize_unused_variables},
        {"ftz", o->ftz},
        {"prec_div", o->prec_div},
        {"prec_sqrt", o->prec_sqrt},
        {"fma", o->fma},
        {"jump_table_density", o->jump_table_density},
        {"device_stack_protector", o->device_stack_protector},
    };
    tn_problems problems = {0};
    for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
        if (missing[i].set) {
            tn_problems_add(&problems, "the driver's linker does not have %s", missing[i].name);
        }
    }
    for (size_t i = 0; i < units->count; i++) {
        if (units->items[i].kind != TENON_KIND_LTOIR) continue;
        tn_problems_add(&problems, "the driver's linker does not read LTO-IR ('%s')",
                        units->items[i].name);
    }
    tenon_status *status = tn_problems_status(&problems, TENON_INCOMPATIBLE);
    if (status) tenon_status_prepend(status, "without nvJitLink");
    return status;
}

static void option(driver_link *link, unsigned name, uintptr_t value)
{
    link->names[link->count] = name;
    // The driver takes numbers where it takes pointers.
    memcpy(&link->values[link->count++], &value, sizeof(value));
}

static void set_options(driver_link *link, const tn_settings *settings, const tn_mode *mode)
{
    const tenon_linker_options *o = &settings->options;
    option(link, TN_DRIVER_JIT_INFO_LOG_BUFFER, (uintptr_t)link->info);
    option(link, TN_DRIVER_JIT_INFO_LOG_BUFFER_BYTES, LOG_SIZE);
    option(link, TN_DRIVER_JIT_ERROR_LOG_BUFFER, (uintptr_t)link->error);
    option(link, TN_DRIVER_JIT_ERROR_LOG_BUFFER_BYTES, LOG_SIZE);
    // From CUjit_target: arch-specific and family-specific targets have a base of their own.
    uint32_t base = mode->arch.suffix == 'a' ? 0x10000 : mode->arch.suffix == 'f' ? 0x20000 : 0;
    option(link, TN_DRIVER_JIT_TARGET, base + mode->arch.number);
    if (o->verbose) option(link, TN_DRIVER_JIT_LOG_VERBOSE, 1);
    if (o->debug) option(link, TN_DRIVER_JIT_GENERATE_DEBUG_INFO, 1);
    if (o->lineinfo) option(link, TN_DRIVER_JIT_GENERATE_LINE_INFO, 1);
    if (o->no_cache) option(link, TN_DRIVER_JIT_CACHE_MODE, 0);
    if (o->max_register_count) option(link, TN_DRIVER_JIT_MAX_REGISTERS, o->max_register_count);
    if (o->optimization_level) {
        option(link, TN_DRIVER_JIT_OPTIMIZATION_LEVEL,
               o->optimization_level == TENON_OPT_NONE ? 0 : 4);
    }
}

static tenon_status *open_context(driver_link *link)
{
    const tn_driver *driver = link->driver;
    tn_driver_context context = NULL;
    TN_TRY(TN_DRIVER_CALL(driver, Init(0)));
    TN_TRY(TN_DRIVER_CALL(driver, DeviceGet(&link->device, 0)));
    TN_TRY(TN_DRIVER_CALL(driver, DevicePrimaryCtxRetain(&context, link->device)));
    link->retained = true;
    TN_TRY(TN_DRIVER_CALL(driver, CtxPushCurrent(context)));
    link->pushed = true;
    return NULL;
}

static void close_context(driver_link *link)
{
    tn_driver_context context = NULL;
    if (link->state) link->driver->LinkDestroy(link->state);
    if (link->pushed) link->driver->CtxPopCurrent(&context);
    if (link->retained) link->driver->DevicePrimaryCtxRelease(link->device);
}

static tenon_status *add_units(driver_link *link, const tn_units *units)
{
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        bool ptx = object->kind == TENON_KIND_PTX;
        unsigned type = ptx ? TN_DRIVER_INPUT_PTX : TN_DRIVER_INPUT_CUBIN;
        void *data = (void *)object->data;
        TN_TRY_CTX(tn_driver_check(link->driver,
                                   link->driver->LinkAddData(link->state, type, data,
                                                             object->size + (ptx ? 1 : 0),
                                                             units->items[i].name, 0, NULL, NULL),
                                   "cuLinkAddData"),
                   "linking '%s'", units->items[i].name);
    }
    return NULL;
}

/// Links and copies the result, which belongs to the driver's state.
static tenon_status *complete(driver_link *link, char **out_data, size_t *out_size)
{
    void *image = NULL;
    size_t size = 0;
    TN_TRY(TN_DRIVER_CALL(link->driver, LinkComplete(link->state, &image, &size)));
    char *data = malloc(size + 1);
    if (!data) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the linked object");
    if (size) memcpy(data, image, size);
    data[size] = '\0';
    *out_data = data;
    *out_size = size;
    return NULL;
}

static tenon_status *run(driver_link *link, const tn_settings *settings, const tn_mode *mode,
                         const tn_units *units, tenon_object **out_object)
{
    char *data = NULL;
    size_t size = 0;
    TN_TRY(open_context(link));
    set_options(link, settings, mode);
    TN_TRY(TN_DRIVER_CALL(link->driver,
                          LinkCreate(link->count, link->names, link->values, &link->state)));
    TN_TRY(add_units(link, units));
    TN_TRY(complete(link, &data, &size));
    return tn_result_make(data, size, settings, mode, units, out_object);
}

tenon_status *tn_culink_run(const tn_settings *settings, const tn_mode *mode, const tn_units *units,
                            tn_buffer *info_log, tn_buffer *error_log, tenon_object **out_object)
{
    TN_TRY(refuse(settings, mode, units));
    driver_link *link = calloc(1, sizeof(*link));
    if (!link) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the driver's link");
    tenon_status *status = tn_driver_get(&link->driver);
    if (!status) {
        status = run(link, settings, mode, units, out_object);
        close_context(link);
    }
    link->info[LOG_SIZE - 1] = link->error[LOG_SIZE - 1] = '\0';
    tn_buffer_puts(info_log, link->info);
    tn_buffer_puts(error_log, link->error);
    if (status) tenon_status_add_log(status, "%s", link->error);
    free(link);
    return status;
}
