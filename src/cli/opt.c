#include "cli/opt.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/near.h"
#include "cli/say.h"

enum { NAME = 64 };

/// One parse, and what was given for each option, to see contradictions.
typedef struct parse {
    const tn_opt_command *command;
    char *fields;
    tn_opt_list *operands;
    const char **given;  // of each option: its value or, for a flag, its name as it was written
    size_t room;         // of every list
} parse;

/// How an argument and an option agree.
typedef struct match {
    const tn_opt *opt;
    const char *value;  // behind "=" or glued; NULL: none was given
} match;

/// Copies the i-th of some names that spaces separate to `buffer`; false if there are fewer.
static bool name_at(const char *names, size_t i, char *buffer)
{
    for (; i > 0; i--) {
        names = strchr(names, ' ');
        if (!names) return false;
        names++;
    }
    snprintf(buffer, NAME, "%.*s", (int)strcspn(names, " "), names);
    return true;
}

static bool match_name(const tn_opt *opt, const char *name, const char *argument, bool glued,
                       match *out)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0) return false;
    const char *rest = argument + length;
    if (*rest == '\0') {
        *out = (match){opt, NULL};
    } else if (glued && opt->glued) {
        *out = (match){opt, rest};
    } else if (!glued && *rest == '=') {
        *out = (match){opt, rest + 1};
    } else {
        return false;
    }
    return true;
}

static bool find(const tn_opt_command *command, const char *argument, match *out)
{
    // Whole names first: "-Xptxas" is no glued "-X".
    for (int glued = 0; glued < 2; glued++) {
        for (const tn_opt *opt = command->opts; opt->names; opt++) {
            char name[NAME];
            for (size_t i = 0; name_at(opt->names, i, name); i++) {
                if (match_name(opt, name, argument, glued, out)) return true;
            }
        }
    }
    return false;
}

static bool unknown(const parse *p, const char *argument)
{
    char word[NAME];
    char name[NAME];
    snprintf(word, sizeof(word), "%.*s", (int)strcspn(argument, "="), argument);
    tn_near near;
    tn_near_init(&near, word);
    for (const tn_opt *opt = p->command->opts; opt->names; opt++) {
        for (size_t i = 0; name_at(opt->names, i, name); i++) tn_near_try(&near, name);
    }
    if (near.best[0]) {
        tn_say_wrong(p->command->name, "unknown option '%s'; did you mean '%s'?", word, near.best);
    } else {
        tn_say_wrong(p->command->name, "unknown option '%s'", word);
    }
    return false;
}

static bool add(parse *p, tn_opt_list *list, const char *text)
{
    if (!list->items) list->items = calloc(p->room, sizeof(*list->items));
    if (!list->items) {
        tn_say_error("out of memory");
        return false;
    }
    list->items[list->count++] = text;
    return true;
}

static bool find_word(const tn_opt_word *words, const char *text, uint32_t *out)
{
    for (; words && words->text; words++) {
        if (strcmp(words->text, text) != 0) continue;
        *out = words->value;
        return true;
    }
    return false;
}

static bool wrong_word(const parse *p, const char *name, const tn_opt *opt, const char *text)
{
    char all[256] = "";
    size_t length = 0;
    tn_near near;
    tn_near_init(&near, text);
    for (const tn_opt_word *word = opt->words; word->text && length < sizeof(all); word++) {
        length += (size_t)snprintf(all + length, sizeof(all) - length, "%s%s", length ? ", " : "",
                                   word->text);
        tn_near_try(&near, word->text);
    }
    tn_say_wrong(p->command->name, "%s is '%s', but can only be one of: %s%s%s%s", name, text, all,
                 near.best[0] ? "; did you mean '" : "", near.best, near.best[0] ? "'?" : "");
    return false;
}

static bool read_number(const parse *p, const char *name, const tn_opt *opt, const char *text,
                        uint32_t *out)
{
    if (find_word(opt->words, text, out)) return true;
    char *end = NULL;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    bool good = isdigit((unsigned char)*text) && *end == '\0' && errno == 0 &&
                value >= opt->least && value <= opt->most;
    if (good) {
        *out = (uint32_t)value;
        return true;
    }
    tn_say_wrong(p->command->name, "%s is '%s', but has to be a number from %u to %u%s%s", name,
                 text, opt->least, opt->most, opt->words ? ", or " : "",
                 opt->words ? opt->words->text : "");
    return false;
}

/// Finds what was given before for the same field; SIZE_MAX: nothing.
static size_t given_before(const parse *p, const tn_opt *opt)
{
    for (size_t i = 0; p->command->opts[i].names; i++) {
        if (p->given[i] && p->command->opts[i].offset == opt->offset) return i;
    }
    return SIZE_MAX;
}

static bool contradiction(const parse *p, size_t before, const char *name, const char *text)
{
    const tn_opt *other = &p->command->opts[before];
    bool flag = other->kind == TN_OPT_FLAG;
    char first[NAME];
    name_at(other->names, 0, first);
    tn_say_wrong(p->command->name, "%s%s%s and %s%s%s contradict each other",
                 flag ? p->given[before] : first, flag ? "" : " ", flag ? "" : p->given[before],
                 name, *text ? " " : "", text);
    return false;
}

/// Reads a value that is a number in the end.
static bool read_value(const parse *p, const tn_opt *opt, const char *name, const char *text,
                       uint32_t *out)
{
    switch (opt->kind) {
    case TN_OPT_WORD: return find_word(opt->words, text, out) || wrong_word(p, name, opt, text);
    case TN_OPT_NUMBER: return read_number(p, name, opt, text, out);
    default: *out = opt->least; return true;
    }
}

/// Sets what an option is for. A second value has to be the first one again: which of two was
/// meant, nobody can know. `text` is "" for a flag.
static bool set(parse *p, const tn_opt *opt, const char *name, const char *text)
{
    char *field = p->fields + opt->offset;
    size_t before = given_before(p, opt);
    if (opt->kind == TN_OPT_LIST) return add(p, (tn_opt_list *)(void *)field, text);
    if (opt->kind == TN_OPT_TEXT) {
        if (before != SIZE_MAX && strcmp(p->given[before], text) != 0) {
            return contradiction(p, before, name, text);
        }
        memcpy(field, (const void *)&text, sizeof(text));
        p->given[opt - p->command->opts] = text;
        return true;
    }
    uint32_t number = 0;
    if (!read_value(p, opt, name, text, &number)) return false;
    if (before != SIZE_MAX && memcmp(field, &number, sizeof(number)) != 0) {
        return contradiction(p, before, name, text);
    }
    memcpy(field, &number, sizeof(number));
    p->given[opt - p->command->opts] = *text ? text : name;
    return true;
}

/// Reads the option at `argv[*at]`, and its value if that is the next argument.
static bool read_option(parse *p, int argc, char **argv, int *at)
{
    const char *argument = argv[*at];
    match found;
    if (!find(p->command, argument, &found)) return unknown(p, argument);
    // As it was written, without the value.
    char name[NAME];
    size_t length = strlen(argument);
    if (found.value) length -= strlen(found.value) + (found.value[-1] == '=' ? 1 : 0);
    snprintf(name, sizeof(name), "%.*s", (int)length, argument);

    if (found.opt->kind == TN_OPT_FLAG) {
        if (found.value) {
            tn_say_wrong(p->command->name, "%s takes no value, but has '%s'", name, found.value);
            return false;
        }
        return set(p, found.opt, argument, "");
    }
    if (!found.value) {
        if (*at + 1 >= argc) {
            tn_say_wrong(p->command->name, "%s needs a value (%s)", name, found.opt->value);
            return false;
        }
        found.value = argv[++*at];
    }
    if (*found.value == '\0') {
        tn_say_wrong(p->command->name, "the value (%s) of %s is empty", found.opt->value, name);
        return false;
    }
    return set(p, found.opt, name, found.value);
}

static bool check_operands(const parse *p)
{
    const tn_opt_command *command = p->command;
    const tn_opt_list *operands = p->operands;
    if (operands->count < command->fewest) {
        tn_say_wrong(command->name, "%s", command->missing);
        return false;
    }
    if (operands->count > command->most) {
        tn_say_wrong(command->name, "'%s' is one argument too many",
                     operands->items[command->most]);
        return false;
    }
    return true;
}

static bool is_help(const char *argument)
{
    return strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
}

static tn_opt_outcome read_all(parse *p, int argc, char **argv)
{
    bool options_end = false;
    for (int i = 0; i < argc; i++) {
        bool good = true;
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (options_end || argv[i][0] != '-' || argv[i][1] == '\0') {
            good = add(p, p->operands, argv[i]);
        } else if (is_help(argv[i])) {
            tn_opt_help(p->command, stdout);
            return TN_OPT_DONE;
        } else {
            good = read_option(p, argc, argv, &i);
        }
        if (!good) return TN_OPT_WRONG;
    }
    return check_operands(p) ? TN_OPT_RUN : TN_OPT_WRONG;
}

tn_opt_outcome tn_opt_parse(const tn_opt_command *command, int argc, char **argv, void *fields,
                            tn_opt_list *operands)
{
    size_t count = 0;
    while (command->opts[count].names) count++;
    parse p = {command, fields, operands, NULL, (size_t)argc + 1};
    p.given = calloc(count + 1, sizeof(*p.given));
    if (!p.given) {
        tn_say_error("out of memory");
        return TN_OPT_WRONG;
    }
    tn_opt_outcome outcome = read_all(&p, argc, argv);
    free(p.given);
    return outcome;
}

void tn_opt_free(const tn_opt_command *command, void *fields, tn_opt_list *operands)
{
    free(operands->items);
    *operands = (tn_opt_list){NULL, 0};
    for (const tn_opt *opt = command->opts; opt->names; opt++) {
        if (opt->kind != TN_OPT_LIST) continue;
        tn_opt_list *list = (tn_opt_list *)(void *)((char *)fields + opt->offset);
        free(list->items);
        *list = (tn_opt_list){NULL, 0};
    }
}

/// Prints text whose lines begin in a column of their own.
static void print_help_text(const char *text, size_t at, FILE *out)
{
    enum { COLUMN = 34 };
    if (at + 2 > COLUMN) {
        fputc('\n', out);
        at = 0;
    }
    while (*text) {
        size_t length = strcspn(text, "\n");
        fprintf(out, "%*s%.*s\n", (int)(COLUMN - at), "", (int)length, text);
        text += length + (text[length] == '\n');
        at = 0;
    }
}

static void print_option(const tn_opt *opt, FILE *out)
{
    char label[2 * NAME + 64];
    char name[NAME];
    // Short names first, and long ones below each other.
    name_at(opt->names, 0, name);
    bool is_long = name[1] == '-';
    int length = snprintf(label, sizeof(label), "  %s%s", is_long ? "    " : "", name);
    if (!is_long && name_at(opt->names, 1, name) && name[1] == '-') {
        length += snprintf(label + length, sizeof(label) - (size_t)length, ", %s", name);
    }
    if (opt->value) {
        length += snprintf(label + length, sizeof(label) - (size_t)length, " %s", opt->value);
    }
    fputs(label, out);
    print_help_text(opt->help, (size_t)length, out);
}

void tn_opt_help(const tn_opt_command *command, FILE *out)
{
    fprintf(out, "usage: tenon %s", command->name);
    if (command->opts[0].names) fputs(" [OPTION]...", out);
    if (*command->operands) fprintf(out, " %s", command->operands);
    fprintf(out, "\n\n%s\n", command->summary);
    if (command->opts[0].names) fputs("\noptions:\n", out);
    for (const tn_opt *opt = command->opts; opt->names; opt++) print_option(opt, out);
    if (*command->about) fprintf(out, "\n%s", command->about);
}
