// Environments of all kinds, built in an empty folder. Nothing of the machine's own Python is used.
#include "nv/python.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/tenon-python-XXXXXX";

static const char *in_root(const char *name)
{
    static char path[4][256];
    static unsigned next;
    char *buffer = path[next++ % 4];
    snprintf(buffer, sizeof(path[0]), "%s/%s", root, name);
    return buffer;
}

static void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void run(const char *format, ...)
{
    char command[512] = "PATH=/usr/bin:/bin; ";
    size_t length = strlen(command);
    va_list args;
    va_start(args, format);
    vsnprintf(command + length, sizeof(command) - length, format, args);
    va_end(args);
    assert_int_equal(system(command), 0);
}

/// Makes a file that can be executed, and the folders above it.
static void make_program(const char *name, const char *text)
{
    const char *path = in_root(name);
    run("mkdir -p \"$(dirname %s)\" && printf '%s' >%s && chmod +x %s", path, text, path, path);
}

static int start(void **state)
{
    (void)state;
    static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT",
                                            "PYENV_VERSION"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) unsetenv(variables[i]);
    strcpy(root, "/tmp/tenon-python-XXXXXX");
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    run("cd / && rm -rf %s", root);
    return 0;
}

static void expect_prefix(const char *want)
{
    tn_buffer prefix = {0};
    bool found = tn_python_prefix(&prefix);
    if (!want) {
        assert_false(found);
    } else {
        assert_true(found);
        assert_string_equal(tn_buffer_text(&prefix), want);
    }
    tn_buffer_deinit(&prefix);
}

static void set_path(const char *first, const char *second)
{
    char path[600];
    snprintf(path, sizeof(path), "%s:%s", in_root(first), in_root(second));
    setenv("PATH", path, 1);
}

static void virtual_environment_wins_over_conda_and_path(void **state)
{
    (void)state;
    make_program("bin/python3", "ELF");
    set_path("bin", "none");
    setenv("CONDA_PREFIX", "/conda", 1);
    expect_prefix("/conda");
    setenv("VIRTUAL_ENV", "/venv", 1);
    expect_prefix("/venv");
    setenv("VIRTUAL_ENV", "", 1);
    expect_prefix("/conda");
}

static void python_on_path_gives_the_folder_above_its_bin(void **state)
{
    (void)state;
    make_program("usr/bin/python3.11", "ELF");
    run("ln -s python3.11 %s/usr/bin/python3", root);
    set_path("none", "usr/bin");
    expect_prefix(in_root("usr"));
}

static void link_of_a_virtual_environment_is_not_followed(void **state)
{
    (void)state;
    make_program("usr/bin/python3", "ELF");
    run("mkdir -p %s/venv/bin %s/bin && ln -s ../../usr/bin/python3 %s/venv/bin/python3", root,
        root, root);
    run("ln -s ../usr/bin/python3 %s/bin/python3", root);
    set_path("venv/bin", "none");
    expect_prefix(in_root("usr"));
    run("touch %s/venv/pyvenv.cfg", root);
    expect_prefix(in_root("venv"));
    set_path("bin", "none");
    expect_prefix(in_root("usr"));
}

static void pyenv_is_asked_in_its_own_order(void **state)
{
    (void)state;
    make_program("pyenv/shims/python3", "#!/bin/sh\n");
    make_program("usr/bin/python3", "ELF");
    run("mkdir -p %s/pyenv/versions/3.9.1 %s/pyenv/versions/3.10.2 %s/pyenv/versions/3.11.3", root,
        root, root);
    set_path("pyenv/shims", "usr/bin");
    expect_prefix(in_root("usr"));  // no version is set
    run("echo 3.9.1 >%s/pyenv/version", root);
    expect_prefix(in_root("pyenv/versions/3.9.1"));
    run("printf '3.10.2\\n3.9.1\\n' >%s/.python-version", root);
    expect_prefix(in_root("pyenv/versions/3.10.2"));
    setenv("PYENV_VERSION", "3.11.3:3.9.1", 1);
    expect_prefix(in_root("pyenv/versions/3.11.3"));
    setenv("PYENV_VERSION", "system", 1);
    expect_prefix(in_root("usr"));
    setenv("PYENV_VERSION", "2.0", 1);  // not installed
    expect_prefix(in_root("usr"));
}

static void nothing_is_found_on_an_empty_path(void **state)
{
    (void)state;
    run("mkdir %s/bin && touch %s/bin/python3 && mkdir -p %s/more/python3", root, root, root);
    set_path("bin", "more");  // no program, and a folder
    expect_prefix(NULL);
    unsetenv("PATH");
    expect_prefix(NULL);
    setenv("PATH", "::", 1);
    expect_prefix(NULL);
}

static void packages_are_listed_newest_first(void **state)
{
    (void)state;
    run("cd %s && mkdir -p lib/python3.9/site-packages lib/python3.11/site-packages "
        "lib/python3/dist-packages lib/python3.10 lib/python2.7/site-packages",
        root);
    tn_buffer found = {0};
    tn_python_packages(root, &found);
    const char *at = found.data;
    const char *const want[] = {"lib/python3.11/site-packages", "lib/python3.9/site-packages",
                                "lib/python3/dist-packages"};
    for (size_t i = 0; i < 3; i++, at += strlen(at) + 1) assert_string_equal(at, in_root(want[i]));
    assert_int_equal(at - found.data, found.size);
    tn_buffer_deinit(&found);

    tn_python_packages("/nowhere", &found);
    assert_int_equal(found.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(virtual_environment_wins_over_conda_and_path, start, stop),
        cmocka_unit_test_setup_teardown(python_on_path_gives_the_folder_above_its_bin, start, stop),
        cmocka_unit_test_setup_teardown(link_of_a_virtual_environment_is_not_followed, start, stop),
        cmocka_unit_test_setup_teardown(pyenv_is_asked_in_its_own_order, start, stop),
        cmocka_unit_test_setup_teardown(nothing_is_found_on_an_empty_path, start, stop),
        cmocka_unit_test_setup_teardown(packages_are_listed_newest_first, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
