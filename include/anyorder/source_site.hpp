// Where in the user's source a task operation was written.
// Every operation takes one as its last, defaulted argument; users never write it.
#pragma once

namespace anyorder {

struct source_site {
  const char* file = "";
  const char* function = "";
  unsigned line = 0;

  static constexpr source_site current(const char* file = __builtin_FILE(),
                                       const char* function = __builtin_FUNCTION(),
                                       unsigned line = __builtin_LINE()) noexcept {
    return {file, function, line};
  }
};

}  // namespace anyorder
