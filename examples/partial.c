// Compiles three units of CUDA C++ and links them step by step: a partial result goes into the next
// link like any other object.
//
//   partial KERNELS OUT     reads KERNELS/{caller,helper,leaf}.cu, writes OUT, a finished cubin
#include <stdio.h>
#include <string.h>
#include <tenon.h>

static tenon_status *compile(const char *folder, const char *unit, tenon_object **out_object)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s.cu", folder, unit);

    tenon_program_options options = TENON_PROGRAM_OPTIONS_INIT;
    options.arch = "sm_90";
    tenon_program *program = NULL;
    tenon_status *status = tenon_program_open(&options, path, &program);
    if (!status) status = tenon_program_compile(program, TENON_KIND_CUBIN, out_object);
    tenon_program_release(program);
    return status;
}

// Links `a` and `b`. Symbols may stay undefined if `incremental` is set.
static tenon_status *link_two(tenon_object *a, tenon_object *b, int incremental,
                              tenon_object **out_object)
{
    tenon_linker_options options = TENON_LINKER_OPTIONS_INIT;
    options.incremental = (uint32_t)incremental;
    tenon_linker *linker = NULL;
    tenon_status *status = tenon_linker_create(&options, &linker);
    if (!status) status = tenon_linker_add_object(linker, a);
    if (!status) status = tenon_linker_add_object(linker, b);
    if (!status) status = tenon_linker_finish(linker, TENON_KIND_CUBIN, out_object);
    tenon_linker_release(linker);
    return status;
}

static void tell(const char *what, const tenon_object *object)
{
    printf("%s: %zu bytes, %s", what, tenon_object_bytes(object).size,
           tenon_object_is_relocatable(object) ? "relocatable" : "finished");
    for (size_t i = 0; i < tenon_object_undefined_count(object); i++) {
        char name[256];
        printf(", needs %s",
               tenon_demangle(tenon_object_undefined_name(object, i), name, sizeof(name)));
    }
    printf("\n");
}

static int write_file(const char *path, tenon_bytes bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file) return 0;
    size_t written = fwrite(bytes.data, 1, bytes.size, file);
    return fclose(file) == 0 && written == bytes.size;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: partial KERNELS OUT\n");
        return 2;
    }
    printf("tenon %s\n", tenon_version());

    tenon_object *caller = NULL, *helper = NULL, *leaf = NULL, *partial = NULL, *final = NULL;
    tenon_status *status = compile(argv[1], "caller", &caller);
    if (!status) status = compile(argv[1], "helper", &helper);
    if (!status) status = compile(argv[1], "leaf", &leaf);
    if (!status) tell("caller", caller);
    if (!status) status = link_two(caller, helper, 1, &partial);
    if (!status) tell("caller + helper", partial);
    if (!status) status = link_two(partial, leaf, 0, &final);
    if (!status) tell("with leaf", final);

    int failed = status != NULL;
    if (status) {
        fprintf(stderr, "%s\n%s", tenon_status_message(status), tenon_status_log(status));
        tenon_status_free(status);
    } else if (!write_file(argv[2], tenon_object_bytes(final))) {
        perror(argv[2]);
        failed = 1;
    }
    tenon_object_release(caller);
    tenon_object_release(helper);
    tenon_object_release(leaf);
    tenon_object_release(partial);
    tenon_object_release(final);
    return failed;
}
