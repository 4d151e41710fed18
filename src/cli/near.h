// Which name somebody may have meant.
#ifndef TENON_CLI_NEAR_H_
#define TENON_CLI_NEAR_H_

#include <stddef.h>

typedef struct tn_near {
    const char *word;
    size_t least;   ///< Edits from the word to `best`.
    char best[64];  ///< "" if nothing is near.
} tn_near;

/// Begins a search. Dashes before a word or name do not count.
void tn_near_init(tn_near *near, const char *word);

/// Looks at one more name.
void tn_near_try(tn_near *near, const char *name);

#endif  // TENON_CLI_NEAR_H_
