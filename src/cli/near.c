#include "cli/near.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 40 };  // letters of a word; longer ones are near to nothing

static const char *bare(const char *word)
{
    return word + strspn(word, "-");
}

/// The number of edits between two words, where swapped neighbours are one.
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][MOST + 1];
    size_t n = strlen(a);
    size_t m = strlen(b);
    for (size_t k = 0; k <= m; k++) rows[0][k] = k;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *up = rows[(i + 2) % 3];
        const size_t *two_up = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            size_t best = up[k - 1] + (a[i - 1] != b[k - 1]);
            if (up[k] + 1 < best) best = up[k] + 1;
            if (row[k - 1] + 1 < best) best = row[k - 1] + 1;
            bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
            if (swapped && two_up[k - 2] + 1 < best) best = two_up[k - 2] + 1;
            row[k] = best;
        }
    }
    return rows[n % 3][m];
}

void tn_near_init(tn_near *near, const char *word)
{
    *near = (tn_near){.word = bare(word)};
    // A third of its letters may be wrong.
    near->least = strlen(near->word) / 3 + 2;
}

void tn_near_try(tn_near *near, const char *name)
{
    size_t length = strlen(bare(name));
    // One letter is near to everything.
    if (length < 2 || length > MOST || strlen(near->word) > MOST) return;
    size_t d = distance(near->word, bare(name));
    if (d >= near->least) return;
    near->least = d;
    snprintf(near->best, sizeof(near->best), "%s", name);
}
