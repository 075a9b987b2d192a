# cmake -DDRIVER=<bench_futures> -DFOLDER=<for its files> -DXMLLINT=<xmllint> -P check_smoke.cmake
#
# After one round at tiny sizes every program has its slowdowns, and the counts that its shape gives; which slowdowns
# does not matter. The plot is XML.
cmake_minimum_required(VERSION 3.25)

# Tasks and non-tree joins, by the sizes of bench/programs/CMakeLists.txt.
set(counts_series 19 0) # one for each coefficient but the first
set(counts_series_futures 19 0)
set(counts_crypt 100 0) # one for each block, both ways
set(counts_crypt_futures 100 0)
set(counts_jacobi 32 84) # 2 x 2 tiles, 8 sweeps; in 7 of them each tile waits for 3
set(counts_strassen 11 12) # one level
set(counts_smith_waterman 12 5) # 8 of the border, 2 x 2 tiles
set(programs series series_futures crypt crypt_futures jacobi strassen smith_waterman)

set(json ${FOLDER}/smoke.json)
set(svg ${FOLDER}/smoke.svg)
file(REMOVE ${json} ${svg})
execute_process(COMMAND ${DRIVER} --smoke --json ${json} --svg ${svg} RESULT_VARIABLE status OUTPUT_VARIABLE tables)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${DRIVER} --smoke ended with ${status}")
endif()

file(READ ${json} text)
string(JSON has_tsan GET "${text}" has_tsan)
set(ratios slowdown peak_bytes_ratio)
if(has_tsan)
  list(APPEND ratios tsan_slowdown slowdown_to_tsan tsan_peak_bytes_ratio)
endif()
set(found)
string(JSON length LENGTH "${text}" programs)
math(EXPR last "${length} - 1")
foreach(i RANGE ${last})
  string(JSON name GET "${text}" programs ${i} name)
  list(APPEND found ${name})
  string(JSON tasks GET "${text}" programs ${i} tasks)
  string(JSON joins GET "${text}" programs ${i} non_tree_joins)
  if(NOT "${tasks};${joins}" STREQUAL "${counts_${name}}")
    message(FATAL_ERROR "${name}: ${tasks} tasks and ${joins} non-tree joins, not ${counts_${name}}")
  endif()
  string(JSON accesses GET "${text}" programs ${i} accesses)
  if(accesses EQUAL 0)
    message(FATAL_ERROR "${name}: the check saw no accesses")
  endif()
  foreach(ratio IN LISTS ratios)
    string(JSON median ERROR_VARIABLE error GET "${text}" programs ${i} ${ratio} median)
    if(error OR NOT median GREATER 0)
      message(FATAL_ERROR "${name}: no ${ratio}")
    endif()
  endforeach()
  string(FIND "${tables}" "| ${name} " at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${name} is not in the tables:\n${tables}")
  endif()
endforeach()
if(NOT found STREQUAL programs)
  message(FATAL_ERROR "the programs are ${found}, not ${programs}")
endif()

if(NOT EXISTS "${XMLLINT}")
  message(FATAL_ERROR "xmllint is missing, which looks at the plot: install libxml2-utils and configure again")
endif()
execute_process(COMMAND ${XMLLINT} --noout --nonet ${svg} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${svg} is not well-formed")
endif()
