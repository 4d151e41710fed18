// Where the fakes are, for the tests that load them.
#ifndef TN_TESTS_FAKE_PATH_H_
#define TN_TESTS_FAKE_PATH_H_

#include <stdio.h>
#include <stdlib.h>

/// Writes the path of a file of a variant of the fakes, such as "good/lib/libnvrtc.so.13", into
/// `buffer` and returns it. Tests run with TENON_BUILD set, or in the build folder.
static inline const char *fake_path(const char *file, char *buffer, size_t size)
{
    const char *build = getenv("TENON_BUILD");
    snprintf(buffer, size, "%s/tests/fake/%s", build ? build : ".", file);
    return buffer;
}

/// Lets the process use a fake: `variable` is TENON_NVJITLINK, TENON_NVRTC or TENON_DRIVER.
static inline void fake_use(const char *variable, const char *file)
{
    char path[512];
    setenv(variable, fake_path(file, path, sizeof(path)), 1);
}

/// Sets FAKE_FAIL to "name:code".
static inline void fake_fail(const char *name, unsigned code)
{
    char text[96];
    snprintf(text, sizeof(text), "%s:%u", name, code);
    setenv("FAKE_FAIL", text, 1);
}

#endif  // TN_TESTS_FAKE_PATH_H_
