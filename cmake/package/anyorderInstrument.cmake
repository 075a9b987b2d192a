# anyorder_instrument(<target>)
#
# Compiles the C and C++ sources of the target so that `anyorder check` sees their memory accesses, with debug
# information for its reports, and links libanyorder. Without the tool such a program runs as before, more slowly.
# What it links but does not instrument is not checked.
#
# With clang 19 anyorder's pass instruments, if it is installed; with ANYORDER_INSTRUMENT set to hooks, never.
function(anyorder_instrument target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "anyorder_instrument: there is no target '${target}'")
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR "anyorder_instrument: '${target}' compiles nothing; instrument the targets that use it")
  endif()
  get_target_property(library_type anyorder::anyorder TYPE)
  if(library_type STREQUAL "STATIC_LIBRARY")
    message(FATAL_ERROR "anyorder_instrument: a program can be checked only with libanyorder as a shared library; "
                        "build anyorder with BUILD_SHARED_LIBS=ON")
  endif()

  include(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/anyorderInstrumentFlags.cmake)
  set(specs ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/instrument.specs)
  string(REPLACE "<specs>" "${specs}" gnu "${ANYORDER_INSTRUMENT_GNU}")
  # One group of words: as single options, the second of two that are alike would be dropped.
  list(JOIN ANYORDER_INSTRUMENT_CLANG " " clang)
  list(JOIN ANYORDER_INSTRUMENT_PASS " " by_pass)
  if(TARGET anyorder_pass)
    set(pass $<TARGET_FILE:anyorder_pass>)
  elseif(NOT TARGET anyorder_support) # installed
    get_target_property(library anyorder::anyorder LOCATION)
    cmake_path(GET library PARENT_PATH folder)
    set(pass ${folder}/anyorder/${ANYORDER_PASS_FILE})
    if(NOT EXISTS ${pass})
      set(pass)
    endif()
  endif()
  string(REPLACE "<pass>" "${pass}" by_pass "${by_pass}")

  foreach(language IN ITEMS C CXX)
    set(id "${CMAKE_${language}_COMPILER_ID}")
    if(id STREQUAL "GNU")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:${gnu}>")
      # With link-time optimization the linker's process instruments.
      target_link_options(${target} PRIVATE "$<$<LINK_LANGUAGE:${language}>:${gnu}>")
    elseif(id STREQUAL "Clang"
           AND pass
           AND NOT ANYORDER_INSTRUMENT STREQUAL "hooks"
           AND CMAKE_${language}_COMPILER_VERSION MATCHES "^${ANYORDER_PASS_CLANG}\\.")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:SHELL:${by_pass}>")
      if(TARGET anyorder_pass)
        add_dependencies(${target} anyorder_pass)
      endif()
    elseif(id STREQUAL "Clang")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:${language}>:SHELL:${clang}>")
    elseif(id)
      message(FATAL_ERROR "anyorder_instrument: needs g++ or clang++, but the ${language} compiler is '${id}'")
    endif()
  endforeach()
  target_compile_options(
    ${target} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:${ANYORDER_INSTRUMENT_DEFINE}>"
                      "$<$<COMPILE_LANGUAGE:C,CXX>:-g>")
  # Hooks of its own, which are called directly.
  target_link_libraries(${target} PRIVATE $<TARGET_FILE_DIR:anyorder::anyorder>/anyorder/near_hooks.o
                                          anyorder::anyorder)
  if(TARGET anyorder_near_hooks_file)
    add_dependencies(${target} anyorder_near_hooks_file)
  endif()
endfunction()
