# cmake -DDRIVER=<bench_futures> -DFOLDER=<for its files> -DXMLLINT=<xmllint> -P check_smoke.cmake
#
# After one round at tiny sizes every program has its slowdowns, and the counts that its shape gives; which slowdowns
# does not matter. The plot is XML.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../runs/smoke.cmake)

# Tasks and non-tree joins, by the sizes of bench/programs/CMakeLists.txt.
set(counts_series 19 0) # one for each coefficient but the first
set(counts_series_futures 19 0)
set(counts_crypt 100 0) # one for each block, both ways
set(counts_crypt_futures 100 0)
set(counts_jacobi 32 84) # 2 x 2 tiles, 8 sweeps; in 7 of them each tile waits for 3
set(counts_strassen 11 12) # one level
set(counts_smith_waterman 12 5) # 8 of the border, 2 x 2 tiles
set(programs series series_futures crypt crypt_futures jacobi strassen smith_waterman)

run_smoke(PLOT)
string(JSON has_tsan GET "${text}" has_tsan)
set(ratios slowdown peak_bytes_ratio)
if(has_tsan)
  list(APPEND ratios tsan_slowdown slowdown_to_tsan tsan_peak_bytes_ratio)
endif()
set(found)
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
    expect_positive("${ratio} of ${name}" programs ${i} ${ratio} median)
  endforeach()
  expect_in_tables(${name})
endforeach()
if(NOT found STREQUAL programs)
  message(FATAL_ERROR "the programs are ${found}, not ${programs}")
endif()
