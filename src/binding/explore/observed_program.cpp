#include "binding/explore/observed_program.hpp"

#include <algorithm>
#include <bit>
#include <malloc.h>
#include <utility>

#include "anyorder/async.hpp"
#include "events/instrumented_code.hpp"
#include "events/running_task.hpp"
#include "explore/search.hpp"
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

// The first and the last; there is one at least.
std::pair<Word, Word> words_in(const void* begin, const void* end) {
  return {reinterpret_cast<std::uintptr_t>(begin) / 8, (reinterpret_cast<std::uintptr_t>(end) - 1) / 8};
}

constinit thread_local bool t_explores = false;

}  // namespace

Listening::Listening(ObservedProgram& program) {
  runtime::attach(&program);
  events::attached_memory_listener = &program;
  t_explores = true;
  anyorder_quick_watch_1 = true;
}

Listening::~Listening() {
  anyorder_quick_watch_1 = false;
  t_explores = false;
  runtime::attach(nullptr);
  events::attached_memory_listener = nullptr;
}

void ObservedProgram::set_body(void (*function)(void*), void* closure) {
  if (arenas_ == nullptr) arenas_ = std::make_unique<Arenas>();
  if (executor_ == nullptr) executor_ = std::make_unique<runtime::Controlled>();
  function_ = function;
  closure_ = closure;
  not_covered_.clear();
  other_threads_ = false;
  exempt_ = {};
  static_cast<void>(exempt_.contains(0));  // looked up now, for all copies of this process
}

std::vector<std::string> ObservedProgram::not_covered() const {
  std::vector<std::string> all = not_covered_;
  if (other_threads_) all.emplace_back("other threads ran meanwhile, and the search does not see them");
  return all;
}

std::vector<std::string> ObservedProgram::notes() const {
  if (!has_forked_) return {};
  return {"A child process that the program forked is not explored."};
}

std::optional<ObservedProgram::Block> ObservedProgram::block_at(std::uintptr_t address) const {
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return std::nullopt;
  const Block& block = std::prev(after)->second;
  if (address - block.begin >= block.bytes) return std::nullopt;
  return block;
}

void ObservedProgram::look_whether_done() {
  if (guide_ == nullptr || !guide_->done() || told_) return;
  told_ = true;
  if (when_done_) when_done_();
}

void ObservedProgram::find_stack() {
  runtime::Strand& strand = *runtime::this_worker()->strand;
  if (strand.home == nullptr && strand.tool == nullptr) strand.tool = stacks_.make(range_of_stack());
  t_other_stack = strand.home == nullptr ? static_cast<StackState*>(strand.tool.get()) : nullptr;
}

void ObservedProgram::run(exploring::Guide& guide) {
  arenas_->begin_run();
  tasks_.clear();
  sections_.clear();
  blocks_.clear();
  told_ = false;
  guide_ = &guide;
  struct Ends {
    exploring::Guide*& guide;
    ~Ends() { guide = nullptr; }
  } const ends{guide_};
  run_once();
}

void ObservedProgram::run_once() {
  ignoring_ = 0;
  choices_ = 0;
  auto body = [this] { function_(closure_); };
  using Body = detail::AsyncTask<decltype(body)>;
  executor_->run(detail::new_task<Body>(detail::TaskKind::async, source_site{}, body), *this);
}

std::uint64_t ObservedProgram::load(Word word) const {
  return *reinterpret_cast<const volatile std::uint64_t*>(word * 8);
}

std::optional<std::size_t> ObservedProgram::next(std::span<const runtime::Standing> standing) {
  if (observes()) {
    free_stack_.clear();
    executor_->for_each_stack([&](const char* low, const char* stands_at) {
      if (low != stands_at) free_stack_.push_back(words_in(low, stands_at));
    });
    std::sort(free_stack_.begin(), free_stack_.end());
    guide_->run().forget(free_stack_);
    std::vector<TaskNumber> numbers;
    for (const runtime::Standing& one : standing) numbers.push_back(number_in(one.task->tool).value());
    const auto chosen = guide_->next(numbers);
    if (chosen) {
      const runtime::Standing& one = standing[*chosen];
      SectionSeen seen{numbers[*chosen], runtime::to_event(one.at), std::nullopt};
      if (one.chosen != nullptr) seen.chosen = number_in(one.chosen->tool);
      sections_.push_back(seen);
      return chosen;
    }
    look_whether_done();
  }
  // Nobody is interested any more: the run goes to its end, if it has one.
  if (standing.empty() || ++choices_ > exploring::Bounds{}.depth) return std::nullopt;
  return 0;
}

std::optional<TaskNumber> ObservedProgram::number_in(void* slot) const {
  if (slot == nullptr || !observes()) return std::nullopt;
  return static_cast<TaskNumber>(reinterpret_cast<std::uintptr_t>(slot) - 1);
}

// --- Structure ------------------------------------------------------------------------------------------

void ObservedProgram::task_created(events::Slot parent, events::Slot child, events::Slot /*finish*/,
                                   events::TaskKind kind, events::SourceSite at) {
  const events::InsideTool inside;
  if (!observes()) return;
  TaskNumber number = 0;
  const auto creator = number_in(parent);
  if (creator) {
    number = guide_->run().created(*creator, kind == events::TaskKind::future);
  } else if (!tasks_.empty()) {
    return;
  }
  tasks_.push_back({creator.value_or(0), at, {}, false});
  if (counters_ != nullptr && creator) {
    record::count(kind == events::TaskKind::future ? counters_->futures : counters_->asyncs);
  }
  child = slot_of(number);
}

void ObservedProgram::task_begun(events::Slot task) {
  {
    const events::InsideTool inside;
    find_stack();
    this_stack().calls.cut(0);
  }
  events::running_task() = to_run(task);
}
void ObservedProgram::task_resumed(events::Slot task) {
  {
    const events::InsideTool inside;
    find_stack();
  }
  events::running_task() = to_run(task);
}

void ObservedProgram::task_ended(events::Slot task) {
  events::InsideTool inside;
  if (const auto number = number_in(task)) {
    guide_->run().ended(*number);
    const support::StackMemory& stack = runtime::this_worker()->strand->memory;
    forget(stack.low(), stack.high());
  }
  inside.set_running(nullptr);
}

void ObservedProgram::finish_begun(events::Slot owner, events::Slot /*finish*/, events::SourceSite at) {
  const events::InsideTool inside;
  if (const auto number = number_in(owner)) {
    if (counters_ != nullptr) record::count(counters_->finishes);
    guide_->run().finish_begun(*number);
    tasks_[*number].waits_at = at;
    tasks_[*number].waits_in_get = false;
  }
}

void ObservedProgram::finish_ended(events::Slot owner, events::Slot /*finish*/) {
  const events::InsideTool inside;
  if (const auto number = number_in(owner)) guide_->run().finish_ended(*number);
  look_at_exceptions();
}

void ObservedProgram::get_begun(events::Slot getter, events::Slot target, events::SourceSite at) {
  const events::InsideTool inside;
  const auto number = number_in(getter);
  const auto waited_for = number_in(target);
  if (!number || !waited_for) return;
  if (counters_ != nullptr) record::count(counters_->gets);
  tasks_[*number].waits_at = at;
  tasks_[*number].waits_in_get = true;
  guide_->run().get_begun(*number, *waited_for);
}

void ObservedProgram::get_ended(events::Slot getter, events::Slot target, events::SourceSite /*at*/) {
  const events::InsideTool inside;
  const auto number = number_in(getter);
  if (number && number_in(target)) guide_->run().get_ended(*number);
  look_at_exceptions();
}

void ObservedProgram::posted(events::Slot task, const void* region) {
  const events::InsideTool inside;
  if (const auto number = number_in(task)) {
    guide_->run().posted(*number, reinterpret_cast<std::uintptr_t>(region));
  }
}

void ObservedProgram::choice_begun(events::Slot chooser, std::span<void* const> among,
                                   events::SourceSite at) {
  const events::InsideTool inside;
  const auto number = number_in(chooser);
  if (!number) return;
  std::vector<TaskNumber> numbers;
  for (void* const slot : among) {
    if (const auto one = number_in(slot)) numbers.push_back(*one);
  }
  tasks_[*number].waits_at = at;
  tasks_[*number].waits_in_get = true;
  guide_->run().choice_begun(*number, std::move(numbers));
}

void ObservedProgram::choice_made(events::Slot chooser, const void* region, std::size_t /*among*/,
                                  events::SourceSite /*at*/) {
  const events::InsideTool inside;
  if (const auto number = number_in(chooser)) {
    guide_->run().choice_made(*number, reinterpret_cast<std::uintptr_t>(region));
  }
}

void ObservedProgram::failed(events::Slot task, bool in_body) {
  const events::InsideTool inside;
  if (const auto number = number_in(task)) guide_->run().failed(*number, in_body);
  look_at_exceptions();
}

void ObservedProgram::look_at_exceptions() {
  if (observes() && guide_->run().exceptions_race()) {
    not_covered("several tasks fail in parallel, and the schedule decides which exception is thrown again");
  }
}

void ObservedProgram::isolated_entered(events::Slot task, std::span<const void* const> objects,
                                       events::SourceSite /*at*/) {
  const events::InsideTool inside;
  const auto number = number_in(task);
  if (!number) return;
  if (counters_ != nullptr) record::count(counters_->isolated);
  guide_->run().section_entered(*number, objects);
}

void ObservedProgram::isolated_left(events::Slot task, std::span<const void* const> /*objects*/) {
  const events::InsideTool inside;
  if (const auto number = number_in(task)) guide_->run().section_left(*number);
}

// --- Memory ---------------------------------------------------------------------------------------------

bool ObservedProgram::is_shared_data(Word word) {
  const void* const address = reinterpret_cast<const void*>(word * 8);
  if (is_of_a_run(address)) return true;
  std::uint8_t& known = shared_[word];
  if (known == 0) known = exempt_.contains(word * 8) ? 2 : 1;
  return known == 1;
}

void ObservedProgram::access(events::Access kind, const void* address, std::size_t bytes, std::uintptr_t pc) {
  events::InsideTool inside;
  const auto number = number_in(inside.running());
  if (!number) return;
  if (counters_ != nullptr) {
    ++(kind == events::Access::write ? counters_->plain.writes : counters_->plain.reads)[0];
  }
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
  look_whether_done();
  inside.set_running(to_run(inside.running()));
}

void ObservedProgram::unobserved_access() noexcept {
  if (!t_explores) other_threads_.store(true, std::memory_order_relaxed);
}

void ObservedProgram::read(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  access(events::Access::read, begin, bytes, pc);
}
void ObservedProgram::write(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  access(events::Access::write, begin, bytes, pc);
}

void ObservedProgram::forget(const void* begin, const void* end) {
  if (begin == end) return;
  const auto [first, last] = words_in(begin, end);
  guide_->run().forget(first, last);
}

void* ObservedProgram::place(std::size_t bytes, std::size_t alignment) {
  events::InsideTool inside;
  const auto number = number_in(inside.running());
  if (!number) return nullptr;
  void* const block = arenas_->allocate(guide_->run().lineage_of(*number), bytes, alignment);
  if (block == nullptr) not_covered("a task allocates more memory than the search can keep at one place");
  return block;
}

void* ObservedProgram::task_memory(std::size_t bytes) { return place(bytes, 0); }

bool ObservedProgram::task_memory_given_back(void* memory) noexcept {
  if (!events::placed_blocks.contains(memory)) return false;
  const events::InsideTool inside;
  if (observes()) forget(memory, static_cast<char*>(memory) + events::PlacedBlocks::size_of(memory));
  arenas_->free(memory);
  return true;
}

void ObservedProgram::allocated(const void* begin, std::size_t bytes, std::uintptr_t pc) {
  const events::InsideTool inside;
  if (!observes()) return;
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  blocks_[address] = {address, bytes, pc};
}

void ObservedProgram::ending() {
  events::InsideTool inside;
  if (!observes()) return;
  if (!guide_->run().only_first_lives() || number_in(inside.running()) != TaskNumber{0}) {
    not_covered("the program calls exit inside a finish or while tasks are alive");
  }
  guide_->end_early();
  look_whether_done();
  inside.set_running(nullptr);
}

void ObservedProgram::forked(bool in_child) {
  events::InsideTool inside;
  if (!observes()) return;
  if (!in_child) {
    has_forked_ = true;
    return;
  }
  // What it does is none of this run, nor is it to be told.
  guide_ = nullptr;
  when_done_ = nullptr;
  inside.set_running(nullptr);
  if (when_forked_) when_forked_();
}

void ObservedProgram::freed(const void* begin, std::uintptr_t pc) {
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

void ObservedProgram::mapped(const void* begin, std::size_t bytes) {
  const events::InsideTool inside;
  if (observes()) forget(begin, static_cast<const char*>(begin) + bytes);
}
void ObservedProgram::unmapped(const void* begin, std::size_t bytes, std::uintptr_t /*pc*/) {
  const events::InsideTool inside;
  if (observes()) forget(begin, static_cast<const char*>(begin) + bytes);
}

void ObservedProgram::begin_ignoring() {
  if (ignoring_++ == 0) ignored_ = std::exchange(events::running_task(), nullptr);
}
void ObservedProgram::end_ignoring() {
  if (ignoring_ > 0 && --ignoring_ == 0) events::running_task() = to_run(ignored_);
}
void ObservedProgram::once_begun() { begin_ignoring(); }
void ObservedProgram::once_ended() { end_ignoring(); }
void ObservedProgram::destruction_begun(const void* /*counter*/, events::Slot /*ended*/) { begin_ignoring(); }
void ObservedProgram::destruction_ended() { end_ignoring(); }

void* ObservedProgram::handler_begun() { return std::exchange(events::running_task(), nullptr); }
void ObservedProgram::handler_ended(void* interrupted) { events::running_task() = interrupted; }

void ObservedProgram::reference_dropped_from(const void* counter) {
  const events::InsideTool inside;
  if (const auto number = number_in(inside.running())) {
    guide_->run().reference_dropped(*number, reinterpret_cast<std::uintptr_t>(counter));
  }
}

void ObservedProgram::counter_emptied(const void* counter) {
  const events::InsideTool inside;
  if (const auto number = number_in(inside.running())) {
    guide_->run().last_reference_found(*number, reinterpret_cast<std::uintptr_t>(counter));
  }
}

void ObservedProgram::module_started() {
  const events::InsideTool inside;
  instrumented_ = true;
  for (const AddressRange& module : modules_that_import("__tsan_init")) {
    if (events::instrumented_code.contains(module.begin)) continue;
    events::instrumented_code.add(module.begin, module.end - module.begin);
  }
}

void ObservedProgram::not_covered(std::string_view why) {
  const events::InsideTool inside;
  if (!observes() || std::find(not_covered_.begin(), not_covered_.end(), why) != not_covered_.end()) return;
  not_covered_.emplace_back(why);
}

}  // namespace anyorder::binding
