#include "binding/explore/explorer.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <malloc.h>
#include <sstream>
#include <utility>

#include "anyorder/async.hpp"
#include "binding/check/address_space.hpp"
#include "binding/explore/words.hpp"
#include "events/instrumented_code.hpp"
#include "events/running_task.hpp"
#include "explore/schedule.hpp"
#include "runtime/misuse.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/tool.hpp"

namespace anyorder::binding {
namespace {

using exploring::TaskNumber;
using exploring::Word;

void* slot_of(TaskNumber number) { return reinterpret_cast<void*>(std::uintptr_t{number} + 1); }

// Where a run of the controlled executor has its stacks and blocks: nothing else is there.
bool is_of_a_run(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  return at >= runtime::kFiberStacksBegin && at < events::placed_blocks.end;
}

template <class Each>
void for_each_word(const void* begin, std::size_t bytes, Each each) {
  auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t end = address + bytes;
  while (address < end) {
    const Word word = address / 8;
    const std::uintptr_t stop = std::min(end, (word + 1) * 8);
    const auto first = static_cast<unsigned>(address % 8);
    each(word, static_cast<exploring::ByteMask>(((1U << (stop - address)) - 1) << first));
    address = stop;
  }
}

constinit thread_local bool t_explores = false;

// While it lives, the explorer hears everything, and the calling stack is the tool's.
class Listening {
 public:
  explicit Listening(ClosureExplorer& explorer) {
    runtime::attach(&explorer);
    events::attached_memory_listener = &explorer;
    t_explores = true;
    anyorder_quick_watch_1 = true;
  }
  ~Listening() {
    anyorder_quick_watch_1 = false;
    t_explores = false;
    runtime::attach(nullptr);
    events::attached_memory_listener = nullptr;
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  events::InsideTool inside_;
};

}  // namespace

exploration ClosureExplorer::explore(void (*function)(void*), void* f, const exploration_bounds& bounds,
                                     const std::string& schedule, source_site site) {
  exploration unknown;
  if (!instrumented_) {
    unknown.text =
        "unknown: no code of this program is instrumented. Compile it with `anyorder c++`, or with "
        "anyorder_instrument in CMake.\n";
    return unknown;
  }
  const auto wanted = exploring::schedule_in(schedule.empty() ? "0" : schedule);
  if (!wanted) runtime::throw_misuse(site, "replay of '" + schedule + "', which is no schedule");
  const Listening listening(*this);
  if (arenas_ == nullptr) arenas_ = std::make_unique<Arenas>();
  if (executor_ == nullptr) executor_ = std::make_unique<runtime::Controlled>();
  function_ = function;
  closure_ = f;
  not_covered_.clear();
  other_threads_ = false;
  exploring::Bounds limits;
  limits.runs = bounds.max_orders;
  limits.time = std::chrono::duration<double>(bounds.max_seconds);
  exploring::Search search(*this, exploring::Reduction::persistent, limits);
  // What the program does only the first time, such as to initialise statics, is over after this.
  if (schedule.empty()) run_once();
  const exploring::Result result = schedule.empty() ? search.go() : search.replay(*wanted);
  if (other_threads_)
    not_covered_.emplace_back("other threads ran meanwhile, and the search does not see them");
  return answer_to(result);
}

void ClosureExplorer::run(exploring::Guide& guide) {
  arenas_->begin_run();
  tasks_.clear();
  sections_.clear();
  guide_ = &guide;
  struct Ends {
    exploring::Guide*& guide;
    ~Ends() { guide = nullptr; }
  } const ends{guide_};
  run_once();
}

void ClosureExplorer::run_once() {
  ignoring_ = 0;
  choices_ = 0;
  auto body = [this] { function_(closure_); };
  using Body = detail::AsyncTask<decltype(body)>;
  executor_->run(detail::new_task<Body>(detail::TaskKind::async, source_site{}, body), *this);
}

std::uint64_t ClosureExplorer::load(Word word) const {
  return *reinterpret_cast<const volatile std::uint64_t*>(word * 8);
}

std::optional<std::size_t> ClosureExplorer::next(std::span<const runtime::Standing> standing) {
  if (observes()) {
    executor_->for_each_stack([&](const char* low, const char* stands_at) { forget(low, stands_at); });
    std::vector<TaskNumber> numbers;
    for (const runtime::Standing& one : standing) numbers.push_back(number_in(one.task->tool).value());
    const auto chosen = guide_->next(numbers);
    if (chosen) {
      sections_.push_back({numbers[*chosen], runtime::to_event(standing[*chosen].section->site)});
      return chosen;
    }
  }
  // Nobody is interested any more: the run goes to its end, if it has one.
  if (standing.empty() || ++choices_ > exploring::Bounds{}.depth) return std::nullopt;
  return 0;
}

std::optional<TaskNumber> ClosureExplorer::number_in(void* slot) const {
  if (slot == nullptr || !observes()) return std::nullopt;
  return static_cast<TaskNumber>(reinterpret_cast<std::uintptr_t>(slot) - 1);
}

// --- Structure ------------------------------------------------------------------------------------------

void ClosureExplorer::task_created(events::Slot parent, events::Slot child, events::Slot /*finish*/,
                                   events::TaskKind kind, events::SourceSite at) {
  const events::InsideTool inside;
  if (!observes()) return;
  TaskNumber number = 0;
  if (const auto creator = number_in(parent)) {
    number = guide_->run().created(*creator, kind == events::TaskKind::future);
  } else if (!tasks_.empty()) {
    return;
  }
  tasks_.push_back({at, {}});
  child = slot_of(number);
}

void ClosureExplorer::task_begun(events::Slot task) { events::running_task() = to_run(task); }
void ClosureExplorer::task_resumed(events::Slot task) { events::running_task() = to_run(task); }

void ClosureExplorer::task_ended(events::Slot task) {
  events::InsideTool inside;
  if (const auto number = number_in(task)) {
    guide_->run().ended(*number);
    const support::StackMemory& stack = runtime::this_worker()->strand->memory;
    forget(stack.low(), stack.high());
  }
  inside.set_running(nullptr);
}

void ClosureExplorer::finish_begun(events::Slot owner, events::Slot /*finish*/, events::SourceSite at) {
  const events::InsideTool inside;
  if (const auto number = number_in(owner)) {
    guide_->run().finish_begun(*number);
    tasks_[*number].waits_at = at;
  }
}

void ClosureExplorer::finish_ended(events::Slot owner, events::Slot /*finish*/) {
  const events::InsideTool inside;
  if (const auto number = number_in(owner)) guide_->run().finish_ended(*number);
}

void ClosureExplorer::get_begun(events::Slot getter, events::Slot target, events::SourceSite at) {
  const events::InsideTool inside;
  const auto number = number_in(getter);
  const auto waited_for = number_in(target);
  if (!number || !waited_for) return;
  tasks_[*number].waits_at = at;
  guide_->run().get_begun(*number, *waited_for);
}

void ClosureExplorer::get_ended(events::Slot getter, events::Slot target, events::SourceSite /*at*/) {
  const events::InsideTool inside;
  const auto number = number_in(getter);
  if (number && number_in(target)) guide_->run().get_ended(*number);
}

void ClosureExplorer::isolated_entered(events::Slot task, std::span<const void* const> objects,
                                       events::SourceSite /*at*/) {
  const events::InsideTool inside;
  if (const auto number = number_in(task)) guide_->run().section_entered(*number, objects);
}

void ClosureExplorer::isolated_left(events::Slot task, std::span<const void* const> /*objects*/) {
  const events::InsideTool inside;
  if (const auto number = number_in(task)) guide_->run().section_left(*number);
}

// --- Memory ---------------------------------------------------------------------------------------------

bool ClosureExplorer::is_shared_data(Word word) {
  const void* const address = reinterpret_cast<const void*>(word * 8);
  if (is_of_a_run(address)) return true;
  std::uint8_t& known = shared_[word];
  if (known == 0) known = is_thread_local(word * 8) || is_of_cxx_library(word * 8) ? 2 : 1;
  return known == 1;
}

void ClosureExplorer::access(events::Access kind, const void* address, std::size_t bytes, std::uintptr_t pc) {
  events::InsideTool inside;
  const auto number = number_in(inside.running());
  if (!number) return;
  const support::StackMemory& stack = runtime::this_worker()->strand->memory;
  const bool on_own_stack = address >= stack.low() && address < stack.high();
  for_each_word(address, bytes, [&](Word word, exploring::ByteMask mask) {
    if (guide_->done() || !is_shared_data(word)) return;
    exploring::Run& run = guide_->run();
    const auto race = kind == events::Access::write
                          ? run.write(*number, word, mask, pc, on_own_stack)
                          : run.read(*number, word, mask, load(word), pc, on_own_stack);
    if (race) guide_->found(*race);
  });
  inside.set_running(to_run(inside.running()));
}

void ClosureExplorer::unobserved_access() noexcept {
  if (!t_explores) other_threads_.store(true, std::memory_order_relaxed);
}

void ClosureExplorer::read(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  access(events::Access::read, begin, bytes, pc);
}
void ClosureExplorer::write(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  access(events::Access::write, begin, bytes, pc);
}

void ClosureExplorer::forget(const void* begin, const void* end) {
  if (begin == end) return;
  guide_->run().forget(reinterpret_cast<std::uintptr_t>(begin) / 8,
                       (reinterpret_cast<std::uintptr_t>(end) - 1) / 8);
}

void* ClosureExplorer::place(std::size_t bytes, std::size_t alignment) {
  events::InsideTool inside;
  const auto number = number_in(inside.running());
  if (!number) return nullptr;
  void* const block = arenas_->allocate(guide_->run().lineage_of(*number), bytes, alignment);
  if (block == nullptr) not_covered("a task allocates more memory than the search can keep at one place");
  return block;
}

void* ClosureExplorer::task_memory(std::size_t bytes) { return place(bytes, 0); }

bool ClosureExplorer::task_memory_given_back(void* memory) noexcept {
  if (!events::placed_blocks.contains(memory)) return false;
  const events::InsideTool inside;
  if (observes()) forget(memory, static_cast<char*>(memory) + events::PlacedBlocks::size_of(memory));
  arenas_->free(memory);
  return true;
}

void ClosureExplorer::freed(const void* begin, std::uintptr_t pc) {
  const bool placed = events::placed_blocks.contains(begin);
  if (observes()) {
    const std::size_t bytes =
        placed ? events::PlacedBlocks::size_of(begin) : malloc_usable_size(const_cast<void*>(begin));
    if (events::running_task() != nullptr && events::instrumented_code.contains(pc)) {
      access(events::Access::write, begin, bytes, pc);
    }
    const events::InsideTool inside;
    if (observes()) forget(begin, static_cast<const char*>(begin) + bytes);
  }
  const events::InsideTool inside;
  if (placed) arenas_->free(const_cast<void*>(begin));
}

void ClosureExplorer::mapped(const void* begin, std::size_t bytes) {
  const events::InsideTool inside;
  if (observes()) forget(begin, static_cast<const char*>(begin) + bytes);
}
void ClosureExplorer::unmapped(const void* begin, std::size_t bytes, std::uintptr_t /*pc*/) {
  const events::InsideTool inside;
  if (observes()) forget(begin, static_cast<const char*>(begin) + bytes);
}

void ClosureExplorer::begin_ignoring() {
  if (ignoring_++ == 0) ignored_ = std::exchange(events::running_task(), nullptr);
}
void ClosureExplorer::end_ignoring() {
  if (ignoring_ > 0 && --ignoring_ == 0) events::running_task() = to_run(ignored_);
}
void ClosureExplorer::once_begun() { begin_ignoring(); }
void ClosureExplorer::once_ended() { end_ignoring(); }
void ClosureExplorer::destruction_begun(const void* /*counter*/, events::Slot /*ended*/) { begin_ignoring(); }
void ClosureExplorer::destruction_ended() { end_ignoring(); }

void* ClosureExplorer::handler_begun() { return std::exchange(events::running_task(), nullptr); }
void ClosureExplorer::handler_ended(void* interrupted) { events::running_task() = interrupted; }

void ClosureExplorer::module_started() {
  const events::InsideTool inside;
  instrumented_ = true;
  for (const AddressRange& module : modules_that_import("__tsan_init")) {
    if (events::instrumented_code.contains(module.begin)) continue;
    events::instrumented_code.add(module.begin, module.end - module.begin);
  }
}

void ClosureExplorer::not_covered(std::string_view why) {
  const events::InsideTool inside;
  if (!observes() || std::find(not_covered_.begin(), not_covered_.end(), why) != not_covered_.end()) return;
  not_covered_.emplace_back(why);
}

// --- The answer -----------------------------------------------------------------------------------------

exploration ClosureExplorer::answer_to(const exploring::Result& result) const {
  using exploring::Answer;
  exploration answer;
  answer.orders = result.runs;
  answer.states = result.states;
  std::ostringstream text;
  const auto extent = [&] {
    text << "  orders of isolated sections that were run: " << result.runs << "; states: " << result.states
         << "; sections in one run: at most " << result.deepest << '\n';
  };
  const auto unknown = [&] { answer.answer = exploration::verdict::unknown; };
  switch (result.answer) {
    case Answer::proved:
      if (not_covered_.empty()) {
        answer.answer = exploration::verdict::proved;
        text << "proved: no race and no deadlock on any schedule of this input\n";
      } else {
        unknown();
        text << "unknown: nothing was found, but that is no proof:\n";
        for (const std::string& why : not_covered_) text << "  " << why << '\n';
      }
      extent();
      break;
    case Answer::race:
    case Answer::deadlock:
      answer.schedule = exploring::to_text(result.schedule);
      if (result.answer == Answer::race) {
        answer.answer = exploration::verdict::race;
        text << in_words(*result.race, [&](TaskNumber task) { return name_of(task); });
      } else {
        answer.answer = exploration::verdict::deadlock;
        text << "deadlock: these tasks wait, and nothing can go on\n";
        for (const exploring::LiveTask& task : result.stuck) {
          text << "  " << name_of(task.number) << " waits at " << in_words(tasks_[task.number].waits_at)
               << '\n';
        }
      }
      text << "  the sections, in this order:\n";
      for (const SectionSeen& section : sections_) {
        text << "    " << in_words(section.at) << ", of " << name_of(section.task) << '\n';
      }
      text << "  to see it again: ao::replay(\"" << answer.schedule << "\", …)\n";
      extent();
      break;
    case Answer::out_of_bounds:
      unknown();
      answer.schedule = exploring::to_text(result.schedule);
      text << "unknown: the bound of " << result.bound << " was reached, and nothing was found before\n";
      extent();
      break;
    case Answer::diverged:
      unknown();
      answer.schedule = exploring::to_text(result.schedule);
      text << "unknown: the program did something else when it was run again in the same order. It has to "
              "set its "
              "data to the same values each time, and may not depend on time, random numbers or addresses\n";
      extent();
      break;
  }
  answer.text = text.str();
  return answer;
}

std::string ClosureExplorer::name_of(TaskNumber task) const {
  if (task == 0) return "the closure itself";
  return "task " + std::to_string(task) + " (created at " + in_words(tasks_[task].created_at) + ")";
}

}  // namespace anyorder::binding
