#include "fake.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *fake_text(const char *variable, const char *otherwise)
{
    const char *text = getenv(variable);
    return text ? text : otherwise;
}

/// How often a name was called in a row; enough for one test at a time.
static unsigned count_call(const char *name)
{
    static char last[64];
    static unsigned count;
    if (strcmp(last, name) != 0) {
        snprintf(last, sizeof(last), "%s", name);
        count = 0;
    }
    return ++count;
}

/// Looks for "name:code" or "name@n:code" in a list; 0 if it is not there.
static unsigned wanted_result(const char *list, const char *name, unsigned count)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strspn(at, ",")) {
        size_t size = strcspn(at, ",");
        if (size > length && strncmp(at, name, length) == 0) {
            char *rest = (char *)(size_t)(at + length);
            unsigned long nth = *rest == '@' ? strtoul(rest + 1, &rest, 10) : count;
            if (*rest == ':' && nth == count) return (unsigned)strtoul(rest + 1, NULL, 10);
        }
        at += size;
    }
    return 0;
}

static void note(const char *name)
{
    const char *path = getenv("FAKE_CALLS");
    FILE *stream = path ? fopen(path, "ae") : NULL;
    if (!stream) return;
    fprintf(stream, "%s\n", name);
    fclose(stream);
}

unsigned fake_call(const char *name)
{
    note(name);
    if (strcmp(fake_text("FAKE_CRASH", ""), name) == 0) {
        signal(SIGSEGV, SIG_DFL);  // not the handler of a sanitizer
        raise(SIGSEGV);
    }
    while (strcmp(fake_text("FAKE_HANG", ""), name) == 0) pause();
    return wanted_result(fake_text("FAKE_FAIL", ""), name, count_call(name));
}

void fake_version(int major, int minor, int *out_major, int *out_minor)
{
    const char *text = getenv("FAKE_VERSION");
    if (text) {
        char *end = NULL;
        major = (int)strtol(text, &end, 10);
        minor = *end == '.' ? (int)strtol(end + 1, NULL, 10) : 0;
    }
    *out_major = major;
    *out_minor = minor;
}

void fake_print(void)
{
    fputs(fake_text("FAKE_STDERR", ""), stderr);
}

void *fake_output(const char *otherwise, size_t *out_size)
{
    enum { MOST = 1 << 20 };
    const char *path = getenv("FAKE_OUTPUT");
    *out_size = 0;
    if (path && strcmp(path, "empty") == 0) return NULL;
    FILE *stream = path ? fopen(path, "rbe") : NULL;
    if (!stream) {
        char *copy = strdup(otherwise);
        if (copy) *out_size = strlen(copy) + 1;
        return copy;
    }
    char *data = malloc(MOST);
    if (data) *out_size = fread(data, 1, MOST, stream);
    fclose(stream);
    return data;
}
