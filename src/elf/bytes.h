// Reading numbers and texts at places that the file itself names, and that may lie.
#ifndef TN_ELF_BYTES_H_
#define TN_ELF_BYTES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// True if `size` bytes at `offset` lie within `total`.
static inline bool tn_within(uint64_t offset, uint64_t size, uint64_t total)
{
    return offset <= total && size <= total - offset;
}

static inline uint16_t tn_u16(const char *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint32_t tn_u32(const char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint64_t tn_u64(const char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof(value));
    return value;
}

/// Writes a decimal number, at most 10 digits and a NUL, and returns where it ends: two calls of
/// snprintf() would be an eighth of reading a cubin.
static inline char *tn_put_number(char *at, uint32_t value)
{
    char digits[10];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count) *at++ = digits[--count];
    *at = '\0';
    return at;
}

#endif  // TN_ELF_BYTES_H_
