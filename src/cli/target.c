#include "cli/target.h"

#include <string.h>

const tn_opt_word tn_target_words[] = {
    {"cubin", TENON_KIND_CUBIN},
    {"ptx", TENON_KIND_PTX},
    {"ltoir", TENON_KIND_LTOIR},
    {NULL, 0},
};

const char *tn_target_extension(tenon_kind kind)
{
    for (const tn_opt_word *word = tn_target_words; word->text; word++) {
        if (word->value == (uint32_t)kind) return word->text;
    }
    return "bin";
}

tenon_kind tn_target(uint32_t emit, const char *output)
{
    if (emit) return (tenon_kind)emit;
    const char *slash = output ? strrchr(output, '/') : NULL;
    const char *dot = output ? strrchr(slash ? slash : output, '.') : NULL;
    for (const tn_opt_word *word = tn_target_words; dot && word->text; word++) {
        if (strcmp(dot + 1, word->text) == 0) return (tenon_kind)word->value;
    }
    return TENON_KIND_CUBIN;
}
