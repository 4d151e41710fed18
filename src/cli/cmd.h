// The commands, one file each.
#ifndef TENON_CLI_CMD_H_
#define TENON_CLI_CMD_H_

#include "cli/opt.h"

extern const tn_opt_command tn_cmd_compile;
extern const tn_opt_command tn_cmd_link;
extern const tn_opt_command tn_cmd_inspect;
extern const tn_opt_command tn_cmd_doctor;
extern const tn_opt_command tn_cmd_version;
extern const tn_opt_command tn_cmd_help;

/// All of them, in the order of help; ends with NULL.
extern const tn_opt_command *const tn_commands[];

/// Returns the command of that name. If there is none, says so with the nearest, and returns NULL.
const tn_opt_command *tn_find_command(const char *name);

/// Prints what `tenon help` prints.
void tn_print_overview(FILE *out);

#endif  // TENON_CLI_CMD_H_
