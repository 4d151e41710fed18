#include <string.h>

#include "cli/cmd.h"
#include "cli/file.h"
#include "cli/say.h"
#include "cli/target.h"

typedef struct link_fields {
    tenon_linker_options options;
    tn_opt_list kernels, variables, ptxas, extra;
    const char *output;
    uint32_t emit;
    uint32_t deadline;  // seconds
} link_fields;

static const tn_opt_word choices[] = {
    {"on", TENON_CHOICE_ON},
    {"off", TENON_CHOICE_OFF},
    {"true", TENON_CHOICE_ON},
    {"false", TENON_CHOICE_OFF},
    {NULL, 0},
};

static const tn_opt_word isolations[] = {
    {"auto", TENON_ISOLATION_AUTO},
    {"in-process", TENON_ISOLATION_IN_PROCESS},
    {"worker", TENON_ISOLATION_WORKER},
    {NULL, 0},
};

static const tn_opt_word linkers[] = {
    {"auto", TENON_LINKER_BACKEND_AUTO},
    {"nvjitlink", TENON_LINKER_BACKEND_NVJITLINK},
    {"driver", TENON_LINKER_BACKEND_DRIVER},
    {NULL, 0},
};

static const tn_opt_word all_threads[] = {{"all", TENON_THREADS_ALL}, {NULL, 0}};

#define FIELD(field) offsetof(link_fields, field)

// clang-format off
#define FLAG(names_, field_, value_, help_) \
    {.names = names_, .help = help_, .offset = FIELD(field_), .kind = TN_OPT_FLAG, .least = value_}
#define WORD(names_, value_, words_, field_, help_) \
    {.names = names_, .value = value_, .help = help_, .words = words_, .offset = FIELD(field_), \
     .kind = TN_OPT_WORD}
#define NUMBER(names_, field_, least_, most_, words_, help_) \
    {.names = names_, .value = "N", .help = help_, .words = words_, .offset = FIELD(field_), \
     .kind = TN_OPT_NUMBER, .least = least_, .most = most_}
#define TEXT(names_, value_, field_, help_) \
    {.names = names_, .value = value_, .help = help_, .offset = FIELD(field_), .kind = TN_OPT_TEXT}
#define LIST(names_, value_, field_, help_) \
    {.names = names_, .value = value_, .help = help_, .offset = FIELD(field_), .kind = TN_OPT_LIST}
// clang-format on

static const tn_opt opts[] = {
    FLAG("-r --incremental -relocatable-link --relocatable-link", options.incremental, 1,
         "A partial link: symbols may stay undefined, and the\nresult can be linked again."),
    FLAG("--lto -lto -dlto --dlto", options.link_time_optimization, TENON_CHOICE_ON,
         "Link-time optimisation; the default if any input is\nLTO-IR."),
    FLAG("--no-lto", options.link_time_optimization, TENON_CHOICE_OFF, "Refuse LTO-IR."),
    TEXT("--arch -arch --gpu-architecture", "ARCH", options.arch,
         "What to link for, such as sm_90; may be left out\nwhere the inputs tell."),
    WORD("--emit", "KIND", tn_target_words, emit,
         "cubin, ptx or ltoir. Without it, the extension of\nOUT tells, or else it is a cubin."),
    FLAG("--cubin -cubin", emit, TENON_KIND_CUBIN, "Short for --emit cubin."),
    FLAG("--ptx -ptx", emit, TENON_KIND_PTX, "Short for --emit ptx."),
    FLAG("--ltoir -ltoir", emit, TENON_KIND_LTOIR, "Short for --emit ltoir."),
    TEXT("-o --output", "OUT", output,
         "Where to; - is standard output. Without it,\nlinked.cubin, linked.ptx or linked.ltoir, "
         "here."),
    NUMBER("--max-registers --maxrregcount -maxrregcount", options.max_register_count, 1, 255, NULL,
           "Registers of a thread at most, where code is compiled."),
    FLAG("-g --debug -G", options.debug, 1, "Debug information."),
    FLAG("--lineinfo -lineinfo", options.lineinfo, 1, "Line numbers."),
    FLAG("-O0", options.optimization_level, TENON_OPT_NONE, "No optimisation."),
    FLAG("-O3", options.optimization_level, TENON_OPT_FULL, "Full optimisation."),
    LIST("--kernels-used -kernels-used", "KERNEL", kernels,
         "Keep this kernel, and none that is not named. May be\nrepeated. Final links only."),
    LIST("--variables-used -variables-used", "VARIABLE", variables,
         "Keep this variable. May be repeated. With LTO."),
    FLAG("--optimize-unused-variables -optimize-unused-variables",
         options.optimize_unused_variables, 1,
         "Remove variables that no device code uses. With LTO."),
    WORD("--ftz -ftz", "on|off", choices, options.ftz,
         "Denormals become zero. With LTO, as the next three."),
    WORD("--prec-div -prec-div", "on|off", choices, options.prec_div, "Exact division."),
    WORD("--prec-sqrt -prec-sqrt", "on|off", choices, options.prec_sqrt, "Exact square roots."),
    WORD("--fma -fma", "on|off", choices, options.fma, "Fused multiply and add."),
    NUMBER("--split-compile -split-compile", options.split_compile, 1, 1024, all_threads,
           "Threads of the optimiser, or all."),
    NUMBER("--split-compile-extended -split-compile-extended", options.split_compile_extended, 1,
           1024, all_threads, "The same, also across functions; code grows. With LTO."),
    NUMBER("--jump-table-density -jump-table-density", options.jump_table_density, 1, 101, NULL,
           "Percent of cases that make a switch a jump table."),
    FLAG("--device-stack-protector -device-stack-protector", options.device_stack_protector, 1,
         "Check stacks on the device."),
    LIST("-Xptxas", "OPTION", ptxas, "Give the assembler an option as it is. May be repeated."),
    LIST("-X", "OPTION", extra, "Give the linker an option as it is. May be repeated."),
    WORD("--isolation", "WHERE", isolations, options.isolation,
         "Where NVIDIA's linker runs: in-process, worker (a\nprocess of its own), or auto."),
    WORD("--linker", "WHO", linkers, options.backend, "nvjitlink, driver, or auto."),
    {.names = "--deadline",
     .value = "SECONDS",
     .help = "Give up on a link in the worker then; 600 without it.",
     .offset = FIELD(deadline),
     .kind = TN_OPT_NUMBER,
     .least = 1,
     .most = 1000000},
    FLAG("--no-cache -no-cache", options.no_cache, 1, "The linker keeps nothing."),
    FLAG("--verbose -v -verbose", options.verbose, 1, "Print what the linker has to say."),
    FLAG("--time -time", options.time, 1, "Print how long its phases took."),
    {0},
};

static tenon_status *add_inputs(tenon_linker *linker, const tn_opt_list *inputs)
{
    tenon_status *status = NULL;
    for (size_t i = 0; i < inputs->count && !status; i++) {
        tenon_object *object = NULL;
        status = tn_open_object(inputs->items[i], &object);
        if (!status) status = tenon_linker_add_object(linker, object);
        tenon_object_release(object);
    }
    return status;
}

static tenon_status *link_inputs(tenon_linker *linker, const tn_opt_list *inputs,
                                 const link_fields *fields)
{
    char output[32];
    tenon_kind target = (tenon_kind)fields->emit;
    snprintf(output, sizeof(output), "linked.%s", tn_target_extension(target));
    const char *path = fields->output ? fields->output : output;
    tenon_object *object = NULL;
    tenon_status *status = tn_check_output(path);
    for (size_t i = 0; i < inputs->count && !status; i++) {
        status = tn_check_apart(path, inputs->items[i]);
    }
    if (!status) status = add_inputs(linker, inputs);
    if (!status) status = tenon_linker_finish(linker, target, &object);
    if (!status) status = tn_write_output(path, tenon_object_bytes(object));
    if (!status) {
        int whole = fields->options.verbose || fields->options.time;
        tn_say_log(tenon_linker_info_log(linker), whole);
    }
    tenon_object_release(object);
    return status;
}

static int run(const tn_opt_command *self, int argc, char **argv)
{
    link_fields fields = {.options = TENON_LINKER_OPTIONS_INIT};
    tn_opt_list inputs = {NULL, 0};
    tenon_linker *linker = NULL;
    tn_opt_outcome outcome = tn_opt_parse(self, argc, argv, &fields, &inputs);
    int code = outcome == TN_OPT_WRONG ? TN_EXIT_WRONG : TN_EXIT_DONE;
    if (outcome != TN_OPT_RUN) goto done;

    tenon_linker_options *options = &fields.options;
    fields.emit = (uint32_t)tn_target(fields.emit, fields.output);
    options->ptx = fields.emit == TENON_KIND_PTX;
    options->name = fields.output;
    options->kernels_used = fields.kernels.items;
    options->variables_used = fields.variables.items;
    options->ptxas_options = fields.ptxas.items;
    options->extra_options = fields.extra.items;
    options->deadline_ms = fields.deadline * 1000;
    tenon_status *status = tenon_linker_create(options, &linker);
    // Nothing but the options can be wrong here.
    if (tenon_status_code(status) == TENON_INVALID_ARGUMENT) {
        code = tn_say_wrong(self->name, "%s", tenon_status_message(status));
        tenon_status_free(status);
        goto done;
    }
    if (!status) status = link_inputs(linker, &inputs, &fields);
    if (status) code = tn_say_status(status);
done:
    tenon_linker_release(linker);
    tn_opt_free(self, &fields, &inputs);
    return code;
}

const tn_opt_command tn_cmd_link = {
    .name = "link",
    .operands = "IN...",
    .missing = "no input is given: name cubins, PTX, LTO-IR, fatbins, host objects or archives",
    .summary = "Links device code of any kind to a cubin, PTX or LTO-IR.",
    .about =
        "Inputs are recognised from their bytes; - is standard input. OUT is replaced only by a\n"
        "complete result. PTX and LTO-IR come only out of LTO-IR. nvcc's spelling of options "
        "works\n"
        "too: -arch=sm_90, -dlto, -maxrregcount=32.\n",
    .opts = opts,
    .fewest = 1,
    .most = SIZE_MAX,
    .run = run,
};
