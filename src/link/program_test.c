// What is refused before NVRTC is asked; then, where there is an NVRTC, real compiles. How its
// failures are told is in tests/fake/program_test.c.
#include "link/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "core/object.h"
#include "nv/nvrtc.h"
#include "nv/toolkit.h"

// The vendor's library keeps memory for as long as the process lives; ours is still checked.
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libnvrtc\n";
}

static tenon_program_options options_for(const char *arch)
{
    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = arch;
    return options;
}

static tenon_status *create(tenon_program_options options, const char *source,
                            tenon_program **out_program)
{
    return tenon_program_create(&options, "x.cu", (tenon_bytes){source, strlen(source)},
                                out_program);
}

/// Compiles a source and gives the object; NULL if that fails, and then `out_status` is the error.
static tenon_object *compile(tenon_program_options options, const char *source, tenon_kind target,
                             tenon_status **out_status)
{
    tenon_program *program = NULL;
    tenon_object *object = NULL;
    *out_status = create(options, source, &program);
    if (!*out_status) *out_status = tenon_program_compile(program, target, &object);
    tenon_program_release(program);
    return object;
}

static void expect_refusal(tenon_program_options options, tenon_kind target, const char *text)
{
    tenon_status *status = NULL;
    assert_null(compile(options, "", target, &status));
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    if (!strstr(tenon_status_message(status), text)) {
        fail_msg("'%s' is not in '%s'", text, tenon_status_message(status));
    }
    assert_non_null(strstr(tenon_status_message(status), "x.cu"));
    tenon_status_free(status);
}

static void contradictions_are_refused_by_name(void **state)
{
    (void)state;
    tenon_program_options options = options_for(NULL);
    expect_refusal(options, TENON_KIND_PTX, "arch");
    expect_refusal(options_for("hopper"), TENON_KIND_PTX, "'hopper' is no arch");
    expect_refusal(options_for("compute_90"), TENON_KIND_CUBIN, "use sm_90");
    expect_refusal(options_for("sm_90"), TENON_KIND_FATBIN, "target");
    options = options_for("sm_90");
    options.whole_program = 1;
    expect_refusal(options, TENON_KIND_LTOIR, "whole_program");
    options.whole_program = 2;
    expect_refusal(options, TENON_KIND_PTX, "whole_program: 2");
}

static void extra_options_that_contradict_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *option;
        tenon_kind target;
        uint32_t whole_program;
    } rows[] = {
        {"-arch=sm_80", TENON_KIND_CUBIN, 0},
        {"--gpu-architecture=sm_80", TENON_KIND_PTX, 0},
        {"-dlto", TENON_KIND_CUBIN, 0},
        {"--dlink-time-opt", TENON_KIND_PTX, 1},
        {"-rdc=false", TENON_KIND_LTOIR, 0},
        {"--relocatable-device-code=false", TENON_KIND_CUBIN, 0},
        {"-rdc=true", TENON_KIND_CUBIN, 1},
        {"-dc", TENON_KIND_PTX, 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *const extra[] = {"-lineinfo", rows[i].option, NULL};
        tenon_program_options options = options_for("sm_90");
        options.extra_options = extra;
        options.whole_program = rows[i].whole_program;
        expect_refusal(options, rows[i].target, rows[i].option);
    }
}

static void texts_are_checked(void **state)
{
    (void)state;
    tenon_program_options options = options_for("sm_90");
    tenon_program *program = NULL;
    tenon_status *status =
        tenon_program_create(&options, "x.cu", (tenon_bytes){"a\0b", 3}, &program);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_non_null(strstr(tenon_status_message(status), "NUL at byte 1"));
    tenon_status_free(status);

    assert_null(create(options, "", &program));
    status = tenon_program_add_header(program, "a.h", (tenon_bytes){"\0", 1});
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    tenon_status_free(status);
    assert_null(tenon_program_add_header(program, "a.h", (tenon_bytes){"x", 1}));
    status = tenon_program_add_header(program, "a.h", (tenon_bytes){"y", 1});
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_non_null(strstr(tenon_status_message(status), "'a.h'"));
    tenon_status_free(status);
    status = tenon_program_add_name(program, "");
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    tenon_status_free(status);
    tenon_program_release(program);

    options.size = 3;
    status = create(options, "", &program);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    tenon_status_free(status);
    options = options_for("sm_90");
    status = tenon_program_open(&options, "none.cu", &program);
    assert_int_equal(tenon_status_code(status), TENON_NOT_FOUND);
    assert_non_null(strstr(tenon_status_message(status), "none.cu"));
    tenon_status_free(status);
    tenon_program_release(NULL);
}

/// Skips a test where there is no NVRTC.
static const tn_nvrtc *need_nvrtc(void)
{
    const tn_nvrtc *lib = NULL;
    tenon_status *status = tn_nvrtc_get(&lib);
    if (status) {
        print_message("skipped: %s\n", tenon_status_message(status));
        assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
        tenon_status_free(status);
        skip();
    }
    return lib;
}

static tenon_object *good(tenon_program_options options, const char *source, tenon_kind target)
{
    tenon_status *status = NULL;
    tenon_object *object = compile(options, source, target, &status);
    if (status) fail_msg("%s\n%s", tenon_status_message(status), tenon_status_log(status));
    assert_int_equal(tenon_object_kind(object), target);
    assert_true(object->trusted);
    return object;
}

static const char unit[] =
    "extern __device__ int leaf(int);\n"
    "extern \"C\" __global__ void run(int *p) { *p = leaf(*p); }\n";

static void each_target_is_made(void **state)
{
    (void)state;
    (void)need_nvrtc();
    tenon_object *object = good(options_for("sm_90"), unit, TENON_KIND_CUBIN);
    assert_true(tenon_object_is_relocatable(object));
    assert_string_equal(tenon_object_name(object), "x.cubin");
    assert_string_equal(tenon_object_undefined_name(object, 0), "_Z4leafi");
    tenon_object_release(object);

    object = good(options_for("sm_90a"), unit, TENON_KIND_PTX);
    assert_string_equal(tenon_object_arch(object, 0), "compute_90a");
    tenon_bytes ptx = tenon_object_bytes(object);
    assert_int_equal(((const char *)ptx.data)[ptx.size], '\0');
    assert_int_not_equal(((const char *)ptx.data)[ptx.size - 1], '\0');
    tenon_object_release(object);

    tenon_object_release(good(options_for("compute_90"), unit, TENON_KIND_LTOIR));
    tenon_object_release(good(options_for("sm_90"), unit, TENON_KIND_LTOIR));

    tenon_program_options whole = options_for("sm_90");
    whole.whole_program = 1;
    object = good(whole, "extern \"C\" __global__ void run() {}", TENON_KIND_CUBIN);
    assert_false(tenon_object_is_relocatable(object));
    tenon_object_release(object);
}

static void errors_have_the_whole_log(void **state)
{
    (void)state;
    const tn_nvrtc *lib = need_nvrtc();
    tenon_status *status = NULL;
    assert_null(compile(options_for("sm_90"), "__global__ void k() { first; second; }\n",
                        TENON_KIND_PTX, &status));
    assert_int_equal(tenon_status_code(status), TENON_COMPILE_FAILED);
    assert_non_null(strstr(tenon_status_message(status), "x.cu(1): error: identifier \"first\""));
    assert_non_null(strstr(tenon_status_log(status), "\"second\" is undefined"));
    tenon_status_free(status);

    assert_null(compile(options_for("sm_10"), "", TENON_KIND_PTX, &status));
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_non_null(strstr(tenon_status_message(status), "sm_90"));
    assert_non_null(strstr(tenon_status_message(status), lib->path));
    tenon_status_free(status);

    assert_null(compile(options_for("sm_90"), "#include <none.h>\n", TENON_KIND_PTX, &status));
    assert_non_null(strstr(tenon_status_log(status), "NVRTC has no headers of the host"));
    tenon_status_free(status);
}

static void names_and_headers_in_memory(void **state)
{
    (void)state;
    (void)need_nvrtc();
    tenon_program_options options = options_for("sm_90");
    tenon_program *program = NULL;
    tenon_object *object = NULL;
    static const char header[] = "template <class T> __global__ void scale(T *p) { *p *= 2; }";
    assert_null(create(options, "#include \"scale.h\"\n#include <deep/empty.h>\n", &program));
    assert_null(
        tenon_program_add_header(program, "scale.h", (tenon_bytes){header, sizeof(header) - 1}));
    assert_null(tenon_program_add_header(program, "deep/empty.h", (tenon_bytes){NULL, 0}));
    assert_null(tenon_program_add_name(program, "&scale<float>"));
    assert_null(tenon_program_add_name(program, "scale<int>"));
    assert_null(tenon_program_add_name(program, "scale<int>"));
    assert_null(tenon_program_lowered_name(program, "scale<int>"));
    tenon_status *status = tenon_program_compile(program, TENON_KIND_CUBIN, &object);
    if (status) fail_msg("%s\n%s", tenon_status_message(status), tenon_status_log(status));
    assert_string_equal(tenon_program_lowered_name(program, "&scale<float>"), "_Z5scaleIfEvPT_");
    assert_string_equal(tenon_program_lowered_name(program, "scale<int>"), "_Z5scaleIiEvPT_");
    assert_null(tenon_program_lowered_name(program, "scale"));
    assert_int_equal(tenon_object_kernel_count(object), 2);
    tenon_object_release(object);

    assert_null(tenon_program_add_name(program, "nobody<int>"));
    status = tenon_program_compile(program, TENON_KIND_PTX, &object);
    assert_int_equal(tenon_status_code(status), TENON_COMPILE_FAILED);
    assert_non_null(strstr(tenon_status_log(status), "nobody"));
    tenon_status_free(status);
    tenon_program_release(program);
}

static const char c_headers[] =
    "#include <assert.h>\n#include <float.h>\n#include <limits.h>\n#include <math.h>\n"
    "#include <stdarg.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <cassert>\n#include <cfloat>\n#include <climits>\n#include <cmath>\n"
    "#include <cstdarg>\n#include <cstddef>\n#include <cstdint>\n#include <cstdio>\n"
    "#include <cstdlib>\n#include <cstring>\n";

static const char c_body[] =
    "struct pair { int a; double b; };\n"
    "static_assert(sizeof(int64_t) == 8 && sizeof(std::uint8_t) == 1, \"\");\n"
    "static_assert(sizeof(intptr_t) == sizeof(void *), \"\");\n"
    "static_assert(INT64_MIN < 0 && UINT64_MAX > 0 && SIZE_MAX > 0, \"\");\n"
    "static_assert(INT_MIN < 0 && LONG_MAX > INT_MAX && CHAR_BIT == 8, \"\");\n"
    "constexpr float infinity = INFINITY;\n"
    "__global__ void k(float *p, std::uint64_t *r) {\n"
    "  assert(p);\n"
    "  *p = std::sqrt(std::fabs(*p)) + FLT_MAX + (float)(DBL_EPSILON * M_PI) + NAN;\n"
    "  if (std::isnan(*p) || *p == infinity) std::printf(\"%f\\n\", *p);\n"
    "  int *q = (int *)std::malloc(sizeof(int));\n"
    "  std::memset(q, 0, 4);\n"
    "  std::free(q);\n"
    "  *r = offsetof(pair, b) + INT64_C(5) + UINT32_C(7) + std::abs(-1);\n"
    "}\n";

static void expect_silent(tenon_program_options options, const char *first, const char *second)
{
    char source[8192];
    tenon_program *program = NULL;
    tenon_object *object = NULL;
    snprintf(source, sizeof(source), "%s%s%s", first, second, c_body);
    assert_null(create(options, source, &program));
    tenon_status *status = tenon_program_compile(program, TENON_KIND_PTX, &object);
    if (status) fail_msg("%s\n%s", tenon_status_message(status), tenon_status_log(status));
    assert_string_equal(tenon_program_log(program), "");
    tenon_object_release(object);
    tenon_program_release(program);
}

static void small_c_headers_are_there(void **state)
{
    (void)state;
    (void)need_nvrtc();
    tenon_program_options options = options_for("sm_90");
    expect_silent(options, c_headers, "");
    options.std = "c++20";
    expect_silent(options, c_headers, "");
    options.no_default_headers = 1;
    tenon_status *status = NULL;
    assert_null(compile(options, "#include <stdio.h>\n", TENON_KIND_PTX, &status));
    assert_non_null(strstr(tenon_status_log(status), "stdio.h"));
    tenon_status_free(status);
}

static void small_c_headers_get_on_with_the_toolkits(void **state)
{
    (void)state;
    (void)need_nvrtc();
    tn_buffer folders = {0};
    assert_null(tn_toolkit_include(&folders));
    bool cccl = folders.size && strstr(folders.data + strlen(folders.data) + 1, "cccl");
    tn_buffer_deinit(&folders);
    if (!cccl) {
        print_message("skipped: no headers of CCCL beside NVRTC\n");
        skip();
    }
    static const char others[] =
        "#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n#include <cuda/std/cstdint>\n"
        "#include <cuda/std/climits>\n#include <cuda/std/cstddef>\n#include <cuda/std/span>\n";
    tenon_program_options options = options_for("sm_90");
    expect_silent(options, c_headers, others);
    expect_silent(options, others, c_headers);
}

static void headers_of_the_user_come_first(void **state)
{
    (void)state;
    (void)need_nvrtc();
    char folder[] = "/tmp/tenon-program-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    const char *const folders[] = {folder, NULL};
    static const char text[] = "#define MINE 1\n";
    snprintf(path, sizeof(path), "%s/stdio.h", folder);
    assert_int_equal(tn_file_replace(path, text, sizeof(text) - 1), 0);
    tenon_program_options options = options_for("sm_90");
    options.include_paths = folders;
    tenon_object_release(good(options,
                              "#include <stdio.h>\nstatic_assert(MINE, \"\");\n"
                              "#include <stdint.h>\n"
                              "static_assert(sizeof(int32_t) == 4, \"\");",
                              TENON_KIND_PTX));
    unlink(path);
    rmdir(folder);
}

static void options_reach_nvrtc(void **state)
{
    (void)state;
    (void)need_nvrtc();
    const char *const defines[] = {"ONE", "TEXT=\"a b\"", "TWO=2", NULL};
    const char *const extra[] = {"--restrict", NULL};
    tenon_program_options options = options_for("sm_90");
    options.defines = defines;
    options.extra_options = extra;
    options.std = "c++14";
    options.lineinfo = 1;
    options.fast_math = 1;
    options.max_register_count = 32;
    tenon_object_release(good(options,
                              "static_assert(ONE == 1 && TWO == 2 && sizeof(TEXT) == 4, \"\");\n"
                              "static_assert(__cplusplus == 201402L, \"\");\n"
                              "extern \"C\" __global__ void run() {}\n",
                              TENON_KIND_CUBIN));
    options.lineinfo = 0;
    options.debug = 1;
    tenon_object_release(good(options, unit, TENON_KIND_CUBIN));
}

static void time_trace_has_the_name_that_was_asked_for(void **state)
{
    (void)state;
    const tn_nvrtc *lib = need_nvrtc();
    if (lib->major < 13) skip();
    static const char *const names[] = {"trace", "trace.json"};
    char folder[] = "/tmp/tenon-program-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < 4; i++) {  // each twice: the second finds the file of the first
        tenon_program_options options = options_for("sm_90");
        snprintf(path, sizeof(path), "%s/%s", folder, names[i / 2]);
        options.time_trace = path;
        tenon_object_release(good(options, unit, TENON_KIND_CUBIN));
        assert_true(tn_file_exists(path));
        if (i % 2) assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictions_are_refused_by_name),
        cmocka_unit_test(extra_options_that_contradict_are_refused),
        cmocka_unit_test(texts_are_checked),
        cmocka_unit_test(each_target_is_made),
        cmocka_unit_test(errors_have_the_whole_log),
        cmocka_unit_test(names_and_headers_in_memory),
        cmocka_unit_test(small_c_headers_are_there),
        cmocka_unit_test(small_c_headers_get_on_with_the_toolkits),
        cmocka_unit_test(headers_of_the_user_come_first),
        cmocka_unit_test(options_reach_nvrtc),
        cmocka_unit_test(time_trace_has_the_name_that_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
