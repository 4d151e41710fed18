// What code a link keeps, drops and brings in: the rows of inputs_test.c that are about the result.
#include "cases.h"

static const char cu_caller[] =
    "extern __device__ int leaf(int x);\n"
    "extern \"C\" __global__ void run(int *p) { *p = leaf(*p); }\n"
    "extern \"C\" __global__ void other(int *p) { *p = leaf(*p) + 1; }\n";
static const char cu_leaf[] = "__device__ int leaf(int x) { return 3 * x; }\n";

static void unused_code_goes_only_where_it_may(void **state)
{
    (void)state;
    const char *const used[] = {"run", NULL};
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_LTOIR};
    for (size_t i = 0; i < 2; i++) {
        tenon_object *caller = compile(kinds[i], "caller.cu", cu_caller);
        tenon_object *leaf = compile(kinds[i], "leaf.cu", cu_leaf);
        link_job job = {for_sm_90(), TENON_KIND_CUBIN, {fresh(caller), fresh(leaf)}};
        job.options.optimize_unused_variables = 1;
        char log[4096] = "";
        tenon_object *both = NULL;
        assert_good(run_job(&job, log, sizeof(log), &both));
        assert_int_equal(tenon_object_kernel_count(both), 2);
        bool native = kinds[i] == TENON_KIND_CUBIN;
        assert_true(native == !!strstr(log, "optimize_unused_variables has no effect"));

        job.options.kernels_used = used;
        tenon_object *one = must_link(&job);
        assert_int_equal(tenon_object_kernel_count(one), 1);
        assert_final(one, "run");
        job.options.incremental = 1;
        assert_error(link_error(&job), TENON_INVALID_ARGUMENT, "kernels_used", NULL);
        release_all((tenon_object *[]){caller, leaf, both, one}, 4);
    }
}

/// Appends a member to an `ar` archive; returns its new size.
static size_t add_member(char *archive, size_t size, const char *name, tenon_bytes bytes)
{
    char head[61];
    snprintf(head, sizeof(head), "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, bytes.size);
    memcpy(archive + size, head, 60);
    memcpy(archive + size + 60, bytes.data, bytes.size);
    size += 60 + bytes.size;
    if (size % 2) archive[size++] = '\n';
    return size;
}

static void unused_members_go_at_the_end(void **state)
{
    (void)state;
    tenon_object *caller = compile(TENON_KIND_CUBIN, "caller.cu", cu_caller);
    tenon_object *leaf = compile(TENON_KIND_CUBIN, "leaf.cu", cu_leaf);
    tenon_object *spare =
        compile(TENON_KIND_CUBIN, "spare.cu", "__device__ int spare(int x) { return x ^ 21; }\n");
    static char archive[1 << 16];
    memcpy(archive, "!<arch>\n", 8);
    size_t size = add_member(archive, 8, "leaf.o/", tenon_object_bytes(leaf));
    size = add_member(archive, size, "spare.o/", tenon_object_bytes(spare));
    input library = {"lib.a", TENON_KIND_ANY, {archive, size}, NULL};

    tenon_object *last =
        must_link(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(caller), library}});
    assert_final(last, "run");
    assert_null(find_symbol(last, "_Z5sparei"));
    tenon_object *partial =
        must_link(&(link_job){partial_for_sm_90(), TENON_KIND_CUBIN, {fresh(caller), library}});
    assert_int_equal(tenon_object_undefined_count(partial), 0);
    assert_non_null(find_symbol(partial, "_Z5sparei"));
    release_all((tenon_object *[]){caller, leaf, spare, last, partial}, 5);
}

static void device_runtime_is_linked_when_given(void **state)
{
    (void)state;
    tenon_object *parent =
        compile(TENON_KIND_CUBIN, "parent.cu",
                "__global__ void child(int *p) { *p += 1; }\n"
                "extern \"C\" __global__ void run(int *p) { child<<<1, 1>>>(p); }\n");
    assert_error(link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(parent)}}),
                 TENON_LINK_FAILED, "__cudaCDP2", "'parent.", NULL);
    const char *path = NULL;
    uint32_t major = 0, minor = 0;
    assert_good(tenon_toolkit_library(TENON_LIBRARY_NVRTC, &path, &major, &minor));
    char runtime[4096];
    const char *slash = strrchr(path, '/');
    snprintf(runtime, sizeof(runtime), "%.*slibcudadevrt.a", slash ? (int)(slash - path) + 1 : 0,
             path);
    tenon_object *library = NULL;
    tenon_status *status = tenon_object_open(runtime, TENON_KIND_ARCHIVE, &library);
    if (tenon_status_code(status) == TENON_NOT_FOUND) {
        print_message("skipped: there is no %s\n", runtime);
        tenon_status_free(status);
        tenon_object_release(parent);
        skip();
    }
    assert_good(status);
    tenon_object *whole =
        must_link(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(parent), as_is(library)}});
    assert_final(whole, "run");
    release_all((tenon_object *[]){parent, library, whole}, 3);
}

static void statics_stay_apart(void **state)
{
    (void)state;
    static const char source[] =
        "static __device__ int count = START;\n"
        "static __device__ __noinline__ int next(int x) { return x + count++; }\n"
        "extern \"C\" __global__ void NAME(int *p) { *p = next(*p); }\n";
    char one[512], two[512];
    snprintf(one, sizeof(one), "#define START 11\n#define NAME run\n%s", source);
    snprintf(two, sizeof(two), "#define START 22\n#define NAME other\n%s", source);
    tenon_object *units[] = {compile(TENON_KIND_CUBIN, "one.cu", one),
                             compile(TENON_KIND_CUBIN, "two.cu", two)};
    tenon_object *partial = must_link(
        &(link_job){partial_for_sm_90(), TENON_KIND_CUBIN, {fresh(units[0]), fresh(units[1])}});
    size_t statics = 0;
    uint64_t places = 0;
    for (size_t i = 0; i < tenon_object_symbol_count(partial); i++) {
        const tenon_symbol *symbol = tenon_object_symbol(partial, i);
        if (symbol->kind != TENON_SYMBOL_VARIABLE || !strstr(symbol->name, "count")) continue;
        assert_int_equal(symbol->binding, TENON_BINDING_LOCAL);
        assert_int_equal(symbol->bytes, 4);
        places += symbol->offset;
        statics++;
    }
    assert_int_equal(statics, 2);
    assert_int_not_equal(places, 0);
    tenon_object *last = must_link(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(partial)}});
    assert_final(last, "run");
    assert_true(has_kernel(last, "other"));
    release_all((tenon_object *[]){units[0], units[1], partial, last}, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unused_code_goes_only_where_it_may),
        cmocka_unit_test(unused_members_go_at_the_end),
        cmocka_unit_test(device_runtime_is_linked_when_given),
        cmocka_unit_test(statics_stay_apart),
    };
    if (!have_toolkit()) return CASES_SKIP;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
