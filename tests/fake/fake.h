// What all fake vendor libraries share. They fail on demand, as the environment says, which is read
// at every call. NAME is a function as its vendor calls it, without a version: nvJitLinkComplete,
// nvrtcCompileProgram, cuLinkComplete.
//   FAKE_FAIL     NAME:CODE,NAME@N:CODE,...  that call, or the N-th one in a row, gives that result
//   FAKE_CRASH    NAME    that call dies of SIGSEGV
//   FAKE_HANG     NAME    that call never returns
//   FAKE_STDERR   TEXT    a link or compile prints this
//   FAKE_LOG      TEXT    what the error log, or NVRTC's only log, is
//   FAKE_INFO     TEXT    what the information log is
//   FAKE_VERSION  13.0    what the library says it is
//   FAKE_OUTPUT   FILE    what a link or compile gives; "empty": nothing
//   FAKE_CALLS    FILE    each call adds a line to it: its name
#ifndef TN_TESTS_FAKE_FAKE_H_
#define TN_TESTS_FAKE_FAKE_H_

#include <stddef.h>

#pragma GCC visibility push(hidden)

/// Returns a variable of the environment, or `otherwise`.
const char *fake_text(const char *variable, const char *otherwise);

/// Does what the environment wants of a call, and returns its result.
unsigned fake_call(const char *name);

void fake_version(int major, int minor, int *out_major, int *out_minor);

/// Prints FAKE_STDERR.
void fake_print(void);

/// Returns the bytes of FAKE_OUTPUT, or without it a copy of `otherwise` with its NUL. Free with
/// free().
void *fake_output(const char *otherwise, size_t *out_size);

#pragma GCC visibility pop

// What comes after this line is the vendor's names, which are what a library is there for.
#pragma GCC visibility push(default)

#endif  // TN_TESTS_FAKE_FAKE_H_
