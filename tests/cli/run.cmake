# Runs COMMAND in WORK_DIR, which is emptied first, and compares how it ended (RESULT) and what it printed (OUT, ERR,
# NOT_ERR: regular expressions).
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
execute_process(
  COMMAND ${COMMAND}
  WORKING_DIRECTORY ${WORK_DIR}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE out
  ERROR_VARIABLE err)
set(seen "result: ${result}\nstdout:\n${out}\nstderr:\n${err}")
if(NOT result STREQUAL RESULT)
  message(SEND_ERROR "expected the result ${RESULT}\n${seen}")
endif()
foreach(stream IN ITEMS OUT ERR)
  string(TOLOWER ${stream} text)
  foreach(pattern IN LISTS ${stream})
    if(NOT "${${text}}" MATCHES "${pattern}")
      message(SEND_ERROR "expected on std${text}: ${pattern}\n${seen}")
    endif()
  endforeach()
endforeach()
if(NOT ERR AND err)
  message(SEND_ERROR "nothing expected on stderr\n${seen}")
endif()
if(NOT_ERR AND "${err}" MATCHES "${NOT_ERR}")
  message(SEND_ERROR "not expected on stderr: ${NOT_ERR}\n${seen}")
endif()
