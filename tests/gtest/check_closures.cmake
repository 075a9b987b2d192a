# SOURCE, ANYORDER (the command), WORK_DIR. Two of the four tests fail, with the report in the failure.
set(ENV{ANYORDER_CXX} g++)
execute_process(COMMAND ${ANYORDER} c++ -O0 ${SOURCE} -o closures -lgtest -lgtest_main -pthread
                WORKING_DIRECTORY ${WORK_DIR} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ./closures WORKING_DIRECTORY ${WORK_DIR} RESULT_VARIABLE status OUTPUT_VARIABLE output
                ERROR_VARIABLE output)
foreach(expected "OK \\] Closures.Clean" "FAILED  \\] Closures.Racy" "FAILED  \\] Closures.OnlyTheSecondIsRacy"
                 "OK \\] Closures.RunInAProcessOfTheirOwn" "write-write race on [^\n]*shared \\(int\\)"
                 "anyorder check:\n")
  if(NOT output MATCHES "${expected}")
    message(SEND_ERROR "'${expected}' is missing in:\n${output}")
  endif()
endforeach()
if(NOT status EQUAL 1)
  message(SEND_ERROR "The test program ended with ${status}:\n${output}")
endif()
