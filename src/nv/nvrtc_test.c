// Our table against the vendor's header, and, where there is a library, a real compile.
#include "nv/nvrtc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "core/try.h"

#if __has_include(<nvrtc.h>)
#include <nvrtc.h>
#define ABI_TN_REQUIRED(name)                                                                      \
    _Static_assert(                                                                                \
        __builtin_types_compatible_p(__typeof__(((tn_nvrtc *)0)->name), __typeof__(&nvrtc##name)), \
        "nvrtc" #name);
#define ABI_TN_OPTIONAL(name)  // may be newer than the header
#define TN_NVRTC(name, need, returns, args) ABI_##need(name)
#include "nv/nvrtc.inc"
_Static_assert(NVRTC_ERROR_COMPILATION == (int)TN_NVRTC_ERROR_COMPILATION, "results");
#endif

// The vendor's library keeps memory for as long as the process lives; ours is still checked.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvrtc\n";
}

static void *look_up(void *data, const char *symbol)
{
    return strcmp(symbol, data) == 0 ? NULL : data;
}

static void only_optional_symbols_may_be_missing(void **state)
{
    (void)state;
    char required[] = "nvrtcGetLTOIR", optional[] = "nvrtcSetPCHHeapSize";
    tn_nvrtc lib = {0};
    tenon_status *status = tn_nvrtc_bind(look_up, required, &lib);
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_non_null(strstr(tenon_status_message(status), required));
    assert_true(lib.Version == NULL);
    tenon_status_free(status);

    assert_null(tn_nvrtc_bind(look_up, optional, &lib));
    assert_true(lib.Version != NULL);
    assert_true(lib.SetPCHHeapSize == NULL);
}

static tenon_status *compile(const tn_nvrtc *lib, const char *source)
{
    const char *const options[] = {"-arch=sm_90"};
    tn_nvrtc_program program = NULL;
    size_t size = 0;
    TN_TRY(TN_NVRTC_CALL(lib, NULL, CreateProgram(&program, source, "x.cu", 0, NULL, NULL)));
    tenon_status *status = TN_NVRTC_CALL(lib, program, CompileProgram(program, 1, options));
    if (!status) status = TN_NVRTC_CALL(lib, NULL, GetCUBINSize(program, &size));
    if (!status) assert_true(size > 0);
    lib->DestroyProgram(&program);
    return status;
}

static void real_library_compiles(void **state)
{
    (void)state;
    const tn_nvrtc *lib = NULL;
    tenon_status *status = tn_nvrtc_get(&lib);
    if (status) {
        print_message("skipped: %s\n%s", tenon_status_message(status), tenon_status_log(status));
        assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
        tenon_status_free(status);
        skip();
    }
    assert_true(lib->major >= 12);
    assert_null(compile(lib, "__global__ void k() {}"));
    status = compile(lib, "__global__ void k() { nothing; }");
    assert_int_equal(tenon_status_code(status), TENON_COMPILE_FAILED);
    assert_non_null(strstr(tenon_status_message(status), "nvrtcCompileProgram: result 6, NVRTC_"));
    assert_non_null(strstr(tenon_status_log(status), "\"nothing\" is undefined"));
    tenon_status_free(status);

    tn_buffer archs = {0};
    tn_nvrtc_archs(lib, &archs);
    assert_non_null(strstr(tn_buffer_text(&archs), "sm_90"));
    tn_buffer_deinit(&archs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_optional_symbols_may_be_missing),
        cmocka_unit_test(real_library_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
