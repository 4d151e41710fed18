// From C++: owners for the handles, and what an error has to say. Links a kernel without the
// function it calls, and prints the error, which is what this example is about.
//
//   errors KERNELS          reads KERNELS/caller.cu
#include <tenon.h>

#include <cstdio>
#include <memory>
#include <string>

namespace
{

template <auto release>
struct Release {
    template <typename T>
    void operator()(T *handle) const
    {
        release(handle);
    }
};
using Status = std::unique_ptr<tenon_status, Release<tenon_status_free>>;
using Program = std::unique_ptr<tenon_program, Release<tenon_program_release>>;
using Linker = std::unique_ptr<tenon_linker, Release<tenon_linker_release>>;
using Object = std::unique_ptr<tenon_object, Release<tenon_object_release>>;

int fail(const Status &status)
{
    std::fprintf(stderr, "%s\n%s", tenon_status_message(status.get()),
                 tenon_status_log(status.get()));
    return 1;
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 2) return std::fprintf(stderr, "usage: errors KERNELS\n"), 2;
    const std::string path = std::string(argv[1]) + "/caller.cu";

    tenon_program_options how = TENON_PROGRAM_OPTIONS_INIT;
    how.arch = "sm_90";
    tenon_program *program = nullptr;
    if (Status status{tenon_program_open(&how, path.c_str(), &program)}) return fail(status);
    const Program owned_program{program};
    tenon_object *object = nullptr;
    if (Status status{tenon_program_compile(program, TENON_KIND_CUBIN, &object)}) {
        return fail(status);
    }
    const Object caller{object};

    tenon_linker *linker = nullptr;
    if (Status status{tenon_linker_create(nullptr, &linker)}) return fail(status);
    const Linker owned_linker{linker};
    if (Status status{tenon_linker_add_object(linker, caller.get())}) return fail(status);
    tenon_object *linked = nullptr;
    const Status status{tenon_linker_finish(linker, TENON_KIND_CUBIN, &linked)};
    if (tenon_status_code(status.get()) != TENON_LINK_FAILED) {
        tenon_object_release(linked);
        std::fprintf(stderr, "scale() is missing, and nobody noticed\n");
        return 1;
    }
    std::printf("%s: %s\n", tenon_code_name(tenon_status_code(status.get())),
                tenon_status_message(status.get()));
    return 0;
}
