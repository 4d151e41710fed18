// They hold what NVRTC does not declare by itself, found by trying (13.0 and 13.5), and no more
// than device code has under nvcc. 64-bit integers are long long, as CCCL's own headers have them
// under NVRTC; where CCCL is there, its headers come first, so that both can be included.
#include "link/headers.h"

#include <stddef.h>

// NVRTC's own assert does not look at NDEBUG after the command line.
static const char assert_h[] =
    "#ifdef NDEBUG\n"
    "#undef assert\n"
    "#define assert(expression) ((void)0)\n"
    "#endif\n";

static const char float_h[] =
    "#pragma once\n"
    "#ifndef FLT_MAX\n"
    "#define FLT_RADIX 2\n"
    "#define FLT_MANT_DIG 24\n"
    "#define FLT_DIG 6\n"
    "#define FLT_MIN_EXP (-125)\n"
    "#define FLT_MIN_10_EXP (-37)\n"
    "#define FLT_MAX_EXP 128\n"
    "#define FLT_MAX_10_EXP 38\n"
    "#define FLT_MAX 0x1.fffffep127f\n"
    "#define FLT_MIN 0x1p-126f\n"
    "#define FLT_TRUE_MIN 0x1p-149f\n"
    "#define FLT_EPSILON 0x1p-23f\n"
    "#define DBL_MANT_DIG 53\n"
    "#define DBL_DIG 15\n"
    "#define DBL_MIN_EXP (-1021)\n"
    "#define DBL_MIN_10_EXP (-307)\n"
    "#define DBL_MAX_EXP 1024\n"
    "#define DBL_MAX_10_EXP 308\n"
    "#define DBL_MAX 0x1.fffffffffffffp1023\n"
    "#define DBL_MIN 0x1p-1022\n"
    "#define DBL_TRUE_MIN 0x1p-1074\n"
    "#define DBL_EPSILON 0x1p-52\n"
    "#endif\n";

static const char limits_h[] =
    "#pragma once\n"
    "#if __has_include(<cuda/std/climits>)\n"
    "#include <cuda/std/climits>\n"
    "#endif\n"
    "#ifndef CHAR_BIT\n"
    "#define CHAR_BIT 8\n"
    "#endif\n"
    "#ifndef INT_MAX\n"
    "#define SCHAR_MAX 127\n"
    "#define SCHAR_MIN (-128)\n"
    "#define UCHAR_MAX 255\n"
    "#define CHAR_MIN SCHAR_MIN\n"
    "#define CHAR_MAX SCHAR_MAX\n"
    "#define SHRT_MAX 32767\n"
    "#define SHRT_MIN (-32768)\n"
    "#define USHRT_MAX 65535\n"
    "#define INT_MAX 2147483647\n"
    "#define INT_MIN (-2147483647 - 1)\n"
    "#define UINT_MAX 4294967295u\n"
    "#define LONG_MAX 9223372036854775807l\n"
    "#define LONG_MIN (-9223372036854775807l - 1)\n"
    "#define ULONG_MAX 18446744073709551615ul\n"
    "#define LLONG_MAX 9223372036854775807ll\n"
    "#define LLONG_MIN (-9223372036854775807ll - 1)\n"
    "#define ULLONG_MAX 18446744073709551615ull\n"
    "#endif\n";

// Infinity has to be a constant expression, which __int_as_float is not.
static const char math_h[] =
    "#pragma once\n"
    "#ifndef INFINITY\n"
    "#define INFINITY __builtin_bit_cast(float, 0x7f800000)\n"
    "#endif\n"
    "#ifndef NAN\n"
    "#define NAN __builtin_bit_cast(float, 0x7fc00000)\n"
    "#endif\n"
    "#ifndef HUGE_VAL\n"
    "#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000)\n"
    "#define HUGE_VALF INFINITY\n"
    "#endif\n"
    "#ifndef M_PI\n"
    "#define M_E 2.7182818284590452354\n"
    "#define M_LOG2E 1.4426950408889634074\n"
    "#define M_LOG10E 0.43429448190325182765\n"
    "#define M_LN2 0.69314718055994530942\n"
    "#define M_LN10 2.30258509299404568402\n"
    "#define M_PI 3.14159265358979323846\n"
    "#define M_PI_2 1.57079632679489661923\n"
    "#define M_PI_4 0.78539816339744830962\n"
    "#define M_1_PI 0.31830988618379067154\n"
    "#define M_2_PI 0.63661977236758134308\n"
    "#define M_2_SQRTPI 1.12837916709551257390\n"
    "#define M_SQRT2 1.41421356237309504880\n"
    "#define M_SQRT1_2 0.70710678118654752440\n"
    "#endif\n";

static const char stddef_h[] =
    "#pragma once\n"
    "#ifndef offsetof\n"
    "#if __has_builtin(__builtin_offsetof)\n"
    "#define offsetof(type, member) __builtin_offsetof(type, member)\n"
    "#else\n"
    "#define offsetof(type, member) \\\n"
    "    ((size_t) & reinterpret_cast<const volatile char &>(((type *)0)->member))\n"
    "#endif\n"
    "#endif\n"
    "typedef decltype(nullptr) nullptr_t;\n"
    "typedef long double max_align_t;\n";

static const char stdint_h[] =
    "#pragma once\n"
    "#if __has_include(<cuda/std/cstdint>)\n"
    "#include <cuda/std/cstdint>\n"
    "#else\n"
    "typedef signed char int8_t;\n"
    "typedef short int16_t;\n"
    "typedef int int32_t;\n"
    "typedef long long int64_t;\n"
    "typedef unsigned char uint8_t;\n"
    "typedef unsigned short uint16_t;\n"
    "typedef unsigned uint32_t;\n"
    "typedef unsigned long long uint64_t;\n"
    "typedef int8_t int_least8_t, int_fast8_t;\n"
    "typedef int16_t int_least16_t, int_fast16_t;\n"
    "typedef int32_t int_least32_t, int_fast32_t;\n"
    "typedef int64_t int_least64_t, int_fast64_t, intptr_t, intmax_t;\n"
    "typedef uint8_t uint_least8_t, uint_fast8_t;\n"
    "typedef uint16_t uint_least16_t, uint_fast16_t;\n"
    "typedef uint32_t uint_least32_t, uint_fast32_t;\n"
    "typedef uint64_t uint_least64_t, uint_fast64_t, uintptr_t, uintmax_t;\n"
    "#define INT8_MAX 127\n"
    "#define INT8_MIN (-128)\n"
    "#define UINT8_MAX 255\n"
    "#define INT16_MAX 32767\n"
    "#define INT16_MIN (-32768)\n"
    "#define UINT16_MAX 65535\n"
    "#define INT32_MAX 2147483647\n"
    "#define INT32_MIN (-2147483647 - 1)\n"
    "#define UINT32_MAX 4294967295u\n"
    "#define INT64_MAX 9223372036854775807ll\n"
    "#define INT64_MIN (-9223372036854775807ll - 1)\n"
    "#define UINT64_MAX 18446744073709551615ull\n"
    "#define INTPTR_MAX INT64_MAX\n"
    "#define INTPTR_MIN INT64_MIN\n"
    "#define UINTPTR_MAX UINT64_MAX\n"
    "#define INTMAX_MAX INT64_MAX\n"
    "#define INTMAX_MIN INT64_MIN\n"
    "#define UINTMAX_MAX UINT64_MAX\n"
    "#define PTRDIFF_MAX INT64_MAX\n"
    "#define PTRDIFF_MIN INT64_MIN\n"
    "#define SIZE_MAX 18446744073709551615ul\n"
    "#define INT8_C(value) value\n"
    "#define INT16_C(value) value\n"
    "#define INT32_C(value) value\n"
    "#define INT64_C(value) value##ll\n"
    "#define INTMAX_C(value) value##ll\n"
    "#define UINT8_C(value) value\n"
    "#define UINT16_C(value) value\n"
    "#define UINT32_C(value) value##u\n"
    "#define UINT64_C(value) value##ull\n"
    "#define UINTMAX_C(value) value##ull\n"
    "#endif\n";

static const char stdlib_h[] =
    "#pragma once\n"
    "#ifndef EXIT_SUCCESS\n"
    "#define EXIT_SUCCESS 0\n"
    "#define EXIT_FAILURE 1\n"
    "#endif\n";

static const char cmath[] =
    "#pragma once\n"
    "#include <math.h>\n"
    "namespace std {\n"
    "using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan;\n"
    "using ::atan2; using ::atanh; using ::cbrt; using ::ceil; using ::copysign; using ::cos;\n"
    "using ::cosh; using ::erf; using ::erfc; using ::exp; using ::exp2; using ::expm1;\n"
    "using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;\n"
    "using ::fmod; using ::frexp; using ::hypot; using ::ilogb; using ::isfinite; using ::isinf;\n"
    "using ::isnan; using ::ldexp; using ::lgamma; using ::llrint; using ::llround; using ::log;\n"
    "using ::log10; using ::log1p; using ::log2; using ::logb; using ::lrint; using ::lround;\n"
    "using ::modf; using ::nan; using ::nanf; using ::nearbyint; using ::nextafter; using ::pow;\n"
    "using ::remainder; using ::remquo; using ::rint; using ::round; using ::scalbln;\n"
    "using ::scalbn; using ::signbit; using ::sin; using ::sinh; using ::sqrt; using ::tan;\n"
    "using ::tanh; using ::tgamma; using ::trunc;\n"
    "}\n";

static const char cstdint[] =
    "#pragma once\n"
    "#include <stdint.h>\n"
    "namespace std {\n"
    "using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;\n"
    "using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;\n"
    "using ::int_least8_t; using ::int_least16_t; using ::int_least32_t; using ::int_least64_t;\n"
    "using ::uint_least8_t; using ::uint_least16_t; using ::uint_least32_t;\n"
    "using ::uint_least64_t;\n"
    "using ::int_fast8_t; using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;\n"
    "using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t; using ::uint_fast64_t;\n"
    "using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;\n"
    "}\n";

#define WRAP(header, usings) "#pragma once\n#include <" header ">\nnamespace std { " usings " }\n"

static const tn_header headers[] = {
    {"assert.h", assert_h},
    {"float.h", float_h},
    {"limits.h", limits_h},
    {"math.h", math_h},
    {"stdarg.h", "#pragma once\n"},
    {"stdbool.h", "#pragma once\n#define __bool_true_false_are_defined 1\n"},
    {"stddef.h", stddef_h},
    {"stdint.h", stdint_h},
    {"stdio.h", "#pragma once\n"},
    {"stdlib.h", stdlib_h},
    {"string.h", "#pragma once\n"},
    {"cassert", "#include <assert.h>\n"},
    {"cfloat", "#pragma once\n#include <float.h>\n"},
    {"climits", "#pragma once\n#include <limits.h>\n"},
    {"cmath", cmath},
    {"cstdarg", WRAP("stdarg.h", "using ::va_list;")},
    {"cstddef", WRAP("stddef.h",
                     "using ::size_t; using ::ptrdiff_t; using ::nullptr_t; "
                     "using ::max_align_t;")},
    {"cstdint", cstdint},
    {"cstdio", WRAP("stdio.h", "using ::size_t; using ::printf;")},
    {"cstdlib", WRAP("stdlib.h",
                     "using ::size_t; using ::malloc; using ::free; using ::abs; "
                     "using ::labs; using ::llabs;")},
    {"cstring", WRAP("string.h", "using ::size_t; using ::memcpy; using ::memset;")},
};

const tn_header *tn_headers_get(size_t index)
{
    return index < sizeof(headers) / sizeof(headers[0]) ? &headers[index] : NULL;
}
