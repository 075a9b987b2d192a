# Preprocesses a source with a layer's include path: COMPILER, INCLUDE_DIRS, WORK_DIR.
#
#   VISIBLE  headers that the layer may include: each is found
#   HIDDEN   headers that it may not include: none is found
list(TRANSFORM INCLUDE_DIRS PREPEND -I)

set(source)
foreach(header IN LISTS VISIBLE)
  string(APPEND source "#if !__has_include(\"${header}\")\n#error \"${header}\" should be found here\n#endif\n")
endforeach()
foreach(header IN LISTS HIDDEN)
  string(APPEND source "#if __has_include(\"${header}\")\n#error \"${header}\" should not be found from here\n#endif\n")
endforeach()
file(WRITE ${WORK_DIR}/probe.cpp "${source}")

execute_process(COMMAND ${COMPILER} -std=c++20 -E ${INCLUDE_DIRS} ${WORK_DIR}/probe.cpp OUTPUT_QUIET
                RESULT_VARIABLE status ERROR_VARIABLE message)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${message}")
endif()
list(LENGTH VISIBLE visible)
list(LENGTH HIDDEN hidden)
message(STATUS "${visible} headers seen, ${hidden} headers not seen")
