// Predicts from the tree alone which bytes of a program race.
//
// It walks the program in serial depth-first order, notes the steps, the edges between them and every access,
// and decides each conflicting pair by reachability. Nothing of src/ is in it: where it and the tool
// disagree, one of the two is wrong.
#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "program.hpp"

namespace anyorder::differential {

// Wrong on purpose: so a test can see that a disagreement is found and shrunk.
enum class Flaw : std::uint8_t {
  none,
  forgets_gets,      // a get orders nothing
  forgets_frees,     // a free is no write
  forgets_escapes,   // a finish joins only what its owner has created
  forgets_handles,   // handles are no data
  forgets_isolated,  // sections exclude nothing
};
inline constexpr std::pair<Flaw, std::string_view> kFlaws[] = {
    {Flaw::forgets_gets, "gets"},         {Flaw::forgets_frees, "frees"},
    {Flaw::forgets_escapes, "escapes"},   {Flaw::forgets_handles, "handles"},
    {Flaw::forgets_isolated, "isolated"},
};

struct RacyByte {
  int object;
  int byte;

  friend auto operator<=>(const RacyByte&, const RacyByte&) = default;
};

struct Prediction {
  std::vector<Object> objects;  // all that the run makes, in order
  std::set<RacyByte> racy;
  bool undecided =
      false;  // only the order of isolated sections in the serial run orders some conflicting pair
  bool uses_futures = false;
  bool uses_isolated = false;
  bool is_fork_join = true;          // every task is created by the owner of the finish that joins it
  bool depends_on_schedule = false;  // what statements do to blocks: they come and go in parallel to uses
  int executed = 0;                  // statements that did something
};

[[nodiscard]] Prediction predict(const Program& program, Flaw flaw = Flaw::none);

}  // namespace anyorder::differential
