// Whole files: read them, and replace them so that nobody ever sees half a file.
#ifndef TN_BASE_FILE_H_
#define TN_BASE_FILE_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/// Reads a file into an empty buffer. Returns 0 or an errno: EISDIR for a folder, ENOMEM, EFBIG for
/// more than 4 GiB.
int tn_file_read(const char *path, tn_buffer *out);

/// Writes `size` bytes under a temporary name in the same folder and renames it to `path`. Returns
/// 0 or an errno, and then what was at `path` is still there and nothing else is left.
int tn_file_replace(const char *path, const void *data, size_t size);

bool tn_file_exists(const char *path);

/// Writes all bytes to a descriptor. Returns 0 or an errno.
int tn_file_write_all(int fd, const void *data, size_t size);

#endif  // TN_BASE_FILE_H_
