# The installed package: library, public headers, the command, and what find_package(anyorder) reads. Every .cmake
# and .specs file in cmake/package/ is installed beside the config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/anyorder)

install(
  TARGETS anyorder
  EXPORT anyorderTargets
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING
  PATTERN "*.hpp")
install(FILES ${ANYORDER_OUTPUT_INCLUDEDIR}/anyorder/version.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/anyorder)
install(
  EXPORT anyorderTargets
  NAMESPACE anyorder::
  DESTINATION ${package_dir})

# A static library leaves its own dependencies to the program that links it.
get_target_property(library_type anyorder TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(ANYORDER_IS_STATIC ON)
else()
  set(ANYORDER_IS_STATIC OFF)
endif()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/package/anyorderConfig.cmake.in
  ${PROJECT_BINARY_DIR}/anyorderConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
# Until 1.0 each minor version may change the API.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/anyorderConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/anyorderConfig.cmake
              ${PROJECT_BINARY_DIR}/anyorderConfigVersion.cmake DESTINATION ${package_dir})
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/package/
  DESTINATION ${package_dir}
  FILES_MATCHING
  PATTERN "*.cmake"
  PATTERN "*.specs")

if(TARGET anyorder_command)
  install(TARGETS anyorder_command)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/anyorder.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  foreach(name IN LISTS ANYORDER_COMPILER_NAMES)
    install(FILES ${ANYORDER_OUTPUT_BINDIR}/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endforeach()
endif()
