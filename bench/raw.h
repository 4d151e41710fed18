// The floor: nvJitLink called from C with nothing in between.
#ifndef TENON_BENCH_RAW_H_
#define TENON_BENCH_RAW_H_

#include <stdbool.h>

#include "tenon/base.h"

/// Opens the nvJitLink at `path`. Says what is missing on stderr if that fails.
bool bench_raw_open(const char *path);

/// Links `count` cubins called `names` for sm_90, and drops the result. Returns its size; 0 if the
/// link failed.
size_t bench_raw_link(const tenon_bytes *cubins, const char *const *names, size_t count);

#endif  // TENON_BENCH_RAW_H_
