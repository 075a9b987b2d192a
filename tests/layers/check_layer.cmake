# Preprocesses one-line sources with a layer's include path: COMPILER, INCLUDE_DIRS, WORK_DIR.
#
#   VISIBLE  headers that the layer may include: each is found
#   HIDDEN   headers that it may not include: each fails, because the file is not found

file(MAKE_DIRECTORY ${WORK_DIR})
list(TRANSFORM INCLUDE_DIRS PREPEND -I)

function(compile header out_status out_message)
  file(WRITE ${WORK_DIR}/probe.cpp "#include \"${header}\"\n")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} -std=c++20 -E ${INCLUDE_DIRS}
            ${WORK_DIR}/probe.cpp
    OUTPUT_QUIET
    RESULT_VARIABLE status
    ERROR_VARIABLE message)
  set(${out_status} ${status} PARENT_SCOPE)
  set(${out_message} "${message}" PARENT_SCOPE)
endfunction()

foreach(header IN LISTS VISIBLE)
  compile(${header} status message)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "\"${header}\" should be found here, but:\n${message}")
  endif()
endforeach()

foreach(header IN LISTS HIDDEN)
  compile(${header} status message)
  if(status EQUAL 0)
    message(SEND_ERROR "\"${header}\" should not be found from here, but is")
  elseif(NOT message MATCHES "probe.cpp:1:.*(No such file or directory|file not found)")
    message(SEND_ERROR "\"${header}\" should not be found from here, but fails otherwise:\n${message}")
  endif()
endforeach()

list(LENGTH VISIBLE visible)
list(LENGTH HIDDEN hidden)
message(STATUS "${visible} headers seen, ${hidden} headers not seen")
