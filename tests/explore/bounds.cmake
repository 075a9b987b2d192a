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

find_program(timeout timeout REQUIRED)
explore(65 "was interrupted.*same command goes on" ${timeout} --preserve-status -s INT 1 ${ANYORDER} explore --resume
        interrupted -- ${PROGRAM} 24)
if(NOT EXISTS ${WORK_DIR}/interrupted)
  message(FATAL_ERROR "nothing was kept")
endif()
explore(0 "^$" ${ANYORDER} explore --quiet -- ${PROGRAM} 3)
explore(65 "not compiled with anyorder c\\+\\+" ${ANYORDER} explore -- /bin/true)
