// From names to numbers: open addressing over XXH3. Keys are borrowed and must outlive the map.
#ifndef TN_BASE_MAP_H_
#define TN_BASE_MAP_H_

#include <stddef.h>
#include <stdint.h>

typedef struct tn_map {
    struct tn_map_slot *slots;
    size_t count, capacity;
} tn_map;

/// The hash that the map uses; for callers that keep it with a name.
uint64_t tn_map_hash(const char *key, size_t length);

void tn_map_deinit(tn_map *map);

/// Returns the value of a key, or NULL.
uint32_t *tn_map_get(const tn_map *map, const char *key, size_t length, uint64_t hash);

/// Returns the value of a key, which is put in with `value` if it was not there; NULL without
/// memory.
uint32_t *tn_map_put(tn_map *map, const char *key, size_t length, uint64_t hash, uint32_t value);

/// Makes room for `count` keys at once. Without memory nothing happens; put will say so.
void tn_map_reserve(tn_map *map, size_t count);

#endif  // TN_BASE_MAP_H_
