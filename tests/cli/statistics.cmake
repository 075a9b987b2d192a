# Checks PROGRAM, a chain of 100 futures, with dtrg: what `--stats` shows, and what the JSON says.
#
#   ANYORDER  the command
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
execute_process(
  COMMAND ${ANYORDER} check --detector dtrg --stats --json r.json -- ${PROGRAM}
  WORKING_DIRECTORY ${WORK_DIR}
  RESULT_VARIABLE result
  ERROR_VARIABLE err)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "expected a clean run\nresult: ${result}\n${err}")
endif()
foreach(
  pattern IN
  ITEMS "\nstatistics of dtrg:\n"
        "\n  non_tree_joins +99\n"
        "\n  average_readers +[0-9]+\\.[0-9][0-9]\n"
        "\n  shadow_bytes +[1-9][0-9]*\n"
        "\n  queries_by_label +[0-9]+\n"
        "\n  queries_by_joins +[0-9]+\n"
        "\n  longest_query +[0-9]+\n"
        "\n  query_visits:\n +0 +[0-9]+  #+\n"
        "\n +65-128  +1  #\n")
  if(NOT err MATCHES "${pattern}")
    message(SEND_ERROR "expected: ${pattern}\nin:\n${err}")
  endif()
endforeach()

file(READ ${WORK_DIR}/r.json text)
foreach(key IN ITEMS tasks asyncs futures finishes gets non_tree_joins reads writes peak_bytes queries_by_joins)
  string(JSON value ERROR_VARIABLE error GET "${text}" stats ${key})
  if(NOT value MATCHES "^[0-9]+$")
    message(SEND_ERROR "not an integer: stats.${key} = ${value} ${error}")
  endif()
endforeach()
string(JSON joins GET "${text}" stats non_tree_joins)
string(JSON futures GET "${text}" stats futures)
string(JSON long_queries GET "${text}" stats query_visits 65-128)
string(JSON average TYPE "${text}" stats average_readers)
if(NOT "${joins}/${futures}/${long_queries}/${average}" STREQUAL "99/100/1/NUMBER")
  message(SEND_ERROR "joins, futures, long queries, average: ${joins}/${futures}/${long_queries}/${average}")
endif()
