# Compiles with `anyorder c++` and `anyorder cc` in WORK_DIR, which is emptied first, and looks at what comes out.
#
#   CASE      below
#   ANYORDER  the command
#   CXX, CC   the compilers that it calls
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
set(ENV{ANYORDER_CXX} ${CXX})
set(ENV{ANYORDER_CC} ${CC})

file(WRITE ${WORK_DIR}/a.cpp "int shared;\nint touch();\n#ifndef ANYORDER_INSTRUMENT\n#error not instrumented\n#endif\n"
                             "int main() { shared = touch(); return shared; }\n")
file(WRITE ${WORK_DIR}/b.cpp "int other;\nint touch();\nint touch() { return other++; }\n")
file(WRITE ${WORK_DIR}/c.c "int plain;\nint touch(void) { int class = plain++; return class; }\n")
file(WRITE ${WORK_DIR}/d.c "int sum;\nint main(void) { return sum++; }\n")
file(WRITE ${WORK_DIR}/h.hpp "#pragma once\ninline int twice(int x) { return 2 * x; }\n")
file(WRITE ${WORK_DIR}/tasks.cpp
     "#include <anyorder/anyorder.hpp>\nint main() { int n = 0; anyorder::finish([&] { anyorder::async([&] { n = 3; }); }); "
     "return n - 3; }\n")

# run(<program> <argument>...): sets out and err; fails unless the program ends with 0.
function(run)
  execute_process(
    COMMAND ${ARGN}
    WORKING_DIRECTORY ${WORK_DIR}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE out
    ERROR_VARIABLE err)
  if(NOT result STREQUAL "0")
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "${line}\nended with ${result}\n${out}\n${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
endfunction()
macro(cxx)
  run(${ANYORDER} c++ ${ARGN})
endmacro()
macro(cc)
  run(${ANYORDER} cc ${ARGN})
endmacro()

# Each file refers to the hooks: an object to those of accesses, which what is linked has in itself.
function(expect_instrumented)
  foreach(file IN LISTS ARGN)
    run(nm -u ${file})
    if(NOT out MATCHES "__tsan_(read|write)4|__tsan_init")
      message(FATAL_ERROR "${file} is not instrumented:\n${out}")
    endif()
  endforeach()
endfunction()
# It is linked with libanyorder, found where it was built, and not with the sanitizer's runtime; it runs.
function(expect_linked file)
  run(ldd ${file})
  if(NOT out MATCHES "libanyorder[^\n]* => /" OR out MATCHES "libtsan")
    message(FATAL_ERROR "${file} has the wrong libraries:\n${out}")
  endif()
  run(nm ${file})
  if(out MATCHES "__tsan_default_options|_ZN6__tsan")
    message(FATAL_ERROR "the sanitizer's runtime is in ${file}")
  endif()
endfunction()

if(CASE STREQUAL "object")
  cxx(-O2 -c a.cpp -o out.o)
  expect_instrumented(out.o)
  run(readelf -S out.o)
  if(NOT out MATCHES "debug_info")
    message(FATAL_ERROR "no debug information")
  endif()

elseif(CASE STREQUAL "c_object") # "class" is a name in C alone
  cc(-O1 -c c.c)
  expect_instrumented(c.o)
  run(${ANYORDER} c++ -x c -c c.c -o x.o)
  expect_instrumented(x.o)

elseif(CASE STREQUAL "assembly")
  cxx(-S a.cpp -o -)
  if(NOT out MATCHES "__tsan_write4|anyorder_write4_at_1")
    message(FATAL_ERROR "not instrumented:\n${out}")
  endif()

elseif(CASE STREQUAL "preprocessed")
  cxx(-E -dM a.cpp)
  if(NOT out MATCHES "#define ANYORDER_INSTRUMENT 1" OR NOT out MATCHES "__cplusplus 202")
    message(FATAL_ERROR "macros are missing:\n${out}")
  endif()
  cxx(-M tasks.cpp)
  if(NOT out MATCHES "anyorder\\.hpp")
    message(FATAL_ERROR "the headers are not found:\n${out}")
  endif()

elseif(CASE STREQUAL "several")
  cxx(-c a.cpp b.cpp)
  expect_instrumented(a.o b.o)

elseif(CASE STREQUAL "header") # a header is precompiled, not linked
  cxx(-x c++-header h.hpp -o h.pch)
  if(NOT EXISTS ${WORK_DIR}/h.pch)
    message(FATAL_ERROR "no precompiled header")
  endif()

elseif(CASE STREQUAL "save_temps")
  cxx(-save-temps -c a.cpp -o out.o)
  expect_instrumented(out.o)

elseif(CASE STREQUAL "preprocessed_source")
  run(${CXX} -E -DANYORDER_INSTRUMENT a.cpp -o a.ii)
  cxx(-c a.ii)
  expect_instrumented(a.o)

elseif(CASE STREQUAL "vectors") # no access is wider than what the compiler instruments, whatever is asked for
  file(WRITE ${WORK_DIR}/v.cpp
       "void f(int* __restrict a, int* __restrict b, int n) {\n"
       "#ifdef __clang__\n#pragma clang loop vectorize(enable)\n#endif\n"
       "  for (int i = 0; i < n; i++) a[i] = b[i] + 1;\n}\n"
       "void g(int* __restrict a, int* __restrict b) { for (int i = 0; i < 8; i++) a[i] = b[i] + 1; }\n")
  set(ENV{ANYORDER_INSTRUMENT} hooks)
  if(CXX MATCHES "clang")
    cxx(-O3 -march=haswell -fvectorize -S v.cpp -o -)
    if(out MATCHES "[yz]mm[0-9]")
      message(FATAL_ERROR "accesses that clang does not instrument:\n${out}")
    endif()
    # Where a pragma gives the width, nothing keeps clang from it; it must say so.
    file(WRITE ${WORK_DIR}/w.cpp
         "void f(int* __restrict a, int* __restrict b, int n) {\n#pragma clang loop vectorize_width(8)\n"
         "  for (int i = 0; i < n; i++) a[i] = b[i] + 1;\n}\n")
    cxx(-O2 -c w.cpp)
    if(NOT err MATCHES "w.cpp:3:[0-9]+: remark: vectorized loop")
      message(FATAL_ERROR "vectorized without a word, or no longer vectorized:\n${err}")
    endif()
  else() # g++ instruments them as ranges
    cxx(-O3 -march=haswell -c v.cpp)
    run(nm -u v.o)
    if(NOT out MATCHES "__tsan_(read|write)")
      message(FATAL_ERROR "not instrumented:\n${out}")
    endif()
  endif()

elseif(CASE STREQUAL "no_pass") # another compiler than the pass is for: hooks, and a word if the pass is asked for
  cxx(--instrument=pass -c a.cpp)
  if(NOT err MATCHES "^anyorder: instrumented by hooks, not by the pass, as the compiler is not clang 19: set ANYORDER_CXX")
    message(FATAL_ERROR "no word, or a wrong one:\n${err}")
  endif()
  expect_instrumented(a.o)
  cxx(-c a.cpp)
  if(err)
    message(FATAL_ERROR "not silent:\n${err}")
  endif()

elseif(CASE STREQUAL "pass") # the default of its compiler; objects of both kinds are one program
  file(WRITE ${WORK_DIR}/v.cpp "void f(int* __restrict a, int* __restrict b, int n) {\n"
                               "  for (int i = 0; i < n; i++) a[i] = b[i] + 1;\n}\n")
  cxx(-O3 -march=haswell -S v.cpp -o -)
  if(NOT out MATCHES "ymm[0-9]" OR NOT out MATCHES "anyorder_write_range_at_1")
    message(FATAL_ERROR "not vectorized, or not checked at once:\n${out}")
  endif()
  cxx(-O3 -march=haswell -mllvm -anyorder-no-ranges -S v.cpp -o -)
  if(out MATCHES "anyorder_write_range_at_1" OR NOT out MATCHES "anyorder_write4_at_1")
    message(FATAL_ERROR "ranges are not switched off:\n${out}")
  endif()
  # Where lines are not known, or calls are inlined later, the return address is the place.
  foreach(option IN ITEMS -g0 -flto -flto=thin "-mllvm;-anyorder-no-sites")
    cxx(-O2 ${option} -S v.cpp -o -)
    if(out MATCHES "_at_1" OR NOT out MATCHES "anyorder_write_range_1")
      message(FATAL_ERROR "${option}: the place of a check is its record:\n${out}")
    endif()
  endforeach()
  cxx(--instrument=pass -O2 -c a.cpp)
  cxx(--instrument=hooks -O2 -c b.cpp)
  expect_instrumented(a.o b.o)
  cxx(a.o b.o -o both)
  expect_linked(both)
  run(./both)
  cxx(-O0 -c a.cpp)
  expect_instrumented(a.o)

elseif(CASE STREQUAL "silent") # no warning about what we add, where it is not needed
  file(WRITE ${WORK_DIR}/s.s ".globl x\nx:\n.section .note.GNU-stack\n")
  cxx(-Wall -Wextra -Werror -c s.s b.cpp)
  cc(-Wall -Wextra -Werror -c s.s c.c)
  cxx(-Werror -r s.o b.o -o all.o)
  if(err)
    message(FATAL_ERROR "not silent:\n${err}")
  endif()

elseif(CASE STREQUAL "failing") # the compiler's exit code is ours
  file(WRITE ${WORK_DIR}/wrong.cpp "int main( {}\n")
  execute_process(COMMAND ${CXX} -c wrong.cpp WORKING_DIRECTORY ${WORK_DIR} RESULT_VARIABLE expected ERROR_QUIET)
  execute_process(COMMAND ${ANYORDER} c++ -c wrong.cpp WORKING_DIRECTORY ${WORK_DIR} RESULT_VARIABLE result ERROR_QUIET)
  if(NOT result STREQUAL expected OR result EQUAL 0)
    message(FATAL_ERROR "ended with ${result}, the compiler with ${expected}")
  endif()

elseif(CASE STREQUAL "show") # nothing is run; CXX that is anyorder itself is no way round
  cxx(--anyorder-show a.cpp b.cpp -o all)
  if(NOT out MATCHES "^[^\n]* a\\.cpp b\\.cpp -o all .*-lanyorder[^\n]*\n$" OR EXISTS ${WORK_DIR}/all)
    message(FATAL_ERROR "wrong:\n${out}")
  endif()
  set(ENV{ANYORDER_CXX})
  set(ENV{CXX} "${ANYORDER} c++")
  cxx(--anyorder-show a.cpp)
  if(NOT out MATCHES "^(clang|g)\\+\\+(-19)? ")
    message(FATAL_ERROR "wrong:\n${out}")
  endif()
  run(${CXX} --version)
  set(expected "${out}")
  set(ENV{CXX} "env ${CXX}")
  cxx(--version)
  if(NOT out STREQUAL expected)
    message(FATAL_ERROR "wrong:\n${out}")
  endif()

elseif(CASE STREQUAL "link")
  cxx(a.cpp b.cpp -o all)
  expect_linked(all)
  run(./all)
  cxx(-c a.cpp b.cpp)
  cxx(a.o b.o -o parts)
  expect_linked(parts)
  run(./parts)
  cc(d.c -o plain)
  expect_linked(plain)
  run(./plain)
  cxx(-O2 tasks.cpp -o tasks)
  expect_linked(tasks)
  run(./tasks)

elseif(CASE STREQUAL "shared")
  cxx(-fPIC -shared b.cpp -o libb.so)
  expect_instrumented(libb.so)
  cxx(a.cpp -L. -lb -Wl,-rpath,${WORK_DIR} -o all)
  expect_linked(all)
  run(./all)

elseif(CASE STREQUAL "response_file")
  file(WRITE ${WORK_DIR}/inner "b.cpp -o 'a ll'")
  file(WRITE ${WORK_DIR}/outer "a.cpp\n@inner")
  cxx(@outer)
  expect_linked("a ll")
  file(WRITE ${WORK_DIR}/compile "-c a.cpp")
  cxx(@compile)
  expect_instrumented(a.o)

elseif(CASE STREQUAL "stdin")
  execute_process(
    COMMAND ${ANYORDER} c++ -x c++ - -o all
    WORKING_DIRECTORY ${WORK_DIR}
    INPUT_FILE ${WORK_DIR}/d.c COMMAND_ERROR_IS_FATAL ANY)
  expect_linked(all)

elseif(CASE STREQUAL "lto") # where the linker's process compiles
  if(CXX MATCHES "clang")
    set(linker -fuse-ld=lld)
    execute_process(COMMAND ${CXX} -flto ${linker} -x c++ ${WORK_DIR}/d.c -o ${WORK_DIR}/probe RESULT_VARIABLE no_lto
                    OUTPUT_QUIET ERROR_QUIET)
    if(NOT no_lto EQUAL 0)
      message(STATUS "no linker for link-time optimization with this compiler")
      return()
    endif()
  endif()
  cxx(-flto ${linker} a.cpp b.cpp -o all)
  expect_instrumented(all)
  cxx(-flto -c a.cpp b.cpp)
  cxx(-flto ${linker} a.o b.o -o parts)
  expect_instrumented(parts)
  run(./parts)

elseif(CASE STREQUAL "project") # CMake takes the command for a compiler
  cmake_path(GET ANYORDER PARENT_PATH bin)
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/project -B build -G ${GENERATOR}
      -DCMAKE_CXX_COMPILER=${bin}/anyorder-c++ -DCMAKE_C_COMPILER=${bin}/anyorder-cc)
  run(${CMAKE_COMMAND} --build build)
  expect_linked(build/app)
  expect_instrumented(build/app)
  run(build/app)
  if(NOT out STREQUAL "42\n")
    message(FATAL_ERROR "prints: ${out}")
  endif()

else()
  message(FATAL_ERROR "there is no case ${CASE}")
endif()
