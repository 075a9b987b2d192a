#include <cstdlib>
#include <new>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

#include <anyorder/anyorder.hpp>

namespace anyorder::plain_tbb {
namespace {

thread_local Group* current = nullptr;

std::size_t workers() {
  const char* const text = std::getenv("ANYORDER_WORKERS");
  const long wanted = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return static_cast<std::size_t>(wanted > 0 ? wanted : tbb::info::default_concurrency());
}

void limit_threads() {
  static const tbb::global_control kLimit(tbb::global_control::max_allowed_parallelism, workers());
}

tbb::task_group& group_in(std::array<std::byte, 192>& storage) {
  static_assert(sizeof(tbb::task_group) <= sizeof storage);
  static_assert(alignof(tbb::task_group) <= alignof(std::max_align_t));
  return *std::launder(reinterpret_cast<tbb::task_group*>(storage.data()));
}

}  // namespace

Group::Group() {
  limit_threads();
  new (group_.data()) tbb::task_group;
}

Group::~Group() { group_in(group_).~task_group(); }

void Group::run(TaskBody body, void* closure) {
  group_in(group_).run([this, body, closure] { body(*this, closure); });
}

void Group::loop(std::size_t count, LoopBody body, const void* closure) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                    [this, body, closure](const tbb::blocked_range<std::size_t>& part) {
                      body(*this, closure, part.begin(), part.end());
                    });
}

void Group::wait() { group_in(group_).wait(); }

Group* current_group() { return current; }
void set_current_group(Group* group) { current = group; }

}  // namespace anyorder::plain_tbb
