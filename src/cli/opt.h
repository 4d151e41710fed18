// Options as data. A command is one table; parsing, help and errors all come from it, so that they
// cannot differ.
#ifndef TENON_CLI_OPT_H_
#define TENON_CLI_OPT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum tn_opt_kind {
    TN_OPT_FLAG,    ///< No value; sets an uint32_t to `fixed`.
    TN_OPT_WORD,    ///< One of `words`; sets an uint32_t.
    TN_OPT_NUMBER,  ///< From `least` to `most`, or one of `words`; sets an uint32_t.
    TN_OPT_TEXT,    ///< Sets a const char *.
    TN_OPT_LIST,    ///< May be repeated; adds to a tn_opt_list.
} tn_opt_kind;

/// A word that stands for a value. A list of them ends with a NULL text.
typedef struct tn_opt_word {
    const char *text;
    uint32_t value;
} tn_opt_word;

/// Texts in the order of the command line; `items` is NULL or ends with NULL.
typedef struct tn_opt_list {
    const char **items;
    size_t count;
} tn_opt_list;

/// One option: a value follows each of its names as the next argument or behind "=".
typedef struct tn_opt {
    const char *names;         ///< Separated by spaces; help shows the first two.
    const char *value;         ///< What help calls the value; NULL for a flag.
    const char *help;          ///< Lines separated by "\n".
    const tn_opt_word *words;  ///< NULL: none.
    size_t offset;             ///< Of what it sets, in the command's struct.
    tn_opt_kind kind;
    uint32_t least, most;  ///< Of a number; of a flag, both are what it sets.
    bool glued;            ///< The value may also follow a name directly, as in -Ifolder.
} tn_opt;

typedef struct tn_opt_command {
    const char *name;
    const char *operands;  ///< As usage shows them, such as "IN..."; "" if it takes none.
    const char *missing;   ///< What to say if there are too few.
    const char *summary;   ///< One line.
    const char *about;     ///< More, behind the options; "" or lines that end with "\n".
    const tn_opt *opts;    ///< Ends with NULL names.
    size_t fewest, most;   ///< How many operands.
    int (*run)(const struct tn_opt_command *self, int argc,
               char **argv);  ///< Returns the exit status.
} tn_opt_command;

typedef enum tn_opt_outcome {
    TN_OPT_RUN,    ///< Go on.
    TN_OPT_DONE,   ///< Help was printed.
    TN_OPT_WRONG,  ///< Wrong use, or no memory; which was said.
} tn_opt_outcome;

/// Reads the `argc` arguments behind the command's name into `fields`, which is zero or holds
/// defaults, and `*operands`, which is zero. Texts point into `argv`. Free the lists with
/// tn_opt_free(), whatever the outcome.
tn_opt_outcome tn_opt_parse(const tn_opt_command *command, int argc, char **argv, void *fields,
                            tn_opt_list *operands);

/// Frees the lists in `fields` and `operands`.
void tn_opt_free(const tn_opt_command *command, void *fields, tn_opt_list *operands);

/// Prints usage, options and what else there is to say.
void tn_opt_help(const tn_opt_command *command, FILE *out);

#endif  // TENON_CLI_OPT_H_
