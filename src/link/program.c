#include "link/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/options.h"
#include "core/try.h"
#include "link/arch.h"
#include "link/compile.h"

/// Copies a text of the options; false without memory.
static bool copy(const char **field)
{
    if (!*field) return true;
    *field = strdup(*field);
    return *field != NULL;
}

static tenon_status *no_memory(const char *name)
{
    return tenon_status_make(TENON_OUT_OF_MEMORY, "'%s': out of memory for the program", name);
}

/// Replaces what the caller lent by copies; false without memory.
static bool copy_options(tenon_program *program)
{
    tenon_program_options *options = &program->options;
    tn_texts_copy(&program->include_paths, options->include_paths);
    tn_texts_copy(&program->defines, options->defines);
    tn_texts_copy(&program->extra_options, options->extra_options);
    options->include_paths = options->defines = options->extra_options = NULL;
    // All of them, also after one has failed: nothing that is lent may stay.
    bool good = copy(&options->arch);
    good = copy(&options->std) && good;
    good = copy(&options->pch_dir) && good;
    good = copy(&options->time_trace) && good;
    return good && !program->include_paths.failed && !program->defines.failed &&
           !program->extra_options.failed;
}

static tenon_status *check_flags(const tenon_program_options *options)
{
    const struct {
        const char *name;
        uint32_t value;
    } flags[] = {
        {"whole_program", options->whole_program},
        {"debug", options->debug},
        {"lineinfo", options->lineinfo},
        {"fast_math", options->fast_math},
        {"no_default_headers", options->no_default_headers},
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (flags[i].value <= 1) continue;
        return tenon_status_make(TENON_INVALID_ARGUMENT, "%s: %u is neither 0 nor 1", flags[i].name,
                                 flags[i].value);
    }
    return NULL;
}

/// NVRTC takes texts, not bytes.
static tenon_status *check_text(const char *name, tenon_bytes text)
{
    if (!text.data && text.size) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "'%s' has a size, but no text (NULL)",
                                 name);
    }
    const char *nul = text.size ? memchr(text.data, '\0', text.size) : NULL;
    if (!nul) return NULL;
    return tenon_status_make(TENON_INVALID_ARGUMENT,
                             "'%s' has a NUL at byte %zu, where NVRTC would stop to read", name,
                             (size_t)(nul - (const char *)text.data));
}

tenon_status *tenon_program_create(const tenon_program_options *options, const char *name,
                                   tenon_bytes source, tenon_program **out_program)
{
    tenon_program_options read;
    tn_arch arch;
    if (!tn_options_read(options, &read, sizeof(read))) {
        return tenon_status_make(
            TENON_INVALID_ARGUMENT,
            "options: not made with TENON_PROGRAM_OPTIONS_INIT, or for a newer "
            "version of tenon");
    }
    if (!name || !*name) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "a program needs a name, such as x.cu");
    }
    TN_TRY(check_text(name, source));
    TN_TRY_CTX(check_flags(&read), "'%s'", name);
    if (!read.arch) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s': arch: none is given; set it, to sm_90 for example", name);
    }
    TN_TRY_CTX(tn_arch_parse(read.arch, &arch), "'%s': arch", name);

    tenon_program *program = calloc(1, sizeof(*program));
    if (!program) return no_memory(name);
    program->options = read;
    program->name = strdup(name);
    program->source = malloc(source.size + 1);
    bool good = copy_options(program);
    if (!good || !program->name || !program->source) {
        tenon_program_release(program);
        return no_memory(name);
    }
    if (source.size) memcpy(program->source, source.data, source.size);
    program->source[source.size] = '\0';
    *out_program = program;
    return NULL;
}

tenon_status *tenon_program_open(const tenon_program_options *options, const char *path,
                                 tenon_program **out_program)
{
    if (!path) return tenon_status_make(TENON_INVALID_ARGUMENT, "no path of a program is given");
    tn_buffer text = {0};
    int error = tn_file_read(path, &text);
    tenon_status *status = NULL;
    if (error == ENOMEM) {
        status = no_memory(path);
    } else if (error) {
        status = tenon_status_make(error == ENOENT ? TENON_NOT_FOUND : TENON_IO, "'%s': %s", path,
                                   strerror(error));
    } else {
        tenon_bytes source = {text.data, text.size};
        status = tenon_program_create(options, path, source, out_program);
    }
    tn_buffer_deinit(&text);
    return status;
}

void tenon_program_release(tenon_program *program)
{
    if (!program) return;
    free((char *)program->options.arch);
    free((char *)program->options.std);
    free((char *)program->options.pch_dir);
    free((char *)program->options.time_trace);
    free(program->name);
    free(program->source);
    tn_texts_deinit(&program->include_paths);
    tn_texts_deinit(&program->defines);
    tn_texts_deinit(&program->extra_options);
    tn_texts_deinit(&program->header_names);
    tn_texts_deinit(&program->header_texts);
    tn_texts_deinit(&program->expressions);
    tn_texts_deinit(&program->lowered);
    tn_buffer_deinit(&program->log);
    free(program);
}

tenon_status *tenon_program_add_header(tenon_program *program, const char *name, tenon_bytes text)
{
    if (!name || !*name) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s': a header needs the name that #include has", program->name);
    }
    TN_TRY_CTX(check_text(name, text), "'%s': header", program->name);
    if (tn_texts_find(&program->header_names, name) < program->header_names.count) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s': header '%s' was added before; add each once", program->name,
                                 name);
    }
    // The text first: a name without its text would be asked for it.
    tn_texts_add(&program->header_texts, text.data, text.size);
    if (!program->header_texts.failed) {
        tn_texts_add(&program->header_names, name, strlen(name));
    }
    if (!program->header_names.failed && !program->header_texts.failed) return NULL;
    return no_memory(program->name);
}

tenon_status *tenon_program_add_name(tenon_program *program, const char *expression)
{
    if (!expression || !*expression) {
        return tenon_status_make(TENON_INVALID_ARGUMENT,
                                 "'%s': a name expression is empty; give one such as &scale<float>",
                                 program->name);
    }
    if (tn_texts_find(&program->expressions, expression) < program->expressions.count) return NULL;
    tn_texts_add(&program->expressions, expression, strlen(expression));
    return program->expressions.failed ? no_memory(program->name) : NULL;
}

tenon_status *tenon_program_compile(tenon_program *program, tenon_kind target,
                                    tenon_object **out_object)
{
    const tn_nvrtc *lib = NULL;
    tn_buffer_deinit(&program->log);
    tn_texts_deinit(&program->lowered);
    TN_TRY_CTX(tn_compile_check(program, target), "'%s'", program->name);
    TN_TRY_CTX(tn_nvrtc_get(&lib), "compiling '%s'", program->name);
    return tn_compile_run(lib, program, target, out_object);
}

const char *tenon_program_lowered_name(const tenon_program *program, const char *expression)
{
    size_t at = tn_texts_find(&program->expressions, expression);
    return at < program->lowered.count ? program->lowered.items[at] : NULL;
}

const char *tenon_program_log(const tenon_program *program)
{
    return tn_buffer_text(&program->log);
}
