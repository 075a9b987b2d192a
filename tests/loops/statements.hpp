// The body of a function of a generated program: loops, conditions, exits, calls and tasks around accesses.
#pragma once

#include <string>
#include <vector>

#include "accesses.hpp"

namespace anyorder::loops {

// What the function may do; not all of it at once, so that loops remain that the pass takes for certain.
struct Habits {
  bool is_plain;  // then nothing else of it, and nothing depends on what is read
  bool is_tidy;   // plain, and loops go from each element to the next
  bool makes_tasks;
  bool leaves_early;
  bool throws;
  bool calls;
  bool has_own_memory;
  bool is_on_one_line;
  bool keeps_sum_outside;  // then calls that throw need no cleanup
};

// What own memory takes at most, in bytes.
constexpr int kOwnBytes = 128;

class Statements {
 public:
  // `parameters` are n, m, s and, at least 1, t.
  Statements(Dice& dice, Places& places, const Habits& habits, std::vector<Number> parameters)
      : dice_(dice),
        places_(places),
        accesses_(dice, places),
        habits_(habits),
        parameters_(std::move(parameters)) {
    if (habits.is_tidy) places.keep_tidy();
  }

  [[nodiscard]] std::string body();

 private:
  [[nodiscard]] std::string statement();
  [[nodiscard]] std::string habit();
  [[nodiscard]] std::string block();
  [[nodiscard]] std::string loop();
  [[nodiscard]] std::string loop_by_pointer();
  [[nodiscard]] std::string branch();
  [[nodiscard]] std::string exception();
  [[nodiscard]] std::string exit();
  [[nodiscard]] std::string attempt();
  [[nodiscard]] std::string call();
  [[nodiscard]] std::string callee();
  [[nodiscard]] std::string task();
  [[nodiscard]] std::string touch_by_task();
  [[nodiscard]] std::string own_memory();

  [[nodiscard]] Number bound();
  [[nodiscard]] std::string condition();
  [[nodiscard]] std::string access() {
    return habits_.is_plain ? accesses_.plain(variables_, parameters_)
                            : accesses_.access(variables_, parameters_);
  }

  Dice& dice_;
  Places& places_;
  Accesses accesses_;
  Habits habits_;
  std::vector<Number> parameters_;
  std::vector<Number> variables_;
  bool may_continue_ = true;
  int names_ = 0;
  int budget_ = 0;
};

}  // namespace anyorder::loops
