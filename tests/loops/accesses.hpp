// Statements of generated programs that access memory.
//
// Contract: whatever is read goes into `sum`, also where a compiler could see that nothing else depends on
// it; and nothing is stored that a compiler could know to be there already.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "places.hpp"

namespace anyorder::loops {

class Accesses {
 public:
  Accesses(Dice& dice, Places& places) : dice_(dice), places_(places) {}

  // One statement or several, each on a line. Plain ones are executed whenever the loops around them are, or
  // under a condition that does not change, and their addresses depend on nothing but variables.
  [[nodiscard]] std::string plain(const std::vector<Number>& variables, const std::vector<Number>& factors);
  [[nodiscard]] std::string access(const std::vector<Number>& variables, const std::vector<Number>& factors);
  // Of elements a little apart, or of one: before an interruption and after it. What interrupts gets to know
  // the address and the size of one of them.
  struct Interruption {
    std::string first;  // before all of it
    std::string between;
  };
  [[nodiscard]] std::string around(const std::vector<Number>& variables,
                                   const std::function<Interruption(const std::string&, int)>& interrupt);
  // Of more bytes than an element has: those of two steps of a loop overlap.
  [[nodiscard]] std::string overlapping(const std::vector<Number>& variables);
  // A read that is an expression, of an integer below `limit`, a power of two.
  [[nodiscard]] std::string small_read(const std::vector<Number>& variables, int limit);

 private:
  struct Place {
    const View& view;
    std::string index;
    std::string member;
    std::string text;
  };
  [[nodiscard]] Place place(int more = 0);
  [[nodiscard]] static std::string element(const Place& place, int more, const std::string& member);
  [[nodiscard]] static std::string type(const Place& place);
  [[nodiscard]] std::string write(const std::string& text);
  [[nodiscard]] std::string address(const View& view);

  [[nodiscard]] std::string neighbours();
  [[nodiscard]] std::string pieces();
  [[nodiscard]] std::string conditional();
  [[nodiscard]] std::string indirect();
  [[nodiscard]] std::string copy();
  [[nodiscard]] std::string by_call();
  [[nodiscard]] std::string by_inlined_loop();

  Dice& dice_;
  Places& places_;
  const std::vector<Number>* variables_ = nullptr;
  const std::vector<Number>* factors_ = nullptr;
};

}  // namespace anyorder::loops
