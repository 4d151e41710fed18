#include "nv/python.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static bool is_executable(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool print(tn_buffer *out, const char *format, const char *a, const char *b)
    __attribute__((format(printf, 2, 0)));

/// Replaces the text in `out`. Returns false without memory.
static bool print(tn_buffer *out, const char *format, const char *a, const char *b)
{
    out->size = 0;
    tn_buffer_print(out, format, a, b);
    return !out->failed;
}

/// Cuts `count` names off the end of a path. Returns false if it has not so many.
static bool cut(char *path, int count)
{
    for (int i = 0; i < count; i++) {
        char *slash = strrchr(path, '/');
        if (!slash) return false;
        *slash = '\0';
    }
    return true;
}

/// Calls `use` with each file `name` on PATH that can be executed, until it returns true.
static bool each_on_path(const char *name, bool (*use)(const char *file, tn_buffer *out),
                         tn_buffer *out)
{
    const char *path = getenv("PATH");
    tn_buffer file = {0};
    bool done = false;
    while (path && *path && !done && !file.failed) {
        size_t length = strcspn(path, ":");
        file.size = 0;
        tn_buffer_print(&file, "%.*s/%s", (int)length, path, name);
        done = length > 0 && !file.failed && is_executable(file.data) && use(file.data, out);
        path += length;
        if (*path == ':') path++;
    }
    tn_buffer_deinit(&file);
    return done;
}

static bool take(const char *file, tn_buffer *out)
{
    return print(out, "%s%s", file, "");
}

bool tn_python_on_path(const char *name, tn_buffer *out)
{
    return each_on_path(name, take, out);
}

/// The first word of a small file, in place; NULL if there is none.
static char *first_word(const char *path, tn_buffer *text)
{
    tn_buffer_deinit(text);
    if (tn_file_read(path, text) != 0 || !text->data) return NULL;
    char *word = text->data + strspn(text->data, " \t\r\n");
    word[strcspn(word, " \t\r\n:")] = '\0';
    return *word ? word : NULL;
}

/// The version in the .python-version of the working folder or of one above it, as pyenv reads it.
static char *local_version(tn_buffer *text)
{
    char folder[PATH_MAX], file[PATH_MAX + sizeof("/.python-version")];
    if (!getcwd(folder, sizeof(folder))) return NULL;
    for (;;) {
        snprintf(file, sizeof(file), "%s/.python-version", folder);
        char *version = first_word(file, text);
        if (version || !cut(folder, 1)) return version;
    }
}

/// pyenv puts a script in the place of python3, in the folder shims below its root.
static bool pyenv_prefix(const char *shim, tn_buffer *out)
{
    char root[PATH_MAX];
    int length = snprintf(root, sizeof(root), "%s", shim);
    if (length < 0 || (size_t)length >= sizeof(root) || !cut(root, 1)) return false;
    const char *slash = strrchr(root, '/');
    if (!slash || strcmp(slash, "/shims") != 0 || !cut(root, 1)) return false;

    tn_buffer text = {0}, global = {0};
    const char *version = getenv("PYENV_VERSION");
    char word[NAME_MAX];
    if (version && *version) {
        snprintf(word, sizeof(word), "%.*s", (int)strcspn(version, ":"), version);
        version = word;
    } else {
        version = local_version(&text);
    }
    const char *from = getenv("PYENV_ROOT");
    if (!from || !*from) from = root;
    if (!version && print(&global, "%s%s", from, "/version")) {
        version = first_word(global.data, &text);
    }
    // "system" means the next python3 on PATH.
    bool found = version && strcmp(version, "system") != 0 &&
                 print(out, "%s/versions/%s", from, version) && is_folder(out->data);
    tn_buffer_deinit(&text);
    tn_buffer_deinit(&global);
    return found;
}

static bool is_script(const char *file)
{
    FILE *stream = fopen(file, "re");
    if (!stream) return false;
    char head[2] = "";
    bool script = fread(head, 1, 2, stream) == 2 && head[0] == '#' && head[1] == '!';
    fclose(stream);
    return script;
}

/// The prefix of one python3: the folder of a virtual environment, or where links lead to.
static bool prefix_of(const char *file, tn_buffer *out)
{
    if (is_script(file)) return pyenv_prefix(file, out);
    char path[PATH_MAX];
    int length = snprintf(path, sizeof(path), "%s", file);
    if (length < 0 || (size_t)length >= sizeof(path) || !cut(path, 2)) return false;
    if (!print(out, "%s/%s", path, "pyvenv.cfg")) return false;
    if (!tn_file_exists(out->data) && (!realpath(file, path) || !cut(path, 2))) return false;
    return print(out, "%s%s", path, "");
}

bool tn_python_prefix(tn_buffer *out)
{
    static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *prefix = getenv(variables[i]);
        if (prefix && *prefix) return print(out, "%s%s", prefix, "");
    }
    return each_on_path("python3", prefix_of, out);
}

static int is_python(const struct dirent *entry)
{
    return strncmp(entry->d_name, "python3", 7) == 0 &&
           (entry->d_name[7] == '.' || entry->d_name[7] == '\0') &&
           (entry->d_name[7] == '\0' || isdigit((unsigned char)entry->d_name[8]));
}

static int newest_first(const struct dirent **a, const struct dirent **b)
{
    return versionsort(b, a);
}

static void append_packages(const char *prefix, const char *lib, tn_buffer *out)
{
    static const char *const names[] = {"site-packages", "dist-packages"};
    tn_buffer path = {0};
    struct dirent **pythons = NULL;
    int count = print(&path, "%s/%s", prefix, lib)
                    ? scandir(path.data, &pythons, is_python, newest_first)
                    : 0;
    for (int i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
            path.size = 0;
            tn_buffer_print(&path, "%s/%s/%s/%s", prefix, lib, pythons[i]->d_name, names[k]);
            if (path.failed || !is_folder(path.data)) continue;
            tn_buffer_append(out, path.data, path.size + 1);
        }
        free(pythons[i]);
    }
    free(pythons);
    tn_buffer_deinit(&path);
}

void tn_python_packages(const char *prefix, tn_buffer *out)
{
    append_packages(prefix, "lib", out);
    // Where Debian's own Python puts what pip installs for all users.
    if (strcmp(prefix, "/usr") == 0) append_packages("/usr/local", "lib", out);
}
