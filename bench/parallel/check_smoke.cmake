# cmake -DDRIVER=<bench_parallel> -DFOLDER=<for its files> -DXMLLINT=<xmllint> -P check_smoke.cmake
#
# After one round at tiny sizes every program has its slowdowns for each number of workers, and as many tasks as its
# shape gives; which slowdowns does not matter. The plot is XML.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../runs/smoke.cmake)

# Tasks, by the sizes of bench/programs/CMakeLists.txt.
set(tasks_series 19) # one for each coefficient but the first
set(tasks_crypt 100) # one for each block, both ways
set(tasks_lufact 28) # one for each column to the right of another
set(tasks_sor 400) # 4 rows within the border, 100 iterations
set(tasks_sparse 20) # one for each row
set(tasks_moldyn 4800) # 32 particles, three times in each of 50 steps
set(tasks_montecarlo 5) # one for each path
set(tasks_raytracer 10) # one for each row
set(tasks_fft 10) # 128 points: 2 of 64, 4 of 32; butterflies: one piece in each of 64, and 2 in all
set(tasks_health 1460) # 365 days, a task for each of 4 villages below another
set(tasks_nqueens 53) # partial placements on a board of 5 x 5
set(tasks_strassen_finish 11) # one level
set(tasks_fannkuch 6) # 720 permutations, 120 in each
set(tasks_mandelbrot 16) # one for each row
set(tasks_matmul_elements 72) # 8 rows, 64 elements
set(programs
    series
    crypt
    lufact
    sor
    sparse
    moldyn
    montecarlo
    raytracer
    fft
    health
    nqueens
    strassen_finish
    fannkuch
    mandelbrot
    matmul_elements)

run_smoke(PLOT)
string(JSON has_tsan GET "${text}" has_tsan)
set(found)
foreach(i RANGE ${last})
  string(JSON name GET "${text}" programs ${i} name)
  list(APPEND found ${name})
  string(JSON tasks GET "${text}" programs ${i} tasks)
  if(NOT tasks EQUAL tasks_${name})
    message(FATAL_ERROR "${name}: ${tasks} tasks, not ${tasks_${name}}")
  endif()
  foreach(workers IN ITEMS 1 2)
    set(compared)
    string(JSON count LENGTH "${text}" programs ${i} workers ${workers})
    math(EXPR last_compared "${count} - 1")
    foreach(j RANGE ${last_compared})
      string(JSON column MEMBER "${text}" programs ${i} workers ${workers} ${j})
      list(APPEND compared ${column})
      foreach(ratio IN ITEMS slowdown peak_bytes_ratio)
        expect_positive("${ratio} of ${name}, ${column}, ${workers} workers" programs ${i} workers ${workers} ${column}
                        ${ratio} median)
      endforeach()
    endforeach()
    if(NOT "dtrg" IN_LIST compared)
      message(FATAL_ERROR "${name}, ${workers} workers: no column dtrg, but ${compared}")
    endif()
    if(has_tsan AND NOT "tsan" IN_LIST compared)
      message(FATAL_ERROR "${name}, ${workers} workers: no column tsan, but ${compared}")
    endif()
  endforeach()
  expect_in_tables(${name})
endforeach()
if(NOT found STREQUAL programs)
  message(FATAL_ERROR "the programs are ${found}, not ${programs}")
endif()
