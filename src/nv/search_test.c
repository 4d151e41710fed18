// How a search goes, with a library that every machine has under names of our own. Linked with
// --wrap, so that each allocation can be made to fail: __wrap_malloc, __wrap_calloc,
// __wrap_realloc,
// __wrap_strdup.
#include "nv/search.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail_alloc.h"

static const char *const files[] = {"libtenon-none.so.2", "libtenon-none.so.1", NULL};

static const tn_vendor vendor = {
    .library = TENON_LIBRARY_NVRTC,
    .name = "libtenon-none",
    .variable = "TENON_TEST_NONE",
    .files = files,
    .wheel = "none/lib",
    .advice = "`do something`",
};

static char root[64];
static char cases_library[256];  // a library to link to

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
    char command[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

/// Makes `root`/`name` a library.
static void make_library(const char *name)
{
    run("cd %s && mkdir -p \"$(dirname %s)\" && ln -s %s %s", root, name, cases_library, name);
}

static int start(void **state)
{
    (void)state;
    void *handle = dlopen("libm.so.6", RTLD_NOW);
    assert_non_null(handle);
    snprintf(cases_library, sizeof(cases_library), "%s", tn_search_path(handle));
    strcpy(root, "/tmp/tenon-search-XXXXXX");
    assert_non_null(mkdtemp(root));
    unsetenv(vendor.variable);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    run("rm -rf %s", root);
    return 0;
}

/// What a search showed.
typedef struct trail {
    char text[2048];
} trail;

static bool follow(void *data, const tn_sighting *sighting)
{
    trail *t = data;
    size_t length = strlen(t->text);
    const char *path = sighting->path;
    if (strncmp(path, root, strlen(root)) == 0) path += strlen(root);
    snprintf(t->text + length, sizeof(t->text) - length, "%s %s %s%s\n", sighting->place,
             sighting->handle ? "found" : path,
             sighting->handle        ? ""
             : sighting->file_exists ? "unusable"
                                     : "absent",
             sighting->forced ? " forced" : "");
    return false;
}

static void expect_trail(const tn_places *places, const char *want)
{
    trail t = {""};
    assert_null(tn_search(&vendor, places, follow, &t));
    assert_string_equal(t.text, want);
}

static void add(tn_places *places, const char *word, const char *folder)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", root, folder);
    tn_places_add(places, word, path);
    assert_false(places->failed);
}

static void every_layout_of_a_place_is_known(void **state)
{
    (void)state;
    static const char *const layouts[] = {"lib64", "lib", "cu13/lib", "none/lib",
#ifdef __aarch64__
                                          "targets/sbsa-linux/lib"};
#else
                                          "targets/x86_64-linux/lib"};
#endif
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        char name[128], folder[16];
        snprintf(folder, sizeof(folder), "place%zu", i);
        snprintf(name, sizeof(name), "%s/%s/libtenon-none.so.1", folder, layouts[i]);
        make_library(name);
        tn_places places = {0};
        add(&places, "here", folder);
        expect_trail(&places, "here found \n");
        tn_places_deinit(&places);
    }
}

static void places_are_shown_in_order_and_what_is_no_library_too(void **state)
{
    (void)state;
    make_library("good/lib/libtenon-none.so.1");
    run("mkdir -p %s/broken/lib && echo text >%s/broken/lib/libtenon-none.so.2", root, root);
    run("mkdir -p %s/empty", root);
    tn_places places = {0};
    tn_places_add_absent(&places, "first", "", "not set");
    add(&places, "second", "empty");
    add(&places, "third", "broken");
    tn_places_add(&places, "loader", "");
    add(&places, "last", "good");
    expect_trail(&places,
                 "first  absent\n"
                 "second /empty absent\n"
                 "third /broken/lib/libtenon-none.so.2 unusable\n"
                 "loader libtenon-none.so.2 absent\n"
                 "loader libtenon-none.so.1 absent\n"
                 "last found \n");
    tn_places_deinit(&places);
}

static void newest_file_of_a_place_wins(void **state)
{
    (void)state;
    make_library("both/lib/libtenon-none.so.1");
    run("mkdir -p %s/both/lib64 && echo text >%s/both/lib64/libtenon-none.so.2", root, root);
    tn_places places = {0};
    add(&places, "here", "both");
    // The older one is tried only because the newer one cannot be loaded.
    expect_trail(&places, "here /both/lib64/libtenon-none.so.2 unusable\nhere found \n");
    tn_places_deinit(&places);
}

static unsigned accepted;
static tenon_code accept_code;

static tenon_status *accept(void *handle)
{
    assert_non_null(handle);
    accepted++;
    return accept_code ? tenon_status_make(accept_code, "lacks something") : NULL;
}

static void variable_names_the_only_file_that_will_do(void **state)
{
    (void)state;
    make_library("good/lib/libtenon-none.so.1");
    tn_places places = {0};
    add(&places, "good", "good");
    setenv(vendor.variable, "/nowhere/lib.so", 1);
    accepted = 0;
    accept_code = TENON_OK;
    tenon_status *status = tn_choose_from(&vendor, &places, accept);
    assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
    assert_non_null(strstr(tenon_status_message(status), "'/nowhere/lib.so'"));
    assert_non_null(strstr(tenon_status_message(status), "TENON_TEST_NONE"));
    assert_non_null(strstr(tenon_status_log(status), "explicit: /nowhere/lib.so"));
    assert_int_equal(accepted, 0);
    tenon_status_free(status);

    // A scan goes on, to tell what else there is.
    expect_trail(&places, "explicit /nowhere/lib.so absent forced\ngood found \n");

    setenv(vendor.variable, cases_library, 1);
    assert_null(tn_choose_from(&vendor, &places, accept));
    assert_int_equal(accepted, 1);
    tn_places_deinit(&places);
}

static void nothing_found_names_every_place_and_what_to_do(void **state)
{
    (void)state;
    run("mkdir -p %s/broken/lib && echo text >%s/broken/lib/libtenon-none.so.2", root, root);
    tn_places places = {0};
    tn_places_add_absent(&places, "CUDA_HOME", "", "not set");
    add(&places, "wheels", "broken");
    tn_places_add(&places, "loader", "");
    tn_places_add_absent(&places, "usual folders", "/opt/cuda", "no such folder");
    tenon_status *status = tn_choose_from(&vendor, &places, accept);
    assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
    assert_non_null(strstr(tenon_status_message(status), "libtenon-none not found"));
    assert_non_null(strstr(tenon_status_message(status), "`do something`"));
    const char *log = tenon_status_log(status);
    assert_non_null(strstr(log, "CUDA_HOME: not set\n"));
    assert_non_null(strstr(log, "/broken/lib/libtenon-none.so.2: "));  // the loader's words
    assert_non_null(strstr(log, "loader: libtenon-none.so.2: "));
    assert_non_null(strstr(log, "loader: libtenon-none.so.1: "));
    assert_non_null(strstr(log, "usual folders: /opt/cuda: no such folder\n"));
    tenon_status_free(status);
    tn_places_deinit(&places);
}

static void unusable_library_is_passed_by_and_incompatible_one_ends_the_search(void **state)
{
    (void)state;
    make_library("one/lib/libtenon-none.so.1");
    make_library("two/lib/libtenon-none.so.1");
    tn_places places = {0};
    add(&places, "first", "one");
    add(&places, "second", "two");
    accepted = 0;
    accept_code = TENON_UNAVAILABLE;  // as a driver's stub
    tenon_status *status = tn_choose_from(&vendor, &places, accept);
    assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
    assert_int_equal(accepted, 2);
    assert_non_null(strstr(tenon_status_log(status), "lacks something"));
    tenon_status_free(status);

    accepted = 0;
    accept_code = TENON_INCOMPATIBLE;
    status = tn_choose_from(&vendor, &places, accept);
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_int_equal(accepted, 1);
    tenon_status_free(status);
    accept_code = TENON_OK;
    tn_places_deinit(&places);
}

static void every_failing_allocation_is_an_error_or_does_no_harm(void **state)
{
    (void)state;
    make_library("good/lib/libtenon-none.so.1");
    run("mkdir -p %s/empty", root);
    for (long n = 0;; n++) {
        tn_places places = {0};
        tn_allocations_made = 0;
        tn_allocations_left = n;
        tn_places_add_absent(&places, "first", "", "not set");
        char path[128];
        snprintf(path, sizeof(path), "%s/empty", root);
        tn_places_add(&places, "second", path);
        snprintf(path, sizeof(path), "%s/good", root);
        tn_places_add(&places, "third", path);
        bool whole = !places.failed;
        tenon_status *status = whole ? tn_choose_from(&vendor, &places, accept) : NULL;
        long made = tn_allocations_made;
        tn_allocations_left = -1;
        assert_true(!status || tenon_status_code(status) == TENON_OUT_OF_MEMORY);
        tenon_status_free(status);
        tn_places_deinit(&places);
        if (made <= n) break;
    }
}

static tn_choice choice;

static void *choose(void *data)
{
    *(tenon_status **)data = tn_choose(&vendor, accept, &choice);
    return NULL;
}

static void threads_agree_on_one_choice_and_then_nothing_can_be_selected(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    make_library("mine/lib/libtenon-none.so.1");
    tenon_status *status = tn_search_select("");
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    tenon_status_free(status);
    assert_null(tn_search_select("/nowhere"));

    status = tn_choose(&vendor, accept, &choice);  // a failure is no choice
    assert_int_equal(tenon_status_code(status), TENON_UNAVAILABLE);
    assert_non_null(strstr(tenon_status_log(status), "explicit: /nowhere: no such folder\n"));
    tenon_status_free(status);

    char path[128];
    snprintf(path, sizeof(path), "%s/mine", root);
    assert_null(tn_search_select(path));
    accepted = 0;
    pthread_t threads[THREADS];
    tenon_status *results[THREADS] = {NULL};
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, choose, &results[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_null(results[i]);
    }
    assert_int_equal(accepted, 1);

    status = tn_search_select("/elsewhere");
    assert_int_equal(tenon_status_code(status), TENON_INVALID_ARGUMENT);
    assert_non_null(strstr(tenon_status_message(status), "'/elsewhere'"));
    tenon_status_free(status);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(every_layout_of_a_place_is_known),
        TEST(places_are_shown_in_order_and_what_is_no_library_too),
        TEST(newest_file_of_a_place_wins),
        TEST(variable_names_the_only_file_that_will_do),
        TEST(nothing_found_names_every_place_and_what_to_do),
        TEST(unusable_library_is_passed_by_and_incompatible_one_ends_the_search),
        TEST(every_failing_allocation_is_an_error_or_does_no_harm),
        TEST(threads_agree_on_one_choice_and_then_nothing_can_be_selected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
