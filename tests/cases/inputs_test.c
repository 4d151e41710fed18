// What a link does with each kind of input and each wrong wish. NVIDIA's library does many of these
// wrongly: with success and a result that lacks code, or with a crash. Rows and their tests:
//
//   no arch                                             arch_comes_from_the_inputs
//   archs it does not know, unknown and virtual options wrong_archs_and_options_are_named
//   two archs                                           second_arch_is_never_silent
//   undefined reference, and with -r                    undefined_names_have_their_input
//   two strong definitions, cubin, PTX, LTO-IR, -r      two_strong_definitions_name_both_inputs
//   weak and strong                                     strong_definition_wins_over_weak_ones
//   memory spaces, sizes, common symbols                variables_have_to_fit
//   register limit and callee                           link-regcount-deferred/test.sh
//   recursion                                           recursion_is_a_warning
//   LTO-IR without LTO; LTO, but no LTO-IR; PTX target  lto_and_inputs_have_to_fit
//   LTO-IR with an undefined name, and with -r          undefined_names_of_ltoir
//   -lto -r -ptx                                        partial_links_give_no_ptx
//   a cubin or PTX and LTO-IR as the result             inputs_that_would_be_dropped_are_refused
//   a partial cubin as host object                      api_test.c, link-partial-as-object/test.sh
//   a partial cubin or LTO-IR of any kind               kind_is_found_from_the_bytes
//   a final cubin                                       finished_code_is_refused
//   no input                                            nothing_is_no_input
//   LTO-IR, cubin, PTX of a newer arch; sm_90a          archs_that_do_not_fit_are_both_named
//   wrong tag, garbage, size 0, NULL data               bytes_that_are_no_input
//   Complete after a failed Create, Complete twice, ... calls_out_of_order
//   an LTO link, then a native one with a duplicate     lto_link_then_duplicate
//   truncated and flipped cubins                        api_test.c, link-damaged-cubin/test.sh
//   truncated and flipped LTO-IR                        damaged_ltoir_is_named
//   kernels used, optimize unused variables             result_test.c
//   an unused member of an archive                      result_test.c
//   child launch without and with cudadevrt             result_test.c
//   printf                                              link-printf-assert/test.sh
//   static variables of equal names                     result_test.c
#include "cases.h"

#define PTX(target) ".version 7.8\n.target " target "\n.address_size 64\n"

static const char ptx_caller[] =
    PTX("sm_90") ".extern .func leaf();\n.visible .entry run() { call leaf; ret; }\n";
static const char ptx_leaf[] = PTX("sm_90") ".visible .func leaf() { ret; }\n";
static const char ptx_weak_leaf[] = PTX("sm_90") ".weak .func leaf() { ret; }\n";

static const char cu_caller[] =
    "extern __device__ int leaf(int x);\n"
    "extern \"C\" __global__ void run(int *p) { *p = leaf(*p); }\n"
    "extern \"C\" __global__ void other(int *p) { *p = leaf(*p) + 1; }\n";
static const char cu_leaf[] = "__device__ int leaf(int x) { return 3 * x; }\n";
static const char cu_lone[] = "extern \"C\" __global__ void run(int *p) { *p += 1; }\n";

static void arch_comes_from_the_inputs(void **state)
{
    (void)state;
    tenon_linker_options none = TENON_LINKER_OPTIONS_INIT;
    tenon_object *leaf = compile(TENON_KIND_CUBIN, "leaf.cu", cu_leaf);
    tenon_object *caller = compile(TENON_KIND_LTOIR, "caller.cu", cu_caller);
    tenon_object *cubin =
        must_link(&(link_job){none, TENON_KIND_CUBIN, {fresh(caller), fresh(leaf)}});
    assert_string_equal(tenon_object_arch(cubin, 0), "sm_90");
    assert_final(cubin, "run");
    tenon_object *from_ptx = must_link(
        &(link_job){none,
                    TENON_KIND_CUBIN,
                    {text("caller.ptx", ptx_caller), fresh(leaf), text("leaf.ptx", ptx_leaf)}});
    assert_string_equal(tenon_object_arch(from_ptx, 0), "sm_90");
    release_all((tenon_object *[]){leaf, caller, cubin, from_ptx}, 4);
}

static void wrong_archs_and_options_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *arch, *extra, *named;
        tenon_code code;
    } wrong[] = {
        {"sm_70", NULL, "sm_70", TENON_INCOMPATIBLE},
        {"sm_99", NULL, "99", TENON_INCOMPATIBLE},
        {"90x!", NULL, "90x!", TENON_INVALID_ARGUMENT},
        {"", NULL, "no arch", TENON_INVALID_ARGUMENT},
        {"sm_90", "-bogus", "-bogus", TENON_INVALID_ARGUMENT},
        {"sm_90", "-ptx", "-lto", TENON_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        link_job job = {for_sm_90(), TENON_KIND_CUBIN, {text("leaf.ptx", ptx_leaf)}};
        job.options.arch = wrong[i].arch;
        const char *const extra[] = {wrong[i].extra, NULL};
        job.options.extra_options = extra;
        assert_error(link_error(&job), wrong[i].code, wrong[i].named, NULL);
    }
    // A virtual arch stands for the real one: the library would want to give PTX.
    link_job job = {for_sm_90(), TENON_KIND_CUBIN, {text("lone.ptx", ptx_leaf)}};
    job.options.arch = "compute_90";
    tenon_object *object = must_link(&job);
    assert_string_equal(tenon_object_arch(object, 0), "sm_90");
    tenon_object_release(object);
}

static void second_arch_is_never_silent(void **state)
{
    (void)state;
    const char *const extra[] = {"-arch=sm_100", NULL};
    link_job job = {for_sm_90(), TENON_KIND_CUBIN, {text("leaf.ptx", ptx_leaf)}};
    job.options.extra_options = extra;
    char log[4096] = "";
    tenon_object *object = NULL;
    tenon_status *status = run_job(&job, log, sizeof(log), &object);
    if (!status) assert_non_null(strstr(log, "redefinition"));
    tenon_status_free(status);
    tenon_object_release(object);
}

static void undefined_names_have_their_input(void **state)
{
    (void)state;
    tenon_object *cubin = compile(TENON_KIND_CUBIN, "caller.cu", cu_caller);
    assert_error(
        link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {text("a.ptx", ptx_caller)}}),
        TENON_LINK_FAILED, "'leaf'", "'a.ptx'", NULL);
    assert_error(link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(cubin)}}),
                 TENON_LINK_FAILED, "leaf(int)", "_Z4leafi", "'caller.", NULL);
    tenon_object *partial = must_link(&(link_job){
        partial_for_sm_90(), TENON_KIND_CUBIN, {fresh(cubin), text("a.ptx", ptx_leaf)}});
    assert_true(tenon_object_is_relocatable(partial));
    assert_int_equal(tenon_object_undefined_count(partial), 1);
    assert_string_equal(tenon_object_undefined_name(partial, 0), "_Z4leafi");
    release_all((tenon_object *[]){cubin, partial}, 2);
}

static void two_strong_definitions_name_both_inputs(void **state)
{
    (void)state;
    static const char again[] = "__device__ int leaf(int x) { return 5 * x; }\n";
    static const tenon_kind kinds[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    for (size_t i = 0; i < 3; i++) {
        tenon_object *caller = compile(kinds[i], "caller.cu", cu_caller);
        tenon_object *one = compile(kinds[i], "one.cu", cu_leaf);
        tenon_object *two = compile(kinds[i], "two.cu", again);
        link_job job = {for_sm_90(), TENON_KIND_CUBIN, {fresh(caller), fresh(one), fresh(two)}};
        assert_error(link_error(&job), TENON_LINK_FAILED, "leaf(int)", "_Z4leafi", "first in 'one.",
                     "again in 'two.", NULL);
        job.options.incremental = 1;
        if (kinds[i] != TENON_KIND_LTOIR || nvjitlink_at_least(1303)) {
            assert_error(link_error(&job), TENON_LINK_FAILED, "leaf(int)", "first in 'one.",
                         "again in 'two.", NULL);
        }
        release_all((tenon_object *[]){caller, one, two}, 3);
    }
}

static void strong_definition_wins_over_weak_ones(void **state)
{
    (void)state;
    const input caller = text("caller.ptx", ptx_caller);
    const input weak = text("weak.ptx", ptx_weak_leaf);
    const input strong = text("strong.ptx", ptx_leaf);
    const input orders[][3] = {{caller, weak, strong},
                               {caller, strong, weak},
                               {weak, weak, caller},
                               {strong, caller, weak}};
    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
        for (uint32_t incremental = 0; incremental < 2; incremental++) {
            link_job job = {
                for_sm_90(), TENON_KIND_CUBIN, {orders[i][0], orders[i][1], orders[i][2]}};
            job.options.incremental = incremental;
            tenon_object *object = must_link(&job);
            assert_true(has_kernel(object, "run"));
            assert_int_equal(tenon_object_undefined_count(object), 0);
            tenon_object_release(object);
        }
    }
}

/// Two PTX units that disagree about a variable: the error names it and both, also with -r.
static void expect_misfit(const char *first, const char *second, const char *a, const char *b)
{
    link_job job = {
        for_sm_90(), TENON_KIND_CUBIN, {text("first.ptx", first), text("second.ptx", second)}};
    for (uint32_t incremental = 0; incremental < 2; incremental++) {
        job.options.incremental = incremental;
        assert_error(link_error(&job), TENON_LINK_FAILED, "'v'", "'first.ptx'", "'second.ptx'", a,
                     b, NULL);
    }
}

static void variables_have_to_fit(void **state)
{
    (void)state;
    static const char use_4[] =
        PTX("sm_90") ".extern .global .align 4 .b8 v[4];\n"
        ".visible .entry run() { .reg .b32 %r; ld.global.u32 %r, [v]; st.global.u32 [v], %r; ret; }\n";
    static const char def_16[] = PTX("sm_90") ".visible .global .align 4 .b8 v[16];\n";
    static const char const_4[] = PTX("sm_90") ".visible .const .align 4 .b8 v[4];\n";
    static const char def_4[] = PTX("sm_90") ".visible .global .align 4 .b8 v[4];\n";
    static const char common_16[] = PTX("sm_90") ".common .global .align 4 .b8 v[16];\n";
    expect_misfit(use_4, def_16, "4", "16");
    expect_misfit(def_16, use_4, "16", "4");
    expect_misfit(use_4, const_4, "global", "constant");
    expect_misfit(def_4, common_16, "4", "16");
    tenon_object *good = must_link(&(link_job){
        for_sm_90(), TENON_KIND_CUBIN, {text("use.ptx", use_4), text("def.ptx", def_4)}});
    assert_final(good, "run");
    tenon_object_release(good);
}

static void recursion_is_a_warning(void **state)
{
    (void)state;
    tenon_object *object = compile(TENON_KIND_CUBIN, "deep.cu",
                                   "__device__ __noinline__ int deep(int x) "
                                   "{ return x < 2 ? x : deep(x - 1) * deep(x - 2) + 1; }\n"
                                   "extern \"C\" __global__ void run(int *p) { *p = deep(*p); }\n");
    char log[4096] = "";
    tenon_object *linked = NULL;
    link_job job = {for_sm_90(), TENON_KIND_CUBIN, {fresh(object)}};
    assert_good(run_job(&job, log, sizeof(log), &linked));
    assert_final(linked, "run");
    assert_non_null(strstr(log, "Stack size for entry function 'run'"));
    release_all((tenon_object *[]){object, linked}, 2);
}

static void lto_and_inputs_have_to_fit(void **state)
{
    (void)state;
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "lone.cu", cu_lone);
    link_job job = {for_sm_90(), TENON_KIND_CUBIN, {fresh(ltoir)}};
    job.options.link_time_optimization = TENON_CHOICE_OFF;
    assert_error(link_error(&job), TENON_INVALID_ARGUMENT, "'lone.", "link_time_optimization",
                 NULL);
    link_job only_ptx = {for_sm_90(), TENON_KIND_CUBIN, {text("leaf.ptx", ptx_leaf)}};
    only_ptx.options.link_time_optimization = TENON_CHOICE_ON;
    assert_error(link_error(&only_ptx), TENON_INVALID_ARGUMENT, "no input has LTO-IR", NULL);
    // Without a word about LTO, the input decides.
    job.options.link_time_optimization = TENON_CHOICE_DEFAULT;
    tenon_object *object = must_link(&job);
    assert_final(object, "run");
    release_all((tenon_object *[]){ltoir, object}, 2);
}

static void undefined_names_of_ltoir(void **state)
{
    (void)state;
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "caller.cu", cu_caller);
    static const tenon_kind targets[] = {TENON_KIND_CUBIN, TENON_KIND_PTX, TENON_KIND_LTOIR};
    for (size_t i = 0; i < (nvjitlink_at_least(1303) ? 3u : 2u); i++) {
        assert_error(link_error(&(link_job){for_sm_90(), targets[i], {fresh(ltoir)}}),
                     TENON_LINK_FAILED, "leaf(int)", "_Z4leafi", "'caller.", NULL);
    }
    link_job partial = {partial_for_sm_90(), TENON_KIND_CUBIN, {fresh(ltoir)}};
    if (!nvjitlink_at_least(1303)) {
        assert_error(link_error(&partial), TENON_INCOMPATIBLE, "13.3", "found 13.", "nvJitLink",
                     NULL);
    } else {
        tenon_object *object = must_link(&partial);
        assert_true(tenon_object_is_relocatable(object));
        assert_string_equal(tenon_object_undefined_name(object, 0), "_Z4leafi");
        tenon_object_release(object);
    }
    tenon_object_release(ltoir);
}

static void partial_links_give_no_ptx(void **state)
{
    (void)state;
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "lone.cu", cu_lone);
    link_job job = {partial_for_sm_90(), TENON_KIND_PTX, {fresh(ltoir)}};
    assert_error(link_error(&job), TENON_INVALID_ARGUMENT, "incremental", "PTX", NULL);
    job.options.ptx = 1;
    assert_error(link_error(&job), TENON_INVALID_ARGUMENT, "incremental", "ptx", NULL);
    tenon_object_release(ltoir);
}

static void inputs_that_would_be_dropped_are_refused(void **state)
{
    (void)state;
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "lone.cu", cu_lone);
    tenon_object *cubin = compile(TENON_KIND_CUBIN, "leaf.cu", cu_leaf);
    const input others[] = {fresh(cubin), text("leaf.ptx", ptx_leaf)};
    for (size_t i = 0; i < 2; i++) {
        link_job job = {for_sm_90(), TENON_KIND_LTOIR, {fresh(ltoir), others[i]}};
        assert_error(link_error(&job), TENON_INVALID_ARGUMENT, others[i].name, "only LTO-IR", NULL);
        job.options.incremental = 1;
        assert_error(link_error(&job), TENON_INVALID_ARGUMENT, others[i].name, "only LTO-IR", NULL);
        job.options.incremental = 0;
        job.target = TENON_KIND_PTX;
        assert_error(link_error(&job), TENON_INVALID_ARGUMENT, others[i].name, "only LTO-IR", NULL);
    }
    link_job native = {for_sm_90(), TENON_KIND_PTX, {fresh(cubin)}};
    assert_error(link_error(&native), TENON_INVALID_ARGUMENT, "leaf.", "only LTO-IR", NULL);
    release_all((tenon_object *[]){ltoir, cubin}, 2);
}

static void kind_is_found_from_the_bytes(void **state)
{
    (void)state;
    tenon_object *caller = compile(TENON_KIND_CUBIN, "caller.cu", cu_caller);
    tenon_object *leaf = compile(TENON_KIND_LTOIR, "leaf.cu", cu_leaf);
    tenon_object *partial =
        must_link(&(link_job){partial_for_sm_90(), TENON_KIND_CUBIN, {fresh(caller)}});
    tenon_object *whole =
        must_link(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(partial), fresh(leaf)}});
    assert_final(whole, "run");
    release_all((tenon_object *[]){caller, leaf, partial, whole}, 4);
}

static void finished_code_is_refused(void **state)
{
    (void)state;
    tenon_object *cubin = compile(TENON_KIND_CUBIN, "lone.cu", cu_lone);
    tenon_object *done = must_link(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {fresh(cubin)}});
    const input again[] = {fresh(done), as_is(done)};
    for (size_t i = 0; i < 2; i++) {
        link_job job = {for_sm_90(), TENON_KIND_CUBIN, {again[i], text("leaf.ptx", ptx_leaf)}};
        assert_error(link_error(&job), TENON_INVALID_ARGUMENT, tenon_object_name(done),
                     "already linked", NULL);
    }
    release_all((tenon_object *[]){cubin, done}, 2);
}

static void nothing_is_no_input(void **state)
{
    (void)state;
    assert_error(link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {{0}}}),
                 TENON_INVALID_ARGUMENT, "no input", NULL);
}

static void archs_that_do_not_fit_are_both_named(void **state)
{
    (void)state;
    tenon_object *cubin = compile(TENON_KIND_CUBIN, "lone.cu", cu_lone);
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "lone.ltoir", cu_lone);
    tenon_object *specific = compile_for("sm_90a", TENON_KIND_CUBIN, "special.cu", cu_lone);
    const input newer[] = {fresh(cubin), fresh(ltoir), text("leaf.ptx", ptx_leaf)};
    for (size_t i = 0; i < 3; i++) {
        link_job job = {for_sm_90(), TENON_KIND_CUBIN, {newer[i]}};
        job.options.arch = "sm_80";
        assert_error(link_error(&job), TENON_INCOMPATIBLE, newer[i].name, "sm_80", "_90", NULL);
    }
    link_job job = {for_sm_90(), TENON_KIND_CUBIN, {fresh(specific)}};
    assert_error(link_error(&job), TENON_INCOMPATIBLE, "'special.", "sm_90a", NULL);
    // The other way round, code for every sm_90 runs on sm_90a too.
    link_job general = {for_sm_90(), TENON_KIND_CUBIN, {fresh(cubin)}};
    general.options.arch = "sm_90a";
    tenon_object *object = must_link(&general);
    assert_final(object, "run");
    release_all((tenon_object *[]){cubin, ltoir, specific, object}, 4);
}

static void bytes_that_are_no_input(void **state)
{
    (void)state;
    tenon_object *cubin = compile(TENON_KIND_CUBIN, "lone.cu", cu_lone);
    tenon_bytes bytes = tenon_object_bytes(cubin);
    for (int kind = TENON_KIND_PTX; kind <= TENON_KIND_ARCHIVE; kind++) {
        input wrong = {"wrong", (tenon_kind)kind, bytes, NULL};
        assert_error(link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {wrong}}),
                     TENON_INVALID_ARGUMENT, "wrong", "cubin", NULL);
    }
    const input bad[] = {
        {"bad", TENON_KIND_ANY, {"\1\2\3 garbage", 11}, NULL},
        {"bad", TENON_KIND_ANY, {"", 0}, NULL},
        {"bad", TENON_KIND_ANY, {NULL, 0}, NULL},
        {"bad", TENON_KIND_CUBIN, {NULL, 64}, NULL},
        {"bad", (tenon_kind)99, bytes, NULL},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        tenon_status *status = link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {bad[i]}});
        assert_non_null(status);
        assert_non_null(strstr(tenon_status_message(status), "bad"));
        tenon_status_free(status);
    }
    tenon_object_release(cubin);
}

static void calls_out_of_order(void **state)
{
    (void)state;
    tenon_linker *linker = NULL;
    tenon_object *object = NULL;
    tenon_linker_options bad = for_sm_90();
    bad.incremental = 7;
    assert_error(tenon_linker_create(&bad, &linker), TENON_INVALID_ARGUMENT, "incremental", NULL);
    assert_null(linker);
    tenon_linker_release(NULL);

    tenon_linker_options options = for_sm_90();
    assert_good(tenon_linker_create(&options, &linker));
    assert_good(tenon_linker_add(linker, "l", TENON_KIND_PTX, text_bytes(ptx_leaf)));
    assert_error(tenon_linker_finish(linker, TENON_KIND_HOST, &object), TENON_INVALID_ARGUMENT,
                 "host object", NULL);
    assert_null(object);
    assert_good(tenon_linker_finish(linker, TENON_KIND_CUBIN, &object));
    tenon_object_release(object);
    object = NULL;
    assert_error(tenon_linker_finish(linker, TENON_KIND_CUBIN, &object), TENON_INVALID_ARGUMENT,
                 "finished", NULL);
    assert_null(object);
    assert_error(tenon_linker_add(linker, "l", TENON_KIND_PTX, text_bytes(ptx_leaf)),
                 TENON_INVALID_ARGUMENT, "'l'", "finished", NULL);
    assert_non_null(tenon_linker_info_log(linker));
    assert_string_equal(tenon_linker_error_log(linker), "");
    tenon_linker_release(linker);
}

/// The library dies of this in one process, from inputs that are all sound: so it must never see
/// them.
static void lto_link_then_duplicate(void **state)
{
    (void)state;
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "lone.cu", cu_lone);
    tenon_object *one = compile(TENON_KIND_CUBIN, "one.cu", cu_leaf);
    tenon_object *two = compile(TENON_KIND_CUBIN, "two.cu", cu_leaf);
    tenon_object *caller = compile(TENON_KIND_CUBIN, "caller.cu", cu_caller);
    for (int round = 0; round < 2; round++) {
        link_job lto = {for_sm_90(), TENON_KIND_CUBIN, {as_is(ltoir)}};
        link_job twice = {for_sm_90(), TENON_KIND_CUBIN, {as_is(one), as_is(two)}};
        link_job good = {for_sm_90(), TENON_KIND_CUBIN, {as_is(caller), as_is(two)}};
        lto.options.isolation = TENON_ISOLATION_IN_PROCESS;
        twice.options.isolation = TENON_ISOLATION_IN_PROCESS;
        good.options.isolation = TENON_ISOLATION_IN_PROCESS;
        tenon_object *first = must_link(&lto);
        assert_error(link_error(&twice), TENON_LINK_FAILED, "leaf(int)", "'one.", "'two.", NULL);
        tenon_object *last = must_link(&good);
        assert_final(first, "run");
        assert_final(last, "run");
        release_all((tenon_object *[]){first, last}, 2);
    }
    release_all((tenon_object *[]){ltoir, one, two, caller}, 4);
}

static void damaged_ltoir_is_named(void **state)
{
    (void)state;
    tenon_object *ltoir = compile(TENON_KIND_LTOIR, "lone.cu", cu_lone);
    tenon_bytes bytes = tenon_object_bytes(ltoir);
    char *copy = malloc(bytes.size);
    assert_non_null(copy);
    for (size_t i = 0; i < 16; i++) {
        size_t at = bytes.size * i / 16;
        memcpy(copy, bytes.data, bytes.size);
        input cut = {"cut", TENON_KIND_LTOIR, {copy, at}, NULL};
        tenon_status *status = link_error(&(link_job){for_sm_90(), TENON_KIND_CUBIN, {cut}});
        assert_non_null(status);
        assert_non_null(strstr(tenon_status_message(status), "cut"));
        tenon_status_free(status);

        copy[at] ^= 0x41;
        tenon_object *object = NULL;
        link_job job = {
            for_sm_90(), TENON_KIND_CUBIN, {{"flipped", TENON_KIND_ANY, {copy, bytes.size}, NULL}}};
        status = run_job(&job, NULL, 0, &object);
        if (status) assert_non_null(strstr(tenon_status_message(status), "flipped"));
        if (!status) assert_true(has_kernel(object, "run"));
        tenon_status_free(status);
        tenon_object_release(object);
    }
    free(copy);
    tenon_object_release(ltoir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arch_comes_from_the_inputs),
        cmocka_unit_test(wrong_archs_and_options_are_named),
        cmocka_unit_test(second_arch_is_never_silent),
        cmocka_unit_test(undefined_names_have_their_input),
        cmocka_unit_test(two_strong_definitions_name_both_inputs),
        cmocka_unit_test(strong_definition_wins_over_weak_ones),
        cmocka_unit_test(variables_have_to_fit),
        cmocka_unit_test(recursion_is_a_warning),
        cmocka_unit_test(lto_and_inputs_have_to_fit),
        cmocka_unit_test(undefined_names_of_ltoir),
        cmocka_unit_test(partial_links_give_no_ptx),
        cmocka_unit_test(inputs_that_would_be_dropped_are_refused),
        cmocka_unit_test(kind_is_found_from_the_bytes),
        cmocka_unit_test(finished_code_is_refused),
        cmocka_unit_test(nothing_is_no_input),
        cmocka_unit_test(archs_that_do_not_fit_are_both_named),
        cmocka_unit_test(bytes_that_are_no_input),
        cmocka_unit_test(calls_out_of_order),
        cmocka_unit_test(lto_link_then_duplicate),
        cmocka_unit_test(damaged_ltoir_is_named),
    };
    if (!have_toolkit()) return CASES_SKIP;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
