#include "tenon.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *tenon_version(void)
{
    return TEXT(TENON_VERSION_MAJOR) "." TEXT(TENON_VERSION_MINOR) "." TEXT(TENON_VERSION_PATCH);
}
