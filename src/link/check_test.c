// Symbol tables made by hand: the rules of what fits, and the count of call paths.
#include "link/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 64 };

/// One unit under construction.
typedef struct unit {
    tenon_object object;
    tn_symbol symbols[MOST];
    tn_call calls[MOST * 4];
    uint32_t undefined[MOST];
    char names[MOST][32];
} unit;

static unit pool[MOST];

static unit *make(size_t i)
{
    unit *u = &pool[i];
    memset(u, 0, sizeof(*u));
    u->object.kind = TENON_KIND_CUBIN;
    u->object.symbols = u->symbols;
    u->object.calls = u->calls;
    u->object.undefined = u->undefined;
    return u;
}

static tn_symbol *add(unit *u, const char *name, uint32_t kind, uint32_t binding, uint32_t state)
{
    size_t i = u->object.symbol_count++;
    snprintf(u->names[i], sizeof(u->names[i]), "%s", name);
    size_t length = strlen(u->names[i]);
    u->symbols[i] = (tn_symbol){
        .symbol = {.name = u->names[i], .kind = kind, .binding = binding, .state = state},
        .hash = tn_map_hash(u->names[i], length),
        .length = (uint32_t)length};
    if (state == TENON_SYMBOL_UNDEFINED) u->undefined[u->object.undefined_count++] = (uint32_t)i;
    return &u->symbols[i];
}

static tn_symbol *define(unit *u, const char *name)
{
    return add(u, name, TENON_SYMBOL_FUNCTION, TENON_BINDING_GLOBAL, TENON_SYMBOL_DEFINED);
}

static tn_symbol *want(unit *u, const char *name)
{
    return add(u, name, TENON_SYMBOL_FUNCTION, TENON_BINDING_GLOBAL, TENON_SYMBOL_UNDEFINED);
}

static tn_symbol *variable(unit *u, const char *name, uint32_t state, uint64_t bytes,
                           uint32_t space)
{
    tn_symbol *s = add(u, name, TENON_SYMBOL_VARIABLE, TENON_BINDING_GLOBAL, state);
    s->symbol.bytes = bytes;
    s->symbol.space = space;
    return s;
}

static tn_unit list[MOST];

static tn_units units_of(size_t count)
{
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < count; i++) {
        list[i] = (tn_unit){&pool[i].object, i < 3 ? names[i] : "more", TENON_KIND_CUBIN};
    }
    return (tn_units){.items = list, .count = count};
}

/// Returns all problems of the first `count` units, undefined ones with them if `final`.
static const char *problems_of(size_t count, bool final)
{
    static char text[2048];
    tn_units units = units_of(count);
    tn_problems problems = {0};
    tn_globals globals = {0};
    assert_null(tn_globals_init(&units, &problems, &globals));
    if (final) tn_globals_undefined(&globals, &units, &problems);
    snprintf(text, sizeof(text), "%s", tn_buffer_text(&problems.message));
    tn_problems_deinit(&problems);
    tn_globals_deinit(&globals);
    return text;
}

static void a_definition_satisfies_a_want(void **state)
{
    (void)state;
    want(make(0), "f");
    define(make(1), "f");
    assert_string_equal(problems_of(2, true), "");
    assert_string_equal(problems_of(1, false), "");
    assert_string_equal(problems_of(1, true), "undefined: 'f', wanted by 'a'");
}

static void two_strong_definitions_name_both_in_order(void **state)
{
    (void)state;
    define(make(0), "f");
    define(make(1), "f");
    assert_string_equal(problems_of(2, false), "'f' is defined twice: first in 'a', again in 'b'");
    pool[1].symbols[0].symbol.binding = TENON_BINDING_WEAK;
    assert_string_equal(problems_of(2, false), "");
    pool[0].symbols[0].symbol.binding = TENON_BINDING_WEAK;
    assert_string_equal(problems_of(2, false), "");
}

static void local_names_stay_apart(void **state)
{
    (void)state;
    define(make(0), "f")->symbol.binding = TENON_BINDING_LOCAL;
    define(make(1), "f")->symbol.binding = TENON_BINDING_LOCAL;
    assert_string_equal(problems_of(2, true), "");
}

static void what_the_driver_provides_is_not_undefined(void **state)
{
    (void)state;
    want(make(0), "vprintf")->symbol.state = TENON_SYMBOL_DRIVER;
    want(&pool[0], "__UFT")->symbol.state = TENON_SYMBOL_OPTIONAL;
    assert_string_equal(problems_of(1, true), "");
}

static void sizes_spaces_kinds_and_prototypes_must_fit(void **state)
{
    (void)state;
    variable(make(0), "v", TENON_SYMBOL_DEFINED, 256, TENON_SPACE_GLOBAL);
    variable(make(1), "v", TENON_SYMBOL_UNDEFINED, 64, TENON_SPACE_UNKNOWN);
    assert_string_equal(problems_of(2, false),
                        "'v' has 256 bytes in 'a' and 64 bytes in 'b': the sizes differ");
    pool[1].symbols[0].symbol.bytes = 0;  // extern float v[];
    assert_string_equal(problems_of(2, false), "");
    pool[1].symbols[0].symbol.space = TENON_SPACE_CONSTANT;
    assert_non_null(strstr(problems_of(2, false), "the memory spaces differ"));
    pool[1].symbols[0].symbol.kind = TENON_SYMBOL_FUNCTION;
    assert_non_null(strstr(problems_of(2, false), "is a variable in 'a' and a function in 'b'"));

    want(make(0), "f")->prototype = 1;
    define(make(1), "f")->prototype = 2;
    assert_non_null(strstr(problems_of(2, false), "the prototypes differ"));
    pool[1].symbols[0].prototype = 0;
    assert_string_equal(problems_of(2, false), "");
}

static void every_use_is_compared_whatever_the_order(void **state)
{
    (void)state;
    variable(make(0), "v", TENON_SYMBOL_UNDEFINED, 0, TENON_SPACE_UNKNOWN);
    variable(make(1), "v", TENON_SYMBOL_UNDEFINED, 8, TENON_SPACE_GLOBAL);
    variable(make(2), "v", TENON_SYMBOL_DEFINED, 16, TENON_SPACE_CONSTANT);
    assert_non_null(
        strstr(problems_of(3, true), "constant memory in 'c' and in global memory in 'b'"));
    variable(make(2), "v", TENON_SYMBOL_DEFINED, 16, TENON_SPACE_GLOBAL);
    assert_non_null(strstr(problems_of(3, true), "has 16 bytes in 'c' and 8 bytes in 'b'"));
}

static void two_definitions_of_other_sizes_say_both(void **state)
{
    (void)state;
    variable(make(0), "v", TENON_SYMBOL_DEFINED, 256, TENON_SPACE_GLOBAL);
    variable(make(1), "v", TENON_SYMBOL_DEFINED, 64, TENON_SPACE_GLOBAL);
    assert_string_equal(
        problems_of(2, false),
        "'v' is defined twice, and the sizes differ: first in 'a' (256 bytes), again in "
        "'b' (64 bytes)");
    pool[0].symbols[0].symbol.state = pool[1].symbols[0].symbol.state = TENON_SYMBOL_COMMON;
    assert_string_equal(problems_of(2, false), "");
}

/// Units of which each calls the next three, in the form that the vendor cannot end; returns the
/// paths.
static double dense_paths(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unit *u = make(i);
        char name[32];
        snprintf(name, sizeof(name), "f%zu", i);
        define(u, name)->symbol.kind = i == 0 ? TENON_SYMBOL_KERNEL : TENON_SYMBOL_FUNCTION;
        for (size_t k = i + 1; k < i + 4 && k < count; k++) {
            snprintf(name, sizeof(name), "f%zu", k);
            want(u, name);
            u->calls[u->object.call_count] = (tn_call){0, (uint32_t)u->object.call_count + 1};
            u->object.call_count++;
        }
    }
    tn_units units = units_of(count);
    tn_problems problems = {0};
    tn_globals globals = {0};
    assert_null(tn_globals_init(&units, &problems, &globals));
    double paths = tn_globals_call_paths(&globals, &units);
    tn_globals_deinit(&globals);
    return paths;
}

/// The same by its recurrence: p(i) = 1 + p(i+1) + p(i+2) + p(i+3).
static double expected_paths(size_t count)
{
    double p[MOST + 3] = {0};
    for (size_t i = count; i-- > 0;) p[i] = 1 + p[i + 1] + p[i + 2] + p[i + 3];
    return p[0];
}

static void call_paths_are_counted(void **state)
{
    (void)state;
    assert_true(dense_paths(8) == 0);  // too few calls to matter
    assert_true(dense_paths(20) == expected_paths(20));
    assert_true(dense_paths(40) == expected_paths(40));
    assert_true(dense_paths(60) > 1e15);
}

static void recursion_ends_a_path(void **state)
{
    (void)state;
    unit *u = make(0);
    define(u, "k")->symbol.kind = TENON_SYMBOL_KERNEL;
    define(u, "f");
    define(u, "g");
    for (size_t i = 0; i < 45; i++) {
        static const tn_call calls[] = {{0, 1}, {1, 2}, {2, 1}};
        u->calls[u->object.call_count++] = calls[i % 3];
    }
    tn_units units = units_of(1);
    tn_problems problems = {0};
    tn_globals globals = {0};
    assert_null(tn_globals_init(&units, &problems, &globals));
    assert_true(tn_globals_call_paths(&globals, &units) > 1);
    tn_globals_deinit(&globals);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_definition_satisfies_a_want),
        cmocka_unit_test(two_strong_definitions_name_both_in_order),
        cmocka_unit_test(local_names_stay_apart),
        cmocka_unit_test(what_the_driver_provides_is_not_undefined),
        cmocka_unit_test(sizes_spaces_kinds_and_prototypes_must_fit),
        cmocka_unit_test(every_use_is_compared_whatever_the_order),
        cmocka_unit_test(two_definitions_of_other_sizes_say_both),
        cmocka_unit_test(call_paths_are_counted),
        cmocka_unit_test(recursion_ends_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
