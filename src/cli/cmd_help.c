#include <string.h>

#include "cli/cmd.h"
#include "cli/near.h"
#include "cli/say.h"

const tn_opt_command *const tn_commands[] = {
    &tn_cmd_compile, &tn_cmd_link, &tn_cmd_inspect, &tn_cmd_doctor, &tn_cmd_version,
    &tn_cmd_help,    NULL,
};

const tn_opt_command *tn_find_command(const char *name)
{
    tn_near near;
    tn_near_init(&near, name);
    for (size_t i = 0; tn_commands[i]; i++) {
        if (strcmp(tn_commands[i]->name, name) == 0) return tn_commands[i];
        tn_near_try(&near, tn_commands[i]->name);
    }
    if (near.best[0]) {
        tn_say_wrong(NULL, "unknown command '%s'; did you mean '%s'?", name, near.best);
    } else {
        tn_say_wrong(NULL, "unknown command '%s'", name);
    }
    return NULL;
}

void tn_print_overview(FILE *out)
{
    fputs(
        "usage: tenon COMMAND [OPTION]... [ARGUMENT]...\n\n"
        "Compiles, device-links and inspects CUDA code.\n\ncommands:\n",
        out);
    for (size_t i = 0; tn_commands[i]; i++) {
        fprintf(out, "  %-10s%s\n", tn_commands[i]->name, tn_commands[i]->summary);
    }
    fputs(
        "\n'tenon help COMMAND' has the options of a command.\n"
        "Exit status: 0 done, 1 the work failed, 2 wrong use.\n",
        out);
}

static int run(const tn_opt_command *self, int argc, char **argv)
{
    tn_opt_list names = {NULL, 0};
    char none = 0;
    tn_opt_outcome outcome = tn_opt_parse(self, argc, argv, &none, &names);
    int code = outcome == TN_OPT_WRONG ? TN_EXIT_WRONG : TN_EXIT_DONE;
    if (outcome == TN_OPT_RUN && names.count == 0) {
        tn_print_overview(stdout);
    } else if (outcome == TN_OPT_RUN) {
        const tn_opt_command *command = tn_find_command(names.items[0]);
        if (command) tn_opt_help(command, stdout);
        if (!command) code = TN_EXIT_WRONG;
    }
    tn_opt_free(self, &none, &names);
    return code;
}

static const tn_opt opts[] = {{0}};

const tn_opt_command tn_cmd_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .missing = "",
    .summary = "Explains a command, or lists them all.",
    .about = "",
    .opts = opts,
    .most = 1,
    .run = run,
};
