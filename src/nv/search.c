// How a vendor's library is looked for. The state is what call-once needs, no more: a lock, the
// folder that the process put first, and whether anything has been chosen.
#include "nv/search.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "core/try.h"

#ifdef __aarch64__
#define TARGET_FOLDER "targets/sbsa-linux/lib"
#else
#define TARGET_FOLDER "targets/x86_64-linux/lib"
#endif

// Below a place: of toolkits, of nvidia/cu13, and of site-packages/nvidia.
static const char *const folders[] = {"lib64", "lib", TARGET_FOLDER, "cu13/lib"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *selected;    // under the lock
static bool any_is_made;  // under the lock

static void *open_library(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static const char *loader_words(void)
{
    const char *why = dlerror();
    return why ? why : "the loader gives no reason";
}

const char *tn_search_path(void *handle)
{
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map || !map->l_name) return "";
    return map->l_name;
}

void tn_search_loader(const char *file)
{
    (void)open_library(file);
}

tenon_status *tn_search_open(const tn_vendor *vendor, const char *path, void **out_handle)
{
    void *handle = open_library(path);
    if (!handle) {
        const char *why = loader_words();
        return tenon_status_make(TENON_UNAVAILABLE, "%s cannot be loaded from '%s': %s",
                                 vendor->name, path, why);
    }
    *out_handle = handle;
    return NULL;
}

/// One search: what is the same for all places.
typedef struct search {
    const tn_vendor *vendor;
    tn_search_visit *visit;
    void *data;
    tn_buffer path;
    bool forced;
    bool done;
} search;

static void show(search *s, const tn_sighting *sighting)
{
    s->done = s->visit(s->data, sighting);
}

/// Opens the file or soname in `s->path` and shows what came of it. Returns false if it is not
/// there.
static bool try_file(search *s, const char *word, bool exists)
{
    bool forced = s->forced;
    void *handle = open_library(s->path.data);
    if (!handle) {
        const char *why = loader_words();
        const tn_sighting missing = {word, s->path.data, NULL, why, exists, forced};
        show(s, &missing);
        return false;
    }
    // A library that is open already keeps the path of its first opening: a file is shown as it was
    // named.
    const char *shown = strchr(s->path.data, '/') ? s->path.data : tn_search_path(handle);
    const tn_sighting found = {word, shown, handle, "", true, forced};
    show(s, &found);
    return true;
}

static void search_loader(search *s, const char *word)
{
    for (size_t i = 0; s->vendor->files[i] && !s->done; i++) {
        s->path.size = 0;
        tn_buffer_puts(&s->path, s->vendor->files[i]);
        if (s->path.failed || try_file(s, word, false)) return;
    }
}

/// Looks for one file name in the folders below a root. Returns true if it could be loaded.
static bool search_folders(search *s, const tn_place *place, const char *file, bool *seen)
{
    enum { FOLDERS = sizeof(folders) / sizeof(folders[0]) };
    for (size_t i = 0; i <= FOLDERS && !s->done; i++) {
        const char *folder = i < FOLDERS ? folders[i] : s->vendor->wheel;
        if (!folder) continue;
        s->path.size = 0;
        tn_buffer_print(&s->path, "%s/%s/%s", place->path, folder, file);
        if (s->path.failed) return false;
        if (!tn_file_exists(s->path.data)) continue;
        *seen = true;
        if (try_file(s, place->word, true)) return true;
    }
    return false;
}

static void search_root(search *s, const tn_place *place)
{
    bool seen = false;
    for (size_t i = 0; s->vendor->files[i] && !s->done; i++) {
        if (search_folders(s, place, s->vendor->files[i], &seen)) return;
    }
    if (seen || s->done) return;
    const tn_sighting missing = {place->word,           place->path, NULL,
                                 "has no such library", false,       false};
    show(s, &missing);
}

/// The driver's places are the very folders that would hold it.
static void search_driver(search *s, const tn_place *place)
{
    s->path.size = 0;
    tn_buffer_print(&s->path, "%s/%s", place->path, s->vendor->files[0]);
    if (s->path.failed) return;
    if (tn_file_exists(s->path.data)) {
        (void)try_file(s, place->word, true);
        return;
    }
    const tn_sighting missing = {place->word, s->path.data, NULL, "not there", false, false};
    show(s, &missing);
}

static void search_place(search *s, const tn_place *place)
{
    if (place->absent) {
        const tn_sighting missing = {place->word, place->path, NULL, place->absent, false, false};
        show(s, &missing);
    } else if (*place->path == '\0') {
        search_loader(s, place->word);
    } else if (s->vendor->library == TENON_LIBRARY_DRIVER) {
        search_driver(s, place);
    } else {
        search_root(s, place);
    }
}

tenon_status *tn_search(const tn_vendor *vendor, const tn_places *places, tn_search_visit *visit,
                        void *data)
{
    search s = {.vendor = vendor, .visit = visit, .data = data};
    const char *file = getenv(vendor->variable);
    if (file && *file) {
        tn_buffer_puts(&s.path, file);
        s.forced = true;
        if (!s.path.failed) (void)try_file(&s, "explicit", tn_file_exists(file));
        s.forced = false;
    }
    for (size_t i = 0; i < places->count && !s.done && !s.path.failed; i++) {
        search_place(&s, &places->items[i]);
    }
    bool failed = s.path.failed;
    tn_buffer_deinit(&s.path);
    if (!failed) return NULL;
    return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for a path to %s", vendor->name);
}

tenon_status *tn_search_places(const tn_vendor *vendor, tn_places *out_places)
{
    if (vendor->library == TENON_LIBRARY_DRIVER) return tn_places_make_driver(out_places);
    pthread_mutex_lock(&lock);
    tenon_status *status = tn_places_make(selected, out_places);
    pthread_mutex_unlock(&lock);
    return status;
}

/// A search that ends with the first library that is accepted.
typedef struct choosing {
    tn_accept *accept;
    tenon_status *missing;  // its log names what was tried
    tenon_status *refused;  // found, but lacks something
    bool found;
} choosing;

static void note(choosing *c, const char *place, const char *path, const char *why)
{
    // The loader's words begin with the path mostly, but not where a dependency is what is missing.
    bool named = *path == '\0' || strstr(why, path);
    tenon_status_add_log(c->missing, "%s: %s%s%s\n", place, named ? "" : path, named ? "" : ": ",
                         why);
}

static bool choose_one(void *data, const tn_sighting *sighting)
{
    choosing *c = data;
    if (!sighting->handle) {
        note(c, sighting->place, sighting->path, sighting->why);
        return sighting->forced;
    }
    tenon_status *status = c->accept(sighting->handle);
    if (tenon_status_code(status) == TENON_UNAVAILABLE) {
        note(c, sighting->place, sighting->path, tenon_status_message(status));
        tenon_status_free(status);
        return sighting->forced;
    }
    c->refused = status;
    c->found = !status;
    return true;
}

tenon_status *tn_choose_from(const tn_vendor *vendor, const tn_places *places, tn_accept *accept)
{
    const char *file = getenv(vendor->variable);
    tenon_status *missing =
        file && *file
            ? tenon_status_make(
                  TENON_UNAVAILABLE,
                  "%s cannot be loaded from '%s', which %s names; correct or unset it",
                  vendor->name, file, vendor->variable)
            : tenon_status_make(TENON_UNAVAILABLE,
                                "%s not found in any of the places that the log names; %s",
                                vendor->name, vendor->advice);
    choosing c = {.accept = accept, .missing = missing};
    tenon_status *status = tn_search(vendor, places, choose_one, &c);
    if (!status) status = c.refused;
    if (!status && !c.found) return missing;
    tenon_status_free(missing);
    return status;
}

tenon_status *tn_choose(const tn_vendor *vendor, tn_accept *accept, tn_choice *choice)
{
    if (atomic_load_explicit(&choice->made, memory_order_acquire)) return NULL;
    tenon_status *status = NULL;
    tn_places places = {0};
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&choice->made, memory_order_relaxed)) {
        bool driver = vendor->library == TENON_LIBRARY_DRIVER;
        TN_TRY_DONE(driver ? tn_places_make_driver(&places) : tn_places_make(selected, &places));
        TN_TRY_DONE(tn_choose_from(vendor, &places, accept));
        any_is_made = any_is_made || !driver;
        atomic_store_explicit(&choice->made, true, memory_order_release);
    }
done:
    pthread_mutex_unlock(&lock);
    tn_places_deinit(&places);
    return status;
}

tenon_status *tn_search_select(const char *root)
{
    if (!root || !*root) {
        return tenon_status_make(TENON_INVALID_ARGUMENT, "root: no folder of a toolkit was given");
    }
    char *copy = strdup(root);
    if (!copy) return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for '%s'", root);
    pthread_mutex_lock(&lock);
    bool late = any_is_made;
    if (!late) {
        free(selected);
        selected = copy;
    }
    pthread_mutex_unlock(&lock);
    if (!late) return NULL;
    free(copy);
    return tenon_status_make(TENON_INVALID_ARGUMENT,
                             "'%s' cannot be selected: this process uses another toolkit already; "
                             "select before the first compile or link",
                             root);
}
