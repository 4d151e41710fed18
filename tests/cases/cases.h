// For the tests of this folder that call the library: sources become objects, objects are linked,
// and an error has to say what it must. Only the public API is used.
#ifndef TN_TESTS_CASES_CASES_H_
#define TN_TESTS_CASES_CASES_H_

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tenon.h"

enum { CASES_SKIP = 77 };

// The vendor's libraries keep memory for as long as the process lives; ours is still checked.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\nleak:libnvrtc.so\nleak:libnvrtc-builtins.so\n";
}

/// Bytes of a text without its NUL.
static inline tenon_bytes text_bytes(const char *text)
{
    return (tenon_bytes){text, strlen(text)};
}

/// Ends the test with what a status says, if there is one.
#define assert_good(expr)                                                        \
    do {                                                                         \
        tenon_status *good_ = (expr);                                            \
        if (good_) {                                                             \
            print_error("%s: %s\n%s", tenon_code_name(tenon_status_code(good_)), \
                        tenon_status_message(good_), tenon_status_log(good_));   \
            tenon_status_free(good_);                                            \
            fail();                                                              \
        }                                                                        \
    } while (0)

/// Checks the code of an error and that its message has each of the texts up to NULL; frees it.
static inline void assert_error(tenon_status *status, tenon_code code, ...)
{
    if (!status) fail_msg("success, not %s", tenon_code_name(code));
    const char *message = tenon_status_message(status);
    bool good = tenon_status_code(status) == code;
    const char *missing = NULL;
    va_list args;
    va_start(args, code);
    for (const char *text = NULL; (text = va_arg(args, const char *));) {
        if (!missing && !strstr(message, text)) missing = text;
    }
    va_end(args);
    if (!good || missing) {
        print_error("%s, wanted %s%s%s: %s\n%s", tenon_code_name(tenon_status_code(status)),
                    tenon_code_name(code), missing ? ", lacks " : "", missing ? missing : "",
                    message, tenon_status_log(status));
        tenon_status_free(status);
        fail();
    }
    tenon_status_free(status);
}

/// Compiles a source; the result is to be released.
static inline tenon_object *compile_for(const char *arch, tenon_kind kind, const char *name,
                                        const char *source)
{
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = arch;
    tenon_program *program = NULL;
    tenon_object *object = NULL;
    assert_good(tenon_program_create(&options, name, text_bytes(source), &program));
    assert_good(tenon_program_compile(program, kind, &object));
    tenon_program_release(program);
    return object;
}

static inline tenon_object *compile(tenon_kind kind, const char *name, const char *source)
{
    return compile_for("sm_90", kind, name, source);
}

/// One input of a link: `object`, or else `bytes`, which may be no object at all.
typedef struct input {
    const char *name;
    tenon_kind kind;
    tenon_bytes bytes;
    tenon_object *object;
} input;

/// A link: options, what is asked for, and inputs up to one without a name.
typedef struct link_job {
    tenon_linker_options options;
    tenon_kind target;
    input inputs[4];
} link_job;

/// Bytes that tenon sees for the first time, under the name of the object.
static inline input fresh(const tenon_object *object)
{
    return (input){tenon_object_name(object), TENON_KIND_ANY, tenon_object_bytes(object), NULL};
}

static inline input as_is(tenon_object *object)
{
    return (input){tenon_object_name(object), TENON_KIND_ANY, {NULL, 0}, object};
}

/// Texts as an input, such as PTX.
static inline input text(const char *name, const char *what)
{
    return (input){name, TENON_KIND_ANY, text_bytes(what), NULL};
}

static inline tenon_linker_options for_sm_90(void)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.arch = "sm_90";
    return options;
}

static inline tenon_linker_options partial_for_sm_90(void)
{
    tenon_linker_options options = for_sm_90();
    options.incremental = 1;
    return options;
}

/// Does a job. `log`, which may be NULL, gets the information log of a link that succeeded.
static inline tenon_status *run_job(const link_job *job, char *log, size_t log_size,
                                    tenon_object **out_object)
{
    tenon_linker *linker = NULL;
    tenon_status *status = tenon_linker_create(&job->options, &linker);
    for (size_t i = 0; !status && i < sizeof(job->inputs) / sizeof(*job->inputs); i++) {
        const input *in = &job->inputs[i];
        if (!in->name) break;
        status = in->object ? tenon_linker_add_object(linker, in->object)
                            : tenon_linker_add(linker, in->name, in->kind, in->bytes);
    }
    tenon_object *object = NULL;
    if (!status) status = tenon_linker_finish(linker, job->target, &object);
    if (!status && log) snprintf(log, log_size, "%s", tenon_linker_info_log(linker));
    // The result outlives the linker.
    tenon_linker_release(linker);
    if (status) {
        assert_null(object);
        return status;
    }
    *out_object = object;
    return NULL;
}

static inline tenon_object *must_link(const link_job *job)
{
    tenon_object *object = NULL;
    assert_good(run_job(job, NULL, 0, &object));
    assert_int_equal(tenon_object_kind(object), job->target);
    return object;
}

/// Runs a job that has to fail.
static inline tenon_status *link_error(const link_job *job)
{
    tenon_object *object = NULL;
    tenon_status *status = run_job(job, NULL, 0, &object);
    assert_null(object);
    return status;
}

static inline bool has_kernel(const tenon_object *object, const char *name)
{
    for (size_t i = 0; i < tenon_object_kernel_count(object); i++) {
        if (strcmp(tenon_object_kernel(object, i)->name, name) == 0) return true;
    }
    return false;
}

static inline const tenon_symbol *find_symbol(const tenon_object *object, const char *name)
{
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *symbol = tenon_object_symbol(object, i);
        if (strcmp(symbol->name, name) == 0) return symbol;
    }
    return NULL;
}

/// A finished cubin with this kernel, that needs nothing.
static inline void assert_final(const tenon_object *object, const char *kernel)
{
    assert_int_equal(tenon_object_kind(object), TENON_KIND_CUBIN);
    assert_false(tenon_object_is_relocatable(object));
    assert_int_equal(tenon_object_undefined_count(object), 0);
    assert_true(has_kernel(object, kernel));
}

static inline void release_all(tenon_object **objects, size_t count)
{
    for (size_t i = 0; i < count; i++) tenon_object_release(objects[i]);
}

/// True if nvJitLink is at least MAJOR.MINOR, as 1303 for 13.3.
static inline bool nvjitlink_at_least(uint32_t version)
{
    const char *path = NULL;
    uint32_t major = 0, minor = 0;
    assert_good(tenon_toolkit_library(TENON_LIBRARY_NVJITLINK, &path, &major, &minor));
    return major * 100 + minor >= version;
}

/// False, and a line that can be counted, where nothing can be compiled or linked.
static inline bool have_toolkit(void)
{
    static const struct {
        tenon_library library;
        const char *name;
    } needed[] = {{TENON_LIBRARY_NVRTC, "NVRTC"}, {TENON_LIBRARY_NVJITLINK, "nvJitLink"}};
    for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
        const char *path = NULL;
        uint32_t major = 0, minor = 0;
        tenon_status *status = tenon_toolkit_library(needed[i].library, &path, &major, &minor);
        if (!status) continue;
        printf("skipped: no %s: %s\n", needed[i].name, tenon_status_message(status));
        tenon_status_free(status);
        return false;
    }
    return true;
}

#endif  // TN_TESTS_CASES_CASES_H_
