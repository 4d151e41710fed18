// What the C tests of the cases share: units that are compiled when asked for, and links of them.
// Public API only.
#ifndef TENON_TESTS_CASES_UNITS_H_
#define TENON_TESTS_CASES_UNITS_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tenon.h"

enum { INPUTS = 4, SKIP = 77 };

// The vendor's libraries keep memory for as long as the process lives; ours is still checked.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\nleak:libnvrtc.so\nleak:libnvrtc-builtins.so\n";
}

/// A link of up to INPUTS objects, in order, up to the first NULL. What is added is released.
typedef struct link_request {
    const char *arch;
    bool incremental;
    uint32_t lto;  // a tenon_choice
    tenon_kind target;
    tenon_object *inputs[INPUTS];
    const char *const *kernels_used;
    const char *const *extra;
    uint32_t isolation;  // a tenon_isolation
} link_request;

/// Compiles source text for `arch`, called `name` with the extension of its kind.
static inline tenon_object *compile_for(const char *arch, const char *name, const char *source,
                                        tenon_kind kind)
{
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = arch;
    tenon_program *program = NULL;
    tenon_object *object = NULL;
    tenon_status *status =
        tenon_program_create(&options, name, (tenon_bytes){source, strlen(source)}, &program);
    if (!status) status = tenon_program_compile(program, kind, &object);
    if (status) print_error("%s\n%s\n", tenon_status_message(status), tenon_status_log(status));
    assert_null(status);
    tenon_program_release(program);
    return object;
}

static inline tenon_object *compile(const char *name, const char *source, tenon_kind kind)
{
    return compile_for("sm_90", name, source, kind);
}

/// Makes an object of PTX text.
static inline tenon_object *ptx(const char *name, const char *text)
{
    tenon_object *object = NULL;
    tenon_status *status =
        tenon_object_create(name, TENON_KIND_PTX, (tenon_bytes){text, strlen(text)}, &object);
    assert_null(status);
    return object;
}

/// Links once. If `as_bytes`, tenon has never seen the inputs, and the linker runs in the worker.
static inline tenon_status *link_once(const link_request *l, bool as_bytes, char *log, size_t size,
                                      tenon_object **out_object)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.arch = l->arch;
    options.incremental = l->incremental;
    options.link_time_optimization = l->lto;
    options.kernels_used = l->kernels_used;
    options.extra_options = l->extra;
    options.isolation = l->isolation;
    tenon_linker *linker = NULL;
    tenon_status *status = tenon_linker_create(&options, &linker);
    for (size_t i = 0; i < INPUTS && l->inputs[i] && !status; i++) {
        tenon_object *object = l->inputs[i];
        status = as_bytes ? tenon_linker_add(linker, tenon_object_name(object), TENON_KIND_ANY,
                                             tenon_object_bytes(object))
                          : tenon_linker_add_object(linker, object);
    }
    if (!status) status = tenon_linker_finish(linker, l->target, out_object);
    snprintf(log, size, "%s", linker ? tenon_linker_info_log(linker) : "");
    tenon_linker_release(linker);
    return status;
}

static inline void release_inputs(const link_request *l)
{
    for (size_t i = 0; i < INPUTS; i++) tenon_object_release(l->inputs[i]);
}

/// Links objects and then bytes, which have to fail both, with `code` and a message that has each
/// of the texts, which end with NULL. Nothing is given out.
static inline void fails_with(link_request l, tenon_code code, const char *const *texts)
{
    char log[4096];
    for (int as_bytes = 0; as_bytes < 2; as_bytes++) {
        tenon_object *object = NULL;
        tenon_status *status = link_once(&l, as_bytes, log, sizeof(log), &object);
        const char *message = tenon_status_message(status);
        bool good = tenon_status_code(status) == code && !object;
        for (size_t i = 0; texts[i]; i++) good = good && strstr(message, texts[i]);
        if (!good) {
            print_error("%s: '%s' (%s)\n%s\n", as_bytes ? "bytes" : "objects", message,
                        tenon_code_name(tenon_status_code(status)), tenon_status_log(status));
        }
        assert_true(good);
        tenon_status_free(status);
    }
    release_inputs(&l);
}

#define TEXTS(...)        \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

/// Links objects and then bytes, which have to succeed both. Returns the second result.
static inline tenon_object *passes(link_request l, char *log, size_t size)
{
    tenon_object *object = NULL;
    for (int as_bytes = 0; as_bytes < 2; as_bytes++) {
        tenon_object_release(object);
        object = NULL;
        tenon_status *status = link_once(&l, as_bytes, log, size, &object);
        if (status) {
            print_error("%s: '%s'\n%s\n", as_bytes ? "bytes" : "objects",
                        tenon_status_message(status), tenon_status_log(status));
        }
        assert_null(status);
        assert_int_equal(tenon_object_kind(object), l.target);
    }
    release_inputs(&l);
    return object;
}

/// Links, and checks that the result is a finished cubin with these kernels, sorted; NULL ends
/// them.
static inline void gives_kernels(link_request l, const char *const *kernels)
{
    char log[4096];
    tenon_object *object = passes(l, log, sizeof(log));
    size_t count = 0;
    for (; kernels[count]; count++) {
        const tenon_kernel *kernel = tenon_object_kernel(object, count);
        assert_non_null(kernel);
        assert_string_equal(kernel->name, kernels[count]);
    }
    assert_int_equal(tenon_object_kernel_count(object), count);
    assert_int_equal(tenon_object_is_relocatable(object), l.incremental);
    if (!l.incremental) assert_int_equal(tenon_object_undefined_count(object), 0);
    tenon_object_release(object);
}

/// Returns the version of nvJitLink as 100 * major + minor; 0 if there is none or it cannot tell.
static inline uint32_t nvjitlink_version(void)
{
    const char *path = NULL;
    uint32_t major = 0;
    uint32_t minor = 0;
    tenon_status_free(tenon_toolkit_library(TENON_LIBRARY_NVJITLINK, &path, &major, &minor));
    return 100 * major + minor;
}

/// Says why nothing can be tested here; false if it can.
static inline bool must_skip(void)
{
    static const tenon_library needed[] = {TENON_LIBRARY_NVRTC, TENON_LIBRARY_NVJITLINK};
    for (size_t i = 0; i < 2; i++) {
        const char *path = NULL;
        uint32_t major = 0;
        uint32_t minor = 0;
        tenon_status *status = tenon_toolkit_library(needed[i], &path, &major, &minor);
        if (!status) continue;
        printf("skipped: %s\n", tenon_status_message(status));
        tenon_status_free(status);
        return true;
    }
    // Older ones cannot link partially, and read no code of NVRTC 13: tests/versions is for them.
    if (nvjitlink_version() >= 1300) return false;
    printf("skipped: nvJitLink is older than 13.0\n");
    return true;
}

#endif  // TENON_TESTS_CASES_UNITS_H_
