# What the drivers' check_smoke.cmake share: they include it. They are given -DDRIVER=<bench_...>, -DFOLDER=<for its
# files> and -DXMLLINT=<xmllint>.
#
#   run_smoke([PLOT])
#
# runs one round at tiny sizes, which has to end with 0; with PLOT it also makes a plot, which has to be XML. Sets `text`
# (the JSON), `tables` (what was printed) and `last` (the index of the last program in the JSON: there is one or more).
#
#   expect_positive(<what is missing otherwise> <key>...)
#   expect_in_tables(<program>)
#
# look at a number of the JSON, and for a program's line in the tables.

function(run_smoke)
  cmake_parse_arguments(PARSE_ARGV 0 arg PLOT "" "")
  set(json ${FOLDER}/smoke.json)
  set(svg ${FOLDER}/smoke.svg)
  file(REMOVE ${json} ${svg})
  set(options --smoke --json ${json})
  if(arg_PLOT)
    list(APPEND options --svg ${svg})
  endif()
  execute_process(COMMAND ${DRIVER} ${options} RESULT_VARIABLE status OUTPUT_VARIABLE tables)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${DRIVER} --smoke ended with ${status}:\n${tables}")
  endif()
  if(arg_PLOT)
    if(NOT EXISTS "${XMLLINT}")
      message(FATAL_ERROR "xmllint is missing, which looks at the plot: install libxml2-utils and configure again")
    endif()
    execute_process(COMMAND ${XMLLINT} --noout --nonet ${svg} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
      message(FATAL_ERROR "${svg} is not well-formed")
    endif()
  endif()

  file(READ ${json} text)
  string(JSON length LENGTH "${text}" programs)
  if(length EQUAL 0)
    message(FATAL_ERROR "no programs in ${json}")
  endif()
  math(EXPR last "${length} - 1")
  set(text "${text}" PARENT_SCOPE)
  set(tables "${tables}" PARENT_SCOPE)
  set(last ${last} PARENT_SCOPE)
endfunction()

function(expect_positive what)
  string(JSON number ERROR_VARIABLE error GET "${text}" ${ARGN})
  if(error OR NOT number GREATER 0)
    message(FATAL_ERROR "no ${what}")
  endif()
endfunction()

function(expect_in_tables name)
  string(FIND "${tables}" "| ${name} " at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${name} is not in the tables:\n${tables}")
  endif()
endfunction()
