#include "base/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct tn_map_slot {
    const char *key;  // NULL: free
    uint64_t hash;
    uint32_t length, value;
};

uint64_t tn_map_hash(const char *key, size_t length)
{
    return XXH3_64bits(key, length);
}

void tn_map_deinit(tn_map *map)
{
    free(map->slots);
    *map = (tn_map){0};
}

/// Returns the slot of a key, or the free one where it goes. There always is a free one.
static struct tn_map_slot *find(const tn_map *map, const char *key, size_t length, uint64_t hash)
{
    size_t at = hash & (map->capacity - 1);
    for (;;) {
        struct tn_map_slot *slot = &map->slots[at];
        if (!slot->key) return slot;
        if (slot->hash == hash && slot->length == length && memcmp(slot->key, key, length) == 0) {
            return slot;
        }
        at = (at + 1) & (map->capacity - 1);
    }
}

static bool resize(tn_map *map, size_t capacity)
{
    tn_map bigger = {calloc(capacity, sizeof(struct tn_map_slot)), map->count, capacity};
    if (!bigger.slots) return false;
    for (size_t i = 0; i < map->capacity; i++) {
        const struct tn_map_slot *old = &map->slots[i];
        if (old->key) *find(&bigger, old->key, old->length, old->hash) = *old;
    }
    free(map->slots);
    *map = bigger;
    return true;
}

uint32_t *tn_map_get(const tn_map *map, const char *key, size_t length, uint64_t hash)
{
    if (map->count == 0) return NULL;
    struct tn_map_slot *slot = find(map, key, length, hash);
    return slot->key ? &slot->value : NULL;
}

uint32_t *tn_map_put(tn_map *map, const char *key, size_t length, uint64_t hash, uint32_t value)
{
    if (map->count >= map->capacity / 2 && !resize(map, map->capacity ? map->capacity * 2 : 64)) {
        return NULL;
    }
    struct tn_map_slot *slot = find(map, key, length, hash);
    if (!slot->key) {
        *slot = (struct tn_map_slot){key, hash, (uint32_t)length, value};
        map->count++;
    }
    return &slot->value;
}

void tn_map_reserve(tn_map *map, size_t count)
{
    size_t capacity = 64;
    while (capacity / 2 <= count) capacity *= 2;
    if (capacity > map->capacity) (void)resize(map, capacity);
}
