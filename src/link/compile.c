#include "link/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "core/object.h"
#include "core/try.h"
#include "link/arch.h"
#include "link/headers.h"
#include "nv/toolkit.h"

// What extra options may not say, because tenon_program_options or the target says it.
static const char *const arch_spellings[] = {"-arch", "--gpu-architecture", NULL};
static const char *const lto_spellings[] = {"-dlto", "--dlink-time-opt", NULL};
static const char *const whole_spellings[] = {"-rdc=false", "--relocatable-device-code=false",
                                              "-dw", "--device-w", NULL};
static const char *const parts_spellings[] = {"-rdc=true", "--relocatable-device-code=true", "-dc",
                                              "--device-c", NULL};

/// Returns the first extra option that is one of these, alone or with "=value"; NULL if there is
/// none.
static const char *find_extra(const tenon_program *program, const char *const *spellings)
{
    for (size_t i = 0; i < program->extra_options.count; i++) {
        const char *option = program->extra_options.items[i];
        for (size_t k = 0; spellings[k]; k++) {
            size_t length = strlen(spellings[k]);
            if (strncmp(option, spellings[k], length) != 0) continue;
            if (option[length] == '\0' || option[length] == '=') return option;
        }
    }
    return NULL;
}

static tenon_status *refuse(const char *format, const char *option, const char *kind)
    __attribute__((format(printf, 1, 0)));

static tenon_status *refuse(const char *format, const char *option, const char *kind)
{
    return tenon_status_make(TENON_INVALID_ARGUMENT, format, option, kind);
}

static tenon_status *check_extra(const tenon_program *program, tenon_kind target)
{
    const char *kind = tenon_kind_name(target);
    const char *option = find_extra(program, arch_spellings);
    if (option)
        return refuse("extra option '%s': the arch is given already, as '%s'", option,
                      program->options.arch);
    option = find_extra(program, lto_spellings);
    if (option && target != TENON_KIND_LTOIR) {
        return refuse("extra option '%s' gives LTO-IR, but the target is %s; ask for LTO-IR",
                      option, kind);
    }
    option = find_extra(program, whole_spellings);
    if (option && !program->options.whole_program) {
        return refuse(
            "extra option '%s' gives code that cannot be linked (target %s); if that is "
            "wanted, set whole_program",
            option, kind);
    }
    option = find_extra(program, parts_spellings);
    if (option && program->options.whole_program) {
        return refuse(
            "extra option '%s' gives code that can be linked (target %s), but "
            "whole_program is set",
            option, kind);
    }
    return NULL;
}

tenon_status *tn_compile_check(const tenon_program *program, tenon_kind target)
{
    const char *arch_text = program->options.arch;
    tn_arch arch = {0};
    if (target != TENON_KIND_PTX && target != TENON_KIND_CUBIN && target != TENON_KIND_LTOIR) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "target %d: a program compiles to PTX, a cubin or LTO-IR",
                                 (int)target);
    }
    if (!arch_text) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "no arch was given; set one such as sm_90");
    }
    TN_TRY(tn_arch_parse(arch_text, &arch));
    if (target == TENON_KIND_CUBIN && arch.virtual_) {
        char real[TN_ARCH_TEXT];
        arch.virtual_ = false;
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "%s is a virtual arch, which gives PTX or LTO-IR; for a cubin use "
                                 "%s",
                                 arch_text, tn_arch_text(arch, real));
    }
    if (target == TENON_KIND_LTOIR && program->options.whole_program) {
        return tenon_status_make(
            TENON_INVALID_ARGUMENT,
            "LTO-IR is there to be linked, and whole_program excludes that; use "
            "one of them");
    }
    return check_extra(program, target);
}

/// All that one call of NVRTC needs, so that it is freed in one place.
typedef struct compile {
    const tn_nvrtc *lib;
    tenon_program *program;
    tenon_kind target;
    tn_texts options;
    tn_texts lowered;
    const char **header_names, **header_texts;
    int header_count;
    tn_nvrtc_program handle;
    tn_buffer bytes;
} compile;

static tenon_status *no_memory(const compile *c)
{
    return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for compiling '%s'",
                             c->program->name);
}

/// True if NVRTC's list of archs has this one, or if it cannot give a list.
static bool is_supported(const char *list, tn_arch arch)
{
    char text[TN_ARCH_TEXT];
    arch.suffix = 0;
    arch.virtual_ = false;
    tn_arch_text(arch, text);
    size_t length = strlen(text);
    for (const char *at = strstr(list, text); at; at = strstr(at + 1, text)) {
        if (at[length] == ',' || at[length] == '\0') return true;
    }
    return *list == '\0';
}

static tenon_status *unsupported_arch(const compile *c, const char *list)
{
    return tenon_status_make(TENON_INCOMPATIBLE,
                             "'%s': NVRTC %u.%u does not know the arch %s (%s); it knows %s",
                             c->program->name, c->lib->major, c->lib->minor,
                             c->program->options.arch, c->lib->path, list);
}

static tenon_status *check_arch(const compile *c)
{
    tn_arch arch = {0};
    TN_TRY(tn_arch_parse(c->program->options.arch, &arch));
    tn_buffer list = {0};
    tn_nvrtc_archs(c->lib, &list);
    tenon_status *status = NULL;
    if (list.failed) status = no_memory(c);
    if (!status && !is_supported(tn_buffer_text(&list), arch)) {
        status = unsupported_arch(c, tn_buffer_text(&list));
    }
    tn_buffer_deinit(&list);
    return status;
}

static tenon_status *check_version(const compile *c)
{
    if (!c->program->options.pch_dir || c->lib->major * 100 + c->lib->minor >= 1208) return NULL;
    return tenon_status_make(TENON_INCOMPATIBLE,
                             "'%s': precompiled headers (pch_dir) need NVRTC 12.8 or newer; found "
                             "%u.%u, %s",
                             c->program->name, c->lib->major, c->lib->minor, c->lib->path);
}

static tenon_status *add_toolkit_folders(compile *c)
{
    tn_buffer folders = {0};
    tenon_status *status = tn_toolkit_include(&folders);
    for (size_t at = 0; !status && at < folders.size; at += strlen(folders.data + at) + 1) {
        tn_texts_print(&c->options, "-I%s", folders.data + at);
    }
    tn_buffer_deinit(&folders);
    return status;
}

static void add_arch(compile *c)
{
    tn_arch arch = {0};
    char text[TN_ARCH_TEXT];
    tenon_status_free(tn_arch_parse(c->program->options.arch, &arch));  // was checked
    // For a real arch NVRTC would make a cubin too.
    if (c->target == TENON_KIND_PTX) arch.virtual_ = true;
    tn_texts_print(&c->options, "-arch=%s", tn_arch_text(arch, text));
}

/// The length of a time trace's path without the ".json" that NVRTC (13.0, 13.5) puts at its end.
static size_t trace_length(const char *path)
{
    static const char end[] = ".json";
    size_t length = strlen(path), cut = sizeof(end) - 1;
    return length > cut && strcmp(path + length - cut, end) == 0 ? length - cut : length;
}

/// NVRTC aborts the process over a trace that it cannot write, so that is tried before. The file is
/// gone again afterwards: NVRTC 13.0 reads what is there to add to it, and fails over what it wrote
/// itself.
static tenon_status *add_time_trace(const char *path, tn_texts *out)
{
    tn_buffer made = {0};
    struct stat info;
    tn_buffer_print(&made, "%.*s.json", (int)trace_length(path), path);
    if (made.failed)
        return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the time trace");
    int file = open(made.data, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    int error = file < 0 ? errno : 0;
    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode)) unlink(made.data);
    if (file >= 0) close(file);
    tn_buffer_deinit(&made);
    if (error) {
        return tenon_status_make(TENON_IO, "time trace '%s' cannot be written: %s", path,
                                 strerror(error));
    }
    tn_texts_print(out, "-fdevice-time-trace=%.*s", (int)trace_length(path), path);
    return NULL;
}

/// Gives the time trace the name that was asked for.
static tenon_status *finish_time_trace(const compile *c)
{
    const char *path = c->program->options.time_trace;
    tn_buffer made = {0};
    if (!path || path[trace_length(path)]) return NULL;
    tn_buffer_print(&made, "%s.json", path);
    if (made.failed) return no_memory(c);
    int error = rename(made.data, path) == 0 || errno == ENOENT ? 0 : errno;
    tn_buffer_deinit(&made);
    if (!error) return NULL;
    return tenon_status_make(TENON_IO, "time trace '%s': %s", path, strerror(error));
}

/// Spells the options for NVRTC.
static tenon_status *make_options(compile *c)
{
    const tenon_program *program = c->program;
    const tenon_program_options *o = &program->options;
    tn_texts *out = &c->options;
    add_arch(c);
    if (c->target == TENON_KIND_LTOIR) {
        tn_texts_print(out, "-dlto");
    } else {
        tn_texts_print(out, "-rdc=%s", o->whole_program ? "false" : "true");
    }
    if (o->std) tn_texts_print(out, "-std=%s", o->std);
    if (o->debug) tn_texts_print(out, "-G");
    if (o->lineinfo) tn_texts_print(out, "-lineinfo");
    if (o->fast_math) tn_texts_print(out, "-use_fast_math");
    if (o->max_register_count) tn_texts_print(out, "-maxrregcount=%u", o->max_register_count);
    if (o->pch_dir) {
        tn_texts_print(out, "-pch");
        tn_texts_print(out, "-pch-dir=%s", o->pch_dir);
    }
    if (o->time_trace) TN_TRY(add_time_trace(o->time_trace, out));
    for (size_t i = 0; i < program->defines.count; i++) {
        tn_texts_print(out, "-D%s", program->defines.items[i]);
    }
    for (size_t i = 0; i < program->include_paths.count; i++) {
        tn_texts_print(out, "-I%s", program->include_paths.items[i]);
    }
    tn_texts_copy(out, (const char *const *)program->extra_options.items);
    if (!o->no_default_headers) TN_TRY(add_toolkit_folders(c));
    return out->failed ? no_memory(c) : NULL;
}

static bool is_in_folder(const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, name);
    return size > 0 && (size_t)size < sizeof(path) && tn_file_exists(path);
}

/// True if the user provides a header, in memory, in a folder of his, or beside the source.
static bool is_users(const compile *c, const char *name)
{
    const tenon_program *program = c->program;
    const char *slash = strrchr(program->name, '/');
    if (tn_texts_find(&program->header_names, name) < program->header_names.count) return true;
    if (is_in_folder(slash ? program->name : ".", slash ? (size_t)(slash - program->name) : 1,
                     name))
        return true;
    for (size_t i = 0; i < program->include_paths.count; i++) {
        const char *folder = program->include_paths.items[i];
        if (is_in_folder(folder, strlen(folder), name)) return true;
    }
    static const char *const spellings[] = {"-I", "--include-path="};
    for (size_t i = 0; i < program->extra_options.count; i++) {
        const char *option = program->extra_options.items[i];
        for (size_t k = 0; k < sizeof(spellings) / sizeof(spellings[0]); k++) {
            size_t length = strlen(spellings[k]);
            if (strncmp(option, spellings[k], length) != 0) continue;
            if (is_in_folder(option + length, strlen(option + length), name)) return true;
        }
    }
    return false;
}

/// NVRTC takes a header in memory before one in a folder, so ours must not be there if the user has
/// one of that name.
static tenon_status *collect_headers(compile *c)
{
    const tenon_program *program = c->program;
    size_t own = program->header_names.count, most = own;
    while (tn_headers_get(most - own)) most++;
    c->header_names = calloc(most + 1, sizeof(*c->header_names));
    c->header_texts = calloc(most + 1, sizeof(*c->header_texts));
    if (!c->header_names || !c->header_texts) return no_memory(c);
    size_t count = 0;
    for (; count < own; count++) {
        c->header_names[count] = program->header_names.items[count];
        c->header_texts[count] = program->header_texts.items[count];
    }
    const tn_header *header = NULL;
    for (size_t i = 0; !program->options.no_default_headers && (header = tn_headers_get(i)); i++) {
        if (is_users(c, header->name)) continue;
        c->header_names[count] = header->name;
        c->header_texts[count++] = header->text;
    }
    c->header_count = (int)count;
    return NULL;
}

/// Appends the first line of a log that says what is wrong.
static void first_error(const char *log, tn_buffer *out)
{
    const char *mark = strstr(log, "error:");
    const char *line = mark ? mark : log;
    while (line > log && line[-1] != '\n') line--;
    while (*line == '\n') line++;
    size_t length = strcspn(line, "\n");
    if (length) tn_buffer_print(out, ": %.*s", (int)length, line);
}

/// Makes an error of a compile that failed, with NVRTC's whole log.
static tenon_status *compile_failure(const compile *c, tn_nvrtc_result result)
{
    const char *log = tenon_program_log(c->program);
    // The list of archs does not tell which of them have a suffix.
    if (strstr(log, "gpu-architecture") || strstr(log, "--nv_arch")) {
        tn_buffer list = {0};
        tn_nvrtc_archs(c->lib, &list);
        tenon_status *status = unsupported_arch(c, tn_buffer_text(&list));
        tenon_status_add_log(status, "%s", log);
        tn_buffer_deinit(&list);
        return status;
    }
    tn_buffer why = {0};
    first_error(log, &why);
    tenon_status *status = tn_nvrtc_check(c->lib, NULL, result, "nvrtcCompileProgram");
    tenon_status_prepend(status, "compiling '%s' failed%s (NVRTC %u.%u)", c->program->name,
                         tn_buffer_text(&why), c->lib->major, c->lib->minor);
    tenon_status_add_log(status, "%s", log);
    if (strstr(log, "could not open source file") || strstr(log, "cannot open source file")) {
        tenon_status_add_log(status,
                             "tenon: NVRTC has no headers of the host; name their folder in "
                             "include_paths, or use <cuda/std/...> of CCCL\n");
    }
    tn_buffer_deinit(&why);
    return status;
}

static tenon_status *start(compile *c)
{
    const tn_nvrtc *lib = c->lib;
    const tenon_program *program = c->program;
    TN_TRY(TN_NVRTC_CALL(lib, NULL,
                         CreateProgram(&c->handle, program->source, program->name, c->header_count,
                                       c->header_texts, c->header_names)));
    for (size_t i = 0; i < program->expressions.count; i++) {
        const char *expression = program->expressions.items[i];
        TN_TRY_CTX(TN_NVRTC_CALL(lib, c->handle, AddNameExpression(c->handle, expression)),
                   "name expression '%s'", expression);
    }
    return NULL;
}

static tenon_status *get_lowered(compile *c)
{
    const tn_texts *expressions = &c->program->expressions;
    for (size_t i = 0; i < expressions->count; i++) {
        const char *lowered = NULL;
        TN_TRY_CTX(
            TN_NVRTC_CALL(c->lib, NULL, GetLoweredName(c->handle, expressions->items[i], &lowered)),
            "name expression '%s'", expressions->items[i]);
        if (!lowered) {
            return tenon_status_make(TENON_INTERNAL, "nvrtcGetLoweredName gives no name for '%s'",
                                     expressions->items[i]);
        }
        tn_texts_add(&c->lowered, lowered, strlen(lowered));
    }
    return c->lowered.failed ? no_memory(c) : NULL;
}

static tenon_status *get_bytes(compile *c)
{
    const tn_nvrtc *lib = c->lib;
    size_t size = 0;
    tn_nvrtc_result (*get)(tn_nvrtc_program, char *) = lib->GetCUBIN;
    const char *call = "nvrtcGetCUBIN";
    switch (c->target) {
    case TENON_KIND_PTX:
        TN_TRY(TN_NVRTC_CALL(lib, NULL, GetPTXSize(c->handle, &size)));
        get = lib->GetPTX;
        call = "nvrtcGetPTX";
        break;
    case TENON_KIND_LTOIR:
        TN_TRY(TN_NVRTC_CALL(lib, NULL, GetLTOIRSize(c->handle, &size)));
        get = lib->GetLTOIR;
        call = "nvrtcGetLTOIR";
        break;
    default: TN_TRY(TN_NVRTC_CALL(lib, NULL, GetCUBINSize(c->handle, &size)));
    }
    char *data = size > 0 ? tn_buffer_reserve(&c->bytes, size) : NULL;
    if (size > 0 && !data) return no_memory(c);
    if (size > 0) TN_TRY(tn_nvrtc_check(lib, NULL, get(c->handle, data), call));
    while (c->target == TENON_KIND_PTX && size > 0 && data[size - 1] == '\0') size--;
    if (size == 0) {
        return tenon_status_make(TENON_COMPILE_FAILED, "NVRTC reports success, but its %s is empty",
                                 tenon_kind_name(c->target));
    }
    c->bytes.size = size;
    tn_buffer_append(&c->bytes, "", 0);  // the NUL behind the end
    return NULL;
}

/// "dir/x.cu" gives "dir/x.cubin".
static void object_name(const compile *c, tn_buffer *out)
{
    static const char *const extensions[] = {
        [TENON_KIND_CUBIN] = "cubin", [TENON_KIND_PTX] = "ptx", [TENON_KIND_LTOIR] = "ltoir"};
    const char *name = c->program->name;
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - name) : strlen(name);
    tn_buffer_print(out, "%.*s.%s", (int)length, name, extensions[c->target]);
}

/// Makes an error of what was found wrong with NVRTC's result: it is not the caller who has to
/// correct anything.
static tenon_status *bad_result(const compile *c, tenon_status *found)
{
    if (tenon_status_code(found) == TENON_OUT_OF_MEMORY) return found;
    tenon_status *status = tenon_status_make(
        TENON_INTERNAL, "NVRTC %u.%u reports success, but its result is not good: %s",
        c->lib->major, c->lib->minor, tenon_status_message(found));
    tenon_status_free(found);
    return status;
}

static tenon_status *make_object(compile *c, tenon_object **out_object)
{
    tn_buffer name = {0};
    tenon_object *object = NULL;
    tenon_status *status = NULL;
    object_name(c, &name);
    size_t size = c->bytes.size;
    char *data = name.failed ? NULL : tn_buffer_take(&c->bytes);
    if (!data) {
        status = no_memory(c);
        goto done;
    }
    status = tn_object_adopt(name.data, c->target, data, size, &object);
    if (status) {
        status = bad_result(c, status);
        goto done;
    }
    if (c->target == TENON_KIND_CUBIN &&
        object->relocatable == (bool)c->program->options.whole_program) {
        status = tenon_status_make(TENON_INTERNAL, "NVRTC %u.%u made a cubin that is %s",
                                   c->lib->major, c->lib->minor,
                                   object->relocatable ? "relocatable" : "not relocatable");
        goto done;
    }
    object->trusted = true;
    *out_object = object;
    object = NULL;
done:
    tenon_object_release(object);
    tn_buffer_deinit(&name);
    return status;
}

static tenon_status *call_nvrtc(compile *c)
{
    TN_TRY_CTX(start(c), "compiling '%s'", c->program->name);
    tn_nvrtc_result result = c->lib->CompileProgram(c->handle, (int)c->options.count,
                                                    (const char *const *)c->options.items);
    tn_nvrtc_log(c->lib, c->handle, &c->program->log);
    if (c->program->log.failed) return no_memory(c);
    return result != 0 ? compile_failure(c, result) : NULL;
}

static tenon_status *take_result(compile *c, tenon_object **out_object)
{
    TN_TRY(finish_time_trace(c));
    TN_TRY(get_bytes(c));
    TN_TRY(get_lowered(c));
    return make_object(c, out_object);
}

static tenon_status *run(compile *c, tenon_object **out_object)
{
    TN_TRY(check_version(c));
    TN_TRY(check_arch(c));
    TN_TRY(make_options(c));
    TN_TRY(collect_headers(c));
    TN_TRY(call_nvrtc(c));
    TN_TRY_CTX(take_result(c, out_object), "compiling '%s'", c->program->name);
    return NULL;
}

tenon_status *tn_compile_run(const tn_nvrtc *lib, tenon_program *program, tenon_kind target,
                             tenon_object **out_object)
{
    compile c = {.lib = lib, .program = program, .target = target};
    tn_buffer_deinit(&program->log);
    tn_texts_deinit(&program->lowered);
    tenon_status *status = run(&c, out_object);
    if (!status) {
        program->lowered = c.lowered;
        c.lowered = (tn_texts){0};
    } else if (!*tenon_status_log(status)) {
        tenon_status_add_log(status, "%s", tenon_program_log(program));
    }
    if (c.handle) lib->DestroyProgram(&c.handle);
    free(c.header_names);
    free(c.header_texts);
    tn_texts_deinit(&c.options);
    tn_texts_deinit(&c.lowered);
    tn_buffer_deinit(&c.bytes);
    return status;
}
