# The layer cli, and the command `anyorder` that is made from it and the layers below.
set(cli_generated ${PROJECT_BINARY_DIR}/generated)
include(${PROJECT_SOURCE_DIR}/cmake/package/anyorderInstrumentFlags.cmake)

# "a", "b": the items of a CMake list as C++ has them.
function(anyorder_cxx_strings out)
  list(TRANSFORM ARGN REPLACE "(.+)" "\"\\1\"")
  list(JOIN ARGN ", " joined)
  set(${out} "${joined}" PARENT_SCOPE)
endfunction()

anyorder_cxx_strings(instrument_gnu ${ANYORDER_INSTRUMENT_GNU})
anyorder_cxx_strings(instrument_clang ${ANYORDER_INSTRUMENT_CLANG})
anyorder_cxx_strings(instrument_pass ${ANYORDER_INSTRUMENT_PASS})
set(soname libanyorder.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_facts.hpp.in ${cli_generated}/cli/build_facts.hpp @ONLY)

anyorder_layer(NAME cli API DEPENDS explore report record deadlock detect/registered support EXTERNAL CLI11::CLI11)
target_include_directories(anyorder_cli PRIVATE ${cli_generated})
# It runs once, and its libraries compile slowly.
if(ANYORDER_SANITIZE)
  target_compile_options(anyorder_cli PRIVATE -O0)
else()
  target_compile_options(anyorder_cli PRIVATE $<$<CONFIG:Release>:-O1>)
endif()

add_executable(anyorder_command ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
set_target_properties(anyorder_command PROPERTIES OUTPUT_NAME anyorder RUNTIME_OUTPUT_DIRECTORY
                                                                       ${ANYORDER_OUTPUT_BINDIR})
target_link_libraries(anyorder_command PRIVATE anyorder_cli)
anyorder_warnings(anyorder_command)
get_target_property(below anyorder_cli ANYORDER_LAYER_CLOSURE)
list(REMOVE_ITEM below cli) # its objects come with the link to its target
anyorder_add_layer_objects(anyorder_command ${below})

# Names by which the command is a compiler, for build systems that want one program without arguments.
set(ANYORDER_COMPILER_NAMES anyorder-c++ anyorder-cc)
file(MAKE_DIRECTORY ${ANYORDER_OUTPUT_BINDIR})
foreach(name IN LISTS ANYORDER_COMPILER_NAMES)
  file(CREATE_LINK anyorder ${ANYORDER_OUTPUT_BINDIR}/${name} SYMBOLIC)
endforeach()
set(ANYORDER_COMPILER_NAMES ${ANYORDER_COMPILER_NAMES} PARENT_SCOPE)

# What `anyorder c++` reads is where it will be installed.
file(MAKE_DIRECTORY ${ANYORDER_OUTPUT_LIBDIR}/cmake/anyorder)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/cmake/package/instrument.specs
     ${ANYORDER_OUTPUT_LIBDIR}/cmake/anyorder/instrument.specs SYMBOLIC)
