// Runs a Program of asyncs and finishes on the executor in force, through the public API, and tells a
// detector: structure as the executor's listener, accesses by calls from the tasks. A seed delays statements
// here and there, so that many schedules are seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sched.h>
#include <span>
#include <thread>

#include <anyorder/anyorder.hpp>

#include "events/listener.hpp"
#include "program.hpp"
#include "runtime/tool.hpp"
#include "serial_run.hpp"
#include "text_order.hpp"

namespace anyorder::detect {

// The slot of the task that the thread runs.
inline constinit thread_local void* t_running = nullptr;
// Asked anew each time: a task may go on on another thread.
[[gnu::noinline]] inline void* running() { return t_running; }

// Tells a detector what the executor tells, and knows which task a thread runs.
template <class Detector>
class Attached final : public events::Listener {
 public:
  explicit Attached(Detector& detector) : detector_(detector) {}

  void root_begun(events::Slot root, events::Slot finish) override {
    detector_.root_begun(root, finish);
    t_running = root;
  }
  void root_ended(events::Slot root, events::Slot finish) override { detector_.root_ended(root, finish); }
  void task_created(events::Slot parent, events::Slot child, events::Slot finish, events::TaskKind kind,
                    events::SourceSite at) override {
    detector_.task_created(parent, child, finish, kind, at);
  }
  void task_begun(events::Slot task) override {
    detector_.task_begun(task);
    t_running = task;
  }
  void task_ended(events::Slot task) override { detector_.task_ended(task); }
  void task_resumed(events::Slot task) override {
    detector_.task_resumed(task);
    t_running = task;
  }
  void task_forgotten(events::Slot task) override { detector_.task_forgotten(task); }
  void finish_begun(events::Slot owner, events::Slot finish, events::SourceSite at) override {
    detector_.finish_begun(owner, finish, at);
  }
  void finish_ended(events::Slot owner, events::Slot finish) override {
    detector_.finish_ended(owner, finish);
  }
  void get_begun(events::Slot, events::Slot, events::SourceSite) override {}
  void get_ended(events::Slot, events::Slot, events::SourceSite) override {}
  void isolated_entered(events::Slot, std::span<const void* const>, events::SourceSite) override {}
  void isolated_left(events::Slot, std::span<const void* const>) override {}

 private:
  Detector& detector_;
};

// Runs f on a thread of its own, which is a new root, with the detector attached.
template <class Detector, class F>
void run_attached(Detector& detector, F f) {
  Attached<Detector> listener(detector);
  runtime::attach(&listener);
  std::thread(f).join();
  runtime::attach(nullptr);
}

template <class Detector>
class ParallelRun {
 public:
  ParallelRun(Detector& detector, const TextOrder& text, unsigned seed)
      : detector_(detector), text_(text), seed_(seed) {}

  void run(const Program& program) {
    run_attached(detector_, [&] {
      anyorder::finish([] {});  // the thread becomes a root
      statements(program);
    });
  }

 private:
  void statements(const Program& program) {
    for (const Statement& each : program) {
      const std::uintptr_t site = text_.site_of(each);
      delay(site);
      const std::uintptr_t address = kMemory + static_cast<std::uintptr_t>(each.number);
      const auto bytes = static_cast<std::size_t>(each.bytes);
      switch (each.op) {
        case Op::read:
          detector_.read(running(), address, bytes, site);
          break;
        case Op::write:
          detector_.write(running(), address, bytes, site);
          break;
        case Op::async:
          anyorder::async([this, &each] { statements(each.body); });
          break;
        case Op::finish:
          anyorder::finish([&] { statements(each.body); });
          break;
        default:
          break;
      }
    }
  }
  void delay(std::uintptr_t site) const {
    std::uint64_t chance = (site + seed_ * std::uint64_t{0x9e37'79b9}) * 0xbf58'476d'1ce4'e5b9U;
    chance ^= chance >> 29U;
    switch (chance % 8) {
      case 0:
        sched_yield();
        break;
      case 1:
      case 2:
        for (std::uint64_t i = chance / 8 % 600; i != 0; --i) __builtin_ia32_pause();
        break;
      default:
        break;
    }
  }

  Detector& detector_;
  const TextOrder& text_;
  unsigned seed_;
};

}  // namespace anyorder::detect
