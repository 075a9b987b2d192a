# Registration of the detectors. src/detect/detectors.cmake has one line for each:
#
#   anyorder_detector(NAME <name> CLASS <class> [ON <part>...])
#
# declares the layer detect/<name>, whose header detect/<name>/<name>.hpp defines the type
# anyorder::detect::<name>::<class>, a model of events::Detector. ON names layers detect/<part> that are no
# detectors: what several detectors are made of.
#
# anyorder_registered_detectors(), called once after these lines, makes the layer detect/registered from
# them. It holds one generated header, "detect/registered.hpp", which includes every detector's header and
# defines ANYORDER_FOR_EACH_DETECTOR(X): X(<name>, <type>) for each, in the order of the lines.
#
# The global property ANYORDER_DETECTORS lists the names.

function(anyorder_detector)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;CLASS" "ON")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_CLASS)
    message(FATAL_ERROR "anyorder_detector: NAME or CLASS is missing, or not known: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(below events findings support)
  if(TARGET anyorder_shadow)
    list(PREPEND below shadow)
  endif()
  list(TRANSFORM arg_ON PREPEND detect/)
  anyorder_layer(NAME detect/${arg_NAME} DEPENDS ${arg_ON} ${below})
  set_property(GLOBAL APPEND PROPERTY ANYORDER_DETECTORS ${arg_NAME})
  set_property(GLOBAL APPEND PROPERTY ANYORDER_DETECTOR_TYPES
                                      ::anyorder::detect::${arg_NAME}::${arg_CLASS})
endfunction()

function(anyorder_registered_detectors)
  get_property(names GLOBAL PROPERTY ANYORDER_DETECTORS)
  get_property(types GLOBAL PROPERTY ANYORDER_DETECTOR_TYPES)
  set(includes "")
  set(entries "")
  foreach(name type IN ZIP_LISTS names types)
    string(APPEND includes "#include \"detect/${name}/${name}.hpp\"\n")
    string(APPEND entries " \\\n  X(${name}, ${type})")
  endforeach()

  anyorder_layer_target(target detect/registered)
  set(root ${PROJECT_BINARY_DIR}/layers/${target})
  file(
    CONFIGURE
    OUTPUT ${root}/detect/registered.hpp
    CONTENT "// Every detector of this build. Made from src/detect/detectors.cmake.\n#pragma once\n\n\
${includes}\n#define ANYORDER_FOR_EACH_DETECTOR(X)${entries}\n"
    @ONLY)

  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE ${root})
  set(closure detect/registered)
  foreach(name IN LISTS names)
    target_link_libraries(${target} INTERFACE anyorder_detect_${name})
    get_target_property(below anyorder_detect_${name} ANYORDER_LAYER_CLOSURE)
    list(APPEND closure ${below})
  endforeach()
  list(REMOVE_DUPLICATES closure)
  set_target_properties(
    ${target} PROPERTIES ANYORDER_LAYER_CLOSURE "${closure}" ANYORDER_LAYER_HEADERS detect/registered.hpp
                         ANYORDER_LAYER_EXTERNAL "")
  set_property(GLOBAL APPEND PROPERTY ANYORDER_LAYERS detect/registered)
endfunction()
