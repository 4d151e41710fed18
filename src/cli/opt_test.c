#include "cli/opt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/cmd.h"

// -1: no limit
static int allocations_left = -1;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (allocations_left == 0) return NULL;
    if (allocations_left > 0) allocations_left--;
    return __real_calloc(count, size);
}

typedef struct fields {
    const char *text;
    tn_opt_list list, more;
    uint32_t flag, word, number;
} fields;

static const tn_opt_word words[] = {{"on", 1}, {"off", 2}, {NULL, 0}};
static const tn_opt_word all[] = {{"all", UINT32_MAX}, {NULL, 0}};

static const tn_opt opts[] = {
    {.names = "--flag -f", .help = "", .offset = offsetof(fields, flag), .least = 7},
    {.names = "--other", .help = "", .offset = offsetof(fields, flag), .least = 8},
    {.names = "--word -word",
     .value = "W",
     .help = "",
     .words = words,
     .offset = offsetof(fields, word),
     .kind = TN_OPT_WORD},
    {.names = "--number",
     .value = "N",
     .help = "",
     .words = all,
     .offset = offsetof(fields, number),
     .kind = TN_OPT_NUMBER,
     .least = 1,
     .most = 10},
    {.names = "--text -text",
     .value = "T",
     .help = "",
     .offset = offsetof(fields, text),
     .kind = TN_OPT_TEXT},
    {.names = "-L",
     .value = "L",
     .help = "",
     .offset = offsetof(fields, list),
     .kind = TN_OPT_LIST,
     .glued = true},
    {.names = "-Long",
     .value = "M",
     .help = "",
     .offset = offsetof(fields, more),
     .kind = TN_OPT_LIST},
    {0},
};

static const tn_opt_command command = {.name = "test",
                                       .operands = "IN",
                                       .missing = "nothing",
                                       .summary = "Tests.",
                                       .about = "",
                                       .opts = opts,
                                       .fewest = 1,
                                       .most = 2};

enum { ARGUMENTS = 12 };

// Parses arguments up to the first NULL.
static tn_opt_outcome parse(const char *const *arguments, fields *out, tn_opt_list *operands)
{
    char *copy[ARGUMENTS] = {NULL};
    int count = 0;
    for (; arguments[count]; count++) copy[count] = (char *)(uintptr_t)arguments[count];
    *out = (fields){0};
    *operands = (tn_opt_list){NULL, 0};
    return tn_opt_parse(&command, count, copy, out, operands);
}

#define ARGS(...) ((const char *const[ARGUMENTS]){__VA_ARGS__})

static void every_spelling_of_a_value_is_read(void **state)
{
    (void)state;
    fields f;
    tn_opt_list operands;
    assert_int_equal(
        parse(ARGS("--text", "a", "-word=off", "--number=10", "in", "-f"), &f, &operands),
        TN_OPT_RUN);
    assert_string_equal(f.text, "a");
    assert_int_equal(f.word, 2);
    assert_int_equal(f.number, 10);
    assert_int_equal(f.flag, 7);
    assert_int_equal(operands.count, 1);
    assert_string_equal(operands.items[0], "in");
    tn_opt_free(&command, &f, &operands);

    assert_int_equal(
        parse(ARGS("-text", "-", "--number", "all", "-", "--", "--flag"), &f, &operands),
        TN_OPT_RUN);
    assert_string_equal(f.text, "-");
    assert_true(f.number == UINT32_MAX);
    assert_int_equal(f.flag, 0);
    assert_int_equal(operands.count, 2);
    assert_string_equal(operands.items[0], "-");
    assert_string_equal(operands.items[1], "--flag");
    assert_null(operands.items[2]);
    tn_opt_free(&command, &f, &operands);
}

static void lists_keep_their_order_and_whole_names_come_first(void **state)
{
    (void)state;
    fields f;
    tn_opt_list operands;
    assert_int_equal(parse(ARGS("-L", "a", "-Lb", "-Long", "c", "-Long=d", "-L=e", "-Longer", "in"),
                           &f, &operands),
                     TN_OPT_RUN);
    static const char *const list[] = {"a", "b", "e", "onger"};
    assert_int_equal(f.list.count, 4);
    for (size_t i = 0; i < 4; i++) assert_string_equal(f.list.items[i], list[i]);
    assert_null(f.list.items[4]);
    assert_int_equal(f.more.count, 2);
    assert_string_equal(f.more.items[0], "c");
    assert_string_equal(f.more.items[1], "d");
    tn_opt_free(&command, &f, &operands);
    assert_null(f.list.items);
}

static void saying_it_twice_is_fine_contradicting_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *const arguments[ARGUMENTS];
        tn_opt_outcome outcome;
    } rows[] = {
        {{"in", "-f", "--flag"}, TN_OPT_RUN},
        {{"in", "--word=on", "-word", "on"}, TN_OPT_RUN},
        {{"in", "--text=a", "--text=a"}, TN_OPT_RUN},
        {{"in", "--flag", "--other"}, TN_OPT_WRONG},
        {{"in", "--word=on", "--word=off"}, TN_OPT_WRONG},
        {{"in", "--number=1", "--number=2"}, TN_OPT_WRONG},
        {{"in", "--text=a", "--text=b"}, TN_OPT_WRONG},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fields f;
        tn_opt_list operands;
        assert_int_equal(parse(rows[i].arguments, &f, &operands), rows[i].outcome);
        tn_opt_free(&command, &f, &operands);
    }
}

static void wrong_use_is_refused(void **state)
{
    (void)state;
    static const char *const rows[][ARGUMENTS] = {
        {NULL},
        {"in", "in", "in"},
        {"in", "--nothing"},
        {"in", "-x"},
        {"in", "--text"},
        {"in", "--text="},
        {"in", "--flag=1"},
        {"in", "--word", "of"},
        {"in", "--word=offf"},
        {"in", "--number", "0"},
        {"in", "--number", "11"},
        {"in", "--number", "-1"},
        {"in", "--number", " 1"},
        {"in", "--number", "1 "},
        {"in", "--number", "0x1"},
        {"in", "--number", "99999999999999999999"},
        {"in", "---flag"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fields f;
        tn_opt_list operands;
        assert_int_equal(parse(rows[i], &f, &operands), TN_OPT_WRONG);
        tn_opt_free(&command, &f, &operands);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        fields f;
        tn_opt_list operands;
        allocations_left = n;
        tn_opt_outcome outcome = parse(ARGS("in", "-La", "-Lb"), &f, &operands);
        allocations_left = -1;
        assert_int_equal(outcome, n < 3 ? TN_OPT_WRONG : TN_OPT_RUN);
        tn_opt_free(&command, &f, &operands);
    }
}

// What a table of options can be wrong about, in those of all commands.
static void tables_are_sound(void **state)
{
    (void)state;
    for (size_t c = 0; tn_commands[c]; c++) {
        const tn_opt_command *each = tn_commands[c];
        assert_true(each->fewest <= each->most);
        assert_true(*each->summary != '\0' && strchr(each->summary, '\n') == NULL);
        assert_true(*each->about == '\0' || each->about[strlen(each->about) - 1] == '\n');
        for (const tn_opt *opt = each->opts; opt->names; opt++) {
            assert_int_equal(opt->names[0], '-');
            assert_true(*opt->help != '\0');
            assert_true((opt->kind == TN_OPT_FLAG) == (opt->value == NULL));
            assert_true(opt->kind != TN_OPT_FLAG || opt->least > 0);
            assert_true(opt->kind != TN_OPT_WORD || opt->words);
            assert_true(opt->kind != TN_OPT_NUMBER || opt->least <= opt->most);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_of_a_value_is_read),
        cmocka_unit_test(lists_keep_their_order_and_whole_names_come_first),
        cmocka_unit_test(saying_it_twice_is_fine_contradicting_is_not),
        cmocka_unit_test(wrong_use_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(tables_are_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
