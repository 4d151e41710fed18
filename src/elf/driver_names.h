// Names that stay undefined in a finished cubin because the driver provides them when it loads it.
#ifndef TN_ELF_DRIVER_NAMES_H_
#define TN_ELF_DRIVER_NAMES_H_

#include <stdbool.h>

/// True for vprintf, malloc, free, __assertfail and the like.
bool tn_is_driver_name(const char *name);

/// True for the tables and markers that every relocatable unit mentions and nobody has to define.
bool tn_is_optional_name(const char *name);

#endif  // TN_ELF_DRIVER_NAMES_H_
