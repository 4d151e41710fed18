// Which of NVIDIA's libraries are used, and why not the others.
#include <string.h>

#include "cli/cmd.h"
#include "cli/json.h"
#include "cli/say.h"

typedef struct doctor_fields {
    uint32_t json;
} doctor_fields;

static const tn_opt opts[] = {
    {.names = "--json",
     .help = "Print JSON.",
     .offset = offsetof(doctor_fields, json),
     .kind = TN_OPT_FLAG,
     .least = 1},
    {0},
};

static const struct {
    tenon_library library;
    const char *key, *name, *needed_for;
} libraries[] = {
    {TENON_LIBRARY_NVJITLINK, "nvjitlink", "nvJitLink", "'tenon link'"},
    {TENON_LIBRARY_NVRTC, "nvrtc", "NVRTC", "'tenon compile'"},
    {TENON_LIBRARY_DRIVER, "driver", "driver",
     "running code on a GPU, and linking where there is no nvJitLink"},
};

enum { LIBRARIES = sizeof(libraries) / sizeof(libraries[0]) };

static const tenon_candidate *chosen(const tenon_toolkit_report *report, tenon_library library)
{
    for (size_t i = 0; i < tenon_toolkit_report_count(report); i++) {
        const tenon_candidate *candidate = tenon_toolkit_report_get(report, i);
        if (candidate->library == (uint32_t)library && candidate->state == TENON_CANDIDATE_CHOSEN) {
            return candidate;
        }
    }
    return NULL;
}

static const char *state_word(uint32_t state)
{
    switch (state) {
    case TENON_CANDIDATE_CHOSEN: return "chosen";
    case TENON_CANDIDATE_LATER: return "later";
    case TENON_CANDIDATE_UNUSABLE: return "unusable";
    default: return "absent";
    }
}

static void print_candidate(const tenon_candidate *candidate)
{
    printf("    %-15s  ", candidate->place);
    tn_print_safe(candidate->path, stdout);
    if (*candidate->version) printf(" (%s)", candidate->version);
    fputs(*candidate->path || *candidate->version ? ": " : "", stdout);
    tn_print_safe(*candidate->why ? candidate->why : "used", stdout);
    fputc('\n', stdout);
}

static void print_library(const tenon_toolkit_report *report, size_t which)
{
    const tenon_candidate *found = chosen(report, libraries[which].library);
    fputs(libraries[which].name, stdout);
    if (found) {
        printf(" %s: ", *found->version ? found->version : "of unknown version");
        tn_print_safe(found->path, stdout);
        fputc('\n', stdout);
    } else {
        printf(": not found; needed for %s\n", libraries[which].needed_for);
    }
    for (size_t i = 0; i < tenon_toolkit_report_count(report); i++) {
        const tenon_candidate *candidate = tenon_toolkit_report_get(report, i);
        if (candidate->library == (uint32_t)libraries[which].library) print_candidate(candidate);
    }
}

static void put_candidate(tn_json *json, const char *key, const tenon_candidate *candidate)
{
    tn_json_open(json, key, '{');
    tn_json_text(json, "place", candidate->place);
    tn_json_text(json, "path", candidate->path);
    tn_json_text(json, "version", candidate->version);
    tn_json_text(json, "state", state_word(candidate->state));
    tn_json_text(json, "why", candidate->why);
    tn_json_close(json, '}');
}

static void print_json(const tenon_toolkit_report *report, bool can_compile, bool can_link)
{
    tn_json json = {stdout, false};
    tn_json_open(&json, NULL, '{');
    tn_json_text(&json, "version", tenon_version());
    tn_json_bool(&json, "can_compile", can_compile);
    tn_json_bool(&json, "can_link", can_link);
    for (size_t which = 0; which < LIBRARIES; which++) {
        const tenon_candidate *found = chosen(report, libraries[which].library);
        tn_json_open(&json, libraries[which].key, '{');
        tn_json_bool(&json, "found", found);
        tn_json_text(&json, "path", found ? found->path : "");
        tn_json_text(&json, "version", found ? found->version : "");
        tn_json_open(&json, "candidates", '[');
        for (size_t i = 0; i < tenon_toolkit_report_count(report); i++) {
            const tenon_candidate *candidate = tenon_toolkit_report_get(report, i);
            if (candidate->library == (uint32_t)libraries[which].library) {
                put_candidate(&json, NULL, candidate);
            }
        }
        tn_json_close(&json, ']');
        tn_json_close(&json, '}');
    }
    tn_json_close(&json, '}');
    fputc('\n', stdout);
}

static int examine(bool as_json)
{
    tenon_toolkit_report *report = NULL;
    tenon_status *status = tenon_toolkit_scan(&report);
    if (status) return tn_say_status(status);
    bool driver = chosen(report, TENON_LIBRARY_DRIVER);
    bool can_compile = chosen(report, TENON_LIBRARY_NVRTC);
    bool can_link = driver || chosen(report, TENON_LIBRARY_NVJITLINK);
    if (as_json) {
        print_json(report, can_compile, can_link);
    } else {
        for (size_t which = 0; which < LIBRARIES; which++) print_library(report, which);
        printf("tenon %s can%s compile, and can%s link\n", tenon_version(),
               can_compile ? "" : "not", can_link ? "" : "not");
        if (!can_compile || !can_link) {
            fputs(
                "Install a CUDA toolkit, or NVIDIA's wheels nvidia-cuda-nvrtc and nvidia-nvjitlink "
                "in the "
                "active\nPython environment, or set TENON_CUDA_PATH to the folder of one.\n",
                stdout);
        }
    }
    tenon_toolkit_report_free(report);
    return can_compile && can_link ? TN_EXIT_DONE : TN_EXIT_FAILED;
}

static int run(const tn_opt_command *self, int argc, char **argv)
{
    doctor_fields fields = {0};
    tn_opt_list operands = {NULL, 0};
    tn_opt_outcome outcome = tn_opt_parse(self, argc, argv, &fields, &operands);
    int code = outcome == TN_OPT_WRONG ? TN_EXIT_WRONG : TN_EXIT_DONE;
    if (outcome == TN_OPT_RUN) code = examine(fields.json);
    tn_opt_free(self, &fields, &operands);
    return code;
}

const tn_opt_command tn_cmd_doctor = {
    .name = "doctor",
    .operands = "",
    .missing = "",
    .summary = "Tells which of NVIDIA's libraries are used, and why not the others.",
    .about = "Exit status 0 if tenon can compile and link here, otherwise 1.\n",
    .opts = opts,
    .run = run,
};
