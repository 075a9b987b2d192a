// Where accesses were made: a code address with the calls that led there, each combination once, so that a
// detector can keep it in one word.
//
// Contract: any thread; one lock inside. A Place lives as long as the table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <unordered_set>

#include "binding/check/call_stack.hpp"
#include "findings/source.hpp"

namespace anyorder::binding {

struct Place {
  // Callers beyond that many are not told apart: a recursion would have no end of them.
  static constexpr std::size_t kMost = 8;

  std::array<std::uintptr_t, kMost> pcs{};  // innermost first; 0 behind the last

  [[nodiscard]] findings::Trace to_trace() const;
  friend bool operator==(const Place&, const Place&) = default;
};

class Places {
 public:
  // `calls` are those of the running task, outermost first.
  const Place* at(std::uintptr_t pc, std::span<const Call> calls);

 private:
  struct Hash {
    std::size_t operator()(const Place& place) const noexcept;
  };
  std::mutex mutex_;
  std::unordered_set<Place, Hash> places_;
};

}  // namespace anyorder::binding
