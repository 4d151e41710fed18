// The rules of binding without any library; then, where there is one, a real link.
#include "nv/nvjitlink.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/try.h"

// Where a toolkit is installed, its header must agree with our table. Optional functions may be
// newer than that header.
#if __has_include(<nvJitLink.h>)
#include <nvJitLink.h>
#define ABI_TN_REQUIRED(name)                                                          \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((tn_nvjitlink *)0)->name), \
                                                __typeof__(&nvJitLink##name)),         \
                   "nvJitLink" #name);
#define ABI_TN_OPTIONAL(name)
#define TN_NVJITLINK(name, need, args) ABI_##need(name)
#include "nv/nvjitlink.inc"
_Static_assert(NVJITLINK_INPUT_CUBIN == (int)TN_NVJITLINK_CUBIN, "kinds of input");
_Static_assert(NVJITLINK_INPUT_LTOIR == (int)TN_NVJITLINK_LTOIR, "kinds of input");
_Static_assert(NVJITLINK_INPUT_LIBRARY == (int)TN_NVJITLINK_ARCHIVE, "kinds of input");
#endif

// The vendor's library keeps memory for as long as the process lives; ours is still checked.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvJitLink.so\n";
}

/// A library that is nothing but names: those that match `exports` and do not match `lacks`.
typedef struct fake {
    const char *exports, *lacks;
    char last[64];  // the name found last
} fake;

static void *look_up(void *data, const char *symbol)
{
    fake *library = data;
    if (fnmatch(library->exports, symbol, 0) != 0) return NULL;
    if (fnmatch(library->lacks, symbol, 0) == 0) return NULL;
    snprintf(library->last, sizeof(library->last), "%s", symbol);
    return library->last;
}

static void expect_last(const char *exports, const char *last)
{
    fake library = {exports, "", ""};
    tn_nvjitlink lib = {0};
    assert_null(tn_nvjitlink_bind(look_up, &library, &lib));
    assert_string_equal(library.last, last);
}

static void first_known_name_wins(void **state)
{
    (void)state;
    expect_last("*", "nvJitLinkGetLinkedLTOIR");
    expect_last("__nvJitLink*", "__nvJitLinkGetLinkedLTOIR_13_0");
    expect_last("__nvJitLink*_12_0", "__nvJitLinkGetLinkedLTOIR_12_0");
}

static void only_optional_symbols_may_be_missing(void **state)
{
    (void)state;
    fake old = {"*", "*Version*", ""}, broken = {"*", "*Complete*", ""};
    tn_nvjitlink lib = {0};
    tenon_status *status = tn_nvjitlink_bind(look_up, &broken, &lib);
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_non_null(strstr(tenon_status_message(status), "nvJitLinkComplete"));
    assert_true(lib.Create == NULL);
    tenon_status_free(status);

    assert_null(tn_nvjitlink_bind(look_up, &old, &lib));
    assert_true(lib.Create != NULL);
    assert_true(lib.Version == NULL);
}

static void results_have_names(void **state)
{
    (void)state;
    assert_string_equal(tn_nvjitlink_result_name(0), "SUCCESS");
    assert_string_equal(tn_nvjitlink_result_name(9), "ERROR_FINALIZE");
    assert_string_equal(tn_nvjitlink_result_name(18), "ERROR_LTO_NOT_ENABLED");
    assert_string_equal(tn_nvjitlink_result_name(19), "unknown result");
    assert_string_equal(tn_nvjitlink_result_name(~0u), "unknown result");
}

/// Links one PTX text and copies the first four bytes of the cubin.
static tenon_status *link_ptx(const tn_nvjitlink *lib, const char *ptx, char *out_head)
{
    const char *options[] = {"-arch=sm_90"};
    static char cubin[1 << 16];
    size_t size = 0;
    tn_nvjitlink_handle link = NULL;
    tenon_status *status = NULL;

    TN_TRY(TN_NVJITLINK_CALL(lib, NULL, Create(&link, 1, options)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(
        lib, link, AddData(link, TN_NVJITLINK_PTX, ptx, strlen(ptx) + 1, "test.ptx")));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, Complete(link)));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedCubinSize(link, &size)));
    assert_in_range(size, 4, sizeof(cubin));
    TN_TRY_DONE(TN_NVJITLINK_CALL(lib, link, GetLinkedCubin(link, cubin)));
    memcpy(out_head, cubin, 4);
done:
    lib->Destroy(&link);
    return status;
}

static void real_library_links(void **state)
{
#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
    (void)state;
    const tn_nvjitlink *lib = NULL;
    tenon_status *status = tn_nvjitlink_get(&lib);
    if (status) {
        print_message("skipped: %s\n%s", tenon_status_message(status), tenon_status_log(status));
        assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
        tenon_status_free(status);
        skip();
    }
    assert_true(strstr(lib->path, "libnvJitLink") != NULL);
    char head[4] = "";
    assert_null(link_ptx(lib, HEAD ".visible .entry k() { ret; }\n", head));
    assert_memory_equal(head, "\177ELF", 4);

    status = link_ptx(
        lib, HEAD ".extern .func scale();\n.visible .entry k() { call scale; ret; }\n", head);
    assert_int_equal(tenon_status_code(status), TENON_LINK_FAILED);
    assert_non_null(strstr(tenon_status_message(status), "nvJitLinkComplete: result "));
    // Version 12 prints this on stderr, whatever one does.
    if (lib->major >= 13) assert_non_null(strstr(tenon_status_log(status), "'scale'"));
    tenon_status_free(status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_known_name_wins),
        cmocka_unit_test(only_optional_symbols_may_be_missing),
        cmocka_unit_test(results_have_names),
        cmocka_unit_test(real_library_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
