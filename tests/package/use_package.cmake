# Configures, builds and runs the consumer project in WORK_DIR, which is emptied first.
#
#   WAY         find_package: from an installed copy, moved after the installation
#               add_subdirectory: from SOURCE_DIR
#   SHARED      whether the library is shared; BUILD_DIR, which exists, is installed when it is of that
#               kind (BUILD_DIR_SHARED), and a build of its own is made otherwise
#   COMPILER, GENERATOR, BUILD_TYPE   as in the build that runs the test

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
# Not optimized: what counts here is whether it compiles, links and runs.
set(settings -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
             -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DANYORDER_LAYERS_AS_ONE=ON)

if(WAY STREQUAL "find_package")
  if(SHARED AND BUILD_DIR_SHARED OR NOT SHARED AND NOT BUILD_DIR_SHARED)
    set(library_build ${BUILD_DIR})
  else()
    set(library_build ${WORK_DIR}/library)
    run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${library_build} ${settings}
        -DBUILD_SHARED_LIBS=${SHARED} -DANYORDER_BUILD_TESTS=OFF -DANYORDER_BUILD_BENCH=OFF
        -DANYORDER_BUILD_EXAMPLES=OFF -DANYORDER_BUILD_TOOL=${SHARED})
    run(${CMAKE_COMMAND} --build ${library_build})
  endif()
  run(${CMAKE_COMMAND} --install ${library_build} --prefix ${WORK_DIR}/installed)
  file(RENAME ${WORK_DIR}/installed ${WORK_DIR}/moved)
  set(consumer_settings -DCMAKE_PREFIX_PATH=${WORK_DIR}/moved)
else()
  set(consumer_settings -DANYORDER_SOURCE_DIR=${SOURCE_DIR} -DBUILD_SHARED_LIBS=${SHARED})
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK_DIR}/consumer ${settings}
    ${consumer_settings} -DINSTRUMENT=${SHARED})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer)
run(${WORK_DIR}/consumer/consumer)
if(NOT output STREQUAL "42\n")
  message(FATAL_ERROR "The consumer should print 42, but prints:\n${output}")
endif()

if(SHARED AND (WAY STREQUAL "find_package" OR EXISTS ${WORK_DIR}/consumer/anyorder/bin/anyorder))
  run(ctest --test-dir ${WORK_DIR}/consumer -R checked)
  if(NOT output MATCHES "100% tests passed, 0 tests failed out of 1")
    message(FATAL_ERROR "The check that anyorder_add_check made does not pass:\n${output}")
  endif()
endif()

if(SHARED) # instrumented by anyorder_instrument(), without the sanitizer's runtime
  file(GLOB programs ${WORK_DIR}/consumer/instrumented*)
  list(FILTER programs EXCLUDE REGEX "\\.[a-z]+$")
  if(NOT programs)
    message(FATAL_ERROR "No instrumented program was built")
  endif()
  foreach(program IN LISTS programs)
    run(nm -u ${program})
    if(NOT output MATCHES "__tsan_init")
      message(FATAL_ERROR "${program} is not instrumented:\n${output}")
    endif()
    run(ldd ${program})
    if(NOT output MATCHES "libanyorder" OR output MATCHES "libtsan")
      message(FATAL_ERROR "${program} has the wrong libraries:\n${output}")
    endif()
    run(${program})
    if(NOT output STREQUAL "42\n")
      message(FATAL_ERROR "${program} should print 42, but prints:\n${output}")
    endif()
  endforeach()
endif()
if(WAY STREQUAL "find_package" AND SHARED) # the command is part of the package, and finds it where it is now
  run(${WORK_DIR}/moved/bin/anyorder --version)
  run(${WORK_DIR}/moved/bin/anyorder-c++ --anyorder-show -c a.cpp)
  if(NOT output MATCHES "-I${WORK_DIR}/moved/include")
    message(FATAL_ERROR "The command does not find its installation:\n${output}")
  endif()
endif()

file(GLOB_RECURSE libraries ${WORK_DIR}/libanyorder.*)
if(SHARED AND NOT libraries MATCHES "libanyorder\\.so" OR NOT SHARED AND libraries MATCHES
                                                             "libanyorder\\.so")
  message(FATAL_ERROR "The library is of the wrong kind: ${libraries}")
endif()
