# SOURCE, ANYORDER (the command), WORK_DIR. Holds the advice for each case against its mark, and checks the fixed case.
set(ENV{ANYORDER_CXX} g++)
execute_process(COMMAND ${ANYORDER} c++ -O1 -g ${SOURCE} -o cases WORKING_DIRECTORY ${WORK_DIR}
                        COMMAND_ERROR_IS_FATAL ANY)

# check(<case> <variant>): sets `status`, `json` and `text`.
macro(check case variant)
  execute_process(
    COMMAND ${ANYORDER} check --detector graph --json cases.json -- ./cases ${case} ${variant}
    WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE status
    OUTPUT_QUIET
    ERROR_VARIABLE text)
  file(READ ${WORK_DIR}/cases.json json)
endmacro()

# A list would lose empty lines, and lines with brackets.
file(READ ${SOURCE} source)
string(REGEX REPLACE "[][;]" " " source "${source}")
string(REPLACE "\n" ";" lines "${source}")
set(number 0)
set(checked 0)
foreach(line IN LISTS lines)
  math(EXPR number "${number} + 1")
  if(NOT line MATCHES "// ([a-z_]+): (get|finish|finish inside|isolated|none)$")
    continue()
  endif()
  set(case ${CMAKE_MATCH_1})
  set(kind ${CMAKE_MATCH_2})
  math(EXPR checked "${checked} + 1")
  check(${case} racy)
  if(NOT status EQUAL 66)
    message(SEND_ERROR "${case}: no race was found:\n${text}")
    continue()
  endif()
  # One of the remedies is that of the mark.
  string(JSON count LENGTH "${json}" remedies)
  set(found "")
  set(matches FALSE)
  set(index 0)
  while(index LESS count)
    string(JSON its_kind GET "${json}" remedies ${index} kind)
    foreach(place created_at first second)
      string(JSON its_line ERROR_VARIABLE missing GET "${json}" remedies ${index} ${place} line)
      if(kind STREQUAL its_kind AND its_line EQUAL number)
        set(matches TRUE)
      endif()
      string(APPEND found " ${its_kind}@${its_line}")
    endforeach()
    math(EXPR index "${index} + 1")
  endwhile()
  if(NOT matches)
    message(SEND_ERROR "${case}: '${kind}' at line ${number} is not among:${found}\n${text}")
  endif()
  check(${case} fixed)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${case}: still not clean with the advice taken:\n${text}")
  endif()
endforeach()
if(checked LESS 20)
  message(SEND_ERROR "Only ${checked} cases have a mark")
endif()
