# Explores PROGRAM by the command ANYORDER; its SOURCE says by its name what comes of it, and by lines `// SAYS: regex` what
# the report says. What is refuted is refuted again by a replay.
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

string(REGEX MATCH "\\.(proved|race|deadlock|unknown)\\.cpp$" ending ${SOURCE})
set(verdict ${CMAKE_MATCH_1})
set(code_of_proved 0)
set(code_of_race 66)
set(code_of_deadlock 66)
set(code_of_unknown 65)
file(STRINGS ${SOURCE} options REGEX "^// OPTIONS: ")
string(REPLACE "// OPTIONS: " "" options "${options}")
separate_arguments(options)

execute_process(
  COMMAND ${ANYORDER} explore --json report.json ${options} -- ${PROGRAM}
  WORKING_DIRECTORY ${WORK_DIR}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE out
  ERROR_VARIABLE said)
message("${said}")
if(NOT result EQUAL code_of_${verdict})
  message(FATAL_ERROR "exit code ${result} instead of ${code_of_${verdict}}")
endif()
file(STRINGS ${SOURCE} wanted REGEX "^// SAYS: ")
foreach(line IN LISTS wanted)
  string(REPLACE "// SAYS: " "" regex "${line}")
  if(NOT said MATCHES "${regex}")
    message(FATAL_ERROR "it does not say: ${regex}")
  endif()
endforeach()
file(READ ${WORK_DIR}/report.json json)
string(JSON found GET "${json}" verdict)
string(JSON orders GET "${json}" exploration orders)
if(verdict STREQUAL "proved")
  set(verdict clean)
endif()
if(NOT found STREQUAL verdict)
  message(FATAL_ERROR "the JSON's verdict is ${found}")
endif()

if(verdict STREQUAL "race" OR verdict STREQUAL "deadlock")
  string(JSON schedule GET "${json}" exploration schedule)
  execute_process(
    COMMAND ${ANYORDER} replay --json again.json ${schedule} -- ${PROGRAM}
    WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE result
    ERROR_VARIABLE said TIMEOUT 20)
  message("${said}")
  file(READ ${WORK_DIR}/again.json json)
  string(JSON found GET "${json}" verdict)
  if(NOT result EQUAL 66 OR NOT found STREQUAL verdict)
    message(FATAL_ERROR "the replay of ${schedule} ends with ${result}, ${found}")
  endif()
endif()
