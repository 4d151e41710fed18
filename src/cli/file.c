#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

tenon_status *tn_read_stdin(char **out_data, size_t *out_size)
{
    size_t size = 0;
    size_t room = 0;
    char *data = NULL;
    for (;;) {
        if (room - size < 2) {
            room = room ? room * 2 : 65536;
            char *more = realloc(data, room);
            if (!more) {
                free(data);
                return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory for standard input");
            }
            data = more;
        }
        ssize_t got = read(STDIN_FILENO, data + size, room - size - 1);
        if (got == 0) break;
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            tenon_status *status =
                tenon_status_make(TENON_IO, "cannot read standard input: %s", strerror(errno));
            free(data);
            return status;
        }
        size += (size_t)got;
    }
    data[size] = '\0';
    *out_data = data;
    *out_size = size;
    return NULL;
}

tenon_status *tn_open_object(const char *path, tenon_object **out_object)
{
    if (!is_dash(path)) return tenon_object_open(path, TENON_KIND_ANY, out_object);
    char *data = NULL;
    size_t size = 0;
    tenon_status *status = tn_read_stdin(&data, &size);
    if (status) return status;
    status = tenon_object_create("standard input", TENON_KIND_ANY, (tenon_bytes){data, size},
                                 out_object);
    free(data);
    return status;
}

static tenon_status *io_error(const char *path, int error)
{
    return tenon_status_make(TENON_IO, "cannot write '%s': %s", path, strerror(error));
}

/// Writes the folder of `path` to `*out_folder`, to be freed.
static tenon_status *folder_of(const char *path, char **out_folder)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + (slash == path) : 1;
    *out_folder = strndup(slash ? path : ".", length);
    return *out_folder ? NULL : tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory");
}

tenon_status *tn_check_output(const char *path)
{
    struct stat there;
    if (is_dash(path)) return NULL;
    if (stat(path, &there) == 0) {
        if (S_ISDIR(there.st_mode)) return io_error(path, EISDIR);
        if (!S_ISREG(there.st_mode)) return access(path, W_OK) ? io_error(path, errno) : NULL;
    }
    char *folder = NULL;
    tenon_status *status = folder_of(path, &folder);
    if (status) return status;
    bool found = stat(folder, &there) == 0;
    bool good = found && S_ISDIR(there.st_mode) && access(folder, W_OK | X_OK) == 0;
    int error = found && !S_ISDIR(there.st_mode) ? ENOTDIR : errno;
    if (!good) {
        status =
            tenon_status_make(TENON_IO, "cannot write '%s': its folder '%s' cannot be written: %s",
                              path, folder, strerror(error));
    }
    free(folder);
    return status;
}

tenon_status *tn_check_apart(const char *output, const char *input)
{
    struct stat out;
    struct stat in;
    if (is_dash(output) || is_dash(input)) return NULL;
    if (stat(output, &out) != 0 || stat(input, &in) != 0 || !S_ISREG(in.st_mode)) return NULL;
    if (out.st_dev != in.st_dev || out.st_ino != in.st_ino) return NULL;
    return tenon_status_make(
        TENON_INVALID_ARGUMENT,
        "the output '%s' would replace the input '%s': give another name with -o", output, input);
}

/// Writes all bytes; returns 0 or an errno.
static int write_all(int file, tenon_bytes bytes)
{
    const char *at = bytes.data;
    size_t left = bytes.size;
    while (left > 0) {
        ssize_t done = write(file, at, left);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        at += done;
        left -= (size_t)done;
    }
    return 0;
}

/// Writes to what is there already: a device, a pipe.
static tenon_status *write_into(const char *path, tenon_bytes bytes)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    int error = file < 0 ? errno : write_all(file, bytes);
    if (file >= 0 && close(file) && !error) error = errno;
    return error ? io_error(path, error) : NULL;
}

/// Writes a new file beside `path` and renames it. `old` is what is there, if it is.
static tenon_status *replace(const char *path, tenon_bytes bytes, const struct stat *old)
{
    char *folder = NULL;
    char *name = NULL;
    tenon_status *status = folder_of(path, &folder);
    if (status) return status;
    int file = -1;
    // Names of processes that died long ago may be in the way.
    for (unsigned attempt = 0; attempt < 100 && file < 0; attempt++) {
        free(name);
        if (asprintf(&name, "%s/.tenon-%ld-%u.tmp", folder, (long)getpid(), attempt) < 0) {
            free(folder);
            return tenon_status_make(TENON_OUT_OF_MEMORY, "out of memory");
        }
        file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) break;
    }
    int error = file < 0 ? errno : write_all(file, bytes);
    if (!error && old && fchmod(file, old->st_mode & 07777)) error = errno;
    if (file >= 0 && close(file) && !error) error = errno;
    if (!error && rename(name, path)) error = errno;
    if (error && file >= 0) unlink(name);
    free(name);
    free(folder);
    return error ? io_error(path, error) : NULL;
}

tenon_status *tn_write_output(const char *path, tenon_bytes bytes)
{
    struct stat there;
    if (is_dash(path)) {
        int error = write_all(STDOUT_FILENO, bytes);
        return error ? io_error("standard output", error) : NULL;
    }
    bool exists = stat(path, &there) == 0;
    if (exists && !S_ISREG(there.st_mode)) return write_into(path, bytes);
    // A link stays one: what it points to is replaced.
    char *real = realpath(path, NULL);
    tenon_status *status = replace(real ? real : path, bytes, exists ? &there : NULL);
    free(real);
    return status;
}

char *tn_default_output(const char *path, const char *extension)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    char *output = NULL;
    if (asprintf(&output, "%.*s.%s", (int)length, name, extension) < 0) return NULL;
    return output;
}
