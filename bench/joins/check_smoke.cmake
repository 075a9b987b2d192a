# cmake -DDRIVER=<bench_joins> -DFOLDER=<for its files> -P check_smoke.cmake
#
# After one round at tiny sizes every program has its ratios under each policy; which does not matter.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../runs/smoke.cmake)

run_smoke()
if(NOT last EQUAL 4)
  message(FATAL_ERROR "not the five programs:\n${tables}")
endif()
foreach(i RANGE 4)
  string(JSON name GET "${text}" programs ${i} name)
  foreach(policy IN ITEMS known known-vc cycle)
    foreach(ratio IN ITEMS time_ratio memory_ratio)
      expect_positive("${ratio} of ${name} with ${policy}" programs ${i} policies ${policy} ${ratio} median)
    endforeach()
  endforeach()
endforeach()
