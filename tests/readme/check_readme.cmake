# ROOT, ANYORDER (the command), WORK_DIR. Compiles the programs with g++, as ./demo.sh does on a fresh machine.
file(READ ${ROOT}/README.md readme)
set(ENV{ANYORDER_CXX} g++)

# What changes from one run or machine to the next.
function(without_numbers out text)
  string(REGEX REPLACE "[0-9]+ reads and [0-9]+ writes checked, [0-9.]+ s, peak [0-9.]+ [KMG]iB" "<numbers>" text
                       "${text}")
  string(REGEX REPLACE "in one run, [0-9.]+ s" "in one run, <seconds>" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# README.md has the program examples/racy/<name>.cpp as it is, and the report that the command makes of it.
function(check_program name command)
  file(READ ${ROOT}/examples/racy/${name}.cpp program)
  string(FIND "${readme}" "```cpp\n${program}```" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "README.md does not have examples/racy/${name}.cpp as it is")
  endif()
  file(WRITE ${WORK_DIR}/${name}.cpp "${program}")
  execute_process(COMMAND ${ANYORDER} c++ -O2 ${name}.cpp -o ${name} WORKING_DIRECTORY ${WORK_DIR}
                          COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND ${ANYORDER} ${command} -- ./${name}
    WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE status
    OUTPUT_QUIET
    ERROR_VARIABLE report)
  if(NOT status EQUAL 66)
    message(FATAL_ERROR "anyorder ${command} ended with ${status}:\n${report}")
  endif()
  string(REGEX REPLACE "\n+$" "" report "${report}")
  string(REPLACE "\n" "\n    " report "    ${report}")
  string(REPLACE "\n    \n" "\n\n" report "${report}")
  without_numbers(report "${report}")
  without_numbers(text "${readme}")
  string(FIND "${text}" "${report}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "README.md does not show the report as it is:\n${report}")
  endif()
endfunction()

check_program(figure_one explore)
check_program(missing_join check)

# The advice below it.
execute_process(
  COMMAND ${ANYORDER} check --explain -- ./missing_join
  WORKING_DIRECTORY ${WORK_DIR}
  OUTPUT_QUIET
  ERROR_VARIABLE explained)
string(REGEX MATCH "To order them, [^\n]*" advice "${explained}")
string(FIND "${readme}" "    ${advice}\n" found)
if(advice STREQUAL "" OR found EQUAL -1)
  message(FATAL_ERROR "README.md does not show the advice as it is: '${advice}'\n${explained}")
endif()

# And what there is to see when it was followed.
file(READ ${ROOT}/examples/racy/missing_join.cpp program)
string(REPLACE "ao::async([&] {\n" "ao::async([&, filled] {\n      filled.get();\n" program "${program}")
file(WRITE ${WORK_DIR}/joined.cpp "${program}")
execute_process(COMMAND ${ANYORDER} c++ -O2 joined.cpp -o joined WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${ANYORDER} check -- ./joined
  WORKING_DIRECTORY ${WORK_DIR}
  RESULT_VARIABLE status
  OUTPUT_QUIET
  ERROR_VARIABLE report)
string(REGEX REPLACE "\n+$" "" report "${report}")
string(REPLACE "\n" "\n    " report "    ${report}")
without_numbers(report "${report}")
without_numbers(text "${readme}")
string(FIND "${text}" "${report}\n" found)
if(NOT status EQUAL 0 OR found EQUAL -1)
  message(FATAL_ERROR "README.md does not show the clean report as it is (${status}):\n${report}")
endif()
