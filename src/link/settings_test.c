#include "link/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const tn_mode native = {{90, 0, false}, false, false, TENON_KIND_CUBIN, false};
static const tn_mode lto = {{90, 'a', false}, true, false, TENON_KIND_CUBIN, false};

/// Returns the options joined by blanks, in a static buffer.
static const char *spelled(const tenon_linker_options *options, const tn_mode *mode,
                           uint32_t version, tn_buffer *notes)
{
    static char text[1024];
    tn_settings settings = {0};
    tn_texts arguments = {0};
    assert_null(tn_settings_init(options, &settings));
    tn_settings_arguments(&settings, mode, version, &arguments, notes);
    assert_false(arguments.failed);
    text[0] = '\0';
    for (size_t i = 0; i < arguments.count; i++) {
        if (i) strcat(text, " ");
        strcat(text, arguments.items[i]);
    }
    assert_null(arguments.items[arguments.count]);
    tn_texts_deinit(&arguments);
    tn_settings_deinit(&settings);
    return text;
}

static void defaults_are_only_the_arch(void **state)
{
    (void)state;
    tn_buffer notes = {0};
    assert_string_equal(spelled(NULL, &native, 1300, &notes), "-arch=sm_90");
    assert_int_equal(notes.size, 0);
}

static void each_field_has_its_spelling(void **state)
{
    (void)state;
    const char *const kernels[] = {"a", "b", NULL};
    const char *const ptxas[] = {"-v", NULL};
    const char *const extra[] = {"-foo", NULL};
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.kernels_used = kernels;
    options.variables_used = kernels;
    options.ptxas_options = ptxas;
    options.extra_options = extra;
    options.optimization_level = TENON_OPT_NONE;
    options.max_register_count = 32;
    options.debug = options.lineinfo = options.time = options.verbose = options.no_cache = 1;
    options.optimize_unused_variables = 1;
    options.ftz = TENON_CHOICE_ON;
    options.prec_div = options.prec_sqrt = options.fma = TENON_CHOICE_OFF;
    options.split_compile = TENON_THREADS_ALL;
    options.split_compile_extended = 2;
    tn_buffer notes = {0};
    assert_string_equal(
        spelled(&options, &lto, 1300, &notes),
        "-arch=sm_90a -lto -O0 -g -lineinfo -time -verbose -maxrregcount=32 -no-cache "
        "-split-compile=0 -Xptxas=-v -kernels-used=a -kernels-used=b -split-compile-extended=2 "
        "-variables-used=a -variables-used=b -optimize-unused-variables -ftz=1 -prec-div=0 "
        "-prec-sqrt=0 -fma=0 -foo");
    assert_int_equal(notes.size, 0);
    // Libraries before 12.5 do not know -no-cache.
    assert_null(strstr(spelled(&options, &lto, 1204, &notes), "-no-cache"));
}

static void what_has_no_effect_is_said(void **state)
{
    (void)state;
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.ftz = TENON_CHOICE_OFF;
    tn_buffer notes = {0};
    assert_string_equal(spelled(&options, &native, 1300, &notes), "-arch=sm_90");
    assert_non_null(strstr(tn_buffer_text(&notes), "ftz has no effect"));
    tn_buffer_deinit(&notes);
}

static void expect_refused(const tenon_linker_options *options, const char *word)
{
    tn_settings settings = {0};
    tenon_status *status = tn_settings_init(options, &settings);
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_non_null(strstr(tenon_status_message(status), word));
    tenon_status_free(status);
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    const char *const kernels[] = {"a", NULL};
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.incremental = 1;
    options.kernels_used = kernels;
    expect_refused(&options, "kernels_used");
    options.kernels_used = NULL;
    options.ptx = 1;
    expect_refused(&options, "incremental and ptx");
    options.incremental = 0;
    options.link_time_optimization = TENON_CHOICE_OFF;
    expect_refused(&options, "ptx needs");
    options = (tenon_linker_options)TENON_LINKER_OPTIONS_INIT;
    options.time = 2;
    expect_refused(&options, "time");
    options.time = 0;
    options.arch = "sm_x";
    expect_refused(&options, "sm_x");
    options.arch = NULL;
    const char *const second_arch[] = {"-v", "--arch=sm_100", NULL};
    options.extra_options = second_arch;
    expect_refused(&options, "extra option '--arch=sm_100'");
    options.size = 0;
    expect_refused(&options, "size");
}

static void the_environment_gives_defaults(void **state)
{
    (void)state;
    tn_settings settings = {0};
    setenv("TENON_ISOLATION", "worker", 1);
    assert_null(tn_settings_init(NULL, &settings));
    assert_int_equal(settings.options.isolation, TENON_ISOLATION_WORKER);
    tn_settings_deinit(&settings);
    setenv("TENON_ISOLATION", "none", 1);
    expect_refused(NULL, "TENON_ISOLATION is 'none'");
    unsetenv("TENON_ISOLATION");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_only_the_arch),
        cmocka_unit_test(each_field_has_its_spelling),
        cmocka_unit_test(what_has_no_effect_is_said),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(the_environment_gives_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
