#include "link/problems.h"

#include <string.h>

#include "tenon/object.h"

enum { SHOWN = 16 };

void tn_problems_add(tn_problems *problems, const char *format, ...)
{
    tn_buffer text = {0};
    va_list args;
    va_start(args, format);
    tn_buffer_vprint(&text, format, args);
    va_end(args);
    if (problems->count < SHOWN) {
        tn_buffer_print(&problems->message, "%s%s", problems->count ? "; " : "",
                        tn_buffer_text(&text));
    }
    tn_buffer_print(&problems->lines, "tenon: %s\n", tn_buffer_text(&text));
    problems->count++;
    tn_buffer_deinit(&text);
}

void tn_problems_deinit(tn_problems *problems)
{
    tn_buffer_deinit(&problems->message);
    tn_buffer_deinit(&problems->lines);
    *problems = (tn_problems){0};
}

tenon_status *tn_problems_status(tn_problems *problems, tenon_code code)
{
    if (problems->count == 0) return NULL;
    if (problems->count > SHOWN) {
        tn_buffer_print(&problems->message, "; and %zu more (the log has all)",
                        problems->count - SHOWN);
    }
    tenon_status *status = tenon_status_make(code, "%s", tn_buffer_text(&problems->message));
    if (problems->count > SHOWN) {
        tenon_status_add_log(status, "%s", tn_buffer_text(&problems->lines));
    }
    tn_problems_deinit(problems);
    return status;
}

void tn_print_symbol(tn_buffer *out, const char *name)
{
    char plain[512];
    tenon_demangle(name, plain, sizeof(plain));
    if (strcmp(plain, name) == 0) {
        tn_buffer_print(out, "'%s'", name);
    } else {
        tn_buffer_print(out, "'%s' [%s]", plain, name);
    }
}
