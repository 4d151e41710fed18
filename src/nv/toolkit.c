// The public face of src/nv: which libraries this process uses, and what else there would be.
#include "nv/toolkit.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "core/try.h"
#include "nv/driver.h"
#include "nv/nvjitlink.h"
#include "nv/nvrtc.h"

static const tn_vendor *const vendors[] = {&tn_driver_vendor, &tn_nvrtc_vendor,
                                           &tn_nvjitlink_vendor};

struct tenon_toolkit_report {
    tenon_candidate *items;
    size_t count, capacity;
    bool failed;  // memory ran out
};

tenon_status *tenon_toolkit_select(const char *root)
{
    return tn_search_select(root);
}

typedef struct identity {
    const char *path;
    uint32_t major, minor;
} identity;

/// Binds a library that a scan found, to see whether it could be used.
static tenon_status *probe(tenon_library library, void *handle, identity *out_identity)
{
    tn_driver driver = {0};
    tn_nvrtc nvrtc = {0};
    tn_nvjitlink nvjitlink = {0};
    switch (library) {
    case TENON_LIBRARY_DRIVER:
        TN_TRY(tn_driver_load(handle, &driver));
        *out_identity = (identity){driver.path, driver.major, driver.minor};
        return NULL;
    case TENON_LIBRARY_NVRTC:
        TN_TRY(tn_nvrtc_load(handle, &nvrtc));
        *out_identity = (identity){nvrtc.path, nvrtc.major, nvrtc.minor};
        return NULL;
    case TENON_LIBRARY_NVJITLINK:
        TN_TRY(tn_nvjitlink_load(handle, &nvjitlink));
        *out_identity = (identity){nvjitlink.path, nvjitlink.major, nvjitlink.minor};
        return NULL;
    }
    return tenon_status_make(TENON_INVALID_ARGUMENT, "library: no such library, %d", (int)library);
}

/// A scan of the places of one library.
typedef struct scan {
    tenon_toolkit_report *report;
    const tn_vendor *vendor;
    size_t first;  // the first candidate of this library
    bool forced;   // a variable names the file, so no other will do
} scan;

static const tenon_candidate *chosen_so_far(const scan *s)
{
    for (size_t i = s->first; i < s->report->count; i++) {
        if (s->report->items[i].state == TENON_CANDIDATE_CHOSEN) return &s->report->items[i];
    }
    return NULL;
}

static void free_candidate(const tenon_candidate *item)
{
    free((void *)item->path);
    free((void *)item->version);
    free((void *)item->why);
}

static void add(scan *s, const tn_sighting *sighting, tenon_candidate_state state,
                const char *version_text, const char *why)
{
    tenon_toolkit_report *report = s->report;
    tenon_candidate item = {.place = sighting->place,
                            .path = strdup(sighting->path),
                            .version = strdup(version_text),
                            .why = strdup(why),
                            .library = (uint32_t)s->vendor->library,
                            .state = (uint32_t)state};
    tenon_candidate *items = tn_grow(report->items, report->count, &report->capacity, sizeof(item));
    if (items) report->items = items;
    if (!items || !item.path || !item.version || !item.why) {
        free_candidate(&item);
        report->failed = true;
        return;
    }
    items[report->count++] = item;
}

static bool same_file(const char *a, const char *b)
{
    char first[PATH_MAX], second[PATH_MAX];
    return realpath(a, first) && realpath(b, second) && strcmp(first, second) == 0;
}

static bool look(void *data, const tn_sighting *sighting)
{
    scan *s = data;
    char text[32] = "", why[256] = "";
    identity id = {0};
    s->forced = s->forced || sighting->forced;
    if (!sighting->handle) {
        bool unusable = sighting->file_exists;
        add(s, sighting, unusable ? TENON_CANDIDATE_UNUSABLE : TENON_CANDIDATE_ABSENT, "",
            sighting->why);
        return s->report->failed;
    }
    tenon_status *status = probe(s->vendor->library, sighting->handle, &id);
    if (status) {
        s->report->failed = tenon_status_code(status) == TENON_OUT_OF_MEMORY;
        add(s, sighting, TENON_CANDIDATE_UNUSABLE, "", tenon_status_message(status));
        tenon_status_free(status);
        return s->report->failed;
    }
    if (id.major) snprintf(text, sizeof(text), "%u.%u", id.major, id.minor);
    const tenon_candidate *chosen = chosen_so_far(s);
    bool later = chosen || (s->forced && !sighting->forced);
    if (chosen) {
        snprintf(why, sizeof(why), "%s %s", chosen->place,
                 same_file(chosen->path, sighting->path) ? "has the same file" : "comes first");
    } else if (later) {
        snprintf(why, sizeof(why), "%s names another file", s->vendor->variable);
    }
    add(s, sighting, later ? TENON_CANDIDATE_LATER : TENON_CANDIDATE_CHOSEN, text, why);
    return s->report->failed;
}

static tenon_status *scan_library(const tn_vendor *vendor, tenon_toolkit_report *report)
{
    scan s = {report, vendor, report->count, false};
    tn_places places = {0};
    TN_TRY(tn_search_places(vendor, &places));
    // Once a library is loaded, the loader takes it for whatever has its name. So it is asked
    // first.
    for (size_t i = 0; vendor->files[i]; i++) tn_search_loader(vendor->files[i]);
    tenon_status *status = tn_search(vendor, &places, look, &s);
    tn_places_deinit(&places);
    if (!status && report->failed) {
        status = tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the report");
    }
    return status;
}

tenon_status *tenon_toolkit_scan(tenon_toolkit_report **out_report)
{
    tenon_toolkit_report *report = calloc(1, sizeof(*report));
    if (!report) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the report");
    for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
        tenon_status *status = scan_library(vendors[i], report);
        if (status) {
            tenon_toolkit_report_free(report);
            return status;
        }
    }
    *out_report = report;
    return NULL;
}

size_t tenon_toolkit_report_count(const tenon_toolkit_report *report)
{
    return report->count;
}

const tenon_candidate *tenon_toolkit_report_get(const tenon_toolkit_report *report, size_t index)
{
    return index < report->count ? &report->items[index] : NULL;
}

void tenon_toolkit_report_free(tenon_toolkit_report *report)
{
    if (!report) return;
    for (size_t i = 0; i < report->count; i++) free_candidate(&report->items[i]);
    free(report->items);
    free(report);
}

tenon_status *tenon_toolkit_library(tenon_library library, const char **out_path,
                                    uint32_t *out_major, uint32_t *out_minor)
{
    identity id = {0};
    const tn_driver *driver = NULL;
    const tn_nvrtc *nvrtc = NULL;
    const tn_nvjitlink *nvjitlink = NULL;
    switch (library) {
    case TENON_LIBRARY_DRIVER:
        TN_TRY(tn_driver_get(&driver));
        id = (identity){driver->path, driver->major, driver->minor};
        break;
    case TENON_LIBRARY_NVRTC:
        TN_TRY(tn_nvrtc_get(&nvrtc));
        id = (identity){nvrtc->path, nvrtc->major, nvrtc->minor};
        break;
    case TENON_LIBRARY_NVJITLINK:
        TN_TRY(tn_nvjitlink_get(&nvjitlink));
        id = (identity){nvjitlink->path, nvjitlink->major, nvjitlink->minor};
        break;
    default:
        return tenon_status_make(TENON_INVALID_ARGUMENT, "library: no such library, %d",
                                 (int)library);
    }
    *out_path = id.path;
    *out_major = id.major;
    *out_minor = id.minor;
    return NULL;
}

/// Appends a folder with its NUL, if it has CUDA's headers, and the folder of CCCL below it.
static bool append_include(const char *folder, tn_buffer *out)
{
    static const char *const marks[] = {"cuda_runtime.h", "cuda_fp16.h", "crt/host_defines.h"};
    char path[PATH_MAX];
    bool found = false;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]) && !found; i++) {
        int length = snprintf(path, sizeof(path), "%s/%s", folder, marks[i]);
        found = length > 0 && (size_t)length < sizeof(path) && tn_file_exists(path);
    }
    if (!found) return false;
    tn_buffer_append(out, folder, strlen(folder) + 1);
    int length = snprintf(path, sizeof(path), "%s/cccl", folder);
    if (length > 0 && (size_t)length < sizeof(path) && tn_file_exists(path)) {
        tn_buffer_append(out, path, (size_t)length + 1);
    }
    return true;
}

/// Appends what lies beside a folder of libraries: include of a toolkit and of nvidia/cu13, or the
/// folders that the wheels of CUDA 12 have each for themselves.
static bool append_beside(const char *library_folder, tn_buffer *out)
{
    static const char *const beside[] = {"../include", "../../cuda_runtime/include",
                                         "../../cuda_cccl/include", "../../cuda_nvrtc/include"};
    bool found = false;
    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
        char path[PATH_MAX + 64], real[PATH_MAX];
        snprintf(path, sizeof(path), "%s/%s", library_folder, beside[i]);
        // /usr/include would bring the host's C library with it.
        if (!realpath(path, real) || strcmp(real, "/usr/include") == 0) continue;
        if (append_include(real, out)) {
            found = true;
        } else if (i == 2 && found) {
            tn_buffer_append(out, real, strlen(real) + 1);  // CCCL has none of CUDA's own headers
        }
    }
    return found;
}

static bool beside_file(const char *file, tn_buffer *out)
{
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof(folder), "%s", file);
    char *slash = strrchr(folder, '/');
    if (length < 0 || (size_t)length >= sizeof(folder) || !slash) return false;
    *slash = '\0';
    if (append_beside(folder, out)) return true;
    if (!realpath(file, folder)) return false;
    slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return append_beside(folder, out);
}

/// Reads CUDART_VERSION, 13000 for 13.0, from the headers of a folder; 0 if it is not there.
static long header_version(const char *folder)
{
    static const char mark[] = "#define CUDART_VERSION";
    char text[PATH_MAX + 32];
    snprintf(text, sizeof(text), "%s/cuda_runtime_api.h", folder);
    FILE *stream = fopen(text, "re");
    long found = 0;
    while (stream && !found && fgets(text, sizeof(text), stream)) {
        if (strncmp(text, mark, sizeof(mark) - 1) == 0) {
            found = strtol(text + sizeof(mark) - 1, NULL, 10);
        }
    }
    if (stream) fclose(stream);
    return found;
}

/// NVRTC alone, as its wheel is: the headers of another place will do if their major version fits.
static void append_from_places(const tn_places *places, uint32_t major, tn_buffer *out)
{
    static const char *const folders[] = {"include", "cu13/include", "cuda_runtime/include"};
    for (size_t i = 0; i < places->count; i++) {
        const tn_place *place = &places->items[i];
        for (size_t k = 0; k < sizeof(folders) / sizeof(folders[0]) && !place->absent; k++) {
            char path[PATH_MAX], real[PATH_MAX];
            int length = snprintf(path, sizeof(path), "%s/%s", place->path, folders[k]);
            if (*place->path == '\0' || length < 0 || (size_t)length >= sizeof(path)) continue;
            if (!realpath(path, real) || header_version(real) / 1000 != (long)major) continue;
            if (append_include(real, out)) return;
        }
    }
}

tenon_status *tn_toolkit_include_for(const char *nvrtc, uint32_t major, tn_buffer *out_folders)
{
    if (!beside_file(nvrtc, out_folders)) {
        tn_places places = {0};
        TN_TRY(tn_search_places(&tn_nvrtc_vendor, &places));
        append_from_places(&places, major, out_folders);
        tn_places_deinit(&places);
    }
    if (!out_folders->failed) return NULL;
    return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for the include folders");
}

tenon_status *tn_toolkit_include(tn_buffer *out_folders)
{
    const tn_nvrtc *nvrtc = NULL;
    TN_TRY(tn_nvrtc_get(&nvrtc));
    return tn_toolkit_include_for(nvrtc->path, nvrtc->major, out_folders);
}
