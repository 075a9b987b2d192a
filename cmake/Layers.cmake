# The layers of src/: one folder, one target, one include root.
#
#   anyorder_layer(NAME <folder> [API] [DEPENDS <layer>...] [EXTERNAL <target>...])
#
# makes the target `anyorder_<folder>` (a '/' becomes '_') from all sources below src/<folder>. A layer
# without .cpp files becomes an INTERFACE library, any other an OBJECT library. A main.cpp in the folder
# itself is not part of it: it belongs to the executable that is made from the layer.
#
#   NAME      the folder below src/; "detect/dtrg" is a layer of its own, next to "detect/esp_bags"
#   API       the layer may also include the public headers, <anyorder/...>
#   DEPENDS   the layers it may include, with theirs; declared before it, so there are no cycles
#   EXTERNAL  imported targets that it needs; what takes its objects links them, too
#
# Code includes "support/check.hpp". The compiler finds it below <build>/layers/support, a folder that
# holds a single symbolic link to src/support, and which is on the include path only of targets that
# link the layer. So an include that the list above does not allow does not build.
#
# The global property ANYORDER_LAYERS lists the layers in the order of their declaration; the properties
# ANYORDER_LAYER_* of a layer's target, below, describe it.

define_property(TARGET PROPERTY ANYORDER_LAYER_CLOSURE
                BRIEF_DOCS "The layer and all layers below it, by name")
define_property(TARGET PROPERTY ANYORDER_LAYER_HEADERS
                BRIEF_DOCS "The layer's headers, as code includes them")
define_property(TARGET PROPERTY ANYORDER_LAYER_EXTERNAL
                BRIEF_DOCS "Imported targets that the layer needs")

# The target of a layer.
function(anyorder_layer_target out layer)
  string(REPLACE "/" "_" flat ${layer})
  set(${out} anyorder_${flat} PARENT_SCOPE)
endfunction()

function(anyorder_layer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "API" "NAME" "DEPENDS;EXTERNAL")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "anyorder_layer: NAME is missing, or not known: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(layer ${arg_NAME})
  set(folder ${PROJECT_SOURCE_DIR}/src/${layer})
  anyorder_layer_target(target ${layer})

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(REMOVE_ITEM sources ${folder}/main.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${folder}/*.hpp)
  if(NOT sources AND NOT headers)
    message(FATAL_ERROR "Layer '${layer}' is declared, but src/${layer} has no sources")
  endif()

  if(sources)
    add_library(${target} OBJECT ${sources})
    set(scope PUBLIC)
    set_target_properties(
      ${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                           VISIBILITY_INLINES_HIDDEN ON)
    # initial-exec: a thread-local costs one load instead of a call to __tls_get_addr. The price, a
    # library that is not opened late by dlopen in a process short of static TLS, does not arise here.
    target_compile_options(${target} PRIVATE -ftls-model=initial-exec -fno-semantic-interposition)
    anyorder_warnings(${target})
    if(ANYORDER_LAYERS_AS_ONE AND NOT layer STREQUAL "frontends/c_library")
      # The one left out defines functions that the others call.
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()

  # One link per layer: the layer and its headers, nothing beside it.
  set(root ${PROJECT_BINARY_DIR}/layers/${target})
  cmake_path(GET layer PARENT_PATH above)
  file(MAKE_DIRECTORY ${root}/${above})
  file(CREATE_LINK ${folder} ${root}/${layer} SYMBOLIC)
  target_include_directories(${target} ${scope} ${root})
  # __FILE__, debug information and warnings' paths of headers name src/, not the link.
  target_compile_options(${target} ${scope} -ffile-prefix-map=${root}/=${PROJECT_SOURCE_DIR}/src/)

  set(closure ${layer})
  foreach(below IN LISTS arg_DEPENDS)
    anyorder_layer_target(below_target ${below})
    if(NOT TARGET ${below_target})
      message(FATAL_ERROR "Layer '${layer}' depends on '${below}', which is not declared before it")
    endif()
    target_link_libraries(${target} ${scope} ${below_target})
    get_target_property(below_closure ${below_target} ANYORDER_LAYER_CLOSURE)
    list(APPEND closure ${below_closure})
  endforeach()
  list(REMOVE_DUPLICATES closure)

  if(arg_API)
    target_link_libraries(${target} ${scope} anyorder_api)
  endif()
  target_link_libraries(${target} ${scope} ${arg_EXTERNAL})

  set_target_properties(
    ${target} PROPERTIES ANYORDER_LAYER_CLOSURE "${closure}" ANYORDER_LAYER_HEADERS "${headers}"
                         ANYORDER_LAYER_EXTERNAL "${arg_EXTERNAL}")
  set_property(GLOBAL APPEND PROPERTY ANYORDER_LAYERS ${layer})
endfunction()

# The layers that are named and all layers below them, each once.
function(anyorder_layer_closure out)
  set(all)
  foreach(layer IN LISTS ARGN)
    anyorder_layer_target(target ${layer})
    get_target_property(closure ${target} ANYORDER_LAYER_CLOSURE)
    list(APPEND all ${closure})
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${out} ${all} PARENT_SCOPE)
endfunction()

# Gives `target` the compiled code of `layers`: their objects, and the external libraries these need.
# The layers' include paths do not come with it.
function(anyorder_add_layer_objects target)
  foreach(layer IN LISTS ARGN)
    anyorder_layer_target(layer_target ${layer})
    get_target_property(type ${layer_target} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${layer_target}>)
    endif()
    get_target_property(external ${layer_target} ANYORDER_LAYER_EXTERNAL)
    if(external)
      target_link_libraries(${target} PRIVATE ${external})
    endif()
  endforeach()
endfunction()
