# GUARD, PROGRAM, ANYORDER and WITHOUT_GUARDS (commands), COMPILER, WORK_DIR.
file(MAKE_DIRECTORY ${WORK_DIR})
set(ENV{ANYORDER_CXX} ${COMPILER})
execute_process(COMMAND ${ANYORDER} c++ -O1 ${PROGRAM} -o ${WORK_DIR}/program COMMAND_ERROR_IS_FATAL ANY)

function(check command expected)
  execute_process(COMMAND ${command} check --detector graph -- ${WORK_DIR}/program RESULT_VARIABLE status OUTPUT_QUIET
                  ERROR_VARIABLE report)
  if(NOT status EQUAL expected)
    message(SEND_ERROR "${command}, without '$ENV{ANYORDER_TEST_WITHOUT}', ended with ${status} instead of "
                       "${expected}:\n${report}")
  endif()
endfunction()

if(PROGRAM MATCHES "\\.race\\.cpp$")
  set(with_guard 66)
  set(without_guard 0)
else()
  set(with_guard 0)
  set(without_guard 66)
endif()
check(${ANYORDER} ${with_guard})
check(${WITHOUT_GUARDS} ${with_guard})
set(ENV{ANYORDER_TEST_WITHOUT} ${GUARD})
check(${WITHOUT_GUARDS} ${without_guard})
