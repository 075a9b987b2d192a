// The functions of <cstring> and <cstdlib> that read and write memory for their caller.
//
// Built without the compiler's knowledge of these names (see src/CMakeLists.txt), or a loop below would
// become a call to the function it is in.

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frontends/c_library/intercept.hpp"

using namespace anyorder::frontends::c_library;  // NOLINT(google-build-using-namespace): definitions only
                                                 // follow

namespace {

// For the few calls before the dynamic linker can tell where the real one is.
void* copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
  auto* const out = static_cast<unsigned char*>(to);
  const auto* const in = static_cast<const unsigned char*>(from);
  if (out <= in) {
    for (std::size_t i = 0; i < bytes; ++i) out[i] = in[i];
  } else {
    for (std::size_t i = bytes; i > 0; --i) out[i - 1] = in[i - 1];
  }
  return to;
}

std::size_t length_of(const char* text) noexcept {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}
std::size_t length_up_to(const char* text, std::size_t most) noexcept {
  std::size_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}
// How many characters a comparison of the two looks at.
std::size_t compared(const char* a, const char* b, std::size_t most) noexcept {
  std::size_t same = 0;
  while (same < most && a[same] == b[same] && a[same] != '\0') ++same;
  return std::min(same + 1, most);
}

Hidden<void*(void*, const void*, std::size_t)> hidden_memmove("memmove");
Hidden<void*(void*, int, std::size_t)> hidden_memset("memset");
// With -D_FORTIFY_SOURCE: `room` is the size of the object that is written to.
Hidden<void*(void*, const void*, std::size_t, std::size_t)> hidden_memcpy_chk("__memcpy_chk");
Hidden<void*(void*, const void*, std::size_t, std::size_t)> hidden_memmove_chk("__memmove_chk");
Hidden<void*(void*, int, std::size_t, std::size_t)> hidden_memset_chk("__memset_chk");
Hidden<char*(char*, const char*, std::size_t)> hidden_strcpy_chk("__strcpy_chk");
Hidden<char*(char*, const char*, std::size_t)> hidden_strcat_chk("__strcat_chk");
Hidden<char*(char*, const char*, std::size_t, std::size_t)> hidden_strncpy_chk("__strncpy_chk");
Hidden<int(const void*, const void*, std::size_t)> hidden_memcmp("memcmp");
Hidden<void*(const void*, int, std::size_t)> hidden_memchr("memchr");
Hidden<char*(char*, const char*)> hidden_strcpy("strcpy");
Hidden<char*(char*, const char*)> hidden_stpcpy("stpcpy");
Hidden<char*(char*, const char*, std::size_t)> hidden_strncpy("strncpy");
Hidden<char*(char*, const char*)> hidden_strcat("strcat");
Hidden<char*(char*, const char*, std::size_t)> hidden_strncat("strncat");
Hidden<int(const char*, const char*)> hidden_strcmp("strcmp");
Hidden<int(const char*, const char*, std::size_t)> hidden_strncmp("strncmp");
Hidden<char*(const char*, int)> hidden_strchr("strchr");
Hidden<char*(const char*, int)> hidden_strrchr("strrchr");
Hidden<char*(const char*, const char*)> hidden_strstr("strstr");
Hidden<char*(const char*)> hidden_strdup("strdup");
Hidden<std::size_t(const char*)> hidden_strlen("strlen");
Hidden<std::size_t(const char*, std::size_t)> hidden_strnlen("strnlen");
Hidden<void(void*, std::size_t, std::size_t, int (*)(const void*, const void*))> hidden_qsort("qsort");
Hidden<int(char*, std::size_t, const char*, std::va_list)> hidden_vsnprintf("vsnprintf");
[[gnu::constructor(101)]] void find_memory_functions() {
  find_ahead(hidden_memmove, hidden_memset, hidden_memcpy_chk, hidden_memmove_chk, hidden_memset_chk,
             hidden_strcpy_chk, hidden_strcat_chk, hidden_strncpy_chk, hidden_memcmp, hidden_memchr,
             hidden_strcpy, hidden_stpcpy, hidden_strncpy, hidden_strcat, hidden_strncat, hidden_strcmp,
             hidden_strncmp, hidden_strchr, hidden_strrchr, hidden_strstr, hidden_strdup, hidden_strlen,
             hidden_strnlen, hidden_qsort, hidden_vsnprintf);
}

}  // namespace

ANYORDER_INTERCEPTED void* memcpy(void* to, const void* from, std::size_t bytes) {
  reads(ANYORDER_CALLER, from, bytes);
  writes(ANYORDER_CALLER, to, bytes);
  auto* const real = hidden_memmove.get();
  return real != nullptr ? real(to, from, bytes) : copy_bytes(to, from, bytes);
}
ANYORDER_INTERCEPTED void* memmove(void* to, const void* from, std::size_t bytes) {
  reads(ANYORDER_CALLER, from, bytes);
  writes(ANYORDER_CALLER, to, bytes);
  auto* const real = hidden_memmove.get();
  return real != nullptr ? real(to, from, bytes) : copy_bytes(to, from, bytes);
}
ANYORDER_INTERCEPTED void* memset(void* to, int value, std::size_t bytes) {
  writes(ANYORDER_CALLER, to, bytes);
  if (auto* const real = hidden_memset.get()) return real(to, value, bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    static_cast<unsigned char*>(to)[i] = static_cast<unsigned char>(value);
  return to;
}
ANYORDER_INTERCEPTED void* mempcpy(void* to, const void* from, std::size_t bytes) {
  reads(ANYORDER_CALLER, from, bytes);
  writes(ANYORDER_CALLER, to, bytes);
  return static_cast<char*>(hidden_memmove(to, from, bytes)) + bytes;
}
ANYORDER_INTERCEPTED void bzero(void* to, std::size_t bytes) {
  writes(ANYORDER_CALLER, to, bytes);
  hidden_memset(to, 0, bytes);
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the C library's names
ANYORDER_INTERCEPTED void* __memcpy_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  reads(ANYORDER_CALLER, from, bytes);
  writes(ANYORDER_CALLER, to, bytes);
  return hidden_memcpy_chk(to, from, bytes, room);
}
ANYORDER_INTERCEPTED void* __memmove_chk(void* to, const void* from, std::size_t bytes, std::size_t room) {
  reads(ANYORDER_CALLER, from, bytes);
  writes(ANYORDER_CALLER, to, bytes);
  return hidden_memmove_chk(to, from, bytes, room);
}
ANYORDER_INTERCEPTED void* __memset_chk(void* to, int value, std::size_t bytes, std::size_t room) {
  writes(ANYORDER_CALLER, to, bytes);
  return hidden_memset_chk(to, value, bytes, room);
}
ANYORDER_INTERCEPTED char* __strcpy_chk(char* to, const char* from, std::size_t room) {
  const std::size_t length = hidden_strlen(from);
  reads(ANYORDER_CALLER, from, length + 1);
  writes(ANYORDER_CALLER, to, length + 1);
  return hidden_strcpy_chk(to, from, room);
}
ANYORDER_INTERCEPTED char* __strcat_chk(char* to, const char* from, std::size_t room) {
  const std::size_t before = hidden_strlen(to);
  const std::size_t length = hidden_strlen(from);
  reads(ANYORDER_CALLER, to, before + 1);
  reads(ANYORDER_CALLER, from, length + 1);
  writes(ANYORDER_CALLER, to + before, length + 1);
  return hidden_strcat_chk(to, from, room);
}
ANYORDER_INTERCEPTED char* __strncpy_chk(char* to, const char* from, std::size_t most, std::size_t room) {
  reads(ANYORDER_CALLER, from, std::min(length_up_to(from, most) + 1, most));
  writes(ANYORDER_CALLER, to, most);
  return hidden_strncpy_chk(to, from, most, room);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

ANYORDER_INTERCEPTED int memcmp(const void* a, const void* b, std::size_t bytes) {
  reads(ANYORDER_CALLER, a, bytes);
  reads(ANYORDER_CALLER, b, bytes);
  return hidden_memcmp(a, b, bytes);
}
// What clang makes of a memcmp of which only the equality matters.
ANYORDER_INTERCEPTED int bcmp(const void* a, const void* b, std::size_t bytes) {
  reads(ANYORDER_CALLER, a, bytes);
  reads(ANYORDER_CALLER, b, bytes);
  return hidden_memcmp(a, b, bytes);
}
ANYORDER_INTERCEPTED void* memchr(const void* text, int byte, std::size_t bytes) {
  void* const found = hidden_memchr(text, byte, bytes);
  const auto looked_at = static_cast<const char*>(found) - static_cast<const char*>(text) + 1;
  reads(ANYORDER_CALLER, text, found == nullptr ? bytes : static_cast<std::size_t>(looked_at));
  return found;
}

ANYORDER_INTERCEPTED std::size_t strlen(const char* text) {
  const std::size_t length = hidden_strlen(text);
  reads(ANYORDER_CALLER, text, length + 1);
  return length;
}
ANYORDER_INTERCEPTED std::size_t strnlen(const char* text, std::size_t most) {
  const std::size_t length = hidden_strnlen(text, most);
  reads(ANYORDER_CALLER, text, std::min(length + 1, most));
  return length;
}
ANYORDER_INTERCEPTED char* strcpy(char* to, const char* from) {
  const std::size_t length = length_of(from);
  reads(ANYORDER_CALLER, from, length + 1);
  writes(ANYORDER_CALLER, to, length + 1);
  return hidden_strcpy(to, from);
}
ANYORDER_INTERCEPTED char* stpcpy(char* to, const char* from) {
  const std::size_t length = length_of(from);
  reads(ANYORDER_CALLER, from, length + 1);
  writes(ANYORDER_CALLER, to, length + 1);
  return hidden_stpcpy(to, from);
}
ANYORDER_INTERCEPTED char* strncpy(char* to, const char* from, std::size_t most) {
  reads(ANYORDER_CALLER, from, std::min(length_up_to(from, most) + 1, most));
  writes(ANYORDER_CALLER, to, most);
  return hidden_strncpy(to, from, most);
}
ANYORDER_INTERCEPTED char* strcat(char* to, const char* from) {
  const std::size_t before = length_of(to);
  const std::size_t length = length_of(from);
  reads(ANYORDER_CALLER, to, before + 1);
  reads(ANYORDER_CALLER, from, length + 1);
  writes(ANYORDER_CALLER, to + before, length + 1);
  return hidden_strcat(to, from);
}
ANYORDER_INTERCEPTED char* strncat(char* to, const char* from, std::size_t most) {
  const std::size_t before = length_of(to);
  const std::size_t length = length_up_to(from, most);
  reads(ANYORDER_CALLER, to, before + 1);
  reads(ANYORDER_CALLER, from, std::min(length + 1, most));
  writes(ANYORDER_CALLER, to + before, length + 1);
  return hidden_strncat(to, from, most);
}
ANYORDER_INTERCEPTED int strcmp(const char* a, const char* b) {
  if (listener_for(ANYORDER_CALLER) != nullptr) {
    const std::size_t bytes = compared(a, b, SIZE_MAX);
    reads(ANYORDER_CALLER, a, bytes);
    reads(ANYORDER_CALLER, b, bytes);
  }
  return hidden_strcmp(a, b);
}
ANYORDER_INTERCEPTED int strncmp(const char* a, const char* b, std::size_t most) {
  if (listener_for(ANYORDER_CALLER) != nullptr) {
    const std::size_t bytes = compared(a, b, most);
    reads(ANYORDER_CALLER, a, bytes);
    reads(ANYORDER_CALLER, b, bytes);
  }
  return hidden_strncmp(a, b, most);
}
ANYORDER_INTERCEPTED char* strchr(const char* text, int character) {
  char* const found = hidden_strchr(text, character);
  if (listener_for(ANYORDER_CALLER) != nullptr) {
    reads(ANYORDER_CALLER, text,
          found == nullptr ? length_of(text) + 1 : static_cast<std::size_t>(found - text) + 1);
  }
  return found;
}
ANYORDER_INTERCEPTED char* strrchr(const char* text, int character) {
  if (listener_for(ANYORDER_CALLER) != nullptr) reads(ANYORDER_CALLER, text, length_of(text) + 1);
  return hidden_strrchr(text, character);
}
ANYORDER_INTERCEPTED char* strstr(const char* text, const char* part) {
  if (listener_for(ANYORDER_CALLER) != nullptr) {
    reads(ANYORDER_CALLER, text, length_of(text) + 1);
    reads(ANYORDER_CALLER, part, length_of(part) + 1);
  }
  return hidden_strstr(text, part);
}
ANYORDER_INTERCEPTED char* strdup(const char* text) {
  if (listener_for(ANYORDER_CALLER) != nullptr) reads(ANYORDER_CALLER, text, length_of(text) + 1);
  return hidden_strdup(text);
}

// The comparisons are the program's own code, and instrumented; the moves are not.
ANYORDER_INTERCEPTED void qsort(void* base, std::size_t count, std::size_t bytes,
                                int (*compare)(const void*, const void*)) {
  writes(ANYORDER_CALLER, base, count * bytes);
  hidden_qsort(base, count, bytes, compare);
}

ANYORDER_INTERCEPTED int vsnprintf(char* to, std::size_t bytes, const char* format, std::va_list arguments) {
  const int length = hidden_vsnprintf(to, bytes, format, arguments);
  if (length >= 0 && bytes != 0) {
    writes(ANYORDER_CALLER, to, std::min(static_cast<std::size_t>(length) + 1, bytes));
  }
  return length;
}
ANYORDER_INTERCEPTED int snprintf(char* to, std::size_t bytes, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = hidden_vsnprintf(to, bytes, format, arguments);
  va_end(arguments);
  if (length >= 0 && bytes != 0) {
    writes(ANYORDER_CALLER, to, std::min(static_cast<std::size_t>(length) + 1, bytes));
  }
  return length;
}
ANYORDER_INTERCEPTED int sprintf(char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = hidden_vsnprintf(to, SIZE_MAX / 2, format, arguments);
  va_end(arguments);
  if (length >= 0) writes(ANYORDER_CALLER, to, static_cast<std::size_t>(length) + 1);
  return length;
}
