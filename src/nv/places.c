#include "nv/places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "nv/python.h"

static const char *const usual[] = {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"};

// Distributions, WSL, NixOS and containers, in this order.
static const char *const usual_driver[] = {
#ifdef __aarch64__
    "/usr/lib/aarch64-linux-gnu",
#else
    "/usr/lib/x86_64-linux-gnu",
#endif
    "/usr/lib64", "/usr/lib/wsl/lib", "/run/opengl-driver/lib", "/usr/local/nvidia/lib64"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void add(tn_places *places, const char *word, const char *path, const char *absent)
{
    tn_place *items = tn_grow(places->items, places->count, &places->capacity, sizeof(*items));
    char *path_copy = strdup(path);
    char *absent_copy = absent ? strdup(absent) : NULL;
    if (items) places->items = items;
    if (!items || !path_copy || (absent && !absent_copy)) {
        free(path_copy);
        free(absent_copy);
        places->failed = true;
        return;
    }
    items[places->count++] = (tn_place){word, path_copy, absent_copy};
}

void tn_places_add(tn_places *places, const char *word, const char *path)
{
    add(places, word, path, NULL);
}

void tn_places_add_absent(tn_places *places, const char *word, const char *path, const char *why)
{
    add(places, word, path, why);
}

void tn_places_deinit(tn_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        free(places->items[i].path);
        free(places->items[i].absent);
    }
    free(places->items);
    *places = (tn_places){0};
}

static void add_folder(tn_places *places, const char *word, const char *path)
{
    struct stat info;
    bool there = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
    add(places, word, path, there ? NULL : "no such folder");
}

static void add_variable(tn_places *places, const char *variable)
{
    const char *root = getenv(variable);
    if (root && *root) {
        add_folder(places, variable, root);
    } else {
        add(places, variable, "", "not set");
    }
}

static void add_wheels(tn_places *places)
{
    tn_buffer prefix = {0}, packages = {0}, root = {0};
    bool found = false;
    if (!tn_python_prefix(&prefix)) {
        places->failed = places->failed || prefix.failed;
        add(places, "wheels", "", "no Python environment is active, and no python3 is on PATH");
        goto done;
    }
    tn_python_packages(prefix.data, &packages);
    for (size_t at = 0; at < packages.size; at += strlen(packages.data + at) + 1) {
        root.size = 0;
        tn_buffer_print(&root, "%s/nvidia", packages.data + at);
        if (root.failed || access(root.data, F_OK) != 0) continue;
        add(places, "wheels", root.data, NULL);
        found = true;
    }
    if (!found) add(places, "wheels", prefix.data, "has no NVIDIA wheels in its site-packages");
    places->failed = places->failed || packages.failed || root.failed;
done:
    tn_buffer_deinit(&prefix);
    tn_buffer_deinit(&packages);
    tn_buffer_deinit(&root);
}

/// The toolkit around the nvcc on PATH: the folder above its bin.
static void add_nvcc(tn_places *places)
{
    tn_buffer nvcc = {0};
    char root[PATH_MAX];
    if (tn_python_on_path("nvcc", &nvcc) && realpath(nvcc.data, root)) {
        for (int i = 0; i < 2; i++) {
            char *slash = strrchr(root, '/');
            if (slash) *slash = '\0';
        }
        add_folder(places, "nvcc", *root ? root : "/");
    } else {
        add(places, "nvcc", "", "not on PATH");
    }
    places->failed = places->failed || nvcc.failed;
    tn_buffer_deinit(&nvcc);
}

static tenon_status *finish(tn_places *places, tn_places *out_places)
{
    if (places->failed) {
        tn_places_deinit(places);
        return tenon_status_make(TENON_OUT_OF_MEMORY,
                                 "out of memory for the list of places to search");
    }
    *out_places = *places;
    return NULL;
}

tenon_status *tn_places_make(const char *selected, tn_places *out_places)
{
    tn_places places = {0};
    if (selected) add_folder(&places, "explicit", selected);
    add_variable(&places, "TENON_CUDA_PATH");
    add_wheels(&places);
    add_variable(&places, "CUDA_HOME");
    add_variable(&places, "CUDA_PATH");
    add_nvcc(&places);
    add(&places, "loader", "", NULL);
    for (size_t i = 0; i < COUNT(usual); i++) add_folder(&places, "usual folders", usual[i]);
    return finish(&places, out_places);
}

tenon_status *tn_places_make_driver(tn_places *out_places)
{
    tn_places places = {0};
    add(&places, "loader", "", NULL);
    for (size_t i = 0; i < COUNT(usual_driver); i++) {
        add_folder(&places, "usual folders", usual_driver[i]);
    }
    return finish(&places, out_places);
}
