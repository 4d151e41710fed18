# An installed tree that can be moved: every path in it is relative to the file that holds it.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)
install(TARGETS tenon EXPORT tenonTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET tenon_command)
    install(TARGETS tenon_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET tenon_worker)
    install(TARGETS tenon_worker RUNTIME DESTINATION libexec/tenon)
endif()
install(FILES include/tenon.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(cmake/tenon.pc.in ${PROJECT_BINARY_DIR}/tenon.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(EXPORT tenonTargets NAMESPACE tenon:: DESTINATION ${package_folder})
configure_package_config_file(cmake/tenonConfig.cmake.in ${PROJECT_BINARY_DIR}/tenonConfig.cmake
    INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenonConfig.cmake ${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake
    DESTINATION ${package_folder})
