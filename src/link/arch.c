#include "link/arch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tenon_status *tn_arch_parse(const char *text, tn_arch *out_arch)
{
    static const char *const prefixes[] = {"sm_", "compute_", "lto_", ""};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t length = strlen(prefixes[i]);
        if (strncmp(text, prefixes[i], length) != 0) continue;
        const char *digits = text + length;
        size_t count = strspn(digits, "0123456789");
        char suffix = digits[count];
        if (count < 2 || count > 4) break;
        if (suffix && ((suffix != 'a' && suffix != 'f') || digits[count + 1])) break;
        out_arch->number = (uint32_t)strtoul(digits, NULL, 10);
        out_arch->suffix = suffix;
        out_arch->virtual_ = i == 1 || i == 2;
        return NULL;
    }
    return tenon_status_make(TENON_INVALID_ARGUMENT,
                             "'%s' is no arch; archs are written like sm_90, sm_90a or compute_90",
                             text);
}

const char *tn_arch_text(tn_arch arch, char *buffer)
{
    char suffix[2] = {arch.suffix, '\0'};
    if (arch.number == 0) {
        snprintf(buffer, TN_ARCH_TEXT, "unknown arch");
        return buffer;
    }
    snprintf(buffer, TN_ARCH_TEXT, "%s%u%s", arch.virtual_ ? "compute_" : "sm_", arch.number,
             suffix);
    return buffer;
}

static bool suffix_fits(tn_arch code, tn_arch target)
{
    switch (code.suffix) {
    case 'a': return target.number == code.number && target.suffix == 'a';
    case 'f': return target.number / 10 == code.number / 10 && target.suffix;
    default: return true;
    }
}

bool tn_arch_links(tn_arch code, tn_arch target)
{
    return code.number / 10 == target.number / 10 && code.number <= target.number &&
           suffix_fits(code, target);
}

bool tn_arch_compiles(tn_arch code, tn_arch target)
{
    return code.number <= target.number && suffix_fits(code, target);
}
