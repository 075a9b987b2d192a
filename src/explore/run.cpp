#include "explore/run.hpp"

#include <algorithm>
#include <utility>

namespace anyorder::exploring {
namespace {

// What goes into a digest next.
constexpr std::uint64_t kChild = 1;
constexpr std::uint64_t kFinish = 2;
constexpr std::uint64_t kSection = 3;
constexpr std::uint64_t kRead = 4;
constexpr std::uint64_t kGot = 5;
constexpr std::uint64_t kLive = 6;
constexpr std::uint64_t kEndedTask = 7;
constexpr std::uint64_t kObjects = 8;
constexpr std::uint64_t kFailed = 9;
constexpr std::uint64_t kCounter = 10;

// Where no memory is: stands for something that tasks may change.
Word word_for(std::uint64_t number) { return Word{1} << 62U | scrambled(number) >> 2U; }
Word word_for_region(std::uintptr_t region) { return word_for(region * 0xD6E8FEB86659FD93U + 2); }

}  // namespace

void Run::begin() {
  count_ = 0;
  exceptions_race_ = false;
  any_choice_made_ = false;
  live_.clear();
  ended_knowing_.clear();
  finishes_.clear();
  dropped_.clear();
  window_.clear();
  memory_.clear();
  footprint_.clear();
  finishes_.push_back({});
  finishes_.front().open = true;
  finishes_.front().exceptions = word_for(1);
  new_task(kNoTask, 0);
  finishes_.front().owner = 0;
}

TaskNumber Run::new_task(TaskNumber parent, FinishNumber finish) {
  if (count_ == tasks_.size()) tasks_.emplace_back();
  const auto number = static_cast<TaskNumber>(count_++);
  Task& task = tasks_[number];
  task.lineage = 0;
  task.parent = parent;
  task.finish = finish;
  task.open.clear();
  task.position = {};
  task.children = task.finishes = task.sections = task.parents_sections = 0;
  task.gets = kNoTask;
  task.among.clear();
  task.region = 0;
  task.ended = task.future = task.failed = task.got = false;
  task.step = kNoStep;
  task.knows.clear();
  task.section = {};
  task.touches.clear();
  live_.push_back(number);
  return number;
}

TaskNumber Run::created(TaskNumber parent_number, bool future) {
  const Task& before = tasks_[parent_number];
  const FinishNumber finish = before.open.empty() ? before.finish : before.open.back();
  const TaskNumber number = new_task(parent_number, finish);
  Task& parent = tasks_[parent_number];
  Task& child = tasks_[number];
  ++parent.children;
  child.lineage = scrambled(parent.lineage * 0x9E3779B97F4A7C15U + parent.children);
  child.position = folded(folded(parent.position, kChild), parent.children);
  child.parents_sections = parent.sections;
  child.future = future;
  child.knows = parent.knows;
  parent.step = kNoStep;
  return number;
}

void Run::ended(TaskNumber number) {
  Task& task = tasks_[number];
  task.ended = true;
  task.step = kNoStep;
  finishes_[task.finish].knows |= task.knows;
  if (task.region != 0) touch_choices(task, task.region);
  std::erase(live_, number);
  if (task.future) ended_knowing_.push_back(number);
}

FinishNumber Run::finish_begun(TaskNumber owner_number) {
  Task& owner = tasks_[owner_number];
  const auto number = static_cast<FinishNumber>(finishes_.size());
  ++owner.finishes;
  finishes_.push_back({owner_number,
                       folded(folded(owner.position, kFinish), owner.finishes),
                       word_for(owner.lineage * 0x9E3779B97F4A7C15U + owner.finishes),
                       true,
                       BitSet{},
                       {}});
  owner.open.push_back(number);
  return number;
}

void Run::finish_ended(TaskNumber owner_number) {
  Task& owner = tasks_[owner_number];
  Finish& finish = finishes_[owner.open.back()];
  owner.open.pop_back();
  owner.knows |= finish.knows;
  owner.step = kNoStep;
  if (!finish.failed.empty()) {
    owner.position = folded(folded(owner.position, kFailed), failures_of(finish));
    for (const TaskNumber number : finish.failed) {
      if (tasks_[number].future) touch_exception(owner, word_for(tasks_[number].lineage), true);
    }
  }
  finish.open = false;
  finish.knows.clear();
}

void Run::get_begun(TaskNumber getter, TaskNumber target) { tasks_[getter].gets = target; }

void Run::get_ended(TaskNumber getter_number) {
  Task& getter = tasks_[getter_number];
  Task& target = tasks_[std::exchange(getter.gets, kNoTask)];
  target.got = true;
  getter.position = folded(folded(getter.position, kGot), target.position);
  getter.knows |= target.knows;
  getter.step = kNoStep;
  if (target.failed) touch_exception(getter, word_for(target.lineage), false);
}

void Run::posted(TaskNumber number, std::uintptr_t region) {
  tasks_[number].region = word_for_region(region);
}

void Run::choice_begun(TaskNumber chooser_number, std::vector<TaskNumber> among) {
  tasks_[chooser_number].among = std::move(among);
}

void Run::choice_made(TaskNumber chooser_number, std::uintptr_t region) {
  Task& chooser = tasks_[chooser_number];
  chooser.among.clear();
  any_choice_made_ = true;
  touch_choices(chooser, word_for_region(region));
}

void Run::touch_choices(Task& task, Word word) {
  if (omitted_.choices) return;
  footprint_[word].add(0xff, true);
  task.touches[word].add(0xff, true, task.sections);
}

void Run::failed(TaskNumber number, bool in_body) {
  Task& task = tasks_[number];
  Finish& finish = finishes_[in_body && !task.open.empty() ? task.open.back() : task.finish];
  task.failed = task.failed || !in_body;
  finish.failed.push_back(number);
  touch_exception(task, finish.exceptions, true);
}

void Run::touch_exception(Task& task, Word word, bool write) {
  if (access(task, word, 0xff, write, 0)) exceptions_race_ = true;
}

Digest Run::failures_of(const Finish& finish) const {
  Digest all;
  for (const TaskNumber number : finish.failed) {
    all = folded(folded(all, tasks_[number].position), tasks_[number].got ? 1 : 0);
  }
  return all;
}

void Run::reference_dropped(TaskNumber number, std::uintptr_t counter) {
  dropped_[counter] |= tasks_[number].knows;
  tasks_[number].step = kNoStep;
}

void Run::last_reference_found(TaskNumber number, std::uintptr_t counter) {
  const auto found = dropped_.find(counter);
  if (found == dropped_.end()) return;
  tasks_[number].knows |= found->second;
  tasks_[number].step = kNoStep;
  dropped_.erase(found);
}

void Run::section_entered(TaskNumber number, std::span<const void* const> objects) {
  Task& task = tasks_[number];
  ++task.sections;
  if (!omitted_.section_entries) task.position = folded(task.position, kSection);
  if (!omitted_.before_section) {
    task.knows.for_each([&](std::size_t step) { window_.add_to(footprint_, static_cast<StepId>(step)); });
  }
  remove(BitSet(task.knows));
  task.step = kNoStep;
  task.section.entered = true;
  task.section.objects.clear();
  for (const void* object : objects) task.section.objects.push_back(reinterpret_cast<std::uintptr_t>(object));
  std::sort(task.section.objects.begin(), task.section.objects.end());
}

void Run::section_left(TaskNumber number) {
  tasks_[number].section = {};
  tasks_[number].step = kNoStep;
}

std::optional<RaceSeen> Run::read(TaskNumber number, Word word, ByteMask bytes, std::uint64_t value,
                                  std::uintptr_t site, bool on_own_stack) {
  Task& task = tasks_[number];
  const ByteMask news = on_own_stack ? memory_.bytes_in(word) & bytes : bytes;
  task.position = folded(folded(task.position, kRead), value & bits_of(news));
  return access(task, word, bytes, false, site);
}

std::optional<RaceSeen> Run::write(TaskNumber number, Word word, ByteMask bytes, std::uintptr_t site,
                                   bool on_own_stack) {
  if (on_own_stack) {
    memory_.forget(word, bytes);
  } else {
    memory_.write(word, bytes);
  }
  return access(tasks_[number], word, bytes, true, site);
}

std::optional<RaceSeen> Run::access(Task& task, Word word, ByteMask bytes, bool write, std::uintptr_t site) {
  footprint_[word].add(bytes, write);
  task.touches[word].add(bytes, write, task.sections);
  const auto number = static_cast<TaskNumber>(&task - tasks_.data());
  overtaken_.clear();
  if (const auto other = window_.racing_with(word, bytes, write, task.knows, task.section, overtaken_)) {
    return RaceSeen{word, bytes, *other, {number, write, site}};
  }
  for (const StepId step : overtaken_) {
    window_.add_to(footprint_, step);
    remove(step);
  }
  if (task.section.entered && task.section.objects.empty()) return std::nullopt;
  if (task.step == kNoStep) {
    task.step = window_.new_step(number, task.section);
    task.knows.insert(task.step);
  }
  window_.add(task.step, word, bytes, write, site);
  return std::nullopt;
}

template <class Each>
void Run::for_each_holder(Each each) {
  for (const TaskNumber number : live_) {
    Task& task = tasks_[number];
    each(task.knows, folded(folded(finishes_[task.finish].name, task.position), kLive));
  }
  for (Finish& finish : finishes_) {
    if (finish.open) each(finish.knows, finish.name);
  }
  for (const TaskNumber number : ended_knowing_) {
    each(tasks_[number].knows, folded(tasks_[number].position, kEndedTask));
  }
  for (auto& [counter, knows] : dropped_) each(knows, folded(folded(Digest{}, kCounter), counter));
}

void Run::remove(const BitSet& steps) {
  if (steps.empty()) return;
  for_each_holder([&](BitSet& knows, const Digest&) { knows -= steps; });
  for (const TaskNumber number : live_) {
    if (tasks_[number].step != kNoStep && steps.contains(tasks_[number].step)) tasks_[number].step = kNoStep;
  }
  steps.for_each([&](std::size_t step) {
    if (window_.steps().contains(step)) window_.remove(static_cast<StepId>(step));
  });
}

void Run::remove(StepId step) {
  BitSet one;
  one.insert(step);
  remove(one);
}

void Run::find_anchors() {
  anchors_.clear();
  holder_names_.clear();
  for_each_holder([&](const BitSet& knows, const Digest& name) {
    const std::size_t holder = holder_names_.size();
    holder_names_.push_back(name);
    knows.for_each([&](std::size_t step) {
      if (step >= anchors_.size()) anchors_.resize(step + 1);
      anchors_[step].insert(holder);
    });
  });
}

void Run::tidy() {
  // What all that live know, all that comes knows, too.
  if (!live_.empty()) {
    BitSet by_all = tasks_[live_.front()].knows;
    for (const TaskNumber number : live_) by_all &= tasks_[number].knows;
    remove(by_all);
  } else {
    remove(BitSet(window_.steps()));
  }
  std::erase_if(ended_knowing_, [&](TaskNumber number) { return tasks_[number].knows.empty(); });
  for (const TaskNumber number : live_) tasks_[number].step = kNoStep;

  // Steps that the same know are one: the first of them.
  find_anchors();
  by_knowers_.clear();
  window_.steps().for_each([&](std::size_t step) {
    anchors_.resize(std::max(anchors_.size(), step + 1));
    if (window_.section_of(static_cast<StepId>(step)).entered) return;
    by_knowers_.emplace_back(anchors_[step].hash(), static_cast<StepId>(step));
  });
  std::sort(by_knowers_.begin(), by_knowers_.end());
  BitSet gone;
  for (auto first = by_knowers_.begin(); first != by_knowers_.end(); ++first) {
    if (gone.contains(first->second)) continue;
    for (auto other = first + 1; other != by_knowers_.end() && other->first == first->first; ++other) {
      if (gone.contains(other->second) || !anchors_[first->second].has_those_of(anchors_[other->second]))
        continue;
      window_.merge(other->second, first->second);
      gone.insert(other->second);
    }
  }
  if (!gone.empty()) for_each_holder([&](BitSet& knows, const Digest&) { knows -= gone; });
  window_.drop_dominated(anchors_);
}

Digest Run::structure() {
  Digest sum;
  for (const TaskNumber number : live_) {
    const Task& task = tasks_[number];
    sum += folded(folded(finishes_[task.finish].name, task.position), kLive);
  }
  for (const Finish& finish : finishes_) {
    if (finish.open && !finish.failed.empty()) {
      sum += folded(folded(finish.name, kFailed), failures_of(finish));
    }
  }
  if (omitted_.window) return sum;
  window_.steps().for_each([&](std::size_t id) {
    const auto step = static_cast<StepId>(id);
    const Digest accesses = window_.digest_of(step);
    if (accesses == Digest{}) return;
    Digest anchors;
    anchors_[step].for_each([&](std::size_t holder) { anchors += folded(Digest{}, holder_names_[holder]); });
    Digest all = folded(folded(Digest{}, accesses), anchors);
    for (const std::uintptr_t object : window_.section_of(step).objects)
      all = folded(folded(all, kObjects), object);
    sum += all;
  });
  return sum;
}

std::vector<LiveTask> Run::live_tasks(std::span<const TaskNumber> standing) const {
  std::vector<LiveTask> all;
  const auto index_of = [&](TaskNumber number) {
    return static_cast<std::size_t>(std::lower_bound(live_.begin(), live_.end(), number) - live_.begin());
  };
  for (const TaskNumber number : live_) {
    const Task& task = tasks_[number];
    LiveTask live{number, task.lineage, task.sections};
    live.turn =
        static_cast<std::uint32_t>(std::find(standing.begin(), standing.end(), number) - standing.begin());
    live.turns = static_cast<std::uint32_t>(std::count(standing.begin(), standing.end(), number));
    live.chooses = !task.among.empty();
    if (live.chooses) {
      for (const TaskNumber other : task.among) {
        if (!tasks_[other].ended) live.waits.push_back(index_of(other));
      }
    } else if (live.turns != 0) {
      // In front of a section: it waits for nobody.
    } else if (task.gets != kNoTask) {
      live.waits.push_back(index_of(task.gets));
    } else {
      // The end of its innermost finish; for the first task that may be the one around all.
      const FinishNumber finish = task.open.empty() ? 0 : task.open.back();
      for (const TaskNumber other : live_) {
        if (other != number && tasks_[other].finish == finish) live.waits.push_back(index_of(other));
      }
    }
    all.push_back(std::move(live));
  }
  return all;
}

Footprint Run::take_footprint() { return std::exchange(footprint_, Footprint{}); }

void Run::teach(Learnt& learnt) const {
  for (std::size_t i = 0; i != count_; ++i) {
    for (const auto& touch : tasks_[i].touches) {
      const auto& touched = touch.value;
      const auto add = [&](const Task& task, std::uint32_t reads, std::uint32_t writes) {
        learnt.add(task.lineage, touch.word, touched.bytes.read, false, reads);
        learnt.add(task.lineage, touch.word, touched.bytes.written, true, writes);
      };
      const Task* task = &tasks_[i];
      add(*task, touched.last_read, touched.last_written);
      for (; task->parent != kNoTask; task = &tasks_[task->parent]) {
        add(tasks_[task->parent], task->parents_sections, task->parents_sections);
      }
    }
  }
}

}  // namespace anyorder::exploring
