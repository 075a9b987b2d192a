// What the library throws about the use of its own API. Exceptions of the user's tasks pass unchanged.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "anyorder/detail/export.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder {

// The program asked for something the model does not have: a get on an empty handle, a task operation
// inside an isolated section, a second configuration while tasks are alive. The message starts with the
// file and line of the operation.
class ANYORDER_API usage_error : public std::logic_error {
 public:
  using std::logic_error::logic_error;
  usage_error(const usage_error&) = default;
  ~usage_error() override;
};

// One task of a cycle of tasks that wait for each other.
struct waiting_task {
  std::uint64_t task = 0;         // a number that tells it from the others
  bool at_end_of_finish = false;  // else it waits in a get
  source_site waits_at;           // the get, or where the finish begins
  source_site created_at;
};

// Thrown by a get, under a join policy: it would have closed a cycle of waiting tasks (or was part of one
// that something else closed). The message starts with the file and line of the get. The task may go on; the
// others of the cycle wait no longer than it takes to end.
class ANYORDER_API deadlock_error : public std::runtime_error {
 public:
  deadlock_error(const std::string& what, std::vector<waiting_task> tasks);
  deadlock_error(const deadlock_error&) = default;
  ~deadlock_error() override;

  // Each waits for the next one, the last for the first.
  const std::vector<waiting_task>& cycle() const noexcept { return *cycle_; }

 private:
  std::shared_ptr<const std::vector<waiting_task>> cycle_;
};

// Thrown by a get under the join policy `strict`: the task does not know the future by the rules of known
// joins. Its handle came by a race, or through an isolated section, an atomic or a mutex.
class ANYORDER_API unknown_join_error : public std::runtime_error {
 public:
  unknown_join_error(const std::string& what, source_site got_at, source_site future_created_at);
  unknown_join_error(const unknown_join_error&) = default;
  ~unknown_join_error() override;

  source_site got_at;
  source_site future_created_at;
};

}  // namespace anyorder
