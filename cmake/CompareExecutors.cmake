# cmake -DPROGRAM=<path> -P CompareExecutors.cmake
#
# Runs PROGRAM in the parallel and in the serial executor; fails unless both succeed and print the same,
# and something.
foreach(executor IN ITEMS parallel serial)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env ANYORDER_EXECUTOR=${executor} ${PROGRAM}
    OUTPUT_VARIABLE ${executor}
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM}, ${executor}: ended with ${status}\n${${executor}}")
  endif()
endforeach()
if(parallel STREQUAL "")
  message(FATAL_ERROR "${PROGRAM} prints nothing")
endif()
if(NOT parallel STREQUAL serial)
  message(FATAL_ERROR "${PROGRAM} prints in parallel:\n${parallel}\nand serially:\n${serial}")
endif()
message(STATUS "the same in both executors:\n${serial}")
