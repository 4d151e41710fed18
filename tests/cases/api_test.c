// The variants of the cases that only a program sees: kinds that are said wrongly, names and bytes
// that change after they were added, many damaged inputs in one process.
#include <stdlib.h>

#include "units.h"

static const char filter[] =
    "extern __device__ float window_weight(int tap);\n"
    "extern __device__ float clamp_gain(float x);\n"
    "extern __device__ int tap_count;\n"
    "extern \"C\" __global__ void fir(float *out, const float *in)\n"
    "{\n"
    "    float sum = 0;\n"
    "    for (int t = 0; t < tap_count; t++) sum += in[t] * window_weight(t);\n"
    "    *out = clamp_gain(sum);\n"
    "}\n";
static const char window[] =
    "__device__ float window_weight(int tap) { return 1.0f / (1.0f + tap); }\n";
static const char front[] =
    "extern __device__ unsigned mix(unsigned a, unsigned b);\n"
    "extern \"C\" __global__ void hash_rows(unsigned *p) { *p = mix(*p, 1); }\n";
static const char back[] = "__device__ unsigned mix(unsigned a, unsigned b) { return a ^ b; }\n";

static tenon_linker *new_linker(void)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.arch = "sm_90";
    tenon_linker *linker = NULL;
    assert_null(tenon_linker_create(&options, &linker));
    return linker;
}

// Adds bytes under a name; both are overwritten and freed before anything else happens.
static tenon_status *add_and_overwrite(tenon_linker *linker, const char *name,
                                       const tenon_object *object)
{
    tenon_bytes bytes = tenon_object_bytes(object);
    char *own_name = strdup(name);
    char *own_bytes = malloc(bytes.size);
    assert_non_null(own_name);
    assert_non_null(own_bytes);
    memcpy(own_bytes, bytes.data, bytes.size);
    tenon_status *status =
        tenon_linker_add(linker, own_name, TENON_KIND_ANY, (tenon_bytes){own_bytes, bytes.size});
    memset(own_name, 'X', strlen(name));
    memset(own_bytes, 'X', bytes.size);
    free(own_name);
    free(own_bytes);
    return status;
}

// link-undefined-all, 5
static void names_and_bytes_may_change_after_add(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    for (size_t i = 0; i < 3; i++) {
        tenon_object *one = compile("filter.cu", filter, kinds[i]);
        tenon_object *two = compile("window.cu", window, kinds[i]);
        tenon_object *result = NULL;
        tenon_linker *linker = new_linker();
        assert_null(add_and_overwrite(linker, "the filter", one));
        assert_null(add_and_overwrite(linker, "the window", two));
        tenon_status *status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &result);
        const char *message = tenon_status_message(status);
        assert_int_equal(tenon_status_code(status), TENON_LINK_FAILED);
        assert_null(result);
        assert_non_null(strstr(message, "'the filter'"));
        assert_null(strstr(message, "'the window'"));
        assert_null(strstr(message, "XXX"));
        assert_non_null(strstr(message, "clamp_gain(float)"));
        assert_non_null(strstr(message, "_Z10clamp_gainf"));
        assert_non_null(strstr(message, "tap_count"));
        assert_null(strstr(message, "window_weight"));
        tenon_linker_release(linker);
        // The error is the caller's, whatever becomes of the linker.
        assert_non_null(strstr(tenon_status_message(status), "tap_count"));
        tenon_status_free(status);
        tenon_object_release(one);
        tenon_object_release(two);
    }
}

// link-partial-as-object
static void relocatable_cubin_is_no_host_object(void **state)
{
    (void)state;
    char log[64];
    tenon_object *result = NULL;
    tenon_object *unit = compile("front.cu", front, TENON_KIND_CUBIN);
    tenon_object *other = compile("back.cu", back, TENON_KIND_CUBIN);
    link_request partial = {
        .arch = "sm_90", .incremental = true, .target = TENON_KIND_CUBIN, .inputs = {unit}};
    tenon_object *objects[] = {passes(partial, log, sizeof(log)),
                               compile("front.cu", front, TENON_KIND_CUBIN)};
    for (size_t i = 0; i < 2; i++) {
        tenon_linker *linker = new_linker();
        tenon_status *status =
            tenon_linker_add(linker, "part.o", TENON_KIND_HOST, tenon_object_bytes(objects[i]));
        const char *message = tenon_status_message(status);
        assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
        assert_non_null(strstr(message, "'part.o'"));
        assert_non_null(strstr(message, "host object"));
        assert_non_null(strstr(message, "cubin"));
        tenon_status_free(status);
        // What was refused is not in; the linker goes on without it.
        assert_null(
            tenon_linker_add(linker, "part.o", TENON_KIND_CUBIN, tenon_object_bytes(objects[i])));
        assert_null(tenon_linker_add_object(linker, other));
        assert_null(tenon_linker_finish(linker, TENON_KIND_CUBIN, &result));
        assert_int_equal(tenon_object_kernel_count(result), 1);
        assert_string_equal(tenon_object_kernel(result, 0)->name, "hash_rows");
        tenon_object_release(result);
        result = NULL;
        tenon_linker_release(linker);
        tenon_object_release(objects[i]);
    }
    tenon_object_release(other);
}

static void every_wrong_kind_is_refused(void **state)
{
    (void)state;
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    for (size_t i = 0; i < 3; i++) {
        tenon_object *object = compile("front.cu", front, kinds[i]);
        for (int said = TENON_KIND_CUBIN; said <= TENON_KIND_ARCHIVE + 1; said++) {
            tenon_linker *linker = new_linker();
            tenon_status *status =
                tenon_linker_add(linker, "unit", (tenon_kind)said, tenon_object_bytes(object));
            bool right = said == (int)kinds[i];
            assert_int_equal(tenon_status_code(status), right ? TENON_OK : TENON_INVALID_ARGUMENT);
            if (!right) assert_non_null(strstr(tenon_status_message(status), "'unit'"));
            tenon_status_free(status);
            tenon_linker_release(linker);
        }
        tenon_object_release(object);
    }
}

static void link_must_pass(const tenon_object *object)
{
    tenon_object *result = NULL;
    tenon_linker *linker = new_linker();
    assert_null(tenon_linker_add(linker, "unit", TENON_KIND_ANY, tenon_object_bytes(object)));
    assert_null(tenon_linker_finish(linker, TENON_KIND_CUBIN, &result));
    assert_int_equal(tenon_object_kernel_count(result), 1);
    tenon_object_release(result);
    tenon_linker_release(linker);
}

// Links damaged bytes: an error, or a result that still has its kernel.
static tenon_code link_damaged(const char *bytes, size_t size)
{
    tenon_object *result = NULL;
    tenon_linker *linker = new_linker();
    tenon_status *status =
        tenon_linker_add(linker, "damaged", TENON_KIND_ANY, (tenon_bytes){bytes, size});
    if (!status) status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &result);
    tenon_code code = tenon_status_code(status);
    if (status) {
        assert_non_null(strstr(tenon_status_message(status), "'damaged'"));
        assert_null(result);
    } else {
        assert_int_equal(tenon_object_kernel_count(result), 1);
    }
    tenon_status_free(status);
    tenon_object_release(result);
    tenon_linker_release(linker);
    return code;
}

// link-damaged-cubin, in one process
static void damaged_inputs_harm_nobody(void **state)
{
    (void)state;
    static const char source[] =
        "__device__ int table[32];\n"
        "__device__ int probe(int k) { return table[k & 31] + k; }\n"
        "extern \"C\" __global__ void lookup(int *p) { *p = probe(*p); }\n";
    tenon_object *unit = compile("unit.cu", source, TENON_KIND_CUBIN);
    tenon_bytes good = tenon_object_bytes(unit);
    char *bytes = malloc(good.size);
    assert_non_null(bytes);
    for (size_t i = 0; i < 64; i++) {
        size_t at = good.size * i / 64;
        memcpy(bytes, good.data, good.size);
        // A shorter file is never whole: its section headers are at the end.
        assert_int_not_equal(link_damaged(bytes, at), TENON_OK);
        bytes[at] = (char)(bytes[at] ^ 0x81);
        (void)link_damaged(bytes, good.size);
        if (i % 16 == 0) link_must_pass(unit);
    }
    link_must_pass(unit);
    free(bytes);
    tenon_object_release(unit);
}

// The sequence that crashes nvJitLink: a link with LTO, then a native one that it would complain
// about.
static void lto_link_then_duplicate(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        link_request lto = {.target = TENON_KIND_CUBIN,
                            .inputs = {compile("front.cu", front, TENON_KIND_LTOIR),
                                       compile("back.cu", back, TENON_KIND_LTOIR)},
                            .isolation = TENON_ISOLATION_IN_PROCESS};
        gives_kernels(lto, TEXTS("hash_rows"));
        link_request native = {.target = TENON_KIND_CUBIN,
                               .inputs = {compile("front.cu", front, TENON_KIND_CUBIN),
                                          compile("back.cu", back, TENON_KIND_CUBIN),
                                          compile("again.cu", back, TENON_KIND_CUBIN)},
                               .isolation = TENON_ISOLATION_IN_PROCESS};
        fails_with(native, TENON_LINK_FAILED,
                   TEXTS("mix(unsigned int, unsigned int)", "'back.cubin'", "'again.cubin'"));
    }
}

static void a_linker_finishes_once(void **state)
{
    (void)state;
    tenon_object *unit = compile("back.cu", back, TENON_KIND_CUBIN);
    tenon_object *result = NULL;
    tenon_object *again = NULL;
    tenon_linker *linker = new_linker();
    assert_null(tenon_linker_add_object(linker, unit));
    assert_null(tenon_linker_finish(linker, TENON_KIND_CUBIN, &result));
    tenon_status *status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &again);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_null(again);
    tenon_status_free(status);
    status = tenon_linker_add_object(linker, unit);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    tenon_status_free(status);
    tenon_linker_release(linker);
    tenon_linker_release(NULL);
    // The result outlives its linker.
    assert_string_equal(tenon_object_name(result), "linked");
    assert_int_equal(tenon_object_is_relocatable(result), 0);
    tenon_object_release(result);
    tenon_object_release(unit);
}

static void a_failed_link_stays_failed(void **state)
{
    (void)state;
    tenon_object *unit = compile("front.cu", front, TENON_KIND_CUBIN);
    tenon_object *result = NULL;
    tenon_linker *linker = new_linker();
    assert_null(tenon_linker_add_object(linker, unit));
    tenon_status *status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &result);
    assert_int_equal(tenon_status_code(status), TENON_LINK_FAILED);
    tenon_status_free(status);
    status = tenon_linker_finish(linker, TENON_KIND_CUBIN, &result);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_null(result);
    tenon_status_free(status);
    // Logs are there after the link, as often as they are asked for.
    assert_string_equal(tenon_linker_error_log(linker), tenon_linker_error_log(linker));
    tenon_linker_release(linker);
    tenon_object_release(unit);
}

static void only_three_kinds_come_out(void **state)
{
    (void)state;
    for (int target = TENON_KIND_ANY; target <= TENON_KIND_ARCHIVE + 1; target++) {
        if (target >= TENON_KIND_CUBIN && target <= TENON_KIND_LTOIR) continue;
        tenon_object *unit = compile("back.cu", back, TENON_KIND_LTOIR);
        link_request l = {
            .incremental = target % 2, .target = (tenon_kind)target, .inputs = {unit}};
        fails_with(l, TENON_INVALID_ARGUMENT, TEXTS("cubin, PTX or LTO-IR"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_bytes_may_change_after_add),
        cmocka_unit_test(relocatable_cubin_is_no_host_object),
        cmocka_unit_test(every_wrong_kind_is_refused),
        cmocka_unit_test(damaged_inputs_harm_nobody),
        cmocka_unit_test(lto_link_then_duplicate),
        cmocka_unit_test(a_linker_finishes_once),
        cmocka_unit_test(a_failed_link_stays_failed),
        cmocka_unit_test(only_three_kinds_come_out),
    };
    return must_skip() ? SKIP : cmocka_run_group_tests(tests, NULL, NULL);
}
