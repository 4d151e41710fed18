// A libnvrtc that compiles nothing. FAKE_LACKS_LTOIR: it lacks what no library may lack.
#include <stdlib.h>
#include <string.h>

#include "nv/nvrtc.h"

#include "fake.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

struct _nvrtcProgram {
    void *output;
    size_t size;
};

#define TN_NVRTC(name, need, returns, args) returns nvrtc##name args;
#include "nv/nvrtc.inc"

tn_nvrtc_result nvrtcVersion(int *major, int *minor)
{
    fake_version(13, 0, major, minor);
    return fake_call("nvrtcVersion");
}

const char *nvrtcGetErrorString(tn_nvrtc_result result)
{
    return result == 6 ? "NVRTC_ERROR_COMPILATION" : result > 17 ? NULL : "NVRTC_ERROR_FAKE";
}

tn_nvrtc_result nvrtcCreateProgram(tn_nvrtc_program *program, const char *source, const char *name,
                                   int count, const char *const *texts, const char *const *names)
{
    unsigned result = fake_call("nvrtcCreateProgram");
    if (result == 0) *program = calloc(1, sizeof(**program));
    return result;
}

tn_nvrtc_result nvrtcDestroyProgram(tn_nvrtc_program *program)
{
    if (*program) free((*program)->output);
    free(*program);
    *program = NULL;
    return fake_call("nvrtcDestroyProgram");
}

tn_nvrtc_result nvrtcAddNameExpression(tn_nvrtc_program program, const char *const expression)
{
    return fake_call("nvrtcAddNameExpression");
}

tn_nvrtc_result nvrtcCompileProgram(tn_nvrtc_program program, int count, const char *const *options)
{
    fake_print();
    program->output =
        fake_output(".version 8.0\n.target sm_90\n.address_size 64\n", &program->size);
    return fake_call("nvrtcCompileProgram");
}

tn_nvrtc_result nvrtcGetLoweredName(tn_nvrtc_program program, const char *const expression,
                                    const char **lowered)
{
    *lowered = "_Z4fakev";
    return fake_call("nvrtcGetLoweredName");
}

tn_nvrtc_result nvrtcGetProgramLogSize(tn_nvrtc_program program, size_t *size)
{
    *size = strlen(fake_text("FAKE_LOG", "")) + 1;
    return fake_call("nvrtcGetProgramLogSize");
}

tn_nvrtc_result nvrtcGetProgramLog(tn_nvrtc_program program, char *log)
{
    strcpy(log, fake_text("FAKE_LOG", ""));
    return fake_call("nvrtcGetProgramLog");
}

#define GETTER(name)                                                             \
    tn_nvrtc_result nvrtcGet##name##Size(tn_nvrtc_program program, size_t *size) \
    {                                                                            \
        *size = program->size;                                                   \
        return fake_call("nvrtcGet" #name "Size");                               \
    }                                                                            \
    tn_nvrtc_result nvrtcGet##name(tn_nvrtc_program program, char *data)         \
    {                                                                            \
        if (program->size) {                                                     \
            memcpy(data, program->output, program->size);                        \
        }                                                                        \
        return fake_call("nvrtcGet" #name);                                      \
    }

GETTER(PTX)
GETTER(CUBIN)
#ifndef FAKE_LACKS_LTOIR
GETTER(LTOIR)
#endif

tn_nvrtc_result nvrtcGetNumSupportedArchs(int *count)
{
    *count = 2;
    return fake_call("nvrtcGetNumSupportedArchs");
}

tn_nvrtc_result nvrtcGetSupportedArchs(int *archs)
{
    archs[0] = 80;
    archs[1] = 90;
    return fake_call("nvrtcGetSupportedArchs");
}
