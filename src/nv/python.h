// The Python environment that a user's `python3` would run in, found without running it.
#ifndef TN_NV_PYTHON_H_
#define TN_NV_PYTHON_H_

#include <stdbool.h>

#include "base/buffer.h"

/// Writes the folder that holds bin/python3 and lib/python3.X of the active environment to `out`:
/// that of VIRTUAL_ENV, of CONDA_PREFIX, or of the first python3 on PATH. Returns false if there is
/// none, or without memory.
bool tn_python_prefix(tn_buffer *out);

/// Appends the site-packages and dist-packages folders below a prefix that exist, the newest Python
/// first, a NUL after each.
void tn_python_packages(const char *prefix, tn_buffer *out);

/// Writes the first executable file `name` of PATH to `out`, links not followed. Returns false if
/// there is none, or without memory.
bool tn_python_on_path(const char *name, tn_buffer *out);

#endif  // TN_NV_PYTHON_H_
