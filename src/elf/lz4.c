#include "elf/lz4.h"

#include <stdint.h>
#include <string.h>

typedef struct lz4 {
    const uint8_t *at, *end;
} lz4;

/// Adds the bytes that continue a length of 15; false at the end of the data.
static bool more_length(lz4 *in, size_t *length)
{
    uint8_t byte = 255;
    while (byte == 255) {
        if (in->at == in->end) return false;
        byte = *in->at++;
        *length += byte;
    }
    return true;
}

bool tn_lz4_decode(const char *data, size_t size, char *out, size_t out_size)
{
    lz4 in = {(const uint8_t *)data, (const uint8_t *)data + size};
    size_t done = 0;
    while (in.at < in.end) {
        uint8_t token = *in.at++;
        size_t literals = token >> 4;
        if (literals == 15 && !more_length(&in, &literals)) return false;
        if (literals > (size_t)(in.end - in.at) || literals > out_size - done) return false;
        memcpy(out + done, in.at, literals);
        in.at += literals;
        done += literals;
        if (in.at == in.end) break;  // the last sequence has no match

        if (in.end - in.at < 2) return false;
        size_t back = (size_t)in.at[0] | (size_t)in.at[1] << 8;
        in.at += 2;
        size_t match = token & 15;
        if (match == 15 && !more_length(&in, &match)) return false;
        match += 4;
        if (back == 0 || back > done || match > out_size - done) return false;
        // Byte by byte: a match may reach into what it is just writing.
        for (size_t i = 0; i < match; i++, done++) out[done] = out[done - back];
    }
    return done == out_size;
}
