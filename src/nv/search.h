// Looks for a vendor's library in one place after the other, and keeps what was chosen for the life
// of the process.
#ifndef TN_NV_SEARCH_H_
#define TN_NV_SEARCH_H_

#include <stdatomic.h>
#include <stdbool.h>

#include "nv/places.h"
#include "tenon/toolkit.h"

/// What one library is called.
typedef struct tn_vendor {
    tenon_library library;
    const char *name;          ///< "libnvJitLink"
    const char *variable;      ///< Environment variable that names a file.
    const char *const *files;  ///< File names, newest first, ended by NULL.
    const char *wheel;         ///< Folder below site-packages/nvidia in CUDA 12; NULL: none.
    const char *advice;        ///< What to do when it is missing.
} tn_vendor;

/// One thing that a search came across.
typedef struct tn_sighting {
    const char *place;
    const char *path;  ///< The library's file; without a handle, what was tried.
    void *handle;      ///< NULL: not there, or it cannot be loaded.
    const char *why;   ///< Without a handle: why.
    bool file_exists;
    bool forced;  ///< The user names this file, so no other will do.
} tn_sighting;

/// Returns true to end the search.
typedef bool tn_search_visit(void *data, const tn_sighting *sighting);

/// Visits every place, in order.
TENON_NODISCARD tenon_status *tn_search(const tn_vendor *vendor, const tn_places *places,
                                        tn_search_visit *visit, void *data);

/// Opens one file, never to be unloaded, since nothing promises that its threads have ended by
/// then.
///
/// TENON_UNAVAILABLE: the message has the loader's words.
TENON_NODISCARD tenon_status *tn_search_open(const tn_vendor *vendor, const char *path,
                                             void **out_handle);

/// Loads a file, or what the loader's own search finds under a bare name, if anything.
void tn_search_loader(const char *file);

/// Returns the file behind a handle, borrowed for ever.
const char *tn_search_path(void *handle);

/// The places for a library as the process has them now, tenon_toolkit_select() included.
TENON_NODISCARD tenon_status *tn_search_places(const tn_vendor *vendor, tn_places *out_places);

/// Zeroed at first. Once `made`, what tn_accept stored never changes.
typedef struct tn_choice {
    atomic_bool made;
} tn_choice;

/// Stores the table of a library that was found. With TENON_UNAVAILABLE the search goes on, with
/// any other error it ends: the user would not know which library runs.
typedef tenon_status *tn_accept(void *handle);

/// Makes a choice if it was not made yet. A search that failed is no choice: the next call searches
/// again.
///
/// TENON_UNAVAILABLE: there is none; the log names each place and what the loader said of it.
TENON_NODISCARD tenon_status *tn_choose(const tn_vendor *vendor, tn_accept *accept,
                                        tn_choice *choice);

/// As tn_choose(), in a list of places.
TENON_NODISCARD tenon_status *tn_choose_from(const tn_vendor *vendor, const tn_places *places,
                                             tn_accept *accept);

/// Puts a folder before all others. TENON_INVALID_ARGUMENT: a library has been chosen already.
TENON_NODISCARD tenon_status *tn_search_select(const char *root);

#endif  // TN_NV_SEARCH_H_
