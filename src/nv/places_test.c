// The order of the places, with an environment of our own. Linked with --wrap, so that each
// allocation can be made to fail: __wrap_malloc, __wrap_calloc, __wrap_realloc, __wrap_strdup.
#include "nv/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fail_alloc.h"

static char root[] = "/tmp/tenon-places-XXXXXX";

static void set(const char *variable, const char *folder)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/%s", root, folder);
    setenv(variable, path, 1);
}

static int start(void **state)
{
    (void)state;
    strcpy(root, "/tmp/tenon-places-XXXXXX");
    assert_non_null(mkdtemp(root));
    char command[600];
    snprintf(command, sizeof(command),
             "PATH=/usr/bin:/bin; cd %s && mkdir -p mine home cuda toolkit/bin bin "
             "venv/lib/python3.11/site-packages/nvidia "
             "venv/lib/python3.9/site-packages && touch toolkit/bin/nvcc && "
             "chmod +x toolkit/bin/nvcc && ln -s ../toolkit/bin/nvcc bin/nvcc",
             root);
    assert_int_equal(system(command), 0);
    set("TENON_CUDA_PATH", "mine");
    set("VIRTUAL_ENV", "venv");
    set("CUDA_HOME", "home");
    set("CUDA_PATH", "cuda");
    set("PATH", "bin");
    return 0;
}

static int stop(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof(command), "PATH=/usr/bin:/bin rm -rf %s", root);
    return system(command);
}

static void expect(const tn_places *places, size_t index, const char *word, const char *folder)
{
    char path[128] = "";
    if (*folder) snprintf(path, sizeof(path), "%s/%s", root, folder);
    assert_in_range(index + 1, 1, places->count);
    const tn_place *place = &places->items[index];
    assert_string_equal(place->word, word);
    assert_string_equal(place->path, path);
    assert_null(place->absent);
}

static void order_is_that_of_the_public_header(void **state)
{
    (void)state;
    tn_places places = {0};
    char selected[128];
    snprintf(selected, sizeof(selected), "%s/mine", root);
    assert_null(tn_places_make(selected, &places));
    expect(&places, 0, "explicit", "mine");
    expect(&places, 1, "TENON_CUDA_PATH", "mine");
    expect(&places, 2, "wheels", "venv/lib/python3.11/site-packages/nvidia");
    expect(&places, 3, "CUDA_HOME", "home");
    expect(&places, 4, "CUDA_PATH", "cuda");
    expect(&places, 5, "nvcc", "toolkit");
    expect(&places, 6, "loader", "");
    assert_int_equal(places.count, 10);
    assert_string_equal(places.items[7].path, "/usr/local/cuda");
    assert_string_equal(places.items[8].path, "/opt/cuda");
    assert_string_equal(places.items[9].path, "/usr/lib/cuda");
    tn_places_deinit(&places);
}

static void what_is_not_set_says_so(void **state)
{
    (void)state;
    static const char *const variables[] = {"TENON_CUDA_PATH", "VIRTUAL_ENV", "CUDA_HOME",
                                            "CUDA_PATH", "PATH"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) unsetenv(variables[i]);
    setenv("TENON_CUDA_PATH", "", 1);
    set("CUDA_PATH", "gone");
    tn_places places = {0};
    assert_null(tn_places_make(NULL, &places));
    static const char *const why[] = {"not set", "no Python environment", "not set",
                                      "no such folder", "not on PATH"};
    for (size_t i = 0; i < sizeof(why) / sizeof(why[0]); i++) {
        assert_non_null(places.items[i].absent);
        assert_non_null(strstr(places.items[i].absent, why[i]));
    }
    tn_places_deinit(&places);
}

static void environment_without_wheels_says_so(void **state)
{
    (void)state;
    set("VIRTUAL_ENV", "home");
    tn_places places = {0};
    assert_null(tn_places_make(NULL, &places));
    assert_string_equal(places.items[1].word, "wheels");
    assert_non_null(strstr(places.items[1].absent, "no NVIDIA wheels"));
    tn_places_deinit(&places);
}

static void driver_has_places_of_its_own(void **state)
{
    (void)state;
    tn_places places = {0};
    assert_null(tn_places_make_driver(&places));
    assert_string_equal(places.items[0].word, "loader");
    assert_string_equal(places.items[0].path, "");
    for (size_t i = 1; i < places.count; i++) {
        assert_string_equal(places.items[i].word, "usual folders");
    }
    tn_places_deinit(&places);
}

static void every_failing_allocation_is_an_error(void **state)
{
    (void)state;
    for (long n = 0;; n++) {
        tn_places places = {0};
        tn_allocations_made = 0;
        tn_allocations_left = n;
        tenon_status *status = tn_places_make("selected", &places);
        long made = tn_allocations_made;
        tn_allocations_left = -1;
        if (status) {
            assert_int_equal(tenon_status_code(status), TENON_OUT_OF_MEMORY);
            assert_int_equal(places.count, 0);
        }
        tenon_status_free(status);
        tn_places_deinit(&places);
        if (made <= n) {
            assert_null(status);
            break;
        }
        assert_non_null(status);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        TEST(order_is_that_of_the_public_header),   TEST(what_is_not_set_says_so),
        TEST(environment_without_wheels_says_so),   TEST(driver_has_places_of_its_own),
        TEST(every_failing_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
