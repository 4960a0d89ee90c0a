# What other projects find after installation: the libraries, the CMake package (find_package(Fencepost)) and the
# pkg-config files fencepost-sim and fencepost-direct.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Fencepost)

install(TARGETS ${fencepost_backends} EXPORT Fencepost LIBRARY)
install(EXPORT Fencepost NAMESPACE Fencepost:: FILE FencepostTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/FencepostConfig.cmake.in
    ${PROJECT_BINARY_DIR}/cmake/FencepostConfig.cmake INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/FencepostConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/FencepostConfig.cmake ${PROJECT_BINARY_DIR}/cmake/FencepostConfigVersion.cmake
    ${CMAKE_CURRENT_LIST_DIR}/FencepostTest.cmake DESTINATION ${package_dir})

foreach(target IN LISTS fencepost_backends)
    get_target_property(FENCEPOST_BACKEND ${target} EXPORT_NAME)
    # From the folder of the .pc file, so that an installation can be moved.
    file(RELATIVE_PATH FENCEPOST_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
    configure_file(${CMAKE_CURRENT_LIST_DIR}/fencepost.pc.in ${PROJECT_BINARY_DIR}/cmake/fencepost-${FENCEPOST_BACKEND}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/cmake/fencepost-${FENCEPOST_BACKEND}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
