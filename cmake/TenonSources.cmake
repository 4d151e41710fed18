# tenon_sources(OUT FOLDER...): the sources of folders below src/, without what lies beside them for
# tests (x_test.c), fuzzing (x_fuzz.c) and measuring (x_bench.c). A folder may be missing.
function(tenon_sources out)
    set(found)
    foreach(folder ${ARGN})
        file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
        list(APPEND found ${files})
    endforeach()
    list(FILTER found EXCLUDE REGEX "_(test|fuzz|bench)\\.c$")
    set(${out} ${found} PARENT_SCOPE)
endfunction()
