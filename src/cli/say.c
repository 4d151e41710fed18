#include "cli/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool coloured(FILE *out)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return (!no || !*no) && term && strcmp(term, "dumb") != 0 && isatty(fileno(out));
}

/// Prints up to `size` bytes; of control characters, those in `keep` as they are.
static void print_some(const char *text, size_t size, const char *keep, FILE *out)
{
    for (const char *end = text + size; text < end; text++) {
        unsigned char c = (unsigned char)*text;
        if ((c < 0x20 && !strchr(keep, c)) || c == 0x7f) {
            fprintf(out, "\\x%02x", c);
        } else {
            fputc(c, out);
        }
    }
}

void tn_print_safe(const char *text, FILE *out)
{
    print_some(text, strlen(text), "", out);
}

/// Prints "tenon: word: text" as one line.
static void print_line(const char *word, const char *colour, const char *text, size_t size)
{
    bool colours = coloured(stderr);
    fprintf(stderr, "tenon: %s%s:%s ", colours ? colour : "", word, colours ? "\033[0m" : "");
    print_some(text, size, "", stderr);
    fputc('\n', stderr);
}

static void print_error(const char *text)
{
    print_line("error", "\033[1;31m", text, strlen(text));
}

TENON_PRINTF(1, 0) static void print_formatted(const char *format, va_list args)
{
    char *text = NULL;
    print_error(vasprintf(&text, format, args) < 0 ? "out of memory" : text);
    free(text);
}

void tn_say_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_formatted(format, args);
    va_end(args);
}

int tn_say_wrong(const char *command, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    if (length < 0) {
        print_error("out of memory");
    } else if (command) {
        tn_say_error("%s: %s (see 'tenon help %s')", command, text, command);
    } else {
        tn_say_error("%s (see 'tenon help')", text);
    }
    free(length < 0 ? NULL : text);
    return TN_EXIT_WRONG;
}

/// What a log holds depends on who made it.
static const char *log_title(const tenon_status *status)
{
    const char *log = tenon_status_log(status);
    if (tenon_status_code(status) == TENON_UNAVAILABLE) return "where it was looked for";
    return strncmp(log, "tenon: ", strlen("tenon: ")) == 0 ? "log" : "log of the vendor's tool";
}

static void print_whole(const char *log)
{
    size_t size = strlen(log);
    print_some(log, size, "\n\t", stderr);
    if (size && log[size - 1] != '\n') fputc('\n', stderr);
}

int tn_say_status(tenon_status *status)
{
    const char *log = tenon_status_log(status);
    print_error(tenon_status_message(status));
    if (*log) {
        fprintf(stderr, "--- %s\n", log_title(status));
        print_whole(log);
    }
    tenon_status_free(status);
    return TN_EXIT_FAILED;
}

void tn_say_log(const char *log, int whole)
{
    static const char own[] = "tenon: ";
    if (whole) {
        print_whole(log);
        return;
    }
    while (*log) {
        if (strncmp(log, own, strlen(own)) == 0) log += strlen(own);
        size_t length = strcspn(log, "\n");
        // nvJitLink 13.5 tells of its own containers so in every LTO link.
        bool chatter = strncmp(log, "INFO: ", strlen("INFO: ")) == 0;
        if (length && !chatter) print_line("note", "\033[1;36m", log, length);
        log += length + (log[length] == '\n');
    }
}

int tn_close_stdout(int code)
{
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed |= fflush(stdout) != 0;
    int error = errno;
    // Who closed the other end of a pipe has seen enough; there is nobody to tell.
    if (failed && error != EPIPE) {
        tn_say_error("cannot write to standard output%s%s", error ? ": " : "",
                     error ? strerror(error) : "");
    }
    return failed && code == TN_EXIT_DONE ? TN_EXIT_FAILED : code;
}
