// SHA-256 (FIPS 180-4): what names content. Small, so that libtenon needs no crypto library; with
// the processor's own instructions where it has them.
#ifndef TN_BASE_SHA256_H_
#define TN_BASE_SHA256_H_

#include <stddef.h>
#include <stdint.h>

enum { TN_SHA256_SIZE = 32 };

typedef struct tn_sha256_state {
    uint32_t hash[8];
    uint64_t length;    ///< Bytes so far.
    uint8_t block[64];  ///< Those that do not fill a block yet.
} tn_sha256_state;

void tn_sha256_init(tn_sha256_state *state);
void tn_sha256_add(tn_sha256_state *state, const void *data, size_t size);
void tn_sha256_finish(tn_sha256_state *state, uint8_t out[TN_SHA256_SIZE]);

/// All three at once.
void tn_sha256(const void *data, size_t size, uint8_t out[TN_SHA256_SIZE]);

#endif  // TN_BASE_SHA256_H_
