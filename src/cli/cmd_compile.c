#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/file.h"
#include "cli/say.h"
#include "cli/target.h"

typedef struct compile_fields {
    tenon_program_options options;
    tn_opt_list include_paths, defines, extra, names;
    const char *output;
    uint32_t emit;
} compile_fields;

#define FIELD(field) offsetof(compile_fields, field)

static const tn_opt opts[] = {
    {.names = "--arch -arch --gpu-architecture",
     .value = "ARCH",
     .help = "What to compile for, such as sm_90; compute_90 for\nPTX and LTO-IR. Required.",
     .offset = FIELD(options.arch),
     .kind = TN_OPT_TEXT},
    {.names = "--emit",
     .value = "KIND",
     .help = "cubin, ptx or ltoir. Without it, the extension of\nOUT tells, or else it is a cubin.",
     .words = tn_target_words,
     .offset = FIELD(emit),
     .kind = TN_OPT_WORD},
    {.names = "--cubin -cubin",
     .help = "Short for --emit cubin.",
     .offset = FIELD(emit),
     .kind = TN_OPT_FLAG,
     .least = TENON_KIND_CUBIN},
    {.names = "--ptx -ptx",
     .help = "Short for --emit ptx.",
     .offset = FIELD(emit),
     .kind = TN_OPT_FLAG,
     .least = TENON_KIND_PTX},
    {.names = "--ltoir -ltoir",
     .help = "Short for --emit ltoir.",
     .offset = FIELD(emit),
     .kind = TN_OPT_FLAG,
     .least = TENON_KIND_LTOIR},
    {.names = "-o --output",
     .value = "OUT",
     .help = "Where to; - is standard output. Without it, the\nname of FILE with another "
             "extension, here.",
     .offset = FIELD(output),
     .kind = TN_OPT_TEXT},
    {.names = "-I --include-path",
     .value = "FOLDER",
     .help = "Search it for headers. May be repeated.",
     .offset = FIELD(include_paths),
     .kind = TN_OPT_LIST,
     .glued = true},
    {.names = "-D --define",
     .value = "NAME[=VALUE]",
     .help = "Define a macro. May be repeated.",
     .offset = FIELD(defines),
     .kind = TN_OPT_LIST,
     .glued = true},
    {.names = "--std -std",
     .value = "STANDARD",
     .help = "Such as c++17.",
     .offset = FIELD(options.std),
     .kind = TN_OPT_TEXT},
    {.names = "--whole-program",
     .help = "Finished code that cannot be linked any more.",
     .offset = FIELD(options.whole_program),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {.names = "-G --debug -g",
     .help = "Debug information, and no optimisation.",
     .offset = FIELD(options.debug),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {.names = "--lineinfo -lineinfo",
     .help = "Line numbers.",
     .offset = FIELD(options.lineinfo),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {.names = "--max-registers --maxrregcount -maxrregcount",
     .value = "N",
     .help = "Registers of a thread at most.",
     .offset = FIELD(options.max_register_count),
     .kind = TN_OPT_NUMBER,
     .least = 1,
     .most = 255},
    {.names = "--fast-math --use_fast_math -use_fast_math",
     .help = "Fast and less exact arithmetic.",
     .offset = FIELD(options.fast_math),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {.names = "--no-default-headers",
     .help = "Neither the toolkit's headers nor small C headers.",
     .offset = FIELD(options.no_default_headers),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {.names = "--pch-dir",
     .value = "FOLDER",
     .help = "Keep precompiled headers there, and use them.",
     .offset = FIELD(options.pch_dir),
     .kind = TN_OPT_TEXT},
    {.names = "--time-trace",
     .value = "FILE",
     .help = "Write what NVRTC spent its time on.",
     .offset = FIELD(options.time_trace),
     .kind = TN_OPT_TEXT},
    {.names = "--name",
     .value = "EXPR",
     .help =
         "Print the mangled name of an expression, such as\n\"&scale<float>\", and instantiate it. "
         "May be repeated.",
     .offset = FIELD(names),
     .kind = TN_OPT_LIST},
    {.names = "-X",
     .value = "OPTION",
     .help = "Give NVRTC an option as it is. May be repeated.",
     .offset = FIELD(extra),
     .kind = TN_OPT_LIST},
    {0},
};

/// Makes a program of a file or of standard input.
static tenon_status *open_program(const tenon_program_options *options, const char *path,
                                  tenon_program **out_program)
{
    if (strcmp(path, "-") != 0) return tenon_program_open(options, path, out_program);
    char *data = NULL;
    size_t size = 0;
    tenon_status *status = tn_read_stdin(&data, &size);
    if (status) return status;
    status = tenon_program_create(options, "stdin.cu", (tenon_bytes){data, size}, out_program);
    free(data);
    return status;
}

static tenon_status *compile(const compile_fields *fields, const char *path, tenon_kind target,
                             const char *output)
{
    tenon_program *program = NULL;
    tenon_object *object = NULL;
    tenon_status *status = tn_check_output(output);
    if (!status) status = tn_check_apart(output, path);
    if (!status) status = open_program(&fields->options, path, &program);
    for (size_t i = 0; i < fields->names.count && !status; i++) {
        status = tenon_program_add_name(program, fields->names.items[i]);
    }
    if (!status) status = tenon_program_compile(program, target, &object);
    if (!status) status = tn_write_output(output, tenon_object_bytes(object));
    if (!status) {
        tn_say_log(tenon_program_log(program), 0);
        for (size_t i = 0; i < fields->names.count; i++) {
            const char *lowered = tenon_program_lowered_name(program, fields->names.items[i]);
            printf("%s = %s\n", fields->names.items[i], lowered ? lowered : "?");
        }
    }
    tenon_object_release(object);
    tenon_program_release(program);
    return status;
}

static int check_use(const tn_opt_command *self, const compile_fields *fields, const char *path)
{
    if (!fields->options.arch) {
        return tn_say_wrong(self->name, "no arch is given: add one, such as --arch sm_90");
    }
    if (!fields->output && strcmp(path, "-") == 0) {
        return tn_say_wrong(self->name, "standard input has no name for the output: add -o OUT");
    }
    if (fields->output && strcmp(fields->output, "-") == 0 && fields->names.count) {
        return tn_say_wrong(
            self->name, "--name prints to standard output, which -o - has taken: write to a file");
    }
    return TN_EXIT_DONE;
}

static int run(const tn_opt_command *self, int argc, char **argv)
{
    compile_fields fields = {.options = TENON_PROGRAM_OPTIONS_INIT};
    tn_opt_list operands = {NULL, 0};
    char *own_output = NULL;
    tn_opt_outcome outcome = tn_opt_parse(self, argc, argv, &fields, &operands);
    int code = outcome == TN_OPT_WRONG ? TN_EXIT_WRONG : TN_EXIT_DONE;
    if (outcome != TN_OPT_RUN) goto done;
    const char *path = operands.items[0];
    code = check_use(self, &fields, path);
    if (code != TN_EXIT_DONE) goto done;

    fields.options.include_paths = fields.include_paths.items;
    fields.options.defines = fields.defines.items;
    fields.options.extra_options = fields.extra.items;
    tenon_kind target = tn_target(fields.emit, fields.output);
    if (!fields.output) own_output = tn_default_output(path, tn_target_extension(target));
    const char *output = fields.output ? fields.output : own_output;
    tenon_status *status = output ? compile(&fields, path, target, output)
                                  : tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory");
    if (status) code = tn_say_status(status);
done:
    free(own_output);
    tn_opt_free(self, &fields, &operands);
    return code;
}

const tn_opt_command tn_cmd_compile = {
    .name = "compile",
    .operands = "FILE.cu",
    .missing = "no source is given: name a file, or - for standard input",
    .summary = "Compiles CUDA C++ to a cubin, PTX or LTO-IR, relocatable unless told otherwise.",
    .about = "nvcc's spelling of options works too: -arch=sm_90, -std=c++17, -lineinfo.\n",
    .opts = opts,
    .fewest = 1,
    .most = 1,
    .run = run,
};
