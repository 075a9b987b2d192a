# What every target of this project is compiled with. Nothing here reaches a user of the library: the
# directory-wide settings end with this project's directories, the warnings are PRIVATE.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Sanitizers instrument every object of the build, so that tests, library and examples agree.
if(ANYORDER_SANITIZE)
  add_compile_options(-fsanitize=${ANYORDER_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ANYORDER_SANITIZE})
  if(ANYORDER_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ warns of each std::atomic_thread_fence, which its ThreadSanitizer does not model.
    add_compile_options(-Wno-tsan)
  endif()
endif()

# Turns the project's warnings on for one of its own targets.
function(anyorder_warnings target)
  target_compile_options(
    ${target}
    PRIVATE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wno-sign-conversion
            -Wold-style-cast
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wextra-semi
            -Wundef
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond>
            $<$<CXX_COMPILER_ID:GNU>:-Wlogical-op>
            $<$<BOOL:${ANYORDER_WERROR}>:-Werror>)
endfunction()
