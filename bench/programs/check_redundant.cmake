# cmake -DCOMMAND=<anyorder> -DDETECTOR=<name> -DPROGRAM=<montecarlo_redundant.hooks> -DJSON=<file> -P check_redundant.cmake
#
# The check finds the assignment that every task repeats, and nothing else: all races are of one location, on which the
# line of the assignment writes.
cmake_minimum_required(VERSION 3.25)

file(REMOVE ${JSON})
execute_process(COMMAND ${COMMAND} check --detector ${DETECTOR} --json ${JSON} -- ${PROGRAM} 20
                RESULT_VARIABLE status OUTPUT_VARIABLE output)
if(NOT status EQUAL 66)
  message(FATAL_ERROR "anyorder check ended with ${status}, not with 66")
endif()
if(NOT output MATCHES "measured montecarlo_redundant 20 ")
  message(FATAL_ERROR "the result is wrong, but a race on a value that stays the same cannot make it so:\n${output}")
endif()

file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/montecarlo.hpp lines)
list(FIND lines "    if constexpr (kRedundant) model_.step = 1 / kStepsPerYear;" racy_line)
math(EXPR racy_line "${racy_line} + 1")

file(READ ${JSON} text)
string(JSON verdict GET "${text}" verdict)
if(NOT verdict STREQUAL "race")
  message(FATAL_ERROR "the verdict is ${verdict}")
endif()
string(JSON length LENGTH "${text}" races)
math(EXPR last "${length} - 1")
foreach(i RANGE ${last})
  string(JSON address GET "${text}" races ${i} address)
  list(APPEND addresses ${address})
  # In a parallel run the write may come before the read.
  set(accesses)
  foreach(side IN ITEMS first second)
    string(JSON access GET "${text}" races ${i} ${side} access)
    string(JSON line GET "${text}" races ${i} ${side} line)
    list(APPEND accesses "${access} ${line}")
  endforeach()
  if(NOT "write ${racy_line}" IN_LIST accesses)
    message(FATAL_ERROR "race ${i} is of ${accesses}, none of which is the write in line ${racy_line}")
  endif()
endforeach()
list(REMOVE_DUPLICATES addresses)
list(LENGTH addresses locations)
if(NOT locations EQUAL 1)
  message(FATAL_ERROR "races of ${locations} locations: ${addresses}")
endif()
