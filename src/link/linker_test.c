// The public linker with the library that is installed: each allocation of ours fails in turn, on
// the way to success and on the way to each kind of error. Skipped, with the reason, where there is
// no library.
#include "tenon/linker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fail_alloc.h"
#include "tenon/toolkit.h"

// The vendor's library keeps memory for as long as the process lives; ours is still checked.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\n";
}

static int find_library(void **state)
{
    (void)state;
    const char *path = NULL;
    uint32_t major = 0;
    uint32_t minor = 0;
    tenon_status *status = tenon_toolkit_library(TENON_LIBRARY_NVJITLINK, &path, &major, &minor);
    if (status) print_message("skipped: %s\n", tenon_status_message(status));
    bool missing = status != NULL;
    tenon_status_free(status);
    return missing ? 1 : 0;
}

typedef struct request {
    const char *inputs[3];  // of tests/data/objects
    tenon_code outcome;
    uint32_t incremental, verbose;
} request;

static tenon_status *link_all(const request *r, tenon_object **out_object)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.arch = "sm_90";
    options.incremental = r->incremental;
    options.verbose = r->verbose;
    options.isolation = TENON_ISOLATION_IN_PROCESS;
    tenon_linker *linker = NULL;
    tenon_status *status = tenon_linker_create(&options, &linker);
    for (size_t i = 0; i < 3 && r->inputs[i] && !status; i++) {
        char path[128] = "tests/data/objects/";
        strcat(path, r->inputs[i]);
        status = tenon_linker_add_file(linker, path, TENON_KIND_ANY);
    }
    if (!status) status = tenon_linker_finish(linker, TENON_KIND_CUBIN, out_object);
    tenon_linker_release(linker);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const request requests[] = {
        {{"unit.cubin", "leaf.cubin"}, TENON_OK, 0, 1},
        {{"unit.cubin"}, TENON_OK, 1, 0},
        {{"unit.cubin", "leaf.ptx"}, TENON_OK, 1, 0},
        {{"unit.cubin", "lib.a"}, TENON_LINK_FAILED, 0, 0},  // leaf is in it twice
        {{"unit.cubin"}, TENON_LINK_FAILED, 0, 0},           // leaf and lut are undefined
        {{"unit.cubin", "final.cubin"}, TENON_INVALID_ARGUMENT, 0, 0},
        {{"unit.cubin", "lz4.fatbin"}, TENON_OK, 1, 0},
    };
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        long n = 0;
        for (tenon_code code = TENON_OUT_OF_MEMORY; code == TENON_OUT_OF_MEMORY; n++) {
            tenon_object *object = NULL;
            tn_allocations_left = n;
            tenon_status *status = link_all(&requests[i], &object);
            tn_allocations_left = -1;
            code = tenon_status_code(status);
            assert_true((object != NULL) == (status == NULL));
            tenon_status_free(status);
            tenon_object_release(object);
            // A message or note that found no memory is shorter; the outcome may not change.
            if (code != TENON_OUT_OF_MEMORY) assert_int_equal(code, requests[i].outcome);
        }
        assert_in_range(n, 10, 2000);
    }
}

static void a_linker_finishes_once_and_keeps_its_logs(void **state)
{
    (void)state;
    tenon_linker *linker = NULL;
    tenon_object *object = NULL;
    assert_null(tenon_linker_create(NULL, &linker));
    tenon_status *status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &object);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_non_null(strstr(tenon_status_message(status), "nothing to link"));
    tenon_status_free(status);

    assert_null(tenon_linker_add_file(linker, "tests/data/objects/unit.cubin", TENON_KIND_ANY));
    status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &object);
    assert_int_equal(tenon_status_code(status), TENON_LINK_FAILED);
    tenon_status_free(status);
    status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &object);
    assert_non_null(strstr(tenon_status_message(status), "finished already"));
    tenon_status_free(status);
    status = tenon_linker_add_file(linker, "tests/data/objects/leaf.cubin", TENON_KIND_ANY);
    assert_non_null(strstr(tenon_status_message(status), "the linker has finished"));
    tenon_status_free(status);
    assert_null(object);
    tenon_linker_release(linker);
}

int main(void)
{
    if (find_library(NULL)) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_linker_finishes_once_and_keeps_its_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
