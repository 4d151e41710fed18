# tenon_flags: how every C file of the project is compiled. Those below src/ have tenon_private as well;
# that the command sees no private header but its own, tests/layers proves.
add_library(tenon_flags INTERFACE)
target_compile_definitions(tenon_flags INTERFACE _GNU_SOURCE)
target_include_directories(tenon_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
add_library(tenon_private INTERFACE)
target_link_libraries(tenon_private INTERFACE tenon_flags)
target_include_directories(tenon_private INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(tenon_flags INTERFACE
    -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
    -fvisibility=hidden
    # No file that is built says where it was built.
    -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
    $<$<BOOL:${TENON_WERROR}>:-Werror>)
target_link_options(tenon_flags INTERFACE -Wl,--as-needed)

if(TENON_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL Clang)
        message(FATAL_ERROR "TENON_FUZZ needs clang, not ${CMAKE_C_COMPILER_ID}: set CMAKE_C_COMPILER")
    endif()
    target_compile_options(tenon_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(TENON_SANITIZE)
    set(sanitize -fsanitize=${TENON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(tenon_flags INTERFACE ${sanitize})
    target_link_options(tenon_flags INTERFACE ${sanitize})
endif()
