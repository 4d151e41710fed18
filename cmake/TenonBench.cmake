# Benchmarks call the public API of the shared library, as any program does.
add_executable(link_bench bench/link_bench.c bench/raw.c bench/units.c)
target_link_libraries(link_bench PRIVATE tenon tenon_flags ${CMAKE_DL_LIBS})
set_target_properties(link_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
