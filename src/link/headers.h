// Small stand-ins for the headers of the C library. NVRTC has none, though it declares most of what
// kernels use of them (printf, assert, malloc, memcpy, size_t, the mathematical functions).
#ifndef TN_LINK_HEADERS_H_
#define TN_LINK_HEADERS_H_

#include <stddef.h>

typedef struct tn_header {
    const char *name;  ///< As `#include <name>` spells it.
    const char *text;
} tn_header;

/// Returns one of them; NULL if `index` is too large.
const tn_header *tn_headers_get(size_t index);

#endif  // TN_LINK_HEADERS_H_
