// Source of units of device code that call each other, for measuring links of many of them.
//
// Units come in groups of five. Unit i defines f<i>, which calls up to three of its group that come
// after it, so that the number of call paths stays small however many units there are; unit 0 also
// has the kernel, which calls the first of each group. Each has a variable, a table and a loop.
#ifndef TENON_BENCH_UNITS_H_
#define TENON_BENCH_UNITS_H_

#include <stddef.h>

/// Writes the source of unit `index` of `count` to `text`. Returns its length, or 0 if `size` is
/// too small.
size_t bench_unit(char *text, size_t size, size_t index, size_t count);

#endif  // TENON_BENCH_UNITS_H_
