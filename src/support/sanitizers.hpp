// Which of the real sanitizers this build runs under.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ANYORDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANYORDER_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define ANYORDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ANYORDER_TSAN 1
#endif
#endif

#ifndef ANYORDER_ASAN
#define ANYORDER_ASAN 0
#endif
#ifndef ANYORDER_TSAN
#define ANYORDER_TSAN 0
#endif
