// The LZ4 block format, which fatbins use for speed. Source: the format's public description.
#ifndef TN_ELF_LZ4_H_
#define TN_ELF_LZ4_H_

#include <stdbool.h>
#include <stddef.h>

/// Decompresses a block into exactly `out_size` bytes; false if it is damaged or has another size.
bool tn_lz4_decode(const char *data, size_t size, char *out, size_t out_size);

#endif  // TN_ELF_LZ4_H_
