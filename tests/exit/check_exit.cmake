# Runs PROGRAM SCENARIO and compares how it ended (RESULT) and what it printed (OUT, ERR, NOT_ERR).
execute_process(
  COMMAND ${PROGRAM} ${SCENARIO}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE out
  ERROR_VARIABLE err
  TIMEOUT 60)

set(LINE "no such mark")
file(READ ${SOURCE} source)
string(FIND "${source}" "// LINE ${SCENARIO}\n" mark)
if(NOT mark EQUAL -1)
  string(SUBSTRING "${source}" 0 ${mark} before)
  string(REGEX REPLACE "[^\n]" "" newlines "${before}")
  string(LENGTH "${newlines}" LINE)
  math(EXPR LINE "${LINE} + 1")
endif()

if(NOT result MATCHES "^(${RESULT})$" AND NOT (RESULT MATCHES "[A-Za-z]" AND result MATCHES "${RESULT}"))
  message(SEND_ERROR "expected the result ${RESULT}\nresult: ${result}\nstdout:\n${out}\nstderr:\n${err}")
endif()
foreach(stream OUT ERR)
  string(TOLOWER ${stream} text)
  foreach(pattern IN LISTS ${stream})
    string(CONFIGURE "${pattern}" pattern @ONLY)
    if(NOT "${${text}}" MATCHES "${pattern}")
      message(SEND_ERROR "expected on std${text}: ${pattern}\nresult: ${result}\n"
                         "stdout:\n${out}\nstderr:\n${err}")
    endif()
  endforeach()
endforeach()
if(NOT_ERR AND "${err}" MATCHES "${NOT_ERR}")
  message(SEND_ERROR "not expected on stderr: ${NOT_ERR}\nresult: ${result}\nstderr:\n${err}")
endif()
