// What NVRTC 13.0 and 13.5 declare on their own was measured: ptrdiff_t, size_t, wchar_t, clock_t,
// va_list, NULL, assert, printf, malloc, free, memcpy, memset, clock, and all of math.h, but no
// type of stdint.h, no limits and nothing in namespace std.
//
// A unit may include these and CCCL's headers, which define the same names for NVRTC. So the types
// have to be the same, 64 bits being long long, unlike in host code; and the macros of stdint.h the
// same tokens, or the compiler warns.
#include "link/headers.h"

#define GUARD "#pragma once\n"

static const char nothing[] = GUARD;

static const char limits_h[] = GUARD
    "#define CHAR_BIT 8\n"
    "#define SCHAR_MIN (-128)\n"
    "#define SCHAR_MAX 127\n"
    "#define UCHAR_MAX 255\n"
    "#define CHAR_MIN SCHAR_MIN\n"
    "#define CHAR_MAX SCHAR_MAX\n"
    "#define SHRT_MIN (-32768)\n"
    "#define SHRT_MAX 32767\n"
    "#define USHRT_MAX 65535\n"
    "#define INT_MIN (-2147483647 - 1)\n"
    "#define INT_MAX 2147483647\n"
    "#define UINT_MAX 4294967295U\n"
    "#define LONG_MIN (-9223372036854775807L - 1L)\n"
    "#define LONG_MAX 9223372036854775807L\n"
    "#define ULONG_MAX 18446744073709551615UL\n"
    "#define LLONG_MIN (-9223372036854775807LL - 1LL)\n"
    "#define LLONG_MAX 9223372036854775807LL\n"
    "#define ULLONG_MAX 18446744073709551615ULL\n";

// The types of N bits, and those of at least N and of the fastest.
#define INTEGER(bits, type)                                    \
    "typedef signed " type " int" bits                         \
    "_t;\n"                                                    \
    "typedef unsigned " type " uint" bits                      \
    "_t;\n"                                                    \
    "typedef int" bits "_t int_least" bits "_t, int_fast" bits \
    "_t;\n"                                                    \
    "typedef uint" bits "_t uint_least" bits "_t, uint_fast" bits "_t;\n"

#define FORMS(bits, form)                   \
    "#define INT" form bits "_MIN INT" bits \
    "_MIN\n"                                \
    "#define INT" form bits "_MAX INT" bits \
    "_MAX\n"                                \
    "#define UINT" form bits "_MAX UINT" bits "_MAX\n"

#define LIMITS(bits, type)                                                 \
    "#define INT" bits "_MIN " type                                        \
    "_MIN\n"                                                               \
    "#define INT" bits "_MAX " type                                        \
    "_MAX\n"                                                               \
    "#define UINT" bits "_MAX U" type "_MAX\n" FORMS(bits, "_LEAST")       \
        FORMS(bits, "_FAST") "#define INT" bits "_C(X) ((::int_least" bits \
                             "_t)(X))\n"                                   \
                             "#define UINT" bits "_C(X) ((::uint_least" bits "_t)(X))\n"

static const char stdint_h[] =
    GUARD
    "#include <limits.h>\n"
    INTEGER("8", "char")
    INTEGER("16", "short")
    INTEGER("32", "int")
    INTEGER("64", "long long")
    "typedef int64_t intptr_t, intmax_t;\n"
    "typedef uint64_t uintptr_t, uintmax_t;\n"
    "#define INT8_MIN SCHAR_MIN\n"
    "#define INT8_MAX SCHAR_MAX\n"
    "#define UINT8_MAX UCHAR_MAX\n"
    ;

static const char stddef_h[] = GUARD
    "#ifndef offsetof\n"
    "#define offsetof(type, member) __builtin_offsetof(type, member)\n"
    "#endif\n";

// [table continues]
