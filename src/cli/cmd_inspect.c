// What is in a file of device code, for a person. report_json.c says the same to programs.
#include <stdlib.h>
#include <string.h>

#include "cli/cmd.h"
#include "cli/file.h"
#include "cli/report.h"
#include "cli/say.h"

typedef struct inspect_fields {
    uint32_t json;
} inspect_fields;

static const tn_opt opts[] = {
    {.names = "--json",
     .help =
         "Print one line of JSON for each file, with the keys\nkind, archs, relocatable, kernels, "
         "defined, undefined,\ndriver, members, name, bytes, digest, producer.",
     .offset = offsetof(inspect_fields, json),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {0},
};

/// A file that cannot be read does not keep the others from being shown.
static int inspect(const char *path, bool json)
{
    tenon_object *object = NULL;
    tenon_status *status = tn_open_object(path, &object);
    if (status) {
        fflush(stdout);  // so that errors and results come in order
        return tn_say_status(status);
    }
    if (json) {
        tn_report_json(object, stdout);
    } else {
        tn_report_text(object, stdout);
    }
    tenon_object_release(object);
    return TN_EXIT_DONE;
}

static int run(const tn_opt_command *self, int argc, char **argv)
{
    inspect_fields fields = {0};
    tn_opt_list paths = {NULL, 0};
    tn_opt_outcome outcome = tn_opt_parse(self, argc, argv, &fields, &paths);
    int code = outcome == TN_OPT_WRONG ? TN_EXIT_WRONG : TN_EXIT_DONE;
    for (size_t i = 0; outcome == TN_OPT_RUN && i < paths.count; i++) {
        if (inspect(paths.items[i], fields.json) != TN_EXIT_DONE) code = TN_EXIT_FAILED;
    }
    tn_opt_free(self, &fields, &paths);
    return code;
}

const tn_opt_command tn_cmd_inspect = {
    .name = "inspect",
    .operands = "FILE...",
    .missing = "no file is given: name cubins, PTX, LTO-IR, fatbins, host objects or archives",
    .summary = "Shows kernels, symbols and members of device code.",
    .about =
        "Kinds are recognised from the bytes; - is standard input. Needs no GPU and no CUDA.\n",
    .opts = opts,
    .fewest = 1,
    .most = SIZE_MAX,
    .run = run,
};
