// Feeds every file of a folder to a fuzz target, so that each build and sanitizer runs the corpus
// without libFuzzer.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: replay FOLDER\n");
        return 2;
    }
    size_t count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[4096];
        tn_buffer bytes = {0};
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
        if (tn_file_read(path, &bytes) != 0) {
            fprintf(stderr, "%s cannot be read\n", path);
            return 1;
        }
        // A copy of the exact size, so that a sanitizer sees the first byte too far.
        uint8_t *exact = malloc(bytes.size ? bytes.size : 1);
        for (size_t i = 0; i < bytes.size; i++) exact[i] = (uint8_t)bytes.data[i];
        LLVMFuzzerTestOneInput(exact, bytes.size);
        free(exact);
        tn_buffer_deinit(&bytes);
        count++;
    }
    closedir(folder);
    printf("%zu inputs of %s\n", count, argv[1]);
    return count > 0 ? 0 : 1;
}
