# Runs programs that are not instrumented under `anyorder check`: what the command does around a run.
#
#   CASE      below
#   ANYORDER  the command; it is copied into an installation in WORK_DIR, whose variants are empty libraries
#   BUILD_DIR, COMPILER
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR}/installed/bin ${WORK_DIR}/tmp)
file(COPY ${ANYORDER} DESTINATION ${WORK_DIR}/installed/bin)
set(anyorder ${WORK_DIR}/installed/bin/anyorder)

# The variant's place is what the command misses.
execute_process(COMMAND ${anyorder} check true RESULT_VARIABLE result ERROR_VARIABLE err)
if(NOT result EQUAL 70 OR NOT err MATCHES "The library (${WORK_DIR}/installed/[^ ]*) is missing")
  message(FATAL_ERROR "expected to hear of a missing library\nresult: ${result}\n${err}")
endif()
set(variant ${CMAKE_MATCH_1})
if(NOT variant MATCHES "/anyorder/dtrg/libanyorder\\.so\\.[0-9]+\\.[0-9]+$")
  message(FATAL_ERROR "the variant is at the wrong place: ${variant}")
endif()
if(CASE STREQUAL "installation")
  return()
endif()
cmake_path(GET variant PARENT_PATH folder)
file(MAKE_DIRECTORY ${folder})
file(WRITE ${WORK_DIR}/empty.cpp "")
execute_process(COMMAND ${COMPILER} -shared -fPIC ${WORK_DIR}/empty.cpp -o ${variant} COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${variant} DESTINATION ${folder}/../graph)

# run(<result> [ENV <name=value>...] ARGUMENTS <word>...): sets out and err.
function(run expected)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ENV;ARGUMENTS")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env TMPDIR=${WORK_DIR}/tmp ${arg_ENV} ${anyorder} check ${arg_ARGUMENTS}
    WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE out
    ERROR_VARIABLE err)
  if(NOT result STREQUAL expected)
    message(FATAL_ERROR "expected the result ${expected}\nresult: ${result}\nstdout:\n${out}\nstderr:\n${err}")
  endif()
  file(GLOB left ${WORK_DIR}/tmp/*)
  if(left)
    message(FATAL_ERROR "left behind: ${left}")
  endif()
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
endfunction()

function(expect text pattern)
  if(NOT "${text}" MATCHES "${pattern}")
    message(FATAL_ERROR "expected: ${pattern}\nin:\n${text}")
  endif()
endfunction()

if(CASE STREQUAL "unknown") # stdout is the program's own; a program that nothing is known of is not clean
  run(65 ARGUMENTS -- echo hello)
  if(NOT out STREQUAL "hello\n")
    message(FATAL_ERROR "stdout is not the program's own:\n${out}")
  endif()
  expect("${err}" "unknown")
  expect("${err}" "anyorder c\\+\\+")

elseif(CASE STREQUAL "json") # the old report stays until there is a new one
  file(WRITE ${WORK_DIR}/r.json "old")
  run(65 ARGUMENTS --json r.json -- cat r.json)
  expect("${out}" "^old$")
  file(READ ${WORK_DIR}/r.json text)
  string(JSON verdict GET "${text}" verdict)
  string(JSON detector GET "${text}" detector)
  expect("${verdict}/${detector}" "^unknown/dtrg$")
  file(GLOB beside ${WORK_DIR}/r.json.*)
  if(beside)
    message(FATAL_ERROR "left beside the report: ${beside}")
  endif()

elseif(CASE STREQUAL "json_stdout")
  foreach(path IN ITEMS - /dev/stdout)
    run(65 ARGUMENTS --json ${path} -- sh -c "exit 3")
    string(JSON code GET "${out}" exit_code)
    expect("${code}" "^3$")
    expect("${err}" "unknown")
  endforeach()

elseif(CASE STREQUAL "quiet") # silent only if clean
  run(65 ARGUMENTS --quiet -- true)
  expect("${err}" "unknown")

elseif(CASE STREQUAL "environment")
  run(65 ENV ANYORDER_DETECTOR=dtrg ANYORDER_JSON=/dev/null ARGUMENTS -- env)
  expect("${out}" "LD_PRELOAD=${variant}\n")
  expect("${out}" "ANYORDER_RECORD=${WORK_DIR}/tmp/anyorder\\.")
  if(out MATCHES "ANYORDER_(DETECTOR|JSON|GRAPH)=")
    message(FATAL_ERROR "the program has variables that are not for it:\n${out}")
  endif()
  run(65 ARGUMENTS --graph g.dot -- env)
  expect("${out}" "ANYORDER_GRAPH=${WORK_DIR}/g\\.dot\n")
  expect("${err}" "wrote no graph")

elseif(CASE STREQUAL "temporary") # nobody else may read it; what a program leaves there goes, too
  run(65 ARGUMENTS -- sh -c "stat -c %a $ANYORDER_RECORD && mkdir $ANYORDER_RECORD/more")
  expect("${out}" "^700\n$")
  run(70 ENV TMPDIR=${WORK_DIR}/nowhere ARGUMENTS -- echo hello)
  expect("${err}" "Set TMPDIR")

elseif(CASE STREQUAL "full_disk")
  run(70 ARGUMENTS --json /dev/full -- true)
  expect("${err}" "unknown")
  expect("${err}" "could not be written to /dev/full")

elseif(CASE STREQUAL "signal") # the report comes although the program was killed, and the command told to end
  run(65 ARGUMENTS --json r.json -- sh -c "kill -SEGV $$")
  expect("${err}" "SIGSEGV")
  run(65 ARGUMENTS --json r.json -- sh -c "kill -TERM $PPID; sleep 20")
  expect("${err}" "SIGTERM")
  file(READ ${WORK_DIR}/r.json text)
  string(JSON verdict GET "${text}" verdict)
  expect("${verdict}" "^unknown$")

else()
  message(FATAL_ERROR "there is no case ${CASE}")
endif()
