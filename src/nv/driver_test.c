// Our table against the vendor's header. What the driver does is tested in tests/fake and
// tests/gpu.
#include "nv/driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#if __has_include(<cuda.h>)
// With the newest versions of its functions, cuda.h calls them by the names that they are exported
// under; our rows have those names.
#include <cuda.h>
#define TN_DRIVER(name, version, need, args)                                        \
    _Static_assert(__builtin_types_compatible_p(__typeof__(((tn_driver *)0)->name), \
                                                __typeof__(&cu##name##version)),    \
                   "cu" #name);
#include "nv/driver.inc"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs);
SAME(TN_DRIVER_OUT_OF_MEMORY, CUDA_ERROR_OUT_OF_MEMORY)
SAME(TN_DRIVER_STUB_LIBRARY, CUDA_ERROR_STUB_LIBRARY)
SAME(TN_DRIVER_NO_DEVICE, CUDA_ERROR_NO_DEVICE)
SAME(TN_DRIVER_NOT_FOUND, CUDA_ERROR_NOT_FOUND)
SAME(TN_DRIVER_DEVICE_CC_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
SAME(TN_DRIVER_DEVICE_CC_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
SAME(TN_DRIVER_FUNCTION_SHARED_BYTES, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
SAME(TN_DRIVER_FUNCTION_LOCAL_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
SAME(TN_DRIVER_FUNCTION_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS)
SAME(TN_DRIVER_LIMIT_STACK_BYTES, CU_LIMIT_STACK_SIZE)
SAME(TN_DRIVER_INPUT_CUBIN, CU_JIT_INPUT_CUBIN)
SAME(TN_DRIVER_INPUT_PTX, CU_JIT_INPUT_PTX)
SAME(TN_DRIVER_INPUT_FATBIN, CU_JIT_INPUT_FATBINARY)
SAME(TN_DRIVER_INPUT_OBJECT, CU_JIT_INPUT_OBJECT)
SAME(TN_DRIVER_INPUT_LIBRARY, CU_JIT_INPUT_LIBRARY)
SAME(TN_DRIVER_JIT_MAX_REGISTERS, CU_JIT_MAX_REGISTERS)
SAME(TN_DRIVER_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER)
SAME(TN_DRIVER_JIT_INFO_LOG_BUFFER_BYTES, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
SAME(TN_DRIVER_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER)
SAME(TN_DRIVER_JIT_ERROR_LOG_BUFFER_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
SAME(TN_DRIVER_JIT_OPTIMIZATION_LEVEL, CU_JIT_OPTIMIZATION_LEVEL)
SAME(TN_DRIVER_JIT_TARGET, CU_JIT_TARGET)
SAME(TN_DRIVER_JIT_GENERATE_DEBUG_INFO, CU_JIT_GENERATE_DEBUG_INFO)
SAME(TN_DRIVER_JIT_LOG_VERBOSE, CU_JIT_LOG_VERBOSE)
SAME(TN_DRIVER_JIT_GENERATE_LINE_INFO, CU_JIT_GENERATE_LINE_INFO)
SAME(TN_DRIVER_JIT_CACHE_MODE, CU_JIT_CACHE_MODE)
#endif

static void *look_up(void *data, const char *symbol)
{
    return strcmp(symbol, data) == 0 ? NULL : data;
}

static void no_symbol_may_be_missing(void **state)
{
    (void)state;
    char missing[] = "cuMemAlloc_v2";
    tn_driver driver = {0};
    tenon_status *status = tn_driver_bind(look_up, missing, &driver);
    assert_int_equal(tenon_status_code(status), TENON_INCOMPATIBLE);
    assert_non_null(strstr(tenon_status_message(status), missing));
    assert_true(driver.Init == NULL);
    tenon_status_free(status);
}

static void unversioned_name_is_not_taken(void **state)
{
    (void)state;
    // cuMemAlloc without _v2 has other arguments.
    char other[] = "cuMemAlloc";
    tn_driver driver = {0};
    assert_null(tn_driver_bind(look_up, other, &driver));
    assert_true(driver.MemAlloc != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_symbol_may_be_missing),
        cmocka_unit_test(unversioned_name_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
