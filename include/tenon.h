// Everything usual of tenon. The rules of reading are in tenon/base.h.
#ifndef TENON_H_
#define TENON_H_

#include "tenon/base.h"
#include "tenon/linker.h"
#include "tenon/object.h"
#include "tenon/program.h"
#include "tenon/status.h"
#include "tenon/toolkit.h"

#define TENON_VERSION_MAJOR 0
#define TENON_VERSION_MINOR 1
#define TENON_VERSION_PATCH 0

TENON_BEGIN_DECLS

/// Returns the version of the library that runs, such as "0.1.0".
TENON_API const char *tenon_version(void);

TENON_END_DECLS

#endif  // TENON_H_
