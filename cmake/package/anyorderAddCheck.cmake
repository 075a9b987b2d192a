# anyorder_add_check(NAME <test> COMMAND <target or program> [<argument>...]
#                    [DETECTOR <name>] [OPTIONS <option of anyorder check>...])
#
# A CTest test that runs the program under `anyorder check` and passes if the verdict is clean and the program's own exit
# code is 0. The program is one that anyorder_instrument() was called for.
function(anyorder_add_check)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;DETECTOR" "COMMAND;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_COMMAND)
    message(FATAL_ERROR "anyorder_add_check: needs NAME and COMMAND; not known: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(TARGET anyorder_command) # by add_subdirectory
    set(anyorder $<TARGET_FILE:anyorder_command>)
  elseif(EXISTS "${ANYORDER_COMMAND}")
    set(anyorder ${ANYORDER_COMMAND})
  else()
    message(FATAL_ERROR "anyorder_add_check: the command anyorder is not there; build anyorder with "
                        "ANYORDER_BUILD_TOOL=ON")
  endif()
  if(arg_DETECTOR)
    list(PREPEND arg_OPTIONS --detector ${arg_DETECTOR})
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${anyorder} check ${arg_OPTIONS} -- ${program} ${arg_COMMAND})
endfunction()
