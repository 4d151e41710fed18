#include <string.h>

#include "cli/json.h"
#include "cli/report.h"

enum { NAME = 4096, DEPTH = 8 };

/// The words of --emit where there is one.
static const char *kind_word(tenon_kind kind)
{
    switch (kind) {
    case TENON_KIND_CUBIN: return "cubin";
    case TENON_KIND_PTX: return "ptx";
    case TENON_KIND_LTOIR: return "ltoir";
    case TENON_KIND_FATBIN: return "fatbin";
    case TENON_KIND_HOST: return "host";
    case TENON_KIND_ARCHIVE: return "archive";
    default: return "unknown";
    }
}

static void put_digest(tn_json *json, const tenon_object *object)
{
    const uint8_t *digest = tenon_object_digest(object);
    char text[65] = "";
    for (size_t i = 0; i < 32; i++) snprintf(text + 2 * i, 3, "%02x", digest[i]);
    tn_json_text(json, "digest", text);
}

static void put_names(tn_json *json, const char *name)
{
    char plain[NAME];
    tn_json_text(json, "name", name);
    tn_json_text(json, "demangled", tenon_demangle(name, plain, sizeof(plain)));
}

static void put_kernels(tn_json *json, const tenon_object *object)
{
    tn_json_open(json, "kernels", '[');
    for (size_t i = 0; i < tenon_object_kernel_count(object); i++) {
        const tenon_kernel *kernel = tenon_object_kernel(object, i);
        tn_json_open(json, NULL, '{');
        put_names(json, kernel->name);
        tn_json_number(json, "registers", kernel->registers);
        tn_json_number(json, "shared_bytes", kernel->shared_bytes);
        tn_json_number(json, "frame_bytes", kernel->frame_bytes);
        tn_json_number(json, "stack_bytes", kernel->stack_bytes);
        tn_json_number(json, "parameter_count", kernel->parameter_count);
        tn_json_number(json, "parameter_bytes", kernel->parameter_bytes);
        tn_json_number(json, "max_threads", kernel->max_threads);
        tn_json_number(json, "constant_bytes", kernel->constant_bytes);
        tn_json_close(json, '}');
    }
    tn_json_close(json, ']');
}

/// The list that a symbol belongs to.
static const char *list_of(const tenon_symbol *symbol)
{
    switch (symbol->state) {
    case TENON_SYMBOL_UNDEFINED: return "undefined";
    case TENON_SYMBOL_DRIVER: return "driver";
    case TENON_SYMBOL_OPTIONAL: return "optional";
    default: return "defined";
    }
}

static void put_symbols(tn_json *json, const tenon_object *object, const char *list)
{
    tn_json_open(json, list, '[');
    for (size_t i = 0; i < tenon_object_symbol_count(object); i++) {
        const tenon_symbol *symbol = tenon_object_symbol(object, i);
        if (strcmp(list_of(symbol), list) != 0) continue;
        tn_json_open(json, NULL, '{');
        put_names(json, symbol->name);
        tn_json_text(json, "kind", tn_symbol_word(symbol->kind));
        if (strcmp(list, "defined") == 0) {
            tn_json_text(json, "binding", tn_binding_word(symbol->binding));
            tn_json_bool(json, "common", symbol->state == TENON_SYMBOL_COMMON);
            tn_json_text(json, "space", tn_space_word(symbol->space));
            tn_json_number(json, "offset", symbol->offset);
            tn_json_number(json, "bytes", symbol->bytes);
        }
        tn_json_close(json, '}');
    }
    tn_json_close(json, ']');
}

/// Puts an object and its members: DEPTH bounds the recursion.
// NOLINTNEXTLINE(misc-no-recursion)
static void put_object(tn_json *json, const tenon_object *object, size_t depth)
{
    tn_json_open(json, NULL, '{');
    tn_json_text(json, "name", tenon_object_name(object));
    tn_json_text(json, "kind", kind_word(tenon_object_kind(object)));
    tn_json_open(json, "archs", '[');
    for (size_t i = 0; i < tenon_object_arch_count(object); i++) {
        tn_json_text(json, NULL, tenon_object_arch(object, i));
    }
    tn_json_close(json, ']');
    tn_json_bool(json, "relocatable", tenon_object_is_relocatable(object));
    tn_json_number(json, "bytes", tenon_object_bytes(object).size);
    put_digest(json, object);
    tn_json_text(json, "producer", tenon_object_producer(object));
    tn_json_text(json, "compression", tenon_object_compression(object));
    put_kernels(json, object);
    put_symbols(json, object, "defined");
    put_symbols(json, object, "undefined");
    put_symbols(json, object, "driver");
    tn_json_open(json, "members", '[');
    for (size_t i = 0; i < tenon_object_member_count(object) && depth < DEPTH; i++) {
        put_object(json, tenon_object_member(object, i), depth + 1);
    }
    tn_json_close(json, ']');
    tn_json_close(json, '}');
}

void tn_report_json(const tenon_object *object, FILE *out)
{
    tn_json json = {out, false};
    put_object(&json, object, 0);
    fputc('\n', out);
}
