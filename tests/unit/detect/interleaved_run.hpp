// Runs a Program of asyncs and finishes on one thread, one statement of one task at a time, in an order that
// a seed chooses: what a parallel executor could tell a detector, it tells this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "events/listener.hpp"
#include "program.hpp"
#include "serial_run.hpp"

namespace anyorder::detect {

// Which task goes on.
enum class Order : std::uint8_t { any, newest, oldest, any_for_long };
inline constexpr Order kOrders[] = {Order::any, Order::newest, Order::oldest, Order::any_for_long};

template <class Detector>
class InterleavedRun {
 public:
  InterleavedRun(Detector& detector, Order order, unsigned seed)
      : detector_(detector), order_(order), random_(seed) {}

  void run(const Program& program) {
    void*& root = slots_.emplace_back();
    Finish whole{slots_.emplace_back(), 0};
    detector_.root_begun(root, whole.slot);
    tasks_.push_back({&root, {}, {{&program, 0, &whole, true}}});
    while (!tasks_.empty()) {
      const std::size_t at = choose();
      if (go_on(at)) continue;
      tasks_.erase(tasks_.begin() + static_cast<std::ptrdiff_t>(at));
    }
    detector_.root_ended(root, whole.slot);
  }

 private:
  struct Finish {
    void*& slot;
    int alive;  // tasks
  };
  struct Frame {
    const Program* body;
    std::size_t next;
    Finish* finish;  // around its statements
    bool ends_it;
  };
  struct Task {
    void** slot;
    Finish* ief;
    std::vector<Frame> frames;
  };

  [[nodiscard]] bool can_go_on(const Task& task) const {
    const Frame& frame = task.frames.back();
    return frame.next != frame.body->size() || !frame.ends_it || frame.finish->alive == 0;
  }
  std::size_t choose() {
    if (order_ == Order::any_for_long && last_ < tasks_.size() && can_go_on(tasks_[last_]) &&
        random_() % 6 != 0) {
      return last_;
    }
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i != tasks_.size(); ++i) {
      if (can_go_on(tasks_[i])) able.push_back(i);
    }
    if (order_ == Order::newest) return able.back();
    if (order_ == Order::oldest) return able.front();
    last_ = able[random_() % able.size()];
    return last_;
  }
  // False: the task has ended.
  bool go_on(std::size_t at) {
    Task& task = tasks_[at];
    Frame& frame = task.frames.back();
    detector_.task_resumed(*task.slot);
    if (frame.next == frame.body->size()) {
      if (task.frames.size() > 1) {
        detector_.finish_ended(*task.slot, frame.finish->slot);
        task.frames.pop_back();
        return true;
      }
      if (task.ief != nullptr) {
        detector_.task_ended(*task.slot);
        --task.ief->alive;
      }
      return false;
    }
    const Statement& statement = (*frame.body)[frame.next++];
    const events::SourceSite site{"program.cpp", "program", ++line_};
    const std::uintptr_t address = kMemory + static_cast<std::uintptr_t>(statement.number);
    const auto bytes = static_cast<std::size_t>(statement.bytes);
    switch (statement.op) {
      case Op::read:
        detector_.read(*task.slot, address, bytes, line_);
        break;
      case Op::write:
        detector_.write(*task.slot, address, bytes, line_);
        break;
      case Op::forget:
        detector_.forget(address, bytes);
        break;
      case Op::drop:
        detector_.release_reference(*task.slot, counter_of(statement.number));
        break;
      case Op::destroy:
        detector_.begin_destruction(*task.slot, counter_of(statement.number));
        detector_.write(*task.slot, object_address(statement.number), kObjectBytes, line_);
        detector_.end_destruction(*task.slot);
        detector_.forget(object_address(statement.number), kObjectBytes);
        break;
      case Op::async: {
        void*& child = slots_.emplace_back();
        Finish* const finish = frame.finish;
        detector_.task_created(*task.slot, child, finish->slot, events::TaskKind::async, site);
        ++finish->alive;
        detector_.task_begun(child);
        tasks_.push_back({&child, finish, {{&statement.body, 0, finish, false}}});
        break;
      }
      case Op::finish: {
        Finish& inner = finishes_.emplace_back(Finish{slots_.emplace_back(), 0});
        detector_.finish_begun(*task.slot, inner.slot, site);
        task.frames.push_back({&statement.body, 0, &inner, true});
        break;
      }
      default:
        break;
    }
    return true;
  }

  Detector& detector_;
  Order order_;
  std::mt19937 random_;
  std::deque<void*> slots_;
  std::deque<Finish> finishes_;
  std::vector<Task> tasks_;
  std::size_t last_ = 0;
  std::uint32_t line_ = 0;
};

}  // namespace anyorder::detect
