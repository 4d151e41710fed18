// What a link does with each kind of input and option. NVIDIA's library reports success for some of
// these, drops inputs, or crashes; each row has the right behaviour and the test of it.
//
//   no arch                                      arch_comes_from_inputs
//   unknown, too old, virtual or wrong arch      archs_that_are_not_known
//   unknown option                               unknown_vendor_option
//   -ptx without LTO; PTX size without LTO       ptx_needs_lto
//   two -arch                                    second_arch_is_never_silent
//   undefined reference, final and partial       undefined_reference
//   two strong definitions, PTX or cubin         two_definitions
//   two strong definitions, LTO-IR               two_definitions_of_ltoir
//   weak and strong in any order                 weak_and_strong
//   memory spaces differ                         spaces_differ
//   sizes or prototypes differ; common           sizes_differ, prototypes_differ, commons
//   a kernel's register limit is too small       registers_are_checked_at_the_end
//   recursion                                    recursion_is_a_warning
//   LTO-IR without -lto                          ltoir_without_lto
//   -lto with PTX only                           lto_needs_ltoir
//   -lto -ptx with a PTX input                   ptx_result_drops_ptx
//   -lto, LTO-IR with an undefined name          undefined_in_ltoir
//   -lto -r -ptx                                 no_partial_ptx
//   LTO-IR target, a cubin or PTX among inputs   ltoir_result_drops_others
//   ET_REL as OBJECT                             api_test.c
//   ET_REL as ANY; LTO-IR as ANY                 any_is_recognised
//   ET_EXEC as input                             finished_cubin
//   no input at all                              no_input
//   LTO-IR, cubin, PTX newer than the target     inputs_newer_than_target
//   sm_90a for sm_90; sm_90 for sm_90a           arch_specific_code
//   wrong tag; garbage; size 0; kind; NULL       nonsense_is_refused
//   an LTO link, then a native duplicate         api_test.c
//   truncated or bit-flipped cubin               api_test.c, link-damaged-cubin
//   truncated or bit-flipped LTO-IR              damaged_ltoir
//   finishing twice, adding after it             api_test.c
//   -kernels-used                                kernels_used
//   an archive with an unused member             archives.sh
//   child launch with and without cudadevrt      archives.sh
//   printf, statics of one name                  link-printf-assert, link-static-same-name
#include <stdlib.h>

#include "units.h"

static const char caller[] =
    "extern __device__ int scale(int x);\n"
    "extern \"C\" __global__ void apply(int *p) { *p = scale(*p); }\n";
static const char helper[] = "__device__ int scale(int x) { return 3 * x; }\n";
static const char other[] = "extern \"C\" __global__ void other(int *p) { *p = 7; }\n";

// PTX by hand, for what no compiler writes.
#define PTX_HEAD(target) ".version 7.0\n.target " target "\n.address_size 64\n"
static const char ptx_leaf[] = PTX_HEAD("sm_80") ".visible .func leaf() { ret; }\n";
static const char weak_scale[] = PTX_HEAD("sm_80")
    ".weak .func (.param .b32 r) _Z5scalei(.param .b32 x) {\n"
    ".reg .b32 %a; mov.u32 %a, 1; st.param.b32 [r], %a; ret; }\n";

static tenon_object *cubin(const char *name, const char *source)
{
    return compile(name, source, TENON_KIND_CUBIN);
}

static tenon_object *ltoir(const char *name, const char *source)
{
    return compile(name, source, TENON_KIND_LTOIR);
}

static void arch_comes_from_inputs(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    char log[256];
    for (size_t i = 0; i < 3; i++) {
        link_request l = {.target = TENON_KIND_CUBIN,
                          .inputs = {compile_for("sm_86", "other.cu", other, kinds[i])}};
        tenon_object *object = passes(l, log, sizeof(log));
        assert_string_equal(tenon_object_arch(object, 0), "sm_86");
        tenon_object_release(object);
    }
}

static void archs_that_are_not_known(void **state)
{
    (void)state;
    // No longer known, and known to no library that there is.
    static const char oldest[] = PTX_HEAD("sm_70") ".visible .func leaf() { ret; }\n";
    link_request gone = {
        .arch = "sm_70", .target = TENON_KIND_CUBIN, .inputs = {ptx("leaf", oldest)}};
    fails_with(gone, TENON_INCOMPATIBLE, TEXTS("arch"));
    link_request none = {
        .arch = "sm_990", .target = TENON_KIND_CUBIN, .inputs = {ptx("leaf", ptx_leaf)}};
    fails_with(none, TENON_INCOMPATIBLE, TEXTS("arch"));
    // The library's own words are kept.
    link_request old = {.arch = "sm_90", .target = TENON_KIND_CUBIN};
    old.inputs[0] = compile_for("sm_100", "other.cu", other, TENON_KIND_CUBIN);
    fails_with(old, TENON_INCOMPATIBLE, TEXTS("'other.cubin'", "sm_90", "sm_100"));
    link_request bogus = {
        .arch = "bogus", .target = TENON_KIND_CUBIN, .inputs = {ptx("leaf", ptx_leaf)}};
    fails_with(bogus, TENON_INVALID_ARGUMENT, TEXTS("'bogus'", "sm_90"));
    // A virtual arch is the real one of its number.
    link_request virtual = {
        .arch = "compute_90", .target = TENON_KIND_CUBIN, .inputs = {cubin("other.cu", other)}};
    gives_kernels(virtual, TEXTS("other"));
}

static void unknown_vendor_option(void **state)
{
    (void)state;
    link_request l = {
        .target = TENON_KIND_CUBIN, .inputs = {cubin("other.cu", other)}, .extra = TEXTS("-bogus")};
    fails_with(l, TENON_INVALID_ARGUMENT, TEXTS("-bogus"));
    link_request half = {
        .target = TENON_KIND_CUBIN, .inputs = {cubin("other.cu", other)}, .extra = TEXTS("-ptx")};
    fails_with(half, TENON_INVALID_ARGUMENT, TEXTS("-lto"));
}

// The library takes the last one, and warns at most.
static void second_arch_is_never_silent(void **state)
{
    (void)state;
    char log[4096];
    link_request l = {.arch = "sm_90",
                      .target = TENON_KIND_CUBIN,
                      .inputs = {ptx("leaf", ptx_leaf)},
                      .extra = TEXTS("-arch=sm_100")};
    for (int as_bytes = 0; as_bytes < 2; as_bytes++) {
        tenon_object *object = NULL;
        tenon_status *status = link_once(&l, as_bytes, log, sizeof(log), &object);
        assert_true(status || strstr(log, "redefinition"));
        tenon_status_free(status);
        tenon_object_release(object);
    }
    release_inputs(&l);
}

static void ptx_needs_lto(void **state)
{
    (void)state;
    link_request off = {
        .lto = TENON_CHOICE_OFF, .target = TENON_KIND_PTX, .inputs = {cubin("other.cu", other)}};
    fails_with(off, TENON_INVALID_ARGUMENT, TEXTS("PTX", "link_time_optimization"));
    link_request none = {.target = TENON_KIND_PTX, .inputs = {cubin("other.cu", other)}};
    fails_with(none, TENON_INVALID_ARGUMENT, TEXTS("'other.cubin'", "only LTO-IR"));
}

static void undefined_reference(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX};
    static const char *const names[] = {"caller.cubin", "caller.ptx"};
    char log[256];
    for (size_t i = 0; i < 2; i++) {
        link_request final = {.target = TENON_KIND_CUBIN,
                              .inputs = {compile("caller.cu", caller, kinds[i])}};
        fails_with(final, TENON_LINK_FAILED, TEXTS("scale(int)", "_Z5scalei", names[i]));
        link_request partial = {.incremental = true,
                                .target = TENON_KIND_CUBIN,
                                .inputs = {compile("caller.cu", caller, kinds[i])}};
        tenon_object *object = passes(partial, log, sizeof(log));
        assert_int_equal(tenon_object_is_relocatable(object), 1);
        assert_int_equal(tenon_object_undefined_count(object), 1);
        assert_string_equal(tenon_object_undefined_name(object, 0), "_Z5scalei");
        assert_int_equal(tenon_object_kernel_count(object), 1);
        tenon_object_release(object);
    }
}

static void two_definitions(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX};
    static const char *const names[][2] = {{"a.cubin", "b.cubin"}, {"a.ptx", "b.ptx"}};
    for (size_t i = 0; i < 2; i++) {
        for (int incremental = 0; incremental < 2; incremental++) {
            link_request l = {
                .incremental = incremental,
                .target = TENON_KIND_CUBIN,
                .inputs = {cubin("caller.cu", caller), compile("a.cu", helper, kinds[i]),
                           compile("b.cu", helper, kinds[i])}};
            fails_with(l, TENON_LINK_FAILED, TEXTS("scale(int)", names[i][0], names[i][1]));
        }
    }
}

static void two_definitions_of_ltoir(void **state)
{
    (void)state;
    link_request l = {
        .target = TENON_KIND_CUBIN,
        .inputs = {ltoir("caller.cu", caller), ltoir("a.cu", helper), ltoir("b.cu", helper)}};
    fails_with(l, TENON_LINK_FAILED, TEXTS("scale(int)", "a.ltoir", "b.ltoir"));
}

static void weak_and_strong(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        link_request l = {.target = TENON_KIND_CUBIN, .inputs = {cubin("caller.cu", caller)}};
        l.inputs[1 + swapped] = ptx("weak.ptx", weak_scale);
        l.inputs[2 - swapped] = cubin("helper.cu", helper);
        gives_kernels(l, TEXTS("apply"));
    }
    link_request weak = {.target = TENON_KIND_CUBIN,
                         .inputs = {cubin("caller.cu", caller), ptx("weak.ptx", weak_scale),
                                    ptx("also.ptx", weak_scale)}};
    gives_kernels(weak, TEXTS("apply"));
}

static void spaces_differ(void **state)
{
    (void)state;
    static const char definition[] = "__device__ int v;\n";
    static const char use[] =
        "extern __constant__ int v;\n"
        "extern \"C\" __global__ void read(int *p) { *p = v; }\n";
    for (int incremental = 0; incremental < 2; incremental++) {
        link_request l = {.incremental = incremental,
                          .target = TENON_KIND_CUBIN,
                          .inputs = {cubin("a.cu", definition), cubin("b.cu", use)}};
        fails_with(l, TENON_LINK_FAILED, TEXTS("'v'", "'a.cubin'", "'b.cubin'", "spaces differ"));
    }
}

static void sizes_differ(void **state)
{
    (void)state;
    static const char use[] =
        "extern __device__ int v[4];\n"
        "extern \"C\" __global__ void read(int *p) { *p = v[*p]; }\n";
    for (int incremental = 0; incremental < 2; incremental++) {
        link_request l = {.incremental = incremental,
                          .target = TENON_KIND_CUBIN,
                          .inputs = {cubin("a.cu", "__device__ int v[8];\n"), cubin("b.cu", use)}};
        fails_with(l, TENON_LINK_FAILED,
                   TEXTS("'v'", "'a.cubin'", "'b.cubin'", "32", "16", "sizes differ"));
    }
}

static void prototypes_differ(void **state)
{
    (void)state;
    static const char definition[] =
        "extern \"C\" __device__ float f(float a, float b) { return a * b; }\n";
    static const char use[] =
        "extern \"C\" __device__ int f(int a);\n"
        "extern \"C\" __global__ void call(int *p) { *p = f(*p); }\n";
    for (int incremental = 0; incremental < 2; incremental++) {
        link_request l = {.incremental = incremental,
                          .target = TENON_KIND_CUBIN,
                          .inputs = {cubin("a.cu", definition), cubin("b.cu", use)}};
        fails_with(l, TENON_LINK_FAILED,
                   TEXTS("'f'", "'a.cubin'", "'b.cubin'", "prototypes differ"));
    }
}

static void commons(void **state)
{
    (void)state;
    static const char small[] = PTX_HEAD("sm_80") ".common .global .align 4 .b8 v[16];\n";
    static const char large[] = PTX_HEAD("sm_80") ".common .global .align 4 .b8 v[32];\n";
    link_request fixed = {.arch = "sm_90",
                          .target = TENON_KIND_CUBIN,
                          .inputs = {ptx("small", small), cubin("a.cu", "__device__ int v[8];\n")}};
    fails_with(fixed, TENON_LINK_FAILED, TEXTS("'v'", "small", "'a.cubin'"));
    // Among themselves they merge to the largest.
    link_request l = {.arch = "sm_90",
                      .target = TENON_KIND_CUBIN,
                      .inputs = {ptx("small", small), ptx("large", large)}};
    char log[256];
    tenon_object *object = passes(l, log, sizeof(log));
    size_t found = 0;
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *symbol = tenon_object_symbol(object, i);
        found += strcmp(symbol->name, "v") == 0 && symbol->bytes == 32;
    }
    assert_int_equal(found, 1);
    tenon_object_release(object);
}

static void registers_are_checked_at_the_end(void **state)
{
    (void)state;
    static const char heavy[] =
        "__device__ float heavy(const float *p)\n"
        "{\n"
        "    float a[96], s = 0;\n"
        "#pragma unroll\n"
        "    for (int i = 0; i < 96; ++i) a[i] = p[i * 33];\n"
        "#pragma unroll\n"
        "    for (int i = 0; i < 96; ++i) a[i] = a[i] * a[(i + 7) % 96] + a[(i + 31) % 96];\n"
        "#pragma unroll\n"
        "    for (int i = 0; i < 96; ++i) s += a[i] * a[(i + 5) % 96];\n"
        "    return s;\n"
        "}\n";
    static const char kernel[] =
        "extern __device__ float heavy(const float *p);\n"
        "extern \"C\" __global__ void __launch_bounds__(1024, 2) tight(float *p) { *p = heavy(p); "
        "}\n";
    char log[256];
    link_request direct = {.target = TENON_KIND_CUBIN,
                           .inputs = {cubin("kernel.cu", kernel), cubin("heavy.cu", heavy)}};
    fails_with(direct, TENON_LINK_FAILED, TEXTS("tight", "heavy", "32"));
    link_request partial = {.incremental = true,
                            .target = TENON_KIND_CUBIN,
                            .inputs = {cubin("kernel.cu", kernel), cubin("heavy.cu", heavy)}};
    link_request last = {.target = TENON_KIND_CUBIN, .inputs = {passes(partial, log, sizeof(log))}};
    fails_with(last, TENON_LINK_FAILED, TEXTS("tight", "heavy", "32", "'linked'"));
}

static void recursion_is_a_warning(void **state)
{
    (void)state;
    static const char source[] =
        "__device__ __noinline__ int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
        "extern \"C\" __global__ void k(int *p) { *p = f(*p); }\n";
    char log[4096];
    link_request l = {.target = TENON_KIND_CUBIN, .inputs = {cubin("a.cu", source)}};
    tenon_object_release(passes(l, log, sizeof(log)));
    assert_non_null(strstr(log, "cannot be statically determined"));
}

static void ltoir_without_lto(void **state)
{
    (void)state;
    link_request l = {
        .lto = TENON_CHOICE_OFF, .target = TENON_KIND_CUBIN, .inputs = {ltoir("other.cu", other)}};
    fails_with(l, TENON_INVALID_ARGUMENT,
               TEXTS("'other.ltoir'", "LTO-IR", "link_time_optimization"));
    // Unless it is forbidden, LTO is what LTO-IR asks for.
    link_request derived = {.target = TENON_KIND_CUBIN, .inputs = {ltoir("other.cu", other)}};
    gives_kernels(derived, TEXTS("other"));
}

static void lto_needs_ltoir(void **state)
{
    (void)state;
    link_request l = {.lto = TENON_CHOICE_ON,
                      .target = TENON_KIND_CUBIN,
                      .inputs = {compile("other.cu", other, TENON_KIND_PTX)}};
    fails_with(l, TENON_INVALID_ARGUMENT, TEXTS("link_time_optimization", "no input has LTO-IR"));
}

static void ptx_result_drops_ptx(void **state)
{
    (void)state;
    link_request l = {
        .lto = TENON_CHOICE_ON,
        .target = TENON_KIND_PTX,
        .inputs = {ltoir("caller.cu", caller), compile("helper.cu", helper, TENON_KIND_PTX)}};
    fails_with(l, TENON_INVALID_ARGUMENT, TEXTS("'helper.ptx'", "only LTO-IR"));
}

static void undefined_in_ltoir(void **state)
{
    (void)state;
    char log[4096];
    link_request final = {.target = TENON_KIND_CUBIN, .inputs = {ltoir("caller.cu", caller)}};
    fails_with(final, TENON_LINK_FAILED, TEXTS("scale(int)", "_Z5scalei", "caller.ltoir"));
    link_request partial = {
        .incremental = true, .target = TENON_KIND_CUBIN, .inputs = {ltoir("caller.cu", caller)}};
    if (nvjitlink_version() < 1303) {
        fails_with(partial, TENON_INCOMPATIBLE, TEXTS("13.3", "libnvJitLink"));
        return;
    }
    tenon_object *object = passes(partial, log, sizeof(log));
    assert_int_equal(tenon_object_undefined_count(object), 1);
    tenon_object_release(object);
}

static void no_partial_ptx(void **state)
{
    (void)state;
    link_request l = {.incremental = true,
                      .lto = TENON_CHOICE_ON,
                      .target = TENON_KIND_PTX,
                      .inputs = {ltoir("caller.cu", caller)}};
    fails_with(l, TENON_INVALID_ARGUMENT, TEXTS("partial", "never PTX"));
}

static void ltoir_result_drops_others(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX};
    static const char *const names[] = {"'helper.cubin'", "'helper.ptx'"};
    for (size_t i = 0; i < 2; i++) {
        for (int incremental = 0; incremental < 2; incremental++) {
            link_request l = {
                .incremental = incremental,
                .target = TENON_KIND_LTOIR,
                .inputs = {ltoir("caller.cu", caller), compile("helper.cu", helper, kinds[i])}};
            fails_with(l, TENON_INVALID_ARGUMENT, TEXTS(names[i], "only LTO-IR"));
        }
    }
}

// The second half of passes() and fails_with() always gives bytes of any kind.
static void any_is_recognised(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    for (size_t i = 0; i < 9; i++) {
        link_request l = {.target = TENON_KIND_CUBIN,
                          .inputs = {compile("caller.cu", caller, kinds[i / 3]),
                                     compile("helper.cu", helper, kinds[i % 3])}};
        gives_kernels(l, TEXTS("apply"));
    }
}

static void finished_cubin(void **state)
{
    (void)state;
    char log[256];
    link_request first = {.target = TENON_KIND_CUBIN, .inputs = {cubin("other.cu", other)}};
    tenon_object *finished = passes(first, log, sizeof(log));
    link_request alone = {.target = TENON_KIND_CUBIN, .inputs = {tenon_object_retain(finished)}};
    fails_with(alone, TENON_INVALID_ARGUMENT, TEXTS("'linked'", "already linked"));
    link_request beside = {.target = TENON_KIND_CUBIN,
                           .inputs = {cubin("helper.cu", helper), finished}};
    fails_with(beside, TENON_INVALID_ARGUMENT, TEXTS("'linked'", "already linked"));
}

static void no_input(void **state)
{
    (void)state;
    link_request l = {.arch = "sm_90", .target = TENON_KIND_CUBIN};
    fails_with(l, TENON_INVALID_ARGUMENT, TEXTS("no input"));
}

static void inputs_newer_than_target(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    static const char *const names[] = {"'other.cubin'", "'other.ptx'", "'other.ltoir'"};
    static const char *const archs[] = {"sm_90", "compute_90", "compute_90"};
    for (size_t i = 0; i < 3; i++) {
        link_request l = {.arch = "sm_80",
                          .target = TENON_KIND_CUBIN,
                          .inputs = {compile("other.cu", other, kinds[i])}};
        fails_with(l, TENON_INCOMPATIBLE, TEXTS(names[i], "sm_80", archs[i]));
    }
    // Machine code links within its generation, upwards.
    link_request up = {.arch = "sm_86",
                       .target = TENON_KIND_CUBIN,
                       .inputs = {compile_for("sm_80", "other.cu", other, TENON_KIND_CUBIN)}};
    gives_kernels(up, TEXTS("other"));
    link_request down = {.arch = "sm_80",
                         .target = TENON_KIND_CUBIN,
                         .inputs = {compile_for("sm_86", "other.cu", other, TENON_KIND_CUBIN)}};
    fails_with(down, TENON_INCOMPATIBLE, TEXTS("'other.cubin'", "sm_80", "sm_86"));
}

static void arch_specific_code(void **state)
{
    (void)state;
    link_request for_plain = {
        .arch = "sm_90",
        .target = TENON_KIND_CUBIN,
        .inputs = {compile_for("sm_90a", "other.cu", other, TENON_KIND_CUBIN)}};
    fails_with(for_plain, TENON_INCOMPATIBLE, TEXTS("'other.cubin'", "sm_90 ", "sm_90a"));
    link_request for_specific = {
        .arch = "sm_90a", .target = TENON_KIND_CUBIN, .inputs = {cubin("other.cu", other)}};
    gives_kernels(for_specific, TEXTS("other"));
    link_request both = {.target = TENON_KIND_CUBIN,
                         .inputs = {cubin("caller.cu", caller),
                                    compile_for("sm_90a", "helper.cu", helper, TENON_KIND_CUBIN)}};
    gives_kernels(both, TEXTS("apply"));
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    static const char garbage[] = "neither code nor anything else";
    const struct {
        const char *name;
        int kind;
        tenon_bytes bytes;
    } rows[] = {
        {"garbage", TENON_KIND_ANY, {garbage, sizeof(garbage)}},
        {"garbage", TENON_KIND_CUBIN, {garbage, sizeof(garbage)}},
        {"garbage", TENON_KIND_LTOIR, {garbage, sizeof(garbage)}},
        {"empty", TENON_KIND_ANY, {garbage, 0}},
        {"empty", TENON_KIND_CUBIN, {garbage, 0}},
        {"nothing", TENON_KIND_ANY, {NULL, 0}},
        {"nothing", TENON_KIND_CUBIN, {NULL, 64}},
        {"unknown", TENON_KIND_ARCHIVE + 1, {garbage, sizeof(garbage)}},
        {"unknown", -1, {garbage, sizeof(garbage)}},
    };
    tenon_object *result = NULL;
    tenon_object *unit = cubin("other.cu", other);
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    tenon_linker *linker = NULL;
    assert_null(tenon_linker_create(&options, &linker));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        tenon_status *status =
            tenon_linker_add(linker, rows[i].name, (tenon_kind)rows[i].kind, rows[i].bytes);
        bool known = tenon_status_code(status) == TENON_INVALID_ARGUMENT ||
                     tenon_status_code(status) == TENON_DATA_LOSS;
        if (!known) print_error("row %zu: %s\n", i, tenon_status_message(status));
        assert_true(known);
        assert_non_null(strstr(tenon_status_message(status), rows[i].name));
        tenon_status_free(status);
    }
    // None of them is in the link, and none has spoilt it.
    assert_null(tenon_linker_add_object(linker, unit));
    assert_null(tenon_linker_finish(linker, TENON_KIND_CUBIN, &result));
    assert_int_equal(tenon_object_kernel_count(result), 1);
    tenon_object_release(result);
    tenon_object_release(unit);
    tenon_linker_release(linker);
}

static void damaged_ltoir(void **state)
{
    (void)state;
    tenon_object *unit = ltoir("other.cu", other);
    tenon_bytes good = tenon_object_bytes(unit);
    char *bytes = malloc(good.size);
    assert_non_null(bytes);
    for (size_t i = 1; i < 16; i++) {
        for (int flip = 0; flip < 2; flip++) {
            size_t at = good.size * i / 16;
            memcpy(bytes, good.data, good.size);
            if (flip) bytes[at] = (char)(bytes[at] ^ 0x81);
            tenon_object *result = NULL;
            tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
            options.arch = "sm_90";
            tenon_linker *linker = NULL;
            assert_null(tenon_linker_create(&options, &linker));
            tenon_status *status = tenon_linker_add(linker, "damaged", TENON_KIND_ANY,
                                                    (tenon_bytes){bytes, flip ? good.size : at});
            if (!status) status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &result);
            if (status) {
                assert_null(result);
                assert_non_null(strstr(tenon_status_message(status), "'damaged'"));
            } else {
                assert_true(flip);  // What is cut is never whole.
                assert_int_equal(tenon_object_kernel_count(result), 1);
            }
            tenon_status_free(status);
            tenon_object_release(result);
            tenon_linker_release(linker);
        }
    }
    free(bytes);
    tenon_object_release(unit);
}

static void kernels_used(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_LTOIR};
    for (size_t i = 0; i < 2; i++) {
        link_request l = {.target = TENON_KIND_CUBIN,
                          .inputs = {compile("caller.cu", caller, kinds[i]),
                                     compile("helper.cu", helper, kinds[i]),
                                     compile("other.cu", other, kinds[i])},
                          .kernels_used = TEXTS("apply")};
        gives_kernels(l, TEXTS("apply"));
        // Without it, all are kept.
        link_request all = {.target = TENON_KIND_CUBIN,
                            .inputs = {compile("caller.cu", caller, kinds[i]),
                                       compile("helper.cu", helper, kinds[i]),
                                       compile("other.cu", other, kinds[i])}};
        gives_kernels(all, TEXTS("apply", "other"));
    }
    // A partial link keeps all kernels whatever is asked, so it may not be asked.
    link_request partial = {.incremental = true,
                            .target = TENON_KIND_CUBIN,
                            .inputs = {cubin("other.cu", other)},
                            .kernels_used = TEXTS("other")};
    fails_with(partial, TENON_INVALID_ARGUMENT, TEXTS("kernels_used", "incremental"));
    // A kernel that is not there is not silently absent from the result.
    link_request missing = {.target = TENON_KIND_CUBIN,
                            .inputs = {cubin("other.cu", other)},
                            .kernels_used = TEXTS("nowhere")};
    fails_with(missing, TENON_LINK_FAILED, TEXTS("'nowhere'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arch_comes_from_inputs),
        cmocka_unit_test(archs_that_are_not_known),
        cmocka_unit_test(unknown_vendor_option),
        cmocka_unit_test(second_arch_is_never_silent),
        cmocka_unit_test(ptx_needs_lto),
        cmocka_unit_test(undefined_reference),
        cmocka_unit_test(two_definitions),
        cmocka_unit_test(two_definitions_of_ltoir),
        cmocka_unit_test(weak_and_strong),
        cmocka_unit_test(spaces_differ),
        cmocka_unit_test(sizes_differ),
        cmocka_unit_test(prototypes_differ),
        cmocka_unit_test(commons),
        cmocka_unit_test(registers_are_checked_at_the_end),
        cmocka_unit_test(recursion_is_a_warning),
        cmocka_unit_test(ltoir_without_lto),
        cmocka_unit_test(lto_needs_ltoir),
        cmocka_unit_test(ptx_result_drops_ptx),
        cmocka_unit_test(undefined_in_ltoir),
        cmocka_unit_test(no_partial_ptx),
        cmocka_unit_test(ltoir_result_drops_others),
        cmocka_unit_test(any_is_recognised),
        cmocka_unit_test(finished_cubin),
        cmocka_unit_test(no_input),
        cmocka_unit_test(inputs_newer_than_target),
        cmocka_unit_test(arch_specific_code),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(damaged_ltoir),
        cmocka_unit_test(kernels_used),
    };
    return must_skip() ? SKIP : cmocka_run_group_tests(tests, NULL, NULL);
}
