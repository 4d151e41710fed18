#include "cli/report.h"

#include <stdbool.h>
#include <string.h>

#include "cli/say.h"

enum { STEP = 4, NAME = 4096, DEPTH = 8 };

const char *tn_space_word(uint32_t space)
{
    switch (space) {
    case TENON_SPACE_CODE: return "code";
    case TENON_SPACE_GLOBAL: return "global";
    case TENON_SPACE_CONSTANT: return "constant";
    case TENON_SPACE_SHARED: return "shared";
    case TENON_SPACE_LOCAL: return "local";
    default: return "unknown";
    }
}

const char *tn_symbol_word(uint32_t kind)
{
    switch (kind) {
    case TENON_SYMBOL_FUNCTION: return "function";
    case TENON_SYMBOL_KERNEL: return "kernel";
    case TENON_SYMBOL_VARIABLE: return "variable";
    default: return "symbol";
    }
}

const char *tn_binding_word(uint32_t binding)
{
    switch (binding) {
    case TENON_BINDING_LOCAL: return "local";
    case TENON_BINDING_WEAK: return "weak";
    default: return "global";
    }
}

static void indent(size_t depth, FILE *out)
{
    fprintf(out, "%*s", (int)(depth * STEP), "");
}

static void print_count(uint64_t count, const char *one, FILE *out)
{
    fprintf(out, "%llu %s%s", (unsigned long long)count, one, count == 1 ? "" : "s");
}

/// Prints the C++ spelling and, where that is another one, the name in the file.
static void print_name(const char *name, FILE *out)
{
    char plain[NAME];
    tenon_demangle(name, plain, sizeof(plain));
    tn_print_safe(plain, out);
    if (strcmp(plain, name) == 0) return;
    fputs("  ", out);
    tn_print_safe(name, out);
}

static void print_head(const tenon_object *object, FILE *out)
{
    tenon_kind kind = tenon_object_kind(object);
    tn_print_safe(tenon_object_name(object), out);
    fprintf(out, ": %s", tenon_kind_name(kind));
    for (size_t i = 0; i < tenon_object_arch_count(object); i++) {
        fprintf(out, ", %s", tenon_object_arch(object, i));
    }
    if (kind == TENON_KIND_CUBIN) {
        fputs(tenon_object_is_relocatable(object) ? ", relocatable" : ", final (executable)", out);
    }
    const char *compression = tenon_object_compression(object);
    if (*compression) fprintf(out, ", %s-compressed", compression);
    fputs(", ", out);
    print_count(tenon_object_bytes(object).size, "byte", out);
    fputc('\n', out);
}

static void print_kernels(const tenon_object *object, size_t depth, FILE *out)
{
    size_t count = tenon_object_kernel_count(object);
    bool final = !tenon_object_is_relocatable(object);
    if (count == 0) return;
    indent(depth, out);
    print_count(count, "kernel", out);
    fputs(":\n", out);
    for (size_t i = 0; i < count; i++) {
        const tenon_kernel *kernel = tenon_object_kernel(object, i);
        indent(depth + 1, out);
        print_name(kernel->name, out);
        fputs(": ", out);
        print_count(kernel->registers, "register", out);
        fprintf(out, ", %u bytes shared, ", kernel->shared_bytes);
        print_count(kernel->parameter_count, "parameter", out);
        fprintf(out, " of %u bytes", kernel->parameter_bytes);
        uint32_t stack = final ? kernel->stack_bytes : kernel->frame_bytes;
        if (stack) fprintf(out, ", %u bytes %s", stack, final ? "stack" : "frame");
        if (kernel->max_threads) fprintf(out, ", up to %u threads", kernel->max_threads);
        fputc('\n', out);
    }
}

/// True for what "defines" lists: kernels have a list of their own.
static bool is_defined(const tenon_symbol *symbol)
{
    return symbol->kind != TENON_SYMBOL_KERNEL &&
           (symbol->state == TENON_SYMBOL_DEFINED || symbol->state == TENON_SYMBOL_COMMON);
}

static bool is_driver(const tenon_symbol *symbol)
{
    return symbol->state == TENON_SYMBOL_DRIVER;
}

static size_t count_symbols(const tenon_object *object, bool (*which)(const tenon_symbol *symbol))
{
    size_t count = 0;
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        count += which(tenon_object_symbol(object, i));
    }
    return count;
}

static void print_defined(const tenon_object *object, size_t depth, FILE *out)
{
    size_t count = count_symbols(object, is_defined);
    if (count == 0) return;
    indent(depth, out);
    fputs("defines ", out);
    print_count(count, "symbol", out);
    fputs(":\n", out);
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *symbol = tenon_object_symbol(object, i);
        if (!is_defined(symbol)) continue;
        indent(depth + 1, out);
        print_name(symbol->name, out);
        fputs(": ", out);
        if (symbol->binding != TENON_BINDING_GLOBAL) {
            fprintf(out, "%s ", tn_binding_word(symbol->binding));
        }
        if (symbol->state == TENON_SYMBOL_COMMON) fputs("common ", out);
        fprintf(out, "%s, ", tn_symbol_word(symbol->kind));
        print_count(symbol->bytes, "byte", out);
        if (symbol->kind == TENON_SYMBOL_VARIABLE) {
            fprintf(out, " at 0x%llx of %s memory", (unsigned long long)symbol->offset,
                    tn_space_word(symbol->space));
        }
        fputc('\n', out);
    }
}

static void print_undefined(const tenon_object *object, size_t depth, FILE *out)
{
    size_t count = tenon_object_undefined_count(object);
    if (count > 0) {
        indent(depth, out);
        fputs("needs ", out);
        print_count(count, "symbol", out);
        fputs(":\n", out);
    }
    for (size_t i = 0; i < count; i++) {
        indent(depth + 1, out);
        print_name(tenon_object_undefined_name(object, i), out);
        fputc('\n', out);
    }
    if (count_symbols(object, is_driver) == 0) return;
    indent(depth, out);
    fputs("provided by the driver:\n", out);
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *symbol = tenon_object_symbol(object, i);
        if (!is_driver(symbol)) continue;
        indent(depth + 1, out);
        print_name(symbol->name, out);
        fputc('\n', out);
    }
}

/// Prints an object whose head is at depth `at`, and its members: DEPTH bounds the recursion.
// NOLINTNEXTLINE(misc-no-recursion)
static void print_object(const tenon_object *object, size_t at, FILE *out)
{
    size_t depth = at;
    indent(at, out);
    print_head(object, out);
    if (at > 0) depth++;
    const char *producer = tenon_object_producer(object);
    if (*producer) {
        indent(depth, out);
        fputs("made by ", out);
        tn_print_safe(producer, out);
        fputc('\n', out);
    }
    print_kernels(object, depth, out);
    print_defined(object, depth, out);
    print_undefined(object, depth, out);
    size_t count = tenon_object_member_count(object);
    if (count == 0 || at >= DEPTH) return;
    indent(depth, out);
    print_count(count, "member", out);
    fputs(":\n", out);
    for (size_t i = 0; i < count; i++) {
        print_object(tenon_object_member(object, i), depth + 1, out);
    }
}

void tn_report_text(const tenon_object *object, FILE *out)
{
    print_object(object, 0, out);
}
