#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/say.h"

typedef struct version_fields {
    uint32_t json;
} version_fields;

static const tn_opt opts[] = {
    {.names = "--json",
     .help = "Print JSON.",
     .offset = offsetof(version_fields, json),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {0},
};

/// Loads none of NVIDIA's libraries: scripts ask for the version often.
static int run(const tn_opt_command *self, int argc, char **argv)
{
    version_fields fields = {0};
    tn_opt_list operands = {NULL, 0};
    tn_opt_outcome outcome = tn_opt_parse(self, argc, argv, &fields, &operands);
    if (outcome == TN_OPT_RUN && fields.json) {
        tn_json json = {stdout, false};
        tn_json_open(&json, NULL, '{');
        tn_json_text(&json, "version", tenon_version());
        tn_json_close(&json, '}');
        fputc('\n', stdout);
    } else if (outcome == TN_OPT_RUN) {
        printf("tenon %s\n", tenon_version());
    }
    tn_opt_free(self, &fields, &operands);
    return outcome == TN_OPT_WRONG ? TN_EXIT_WRONG : TN_EXIT_DONE;
}

const tn_opt_command tn_cmd_version = {
    .name = "version",
    .operands = "",
    .missing = "",
    .summary = "Prints the version of tenon.",
    .about = "'tenon doctor' has the versions of NVIDIA's libraries.\n",
    .opts = opts,
    .run = run,
};
