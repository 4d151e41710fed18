#include "base/sha256.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static uint32_t load_be(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void block_plain(uint32_t hash[8], const uint8_t *data)
{
    uint32_t w[64];
    for (int i = 0; i < 16; i++) w[i] = load_be(data + (size_t)4 * (size_t)i);
    for (int i = 16; i < 64; i++) {
        uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    uint32_t v[8];
    memcpy(v, hash, sizeof(v));
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(*v));
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) hash[i] += v[i];
}

static void blocks_plain(uint32_t hash[8], const uint8_t *data, size_t count)
{
    for (; count > 0; count--, data += 64) block_plain(hash, data);
}

#if defined(__x86_64__)
#define SHA_TARGET __attribute__((target("sha,sse4.1,ssse3")))

/// The state as the instructions want it, and the words of the block that are next.
typedef struct sha_state {
    __m128i abef, cdgh;
    __m128i w[4];
} sha_state;

/// Four rounds with the words at `at`; these make room for the words of sixteen rounds later if
/// there are `more`. With constants for `at` and `more` all stays in registers.
SHA_TARGET __attribute__((always_inline)) static inline void four_rounds(sha_state *s, int round,
                                                                         int at, bool more)
{
    __m128i four = s->w[at];
    const __m128i *keys = (const __m128i *)(const void *)&k[round];
    __m128i sum = _mm_add_epi32(four, _mm_loadu_si128(keys));
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, sum);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(sum, 0x0e));
    if (!more) return;
    __m128i last = s->w[(at + 3) & 3];
    __m128i next = _mm_sha256msg1_epu32(four, s->w[(at + 1) & 3]);
    next = _mm_add_epi32(next, _mm_alignr_epi8(last, s->w[(at + 2) & 3], 4));
    s->w[at] = _mm_sha256msg2_epu32(next, last);
}

SHA_TARGET static void block_sha(sha_state *s, const uint8_t *data)
{
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *from = (const __m128i *)(const void *)data;
    for (int i = 0; i < 4; i++) s->w[i] = _mm_shuffle_epi8(_mm_loadu_si128(from + i), swap);
    for (int round = 0; round < 48; round += 16) {
        four_rounds(s, round, 0, true);
        four_rounds(s, round + 4, 1, true);
        four_rounds(s, round + 8, 2, true);
        four_rounds(s, round + 12, 3, true);
    }
    four_rounds(s, 48, 0, false);
    four_rounds(s, 52, 1, false);
    four_rounds(s, 56, 2, false);
    four_rounds(s, 60, 3, false);
}

/// The same with the processor's SHA instructions, which keep the state as ABEF and CDGH.
SHA_TARGET static void blocks_sha(uint32_t hash[8], const uint8_t *data, size_t count)
{
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)&hash[0]);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)&hash[4]);
    low = _mm_shuffle_epi32(low, 0xb1);
    high = _mm_shuffle_epi32(high, 0x1b);
    sha_state s;
    s.abef = _mm_alignr_epi8(low, high, 8);
    s.cdgh = _mm_blend_epi16(high, low, 0xf0);
    for (; count > 0; count--, data += 64) {
        const __m128i abef = s.abef;
        const __m128i cdgh = s.cdgh;
        block_sha(&s, data);
        s.abef = _mm_add_epi32(s.abef, abef);
        s.cdgh = _mm_add_epi32(s.cdgh, cdgh);
    }
    low = _mm_shuffle_epi32(s.abef, 0x1b);
    high = _mm_shuffle_epi32(s.cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)(void *)&hash[0], _mm_blend_epi16(low, high, 0xf0));
    _mm_storeu_si128((__m128i *)(void *)&hash[4], _mm_alignr_epi8(high, low, 8));
}

/// Asks the processor, once: in a virtual machine the question costs more than a hash.
static bool has_sha(void)
{
    static atomic_int known;  // 0: not asked, 1: no, 2: yes
    int state = atomic_load_explicit(&known, memory_order_relaxed);
    if (!state) {
        unsigned a = 0;
        unsigned b = 0;
        unsigned c = 0;
        unsigned d = 0;
        // __builtin_cpu_supports() has no name for these instructions in gcc 12.
        bool asked = __get_cpuid_count(7, 0, &a, &b, &c, &d);
        state = asked && (b >> 29 & 1) && __builtin_cpu_supports("sse4.1") ? 2 : 1;
        atomic_store_explicit(&known, state, memory_order_relaxed);
    }
    return state == 2;
}
#endif

static void blocks(uint32_t hash[8], const uint8_t *data, size_t count)
{
#if defined(__x86_64__)
    if (has_sha()) {
        blocks_sha(hash, data, count);
        return;
    }
#endif
    blocks_plain(hash, data, count);
}

void tn_sha256_init(tn_sha256_state *state)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(state->hash, start, sizeof(start));
    state->length = 0;
}

void tn_sha256_add(tn_sha256_state *state, const void *data, size_t size)
{
    const uint8_t *at = data;
    size_t held = state->length % 64;
    state->length += size;
    if (held) {
        size_t take = size < 64 - held ? size : 64 - held;
        memcpy(state->block + held, at, take);
        at += take;
        size -= take;
        if (held + take < 64) return;
        blocks(state->hash, state->block, 1);
    }
    if (size >= 64) blocks(state->hash, at, size / 64);
    if (size % 64) memcpy(state->block, at + size / 64 * 64, size % 64);
}

void tn_sha256_finish(tn_sha256_state *state, uint8_t out[TN_SHA256_SIZE])
{
    static const uint8_t padding[64] = {0x80};
    uint64_t bits = state->length * 8;
    size_t held = state->length % 64;
    tn_sha256_add(state, padding, held < 56 ? 56 - held : 120 - held);
    uint8_t tail[8];
    for (int i = 0; i < 8; i++) tail[i] = (uint8_t)(bits >> (56 - 8 * i));
    tn_sha256_add(state, tail, sizeof(tail));
    for (int i = 0; i < 32; i++) out[i] = (uint8_t)(state->hash[i / 4] >> (24 - 8 * (i % 4)));
}

void tn_sha256(const void *data, size_t size, uint8_t out[TN_SHA256_SIZE])
{
    tn_sha256_state state;
    tn_sha256_init(&state);
    tn_sha256_add(&state, data, size);
    tn_sha256_finish(&state, out);
}
