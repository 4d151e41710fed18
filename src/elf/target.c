// What a cubin tells of its target and of the tool that made it: in the flags of its header, in
// the notes of tools and in .nv.compat. Source: measured on cubins of ptxas and nvJitLink 12.2 to
// 13.5.
#include "core/try.h"
#include "elf/bytes.h"
#include "elf/cubin.h"

enum { SHT_CUDA_COMPAT = 0x70000086 };

// Its records are like those of .nv.info.
enum { COMPAT_ARCH_SPECIFIC = 9, FORMAT_SIZED = 4 };

// A note has three numbers, "NVIDIA Corp" with its NUL, and then what it says.
enum { NOTE = 24, NOTE_NAME = 12 };

// What a tool says of itself: two numbers, then where its texts are: file, name, version, build,
// options. The file is always the first.
enum { TOOL_NAME = 8, TOOL_VERSION = 12, TOOL_OPTIONS = 20, TOOL_TEXTS = 24 };

typedef struct target {
    const char *tool;  // the first one is that which made the file; its inputs' follow
    char option;       // of the first -arch among the tools' options, 'a', 'f' or 0
    int specific;      // of .nv.compat: 1, 0, or -1 where it does not say
    uint32_t version;  // 130 for 13.0
} target;

/// Returns one of a tool's texts; NULL if it lies outside.
static const char *tool_text(const char *at, uint64_t size, size_t field)
{
    uint32_t offset = tn_u32(at + field);
    return offset < size - TOOL_TEXTS ? at + TOOL_TEXTS + offset : NULL;
}

static uint32_t release_of(const char *version)
{
    const char *release = version ? strstr(version, "release ") : NULL;
    unsigned major = 0;
    unsigned minor = 0;
    if (!release) return 0;
    for (release += strlen("release "); *release >= '0' && *release <= '9' && major < 1000;) {
        major = major * 10 + (unsigned)(*release++ - '0');
    }
    if (*release == '.' && release[1] >= '0' && release[1] <= '9')
        minor = (unsigned)(release[1] - '0');
    return major * 10 + minor;
}

static void read_tool(target *t, const char *at, uint64_t size)
{
    if (size <= TOOL_TEXTS || at[size - 1] != '\0') return;
    const char *options = tool_text(at, size, TOOL_OPTIONS);
    const char *arch = options ? strstr(options, "-arch sm_") : NULL;
    if (arch && !t->option) {
        arch += strlen("-arch sm_");
        char suffix = arch[strspn(arch, "0123456789")];
        if (suffix == 'a' || suffix == 'f') t->option = suffix;
    }
    if (t->tool) return;
    t->tool = tool_text(at, size, TOOL_NAME);
    t->version = release_of(tool_text(at, size, TOOL_VERSION));
}

static tenon_status *read_notes(const tn_elf *elf, size_t index, const Elf64_Shdr *section,
                                target *t)
{
    const char *at = elf->data + section->sh_offset;
    for (uint64_t left = section->sh_size; left > 0;) {
        uint64_t size = left >= NOTE ? tn_u32(at + 4) : 0;
        if (left < NOTE || tn_u32(at) != NOTE_NAME || size > left - NOTE ||
            memcmp(at + NOTE - NOTE_NAME, "NVIDIA Corp", NOTE_NAME) != 0) {
            return tn_elf_damaged(elf, index, "has a broken note at %llu",
                                  (unsigned long long)(section->sh_size - left));
        }
        read_tool(t, at + NOTE, size);
        uint64_t step = NOTE + (size + 3) / 4 * 4;
        if (step > left) step = left;
        at += step;
        left -= step;
    }
    return NULL;
}

static tenon_status *read_compat(const tn_elf *elf, size_t index, const Elf64_Shdr *section,
                                 target *t)
{
    const char *at = elf->data + section->sh_offset;
    for (uint64_t left = section->sh_size; left > 0;) {
        uint64_t need = 4;
        if (left >= need && at[0] == FORMAT_SIZED) need += tn_u16(at + 2);
        if (left < need) {
            return tn_elf_damaged(elf, index, "has a broken record at %llu",
                                  (unsigned long long)(section->sh_size - left));
        }
        if (at[1] == COMPAT_ARCH_SPECIFIC) t->specific = at[2] == 1 ? 1 : 0;
        at += need;
        left -= need;
    }
    return NULL;
}

/// Where the arch is in the header's flags: the version of the ABI tells.
static void read_flags(tenon_object *object, const Elf64_Ehdr *header)
{
    uint32_t flags = header->e_flags;
    if (header->e_ident[EI_ABIVERSION] < 8) {  // until CUDA 12, where e_version is the toolkit's
        object->sm = flags & 0xff;
        object->toolkit = header->e_version;
        if (flags & 0x800) object->sm_suffix = 'a';
    } else {
        object->sm = flags >> 8 & 0xff;
        if (flags & 0x8) object->sm_suffix = 'a';  // 12.8 and 12.9
    }
}

tenon_status *tn_cubin_read_target(const tn_elf *elf, tenon_object *object)
{
    target t = {.specific = -1};
    for (size_t i = 1; i < elf->section_count; i++) {
        Elf64_Shdr s = tn_elf_section(elf, i);
        if (s.sh_type == SHT_CUDA_COMPAT) TN_TRY(read_compat(elf, i, &s, &t));
        if (s.sh_type != SHT_NOTE) continue;
        if (strcmp(tn_elf_section_name(elf, &s), ".note.nv.tkinfo") == 0) {
            TN_TRY(read_notes(elf, i, &s, &t));
        }
    }
    read_flags(object, &elf->header);
    if (object->sm < 10) {
        return tenon_status_make(TENON_DATA_LOSS,
                                 "'%s' is damaged: e_flags 0x%x of its ELF header name no arch",
                                 object->name, elf->header.e_flags);
    }
    // The options are those of the compiler, and what a linker made of its code may be for another
    // arch: only .nv.compat is sure of 'a', and nothing else tells 'f'.
    if (t.specific == 1) object->sm_suffix = 'a';
    if (t.option == 'f' || (t.option == 'a' && t.specific < 0)) object->sm_suffix = t.option;
    if (t.version) object->toolkit = t.version;
    if (!object->toolkit) return NULL;
    char *at = object->producer;
    const char *tool = t.tool ? t.tool : "CUDA";
    size_t length = strnlen(tool, sizeof(object->producer) - 24);
    memcpy(at, tool, length);
    at[length] = ' ';
    at = tn_put_number(at + length + 1, object->toolkit / 10);
    *at++ = '.';
    tn_put_number(at, object->toolkit % 10);
    return NULL;
}
