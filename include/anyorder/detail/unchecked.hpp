// Marks what the headers do inside, so that code instrumented for `anyorder check` neither reports it nor
// pays for it. Without instrumentation, and under the real ThreadSanitizer, which has to see the headers'
// synchronisation, the mark is nothing.
#pragma once

#if !defined(ANYORDER_INSTRUMENT)
#define ANYORDER_UNCHECKED
#elif defined(__clang__)
// The first attribute alone leaves atomic operations instrumented.
#define ANYORDER_UNCHECKED __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define ANYORDER_UNCHECKED __attribute__((no_sanitize("thread")))
#endif
