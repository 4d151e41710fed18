// The CUDA driver, found at run time. Names are pinned to the versions whose arguments are written
// down here, so no toolkit's header decides what is called.
#ifndef TN_NV_DRIVER_H_
#define TN_NV_DRIVER_H_

#include "nv/bind.h"
#include "nv/search.h"

typedef unsigned tn_driver_result;
typedef int tn_driver_device;
typedef unsigned long long tn_driver_pointer;  // an address on the device
// The vendor's tags make these the vendor's types.
typedef struct CUctx_st *tn_driver_context;
typedef struct CUmod_st *tn_driver_module;
typedef struct CUfunc_st *tn_driver_function;
typedef struct CUstream_st *tn_driver_stream;
typedef struct CUlinkState_st *tn_driver_link;

/// Results that callers tell apart.
enum {
    TN_DRIVER_OUT_OF_MEMORY = 2,
    TN_DRIVER_STUB_LIBRARY = 34,
    TN_DRIVER_NO_DEVICE = 100,
    TN_DRIVER_NOT_FOUND = 500,
};

/// Attributes of devices and functions, and limits of contexts, that we ask for.
enum {
    TN_DRIVER_DEVICE_CC_MAJOR = 75,
    TN_DRIVER_DEVICE_CC_MINOR = 76,
    TN_DRIVER_FUNCTION_SHARED_BYTES = 1,
    TN_DRIVER_FUNCTION_LOCAL_BYTES = 3,
    TN_DRIVER_FUNCTION_REGISTERS = 4,
    TN_DRIVER_LIMIT_STACK_BYTES = 0,
};

/// Kinds of input of LinkAddData and LinkAddFile.
enum {
    TN_DRIVER_INPUT_CUBIN = 0,
    TN_DRIVER_INPUT_PTX = 1,
    TN_DRIVER_INPUT_FATBIN = 2,
    TN_DRIVER_INPUT_OBJECT = 3,
    TN_DRIVER_INPUT_LIBRARY = 4,
};

/// Options of LinkCreate and ModuleLoadDataEx. The values are passed as pointers.
enum {
    TN_DRIVER_JIT_MAX_REGISTERS = 0,
    TN_DRIVER_JIT_INFO_LOG_BUFFER = 3,
    TN_DRIVER_JIT_INFO_LOG_BUFFER_BYTES = 4,
    TN_DRIVER_JIT_ERROR_LOG_BUFFER = 5,
    TN_DRIVER_JIT_ERROR_LOG_BUFFER_BYTES = 6,
    TN_DRIVER_JIT_OPTIMIZATION_LEVEL = 7,
    TN_DRIVER_JIT_TARGET = 9,
    TN_DRIVER_JIT_GENERATE_DEBUG_INFO = 11,
    TN_DRIVER_JIT_LOG_VERBOSE = 12,
    TN_DRIVER_JIT_GENERATE_LINE_INFO = 13,
    TN_DRIVER_JIT_CACHE_MODE = 14,
};

/// The driver's functions. A plain value: it owns nothing, since the library is never unloaded.
typedef struct tn_driver {
    const char *path;       ///< The file that was loaded.
    uint32_t major, minor;  ///< The newest CUDA that this driver runs, such as 13.0.
#define TN_DRIVER(name, version, need, args) tn_driver_result(*name) args;
#include "nv/driver.inc"
} tn_driver;

extern const tn_vendor tn_driver_vendor;

/// Gives the driver of this process, borrowed for ever; Init was not called yet. Any thread.
///
/// TENON_UNAVAILABLE: there is none, or only a toolkit's stub; the log names each place.
TENON_NODISCARD tenon_status *tn_driver_get(const tn_driver **out_driver);

/// Loads the driver in the file `path`, whatever the process has chosen.
TENON_NODISCARD tenon_status *tn_driver_open(const char *path, tn_driver *out_driver);

/// Fills in the functions of a handle of the loader, and the version and path.
TENON_NODISCARD tenon_status *tn_driver_load(void *handle, tn_driver *out_driver);

/// Fills in the functions.
TENON_NODISCARD tenon_status *tn_driver_bind(tn_lookup *lookup, void *data, tn_driver *out_driver);

/// Makes an error of a result other than 0, with the driver's name and words for it. `call` may
/// have arguments, which the message leaves out.
TENON_NODISCARD tenon_status *tn_driver_check(const tn_driver *driver, tn_driver_result result,
                                              const char *call);

/// Calls and checks: TN_TRY(TN_DRIVER_CALL(driver, Init(0))).
#define TN_DRIVER_CALL(driver, call) tn_driver_check(driver, (driver)->call, "cu" #call)

#endif  // TN_NV_DRIVER_H_
