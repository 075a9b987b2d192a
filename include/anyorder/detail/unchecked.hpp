// Marks what the headers do inside, so that code instrumented for `anyorder check` neither reports it nor
// pays for it. Without instrumentation, and under the real ThreadSanitizer, which has to see the headers'
// synchronisation, the marks are nothing.
//
//   ANYORDER_UNCHECKED   a function whose accesses are not checked
//   ANYORDER_RUNS_TASK   a function that runs the task that it gets: until it lets the address out, nobody
//   else
//                        accesses that memory. For anyorder's pass
#pragma once

#if !defined(ANYORDER_INSTRUMENT)
#define ANYORDER_UNCHECKED
#elif defined(__clang__)
// The first attribute alone leaves atomic operations instrumented.
#define ANYORDER_UNCHECKED __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define ANYORDER_UNCHECKED __attribute__((no_sanitize("thread")))
#endif

#if defined(ANYORDER_INSTRUMENT) && defined(__clang__)
#define ANYORDER_RUNS_TASK __attribute__((annotate("anyorder: runs its task")))
#else
#define ANYORDER_RUNS_TASK
#endif
