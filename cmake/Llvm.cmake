# anyorder_llvm: the headers of the LLVM that the clang of ANYORDER_PASS_CLANG is made from, if they are there.
#
# Not by LLVM's own package, which wants all that LLVM was built with.
include(package/anyorderInstrumentFlags)
find_program(ANYORDER_LLVM_CONFIG llvm-config-${ANYORDER_PASS_CLANG})
mark_as_advanced(ANYORDER_LLVM_CONFIG)
if(ANYORDER_LLVM_CONFIG)
  foreach(what IN ITEMS includedir has-rtti)
    execute_process(COMMAND ${ANYORDER_LLVM_CONFIG} --${what} OUTPUT_VARIABLE llvm_${what} OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
endif()
if(ANYORDER_LLVM_CONFIG AND EXISTS "${llvm_includedir}/llvm/Passes/PassPlugin.h")
  add_library(anyorder_llvm INTERFACE)
  target_include_directories(anyorder_llvm SYSTEM INTERFACE ${llvm_includedir})
  target_compile_options(anyorder_llvm INTERFACE $<$<STREQUAL:${llvm_has-rtti},NO>:-fno-rtti>)
else()
  message(STATUS "No pass for clang ${ANYORDER_PASS_CLANG}: llvm-${ANYORDER_PASS_CLANG}-dev is missing")
endif()
