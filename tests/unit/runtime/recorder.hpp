// A listener that writes down what it hears, as text, with a number for each task and each finish.
//
// For the serial executor the text of a small program is exact. In parallel, the order of the lines is an
// order of the calls, and broken_rules() says which rule of events/listener.hpp it breaks, if any.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "events/listener.hpp"
#include "runtime/tool.hpp"

namespace anyorder::runtime {

class Recorder final : public events::Listener {
 public:
  using Slot = events::Slot;

  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  std::vector<std::string> broken_rules() const {
    const std::lock_guard lock(mutex_);
    return broken_;
  }
  std::size_t tasks() const { return tasks_.size(); }
  bool all_forgotten() const {
    for (const auto& [id, task] : tasks_) {
      if (!task.root && !task.forgotten) return false;
    }
    return true;
  }

  void root_begun(Slot root, Slot finish) override {
    const std::lock_guard lock(mutex_);
    const auto id = name(root, ++last_task_);
    Task& task = tasks_[id];
    task.root = task.begun = true;
    finishes_[name(finish, ++last_finish_)].owner = id;
    current_[std::this_thread::get_id()] = id;
    say() << "root " << id << " begun in finish " << id_of(finish);
  }
  void root_ended(Slot root, Slot finish) override {
    const std::lock_guard lock(mutex_);
    expect(finishes_[id_of(finish)].alive == 0, "a root has ended before its tasks");
    tasks_[id_of(root)].ended = true;
    say() << "root " << id_of(root) << " ended in finish " << id_of(finish);
  }
  void task_created(Slot parent, Slot child, Slot finish, events::TaskKind kind,
                    events::SourceSite at) override {
    const std::lock_guard lock(mutex_);
    expect(child == nullptr, "a new task's slot is not null");
    const auto id = name(child, ++last_task_);
    Task& task = tasks_[id];
    task.finish = id_of(finish);
    ++finishes_[task.finish].alive;
    expect(runs(parent), "a task is created by one that does not run");
    expect(kind != events::TaskKind::root, "a root was created");
    say() << "task " << id_of(parent) << " creates "
          << (kind == events::TaskKind::future ? "future " : "async ") << id << " in finish " << task.finish
          << " at " << at.line;
    function_ = at.function;
    file_ = at.file;
  }
  void task_begun(Slot slot) override {
    const std::lock_guard lock(mutex_);
    Task& task = tasks_[id_of(slot)];
    expect(id_of(slot) != 0, "a task has begun that was not created");
    expect(!task.begun, "a task has begun twice");
    task.begun = true;
    current_[std::this_thread::get_id()] = id_of(slot);
    say() << "task " << id_of(slot) << " begun";
  }
  void task_ended(Slot slot) override {
    const std::lock_guard lock(mutex_);
    Task& task = tasks_[id_of(slot)];
    expect(task.begun && !task.ended, "a task has ended that does not run");
    expect(runs(slot), "a task has ended on a thread that does not run it");
    task.ended = true;
    --finishes_[task.finish].alive;
    say() << "task " << id_of(slot) << " ended";
  }
  void task_resumed(Slot slot) override {
    const std::lock_guard lock(mutex_);
    const Task& task = tasks_[id_of(slot)];
    expect(task.begun && !task.ended, "a task is resumed that does not run");
    current_[std::this_thread::get_id()] = id_of(slot);
    say() << "task " << id_of(slot) << " resumed";
  }
  void task_forgotten(Slot slot) override {
    const std::lock_guard lock(mutex_);
    Task& task = tasks_[id_of(slot)];
    expect(task.ended && !task.forgotten, "a task is forgotten that is alive, or for the second time");
    task.forgotten = true;
    say() << "task " << id_of(slot) << " forgotten";
  }
  void finish_begun(Slot owner, Slot finish, events::SourceSite at) override {
    const std::lock_guard lock(mutex_);
    expect(runs(owner), "a finish is opened by a task that does not run");
    expect(finish == nullptr, "a new finish's slot is not null");
    const auto id = name(finish, ++last_finish_);
    finishes_[id].owner = id_of(owner);
    say() << "task " << id_of(owner) << " opens finish " << id << " at " << at.line;
  }
  void finish_ended(Slot owner, Slot finish) override {
    const std::lock_guard lock(mutex_);
    const Finish& scope = finishes_[id_of(finish)];
    expect(runs(owner), "a finish is ended by a task that does not run");
    expect(scope.owner == id_of(owner), "a finish is ended by another task than its owner");
    expect(scope.alive == 0, "a finish has ended before its tasks");
    say() << "task " << id_of(owner) << " ends finish " << id_of(finish);
  }
  void get_begun(Slot getter, Slot target, events::SourceSite at) override {
    const std::lock_guard lock(mutex_);
    expect(runs(getter), "a get by a task that does not run");
    say() << "task " << id_of(getter) << " gets " << id_of(target) << " at " << at.line;
  }
  void get_ended(Slot getter, Slot target, events::SourceSite at) override {
    const std::lock_guard lock(mutex_);
    expect(runs(getter), "a get has ended in a task that does not run");
    expect(tasks_[id_of(target)].ended, "a get has ended before its target");
    expect(!tasks_[id_of(target)].forgotten, "a get of a task that is forgotten");
    say() << "task " << id_of(getter) << " has got " << id_of(target) << " at " << at.line;
  }
  void isolated_entered(Slot task, std::span<const void* const> objects, events::SourceSite at) override {
    const std::lock_guard lock(mutex_);
    expect(runs(task), "a section of a task that does not run");
    if (objects.empty()) expect(sections_++ == 0, "two sections at once");
    say() << "task " << id_of(task) << " enters isolated on " << objects.size() << " at " << at.line;
  }
  void isolated_left(Slot task, std::span<const void* const> objects) override {
    const std::lock_guard lock(mutex_);
    expect(runs(task), "a section of a task that does not run");
    if (objects.empty()) --sections_;
    say() << "task " << id_of(task) << " leaves isolated on " << objects.size();
  }

  std::string last_function() const { return function_; }
  std::string last_file() const { return file_; }

 private:
  struct Task {
    std::uintptr_t finish = 0;
    bool root = false, begun = false, ended = false, forgotten = false;
  };
  struct Finish {
    std::uintptr_t owner = 0;
    long alive = 0;
  };

  // A slot holds the number of the recorder above that of the task or finish.
  std::uintptr_t id_of(const void* slot) {
    const auto bits = reinterpret_cast<std::uintptr_t>(slot);
    expect(bits >> kIdBits == number_, "an event names what the recorder has not heard of");
    return bits >> kIdBits == number_ ? bits & kIdMask : 0;
  }
  std::uintptr_t name(Slot slot, std::uintptr_t id) {
    slot = reinterpret_cast<void*>(number_ << kIdBits | id);  // NOLINT(performance-no-int-to-ptr)
    return id;
  }
  bool runs(const void* slot) { return current_[std::this_thread::get_id()] == id_of(slot); }
  void expect(bool holds, const char* rule) {
    if (!holds) broken_.emplace_back(rule);
  }

  // Appends a line when it goes.
  class Line {
   public:
    explicit Line(std::vector<std::string>& lines) : lines_(&lines) {}
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;
    ~Line() { lines_->push_back(text_.str()); }
    template <class T>
    Line& operator<<(const T& part) {
      text_ << part;
      return *this;
    }

   private:
    std::vector<std::string>* lines_;
    std::ostringstream text_;
  };
  Line say() { return Line(lines_); }

  static constexpr unsigned kIdBits = 32;
  static constexpr std::uintptr_t kIdMask = (std::uintptr_t{1} << kIdBits) - 1;
  static inline std::atomic<std::uintptr_t> recorders{0};

  const std::uintptr_t number_ = ++recorders;
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  std::vector<std::string> broken_;
  std::map<std::uintptr_t, Task> tasks_;
  std::map<std::uintptr_t, Finish> finishes_;
  std::map<std::thread::id, std::uintptr_t> current_;
  std::uintptr_t last_task_ = 0;
  std::uintptr_t last_finish_ = 0;
  int sections_ = 0;
  std::string function_;
  std::string file_;
};

// Runs the program on a thread of its own, which is a new root, with a recorder attached.
template <class Program>
void record(Recorder& recorder, Program program) {
  attach(&recorder);
  std::thread(program).join();
  attach(nullptr);
}

}  // namespace anyorder::runtime
