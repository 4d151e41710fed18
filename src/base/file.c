#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const off_t size_limit = (off_t)4 << 30;

static int read_all(int fd, tn_buffer *out)
{
    struct stat info;
    if (fstat(fd, &info) != 0) return errno;
    if (S_ISDIR(info.st_mode)) return EISDIR;
    // A pipe or a file of /proc has no size of its own, and a file may grow: read until the end.
    size_t want = S_ISREG(info.st_mode) && info.st_size < size_limit ? (size_t)info.st_size : 0;
    for (;;) {
        if ((off_t)out->size > size_limit) return EFBIG;
        size_t room = want > out->size ? want - out->size + 1 : 1 << 16;
        char *end = tn_buffer_reserve(out, room);
        if (!end) return ENOMEM;
        ssize_t got = read(fd, end, room);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) break;
        out->size += (size_t)got;
    }
    tn_buffer_append(out, "", 0);
    return out->failed ? ENOMEM : 0;
}

int tn_file_read(const char *path, tn_buffer *out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    int error = read_all(fd, out);
    close(fd);
    if (error) tn_buffer_deinit(out);
    return error;
}

int tn_file_write_all(int fd, const void *data, size_t size)
{
    const char *at = data;
    while (size > 0) {
        ssize_t wrote = write(fd, at, size);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        at += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

/// Devices and pipes are written to; only a regular file can be replaced.
static int write_special(const char *path, const void *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return errno;
    int error = tn_file_write_all(fd, data, size);
    if (close(fd) != 0 && !error) error = errno;
    return error;
}

/// Opens a new file in the folder of `path`; its name goes to `out_name`. Not mkstemp, which gives
/// a mode that only umask(), unsafe with threads, could correct. Returns -1 with errno set.
static int open_beside(const char *path, mode_t mode, tn_buffer *out_name)
{
    static atomic_uint serial;
    for (;;) {
        tn_buffer_deinit(out_name);
        tn_buffer_print(out_name, "%s.tmp-%d-%u", path, (int)getpid(),
                        atomic_fetch_add(&serial, 1u));
        if (out_name->failed) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(out_name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
}

int tn_file_replace(const char *path, const void *data, size_t size)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) return EISDIR;
    if (exists && !S_ISREG(info.st_mode)) return write_special(path, data, size);

    tn_buffer temporary = {0};
    int fd = open_beside(path, exists ? info.st_mode & 0777 : 0666, &temporary);
    if (fd < 0) {
        int error = errno;
        tn_buffer_deinit(&temporary);
        return error;
    }
    int error = tn_file_write_all(fd, data, size);
    if (close(fd) != 0 && !error) error = errno;
    if (!error && rename(temporary.data, path) != 0) error = errno;
    if (error) unlink(temporary.data);
    tn_buffer_deinit(&temporary);
    return error;
}

bool tn_file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
