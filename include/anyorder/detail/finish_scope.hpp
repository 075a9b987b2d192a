// An open finish: the count of what it still has to wait for, and what went wrong in it.
//
// Counting is by credits, so that a task that is created and joined by the same worker costs no atomic
// operation. A scope starts with kCredits of them, all held by its owner's view. Each live task carries one;
// a strand that runs tasks of the scope holds further ones in a view of its own, and takes more from the
// scope when it runs out. `outstanding` counts every credit that has not come back: the scope is complete
// when the owner's view holds all that are outstanding.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

#include "anyorder/detail/export.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder::detail {

class FinishScope;
struct Failures;
struct Strand;

// One strand's purse for one scope. Held only while a live task of the scope (or its owner) stands on that
// strand. Invariant of a view in use: credits >= 1 for the owner's, >= 0 for the others.
struct FinishView {
  FinishScope* scope = nullptr;
  std::int64_t credits = 0;
};

inline constexpr std::int64_t kCredits = std::int64_t{1} << 32;

class FinishScope {
 public:
  // Opens the scope in the running task. Throws usage_error inside an isolated section.
  ANYORDER_API explicit FinishScope(source_site opened_at);
  FinishScope(const FinishScope&) = delete;
  FinishScope& operator=(const FinishScope&) = delete;
  ~FinishScope() = default;

  // Waits for every task of the scope, closes it, and throws the first exception that nobody took.
  ANYORDER_API void end();
  // The same when the body ended by an exception; to be called in its handler.
  [[noreturn]] ANYORDER_API void end_failed();

  struct ForThread {};
  // The implicit finish around all that an ordinary thread does.
  explicit FinishScope(ForThread) noexcept;

  std::atomic<std::int64_t> outstanding{kCredits};
  FinishView own{this, kCredits};   // the owner's view
  FinishView* enclosing = nullptr;  // the owner's view before this scope; null for a thread's scope
  Strand* waiter = nullptr;         // the owner's strand; valid from before the owner gives up its credits
  std::atomic<Failures*> failures{nullptr};
  void* tool = nullptr;               // belongs to the attached tool
  std::atomic<void*> joins{nullptr};  // belongs to the join policy
  std::uint32_t depth = 0;
  source_site site;
};

}  // namespace anyorder::detail
