# Where things are, relative to each other: the same in the build tree as installed, so that the command finds
# the rest from its own place in both.
#
#   bin/anyorder                                    the command
#   <libdir>/libanyorder.so*                        what programs link
#   <libdir>/anyorder/<detector>/libanyorder.so.*   the same with a detector in it
#   <libdir>/cmake/anyorder/                        the CMake package
#   include/anyorder/                               the public headers
include(GNUInstallDirs)

# The build tree's folders for them.
set(ANYORDER_OUTPUT_BINDIR ${PROJECT_BINARY_DIR}/bin)
foreach(kind IN ITEMS LIBDIR INCLUDEDIR)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_${kind} BASE_DIRECTORY ${CMAKE_INSTALL_FULL_BINDIR}
             OUTPUT_VARIABLE ANYORDER_BIN_TO_${kind})
  cmake_path(APPEND ANYORDER_OUTPUT_BINDIR ${ANYORDER_BIN_TO_${kind}} OUTPUT_VARIABLE
             ANYORDER_OUTPUT_${kind})
  cmake_path(NORMAL_PATH ANYORDER_OUTPUT_${kind})
endforeach()

cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_BINDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR} OUTPUT_VARIABLE
           ANYORDER_LIBDIR_TO_BINDIR)

# Makes the public headers visible in the build tree's include folder, beside the generated one.
function(anyorder_link_public_headers)
  set(source ${PROJECT_SOURCE_DIR}/include)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${source} ${source}/*.hpp)
  foreach(header IN LISTS headers)
    cmake_path(GET header PARENT_PATH folder)
    file(MAKE_DIRECTORY ${ANYORDER_OUTPUT_INCLUDEDIR}/${folder})
    file(CREATE_LINK ${source}/${header} ${ANYORDER_OUTPUT_INCLUDEDIR}/${header} SYMBOLIC)
  endforeach()
endfunction()
