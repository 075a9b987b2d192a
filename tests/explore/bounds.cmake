# A search that is stopped, by a bound and by Ctrl-C, and goes on from what it has kept.
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

# explore(<code> <regex> <word>...): with these words before the command.
function(explore code regex)
  execute_process(
    COMMAND ${ARGN}
    WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE result
    OUTPUT_QUIET
    ERROR_VARIABLE said)
  message("${said}")
  if(NOT result EQUAL code OR NOT said MATCHES "${regex}")
    message(FATAL_ERROR "exit code ${result}; wanted: ${code}, ${regex}")
  endif()
endfunction()

explore(65 "bound of 10 orders.*--resume FILE.*\n10 orders" ${ANYORDER} explore --max-orders 10 -- ${PROGRAM} 6)
explore(65 "bound of 0 seconds" ${ANYORDER} explore --max-seconds 0 -- ${PROGRAM} 6)
explore(65 "bound of 10 orders.*same command goes on" ${ANYORDER} explore --max-orders 10 --resume kept -- ${PROGRAM} 6)
explore(64 "is one of another command" ${ANYORDER} explore --resume kept -- ${PROGRAM} 7)
# Elsewhere the kernel may not allow programs to be where they were before.
if(SAME_ADDRESSES)
  explore(65 "\n20 orders" ${ANYORDER} explore --max-orders 20 --resume kept -- ${PROGRAM} 6)
  explore(0 "proved.*\n1[0-9][0-9] orders of isolated sections, 64 states" ${ANYORDER} explore --resume kept -- ${PROGRAM} 6)
endif()

# What cannot be gone on from.
file(WRITE ${WORK_DIR}/damaged "damaged")
file(COPY_FILE ${WORK_DIR}/kept ${WORK_DIR}/changed)
find_program(sed sed REQUIRED)
execute_process(COMMAND ${sed} -i s/anyorder\ exploration/anyOrder\ exploration/ ${WORK_DIR}/changed COMMAND_ERROR_IS_FATAL ANY)
explore(64 "damaged cannot be resumed" ${ANYORDER} explore --resume damaged -- ${PROGRAM} 6)
explore(64 "changed cannot be resumed: it is damaged" ${ANYORDER} explore --resume changed -- ${PROGRAM} 6)
explore(64 "cannot be resumed: it is no file" ${ANYORDER} explore --resume . -- ${PROGRAM} 6)
explore(64 "cannot be resumed: it is no file" ${ANYORDER} explore --resume /dev/zero -- ${PROGRAM} 6)
explore(64 "is one of another environment \\(ANYORDER_TEST_OF_RESUME\\)" ${CMAKE_COMMAND} -E env ANYORDER_TEST_OF_RESUME=1
        ${ANYORDER} explore --resume kept -- ${PROGRAM} 6)
file(COPY_FILE ${PROGRAM} ${WORK_DIR}/program)
explore(65 "same command goes on" ${ANYORDER} explore --max-orders 10 --resume of_program -- ./program 6)
file(APPEND ${WORK_DIR}/program "built anew")
explore(64 "is one of another program: it was built anew" ${ANYORDER} explore --resume of_program -- ./program 6)

# Bounds that are none, and one that leaves nothing to be said of the program.
foreach(option IN ITEMS --max-orders --max-seconds --max-run-seconds)
  explore(64 "-3 is not a number from 0 on" ${ANYORDER} explore ${option} -3 -- ${PROGRAM} 6)
endforeach()
explore(64 "nan is not a number" ${ANYORDER} explore --max-seconds nan -- ${PROGRAM} 6)
explore(64 "it cannot be 0" ${ANYORDER} explore --max-run-seconds 0 -- ${PROGRAM} 6)
explore(65 "^not judged: exploration that reached a bound\n[^\n]*bound of 0 orders[^\n]*\n\nthe last order" ${ANYORDER} explore
        --max-orders 0 -- ${PROGRAM} 6)

find_program(timeout timeout REQUIRED)
explore(65 "was interrupted.*same command goes on" ${timeout} --preserve-status -s INT 1 ${ANYORDER} explore --resume
        interrupted -- ${PROGRAM} 24)
if(NOT EXISTS ${WORK_DIR}/interrupted)
  message(FATAL_ERROR "nothing was kept")
endif()
explore(0 "^$" ${ANYORDER} explore --quiet -- ${PROGRAM} 3)
explore(65 "not compiled with anyorder c\\+\\+" ${ANYORDER} explore -- /bin/true)
