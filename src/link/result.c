#include "link/result.h"

#include <stdlib.h>
#include <string.h>

#include "core/try.h"
#include "elf/loadable.h"
#include "link/problems.h"

// Static shared memory that any kernel may have; more has to be asked for at launch. Source: CUDA's
// programming guide, and what ptxas allows (0xc000).
static const uint32_t shared_limit = 48 * 1024;

static bool in_list(const char *const *list, const char *name)
{
    for (size_t i = 0; list && list[i]; i++) {
        if (strcmp(list[i], name) == 0) return true;
    }
    return false;
}

static int compare_kernel(const void *key, const void *element)
{
    return strcmp(key, ((const tenon_kernel *)element)->name);
}

static bool has_kernel(const tenon_object *object, const char *name)
{
    if (object->kernel_count == 0) return false;
    return bsearch(name, object->kernels, object->kernel_count, sizeof(*object->kernels),
                   compare_kernel);
}

static void check_kernels(const tenon_object *result, const tn_settings *settings,
                          const tn_units *units, tn_problems *problems)
{
    const char *const *used = settings->options.kernels_used;
    for (size_t i = 0; i < units->count; i++) {
        const tenon_object *object = units->items[i].object;
        for (size_t k = 0; k < object->kernel_count; k++) {
            const char *name = object->kernels[k].name;
            if (used && used[0] && !in_list(used, name)) continue;
            if (!has_kernel(result, name)) {
                tn_problems_add(problems, "kernel '%s' of '%s' is not in the result", name,
                                units->items[i].name);
            }
        }
    }
    for (size_t i = 0; used && used[i]; i++) {
        if (!has_kernel(result, used[i])) {
            tn_problems_add(problems, "kernel '%s' of kernels_used is in no input", used[i]);
        }
    }
}

static void check_final(const tenon_object *result, const tn_units *units, tn_problems *problems)
{
    for (size_t i = 0; i < result->undefined_count; i++) {
        tn_buffer name = {0};
        tn_print_symbol(&name, tenon_object_undefined_name(result, i));
        tn_problems_add(problems, "undefined in the result: %s", tn_buffer_text(&name));
        tn_buffer_deinit(&name);
    }
    for (size_t i = 0; i < result->kernel_count; i++) {
        const tenon_kernel *kernel = &result->kernels[i];
        if (kernel->shared_bytes > shared_limit) {
            tn_problems_add(
                problems,
                "kernel '%s' needs %u bytes of static shared memory with what it calls, "
                "and %u is the limit",
                kernel->name, kernel->shared_bytes, shared_limit);
        }
    }
    if (result->kernel_count == 0 && result->symbol_count == 0 && units->count > 0) {
        tn_problems_add(problems, "the result is empty: no input has a kernel, or none was kept");
    }
}

static tenon_status *check(const tenon_object *result, const tn_settings *settings,
                           const tn_mode *mode, const tn_units *units)
{
    tn_problems problems = {0};
    if (result->kind == TENON_KIND_CUBIN) {
        if (result->sm && result->sm != mode->arch.number) {
            tn_problems_add(&problems, "the result is for sm_%u, not sm_%u", result->sm,
                            mode->arch.number);
        }
        if (result->relocatable != mode->incremental) {
            tn_problems_add(&problems, "the result is %s",
                            mode->incremental ? "final, not relocatable" : "not final");
        }
        if (!mode->incremental) check_final(result, units, &problems);
        check_kernels(result, settings, units, &problems);
    }
    return tn_problems_status(&problems, TENON_LINK_FAILED);
}

tenon_status *tn_result_make(char *data, size_t size, const tn_settings *settings,
                             const tn_mode *mode, const tn_units *units, tenon_object **out_object)
{
    if (!data) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the linked object");
    if (mode->incremental && mode->target == TENON_KIND_CUBIN) {
        tenon_status *status = tn_cubin_make_loadable(settings->options.name, data, size);
        if (status) {
            free(data);
            return status;
        }
    }
    tenon_object *result = NULL;
    TN_TRY_CTX(tn_object_adopt(settings->options.name, mode->target, data, size, &result),
               "what NVIDIA's linker gave cannot be used");
    tenon_status *status = check(result, settings, mode, units);
    if (status) {
        tenon_object_release(result);
        return status;
    }
    result->trusted = true;
    *out_object = result;
    return NULL;
}
