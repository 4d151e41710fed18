// NVIDIA's own sections of a cubin: .nv.info (attributes of functions), .nv.callgraph,
// .nv.prototype. Source of the layout: measured on cubins of nvcc, NVRTC and nvJitLink 13.0
// and 13.5.
#include <stdlib.h>

#include "base/map.h"
#include "core/try.h"
#include "elf/bytes.h"
#include "elf/cubin.h"

enum { SHT_CUDA_INFO = 0x70000000, SHT_CUDA_CALLGRAPH, SHT_CUDA_PROTOTYPE };

// Attributes, and how a record holds its value.
enum {
    ATTR_MAX_THREADS = 0x05,
    ATTR_PARAM_CBANK = 0x0a,
    ATTR_EXTERNS = 0x0f,
    ATTR_FRAME_SIZE = 0x11,
    ATTR_MIN_STACK_SIZE = 0x12,
    ATTR_KPARAM_INFO = 0x17,
    ATTR_CBANK_PARAM_SIZE = 0x19,
    ATTR_MAX_STACK_SIZE = 0x23,
    ATTR_REGCOUNT = 0x2f,
    ATTR_KPARAM_INFO_V2 = 0x45,
    FORMAT_SIZED = 4,
};

/// One record; `data` has `size` bytes for the sized format, else `value` is all.
typedef struct record {
    uint8_t format, attribute;
    uint16_t value;
    const char *data;
} record;

/// The kernel that a text section holds, by its index; NULL if none.
static tenon_kernel *kernel_in(const tn_cubin *cubin, uint32_t section)
{
    if (section == 0 || section >= cubin->elf.section_count || !cubin->kernels) return NULL;
    uint32_t kernel = cubin->kernels[section];
    return kernel ? &cubin->object->kernels[kernel - 1] : NULL;
}

/// The kernel of a symbol of the file; NULL if that is none.
static tenon_kernel *kernel_of(const tn_cubin *cubin, uint32_t symbol)
{
    uint32_t place = symbol < cubin->symbol_count ? cubin->places[symbol] : TN_NO_PLACE;
    if (place == TN_NO_PLACE) return NULL;
    const tn_symbol *s = &cubin->object->symbols[place];
    return s->symbol.kind == TENON_SYMBOL_KERNEL ? kernel_in(cubin, s->section) : NULL;
}

/// Attributes that name the function they are about.
static void note_function(const tn_cubin *cubin, const record *r)
{
    if (r->attribute != ATTR_REGCOUNT && r->attribute != ATTR_FRAME_SIZE &&
        r->attribute != ATTR_MIN_STACK_SIZE) {
        return;
    }
    tenon_kernel *kernel = kernel_of(cubin, tn_u32(r->data));
    if (!kernel) return;
    uint32_t value = tn_u32(r->data + 4);
    if (r->attribute == ATTR_REGCOUNT) kernel->registers = value;
    if (r->attribute == ATTR_FRAME_SIZE) kernel->frame_bytes = value;
    // All ones: with recursion nobody can tell.
    if (r->attribute == ATTR_MIN_STACK_SIZE && value != UINT32_MAX) kernel->stack_bytes = value;
}

/// Attributes in a section that belongs to one kernel.
static void note_kernel(tenon_kernel *kernel, const record *r)
{
    switch (r->attribute) {
    case ATTR_KPARAM_INFO:
    case ATTR_KPARAM_INFO_V2: kernel->parameter_count++; break;
    case ATTR_CBANK_PARAM_SIZE: kernel->parameter_bytes = r->value; break;
    case ATTR_MAX_THREADS:
        kernel->max_threads = tn_u32(r->data) * tn_u32(r->data + 4) * tn_u32(r->data + 8);
        break;
    default: break;
    }
}

/// True if the symbols that a record names are there, and its size is what its kind wants.
static bool is_sound(const tn_cubin *cubin, const record *r)
{
    uint32_t step = 0;
    switch (r->attribute) {
    case ATTR_PARAM_CBANK:
    case ATTR_FRAME_SIZE:
    case ATTR_MIN_STACK_SIZE:
    case ATTR_MAX_STACK_SIZE:
    case ATTR_REGCOUNT: step = 8; break;  // a symbol and a number
    case ATTR_EXTERNS: step = 4; break;   // symbols
    case ATTR_KPARAM_INFO:
        return r->format == FORMAT_SIZED && r->value == 12 && tn_u32(r->data) == 0;
    case ATTR_MAX_THREADS: return r->format == FORMAT_SIZED && r->value == 12;
    default: return true;
    }
    if (r->format != FORMAT_SIZED || r->value % step || (step == 8 && r->value != 8)) return false;
    for (uint32_t at = 0; at < r->value; at += step) {
        if (tn_u32(r->data + at) >= cubin->symbol_count) return false;
    }
    return true;
}

static tenon_status *read_info(const tn_cubin *cubin, size_t index, const Elf64_Shdr *section)
{
    const char *at = cubin->elf.data + section->sh_offset;
    uint64_t left = section->sh_size;
    tenon_kernel *owner = kernel_in(cubin, section->sh_info);
    while (left > 0) {
        uint64_t need = 4;
        record r = {0};
        if (left >= need) {
            r = (record){(uint8_t)at[0], (uint8_t)at[1], tn_u16(at + 2), at + 4};
            if (r.format == FORMAT_SIZED) need += r.value;
        }
        if (left < need || r.format == 0 || r.format > FORMAT_SIZED || !is_sound(cubin, &r)) {
            return tn_elf_damaged(&cubin->elf, index, "has a broken record at %llu",
                                  (unsigned long long)(section->sh_size - left));
        }
        note_function(cubin, &r);
        if (owner) note_kernel(owner, &r);
        at += need;
        left -= need;
    }
    return NULL;
}

static bool is_function(const tn_cubin *cubin, uint32_t symbol)
{
    uint32_t place = symbol < cubin->symbol_count ? cubin->places[symbol] : TN_NO_PLACE;
    return place != TN_NO_PLACE &&
           cubin->object->symbols[place].symbol.kind != TENON_SYMBOL_VARIABLE;
}

/// Pairs of symbols; a pair of 0 and a negative number starts the next list. The first, -1, has the
/// direct calls.
static tenon_status *read_calls(const tn_cubin *cubin, size_t index, const Elf64_Shdr *section)
{
    tenon_object *object = cubin->object;
    const char *at = cubin->elf.data + section->sh_offset;
    uint64_t count = section->sh_size / 8;
    if (section->sh_size % 8 != 0) return tn_elf_damaged(&cubin->elf, index, "ends within a pair");
    object->calls = malloc((count + 1) * sizeof(*object->calls));
    if (!object->calls) {
        return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory for its calls",
                                 object->name);
    }
    bool direct = false;
    for (uint64_t i = 0; i < count; i++, at += 8) {
        uint32_t caller = tn_u32(at);
        uint32_t callee = tn_u32(at + 4);
        if (caller == 0 && callee > UINT32_MAX - 16) {
            direct = callee == UINT32_MAX;
            continue;
        }
        // The other lists pair a function with a number.
        if (!is_function(cubin, caller) ||
            (direct ? !is_function(cubin, callee) : callee >= cubin->symbol_count)) {
            return tn_elf_damaged(&cubin->elf, index, "has a call from symbol %u to symbol %u",
                                  caller, callee);
        }
        if (!direct) continue;
        tn_call call = {cubin->places[caller], cubin->places[callee]};
        object->calls[object->call_count++] = call;
    }
    return NULL;
}

/// Pairs of a symbol and the place of a text such as "#iil" in the table of names.
static tenon_status *read_prototypes(const tn_cubin *cubin, size_t index, const Elf64_Shdr *section)
{
    const char *at = cubin->elf.data + section->sh_offset;
    for (uint64_t left = section->sh_size; left >= 8; left -= 8, at += 8) {
        uint32_t symbol = tn_u32(at);
        uint32_t text = tn_u32(at + 4);
        if (!is_function(cubin, symbol) || text >= cubin->strings_size) {
            return tn_elf_damaged(&cubin->elf, index, "has a pair of symbol %u and name %u", symbol,
                                  text);
        }
        const char *prototype = cubin->strings + text;
        uint64_t hash = tn_map_hash(prototype, strlen(prototype));
        cubin->object->symbols[cubin->places[symbol]].prototype = (uint32_t)hash | 1;
    }
    return NULL;
}

static bool is_kernel(const tn_symbol *s)
{
    return s->symbol.kind == TENON_SYMBOL_KERNEL && s->symbol.state == TENON_SYMBOL_DEFINED;
}

static tenon_status *make_kernels(tn_cubin *cubin)
{
    tenon_object *object = cubin->object;
    size_t count = 0;
    for (size_t i = 0; i < object->symbol_count; i++) count += is_kernel(&object->symbols[i]);
    if (count == 0) return NULL;
    object->kernels = calloc(count, sizeof(*object->kernels));
    cubin->kernels = calloc(cubin->elf.section_count, sizeof(*cubin->kernels));
    if (!object->kernels || !cubin->kernels) {
        return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory for its kernels",
                                 object->name);
    }
    for (size_t i = 0; i < object->symbol_count; i++) {
        const tn_symbol *s = &object->symbols[i];
        if (!is_kernel(s)) continue;
        object->kernels[object->kernel_count++].name = s->symbol.name;
        cubin->kernels[s->section] = (uint32_t)object->kernel_count;
    }
    return NULL;
}

/// What the sizes of sections tell of the kernels that they belong to.
static void read_size(const tn_cubin *cubin, const Elf64_Shdr *section)
{
    tenon_kernel *kernel = kernel_in(cubin, section->sh_info);
    if (!kernel) return;
    const char *name = tn_elf_section_name(&cubin->elf, section);
    if (strncmp(name, ".nv.shared.", 11) == 0) {
        // From sm_90 on, the final link puts what the system reserves before the kernel's own.
        bool reserves = !cubin->object->relocatable && cubin->object->sm >= 90;
        uint64_t reserved = reserves && section->sh_size >= 1024 ? 1024 : 0;
        kernel->shared_bytes = (uint32_t)(section->sh_size - reserved);
    }
    if (strncmp(name, ".nv.constant0.", 14) == 0) {
        kernel->constant_bytes = (uint32_t)section->sh_size;
    }
}

static int compare_kernels(const void *a, const void *b)
{
    return strcmp(((const tenon_kernel *)a)->name, ((const tenon_kernel *)b)->name);
}

tenon_status *tn_cubin_read_attributes(tn_cubin *cubin)
{
    tenon_object *object = cubin->object;
    TN_TRY(make_kernels(cubin));
    for (size_t i = 1; i < cubin->elf.section_count; i++) {
        Elf64_Shdr s = tn_elf_section(&cubin->elf, i);
        read_size(cubin, &s);
        if (s.sh_type == SHT_CUDA_INFO) TN_TRY(read_info(cubin, i, &s));
        if (s.sh_type == SHT_CUDA_CALLGRAPH && !object->calls) TN_TRY(read_calls(cubin, i, &s));
        if (s.sh_type == SHT_CUDA_PROTOTYPE) TN_TRY(read_prototypes(cubin, i, &s));
    }
    if (object->kernel_count > 1) {
        qsort(object->kernels, object->kernel_count, sizeof(*object->kernels), compare_kernels);
    }
    return NULL;
}
