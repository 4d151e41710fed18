// Whole files and streams in, whole files out. "-" is standard input or output.
#ifndef TENON_CLI_FILE_H_
#define TENON_CLI_FILE_H_

#include "tenon.h"

/// Reads standard input to its end, which can be done once. Free `*out_data`, which has a NUL
/// behind its bytes.
tenon_status *tn_read_stdin(char **out_data, size_t *out_size);

/// Makes an object of a file, or of standard input for "-". Release with tenon_object_release().
tenon_status *tn_open_object(const char *path, tenon_object **out_object);

/// Says early whether `path` could be written at all.
tenon_status *tn_check_output(const char *path);

/// Refuses an output that is the same file as an input.
tenon_status *tn_check_apart(const char *output, const char *input);

/// Replaces the file at `path`, or writes to standard output for "-". A regular file is written
/// under another name and renamed, so that nobody ever sees a part of it, and an older one stays if
/// anything fails; devices and pipes are written to.
tenon_status *tn_write_output(const char *path, tenon_bytes bytes);

/// Returns the file name of `path` without folders and the last extension, with `extension`
/// instead: a new text, to be freed; NULL without memory.
char *tn_default_output(const char *path, const char *extension);

#endif  // TENON_CLI_FILE_H_
