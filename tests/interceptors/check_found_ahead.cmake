# Each function that the front ends hide is found before main: later it could be in the middle of what the C library
# does. Needs AUDIT, VARIANT, PROGRAM, SOURCES.
execute_process(
  # What audits has its own copy of the C library, which takes of the room for variables of threads.
  COMMAND ${CMAKE_COMMAND} -E env GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 LD_AUDIT=${AUDIT} LD_PRELOAD=${VARIANT} ${PROGRAM}
  RESULT_VARIABLE result
  ERROR_VARIABLE err)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "ended with ${result}:\n${err}")
endif()

file(GLOB files ${SOURCES}/*_library/*.cpp)
set(count 0)
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(REGEX MATCHALL "Hidden<[^;]*> hidden_[a-z_]+\\([^;]*\\)" hidden "${text}")
  foreach(function IN LISTS hidden)
    string(REGEX REPLACE ".*hidden_[a-z_]+\\((.*)\\)" "\\1" name "${function}")
    if(name MATCHES "^[A-Z_]+$") # a macro's
      string(REGEX MATCH "#define ${name} (\"[^\"]*\")" found "${text}")
      set(name ${CMAKE_MATCH_1})
    endif()
    string(REPLACE "\"" "" name ${name})
    math(EXPR count "${count} + 1")
    string(FIND "${err}" "dlsym ${name}\n" at)
    if(at EQUAL -1)
      message(SEND_ERROR "${name} was not looked up when the program began")
    endif()
  endforeach()
endforeach()
if(count LESS 50)
  message(FATAL_ERROR "only ${count} functions were found in ${SOURCES}")
endif()
