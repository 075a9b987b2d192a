# What instruments a source file, by compiler; the one place. `anyorder c++` and anyorder_instrument() both read
# it. <specs> stands for the path of instrument.specs, which is beside this file, <pass> for that of our pass. Each item
# is one word.
#
# Both compilers call ThreadSanitizer's hooks, which libanyorder has; its runtime must not be linked.

set(ANYORDER_INSTRUMENT_DEFINE -DANYORDER_INSTRUMENT=1)

# g++'s driver has no option to leave libtsan out. -Wp,-fsanitize=thread reaches the compiler only where it
# preprocesses and compiles in one go: with -flto, with -save-temps and for preprocessed files nothing would be
# instrumented, without a word. The specs reach every compiler process, and the linker's with -flto.
# Copies, fills and comparisons that it expands in line come after instrumentation and would not be seen; as calls
# they are.
set(ANYORDER_INSTRUMENT_GNU
    -specs=<specs>
    -mmemcpy-strategy=libcall:-1:noalign
    -mmemset-strategy=libcall:-1:noalign
    -fno-builtin-memcpy
    -fno-builtin-memmove
    -fno-builtin-memset
    -fno-builtin-memcmp
    -fno-builtin-strlen
    -fno-builtin-strcpy
    -fno-builtin-strncpy
    -fno-builtin-strcat
    -fno-builtin-strcmp
    -fno-builtin-strncmp)

# clang instruments after it has vectorized, and only accesses of 1, 2, 4, 8 and 16 bytes that are plain loads and
# stores, so no loop may be vectorized (docs/decisions/0011-clang-without-vectors.md). -fno-vectorize alone still lets
# `#pragma clang loop vectorize(enable)` and `#pragma omp simd` do it. No option overrules a width that a pragma gives;
# -Rpass makes clang name each loop where that happens.
# It leaves out a read that a write to the same address follows, even if the write is narrower than the read, unless
# told otherwise.
# All this comes after the user's options, and is silent where nothing is compiled.
set(ANYORDER_INSTRUMENT_CLANG
    --start-no-unused-arguments
    -fsanitize=thread
    -fno-sanitize-link-runtime
    -fno-vectorize
    -fno-slp-vectorize
    -fno-unroll-loops
    -mllvm
    -force-vector-width=1
    -mllvm
    -force-vector-interleave=1
    -Rpass=loop-vectorize
    -mllvm
    -tsan-instrument-read-before-write=1
    --end-no-unused-arguments)

# Our pass, in clang of this version alone: it instruments before loops are vectorized, accesses of any size. Functions are
# still marked for ThreadSanitizer, which keeps clang from reads that the program does not make; the pass takes the marks.
# -fplugin makes the pass's options known (-mllvm -anyorder-no-…).
set(ANYORDER_PASS_CLANG 19)
set(ANYORDER_PASS_FILE anyorder_pass_clang${ANYORDER_PASS_CLANG}.so)
set(ANYORDER_INSTRUMENT_PASS
    --start-no-unused-arguments
    -fsanitize=thread
    -fno-sanitize-link-runtime
    -fplugin=<pass>
    -fpass-plugin=<pass>
    --end-no-unused-arguments)
