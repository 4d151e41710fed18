// A relocatable cubin in which nothing is undefined can be loaded as it is, but for one thing that
// only the final link does: this does it.
#ifndef TN_ELF_LOADABLE_H_
#define TN_ELF_LOADABLE_H_

#include <stddef.h>

#include "tenon/status.h"

/// Gives the variables of a cubin the plain ELF type of an object, in place. Compilers and partial
/// links give them a type of NVIDIA's own (13), which the driver refuses (CUDA_ERROR_INVALID_IMAGE)
/// and which the final link replaces. Linkers take both alike: nvJitLink 13.0 and 13.5 make the
/// same bytes of both, and still compare memory spaces. Measured on driver 580.
///
/// TENON_DATA_LOSS: the bytes are no cubin.
TENON_NODISCARD tenon_status *tn_cubin_make_loadable(const char *name, char *data, size_t size);

#endif  // TN_ELF_LOADABLE_H_
