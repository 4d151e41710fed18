#include "elf/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tn_fuzz(TENON_KIND_ARCHIVE, data, size);
}
