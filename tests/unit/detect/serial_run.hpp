// Runs a Program serially, depth-first: what the serial executor would tell a detector, it tells this one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>

#include "events/listener.hpp"
#include "program.hpp"

namespace anyorder::detect {

// The addresses of a program's bytes begin here.
inline constexpr std::uintptr_t kMemory = 0x1000;

// Whether a handle is a variable: its creator writes it after the creation, who gets reads it first.
enum class Handles { are_data, are_not_data };
inline constexpr std::uintptr_t handle_address(int handle) {
  return 0x100000 + 8 * static_cast<std::uintptr_t>(handle);
}

inline std::uintptr_t object_address(int object) {
  return kMemory + static_cast<std::uintptr_t>(object * kObjectBytes);
}
inline const void* counter_of(int object) {
  return reinterpret_cast<const void*>(0x200000 + 8 * static_cast<std::uintptr_t>(object));
}

template <class Detector>
class SerialRun {
 public:
  explicit SerialRun(Detector& detector, Handles handles = Handles::are_not_data)
      : detector_(detector), handles_are_data_(handles == Handles::are_data) {}

  void run(const Program& program) {
    void*& root = slots_.emplace_back();
    void*& finish = slots_.emplace_back();
    detector_.root_begun(root, finish);
    run(program, root, finish);
    detector_.root_ended(root, finish);
  }

 private:
  static std::uintptr_t address_of(const Statement& statement, int time = 0) {
    return kMemory + static_cast<std::uintptr_t>(statement.number + time * statement.bytes);
  }
  static std::size_t bytes_of(const Statement& statement) {
    return static_cast<std::size_t>(statement.bytes);
  }

  void run(const Program& program, void*& task, void*& finish) {
    for (const Statement& statement : program) run(statement, task, finish);
  }
  void run(const Statement& statement, void*& task, void*& finish) {
    const events::SourceSite at{"program.cpp", "program", ++line_};
    switch (statement.op) {
      case Op::read:
        for (int i = 0; i != statement.times; ++i) {
          detector_.read(task, address_of(statement, i), bytes_of(statement), line_);
        }
        break;
      case Op::write:
        for (int i = 0; i != statement.times; ++i) {
          detector_.write(task, address_of(statement, i), bytes_of(statement), line_);
        }
        break;
      case Op::forget:
        detector_.forget(address_of(statement), bytes_of(statement));
        break;
      case Op::drop:
        detector_.release_reference(task, counter_of(statement.number));
        break;
      case Op::destroy:
        detector_.begin_destruction(task, counter_of(statement.number));
        detector_.write(task, object_address(statement.number), kObjectBytes, line_);
        detector_.end_destruction(task);
        detector_.forget(object_address(statement.number), kObjectBytes);
        break;
      case Op::async:
        create(statement, task, finish, events::TaskKind::async, at);
        break;
      case Op::future:
        handles_[statement.number] = &create(statement, task, finish, events::TaskKind::future, at);
        if (handles_are_data_) detector_.write(task, handle_address(statement.number), 8, line_);
        break;
      case Op::finish: {
        void*& inner = slots_.emplace_back();
        detector_.finish_begun(task, inner, at);
        run(statement.body, task, inner);
        detector_.finish_ended(task, inner);
        break;
      }
      case Op::get: {
        const auto handle = handles_.find(statement.number);
        if (handle == handles_.end()) break;
        if (handles_are_data_) detector_.read(task, handle_address(statement.number), 8, line_);
        detector_.get_begun(task, *handle->second, at);
        detector_.get_ended(task, *handle->second, at);
        break;
      }
      case Op::isolated: {
        const void* const object = &objects_[statement.number];
        const auto objects = std::span(&object, statement.number == 0 ? 0 : 1);
        detector_.isolated_entered(task, objects, at);
        run(statement.body, task, finish);
        detector_.isolated_left(task, objects);
        break;
      }
    }
  }
  void*& create(const Statement& statement, void*& task, void*& finish, events::TaskKind kind,
                events::SourceSite at) {
    void*& child = slots_.emplace_back();
    detector_.task_created(task, child, finish, kind, at);
    detector_.task_begun(child);
    run(statement.body, child, finish);
    detector_.task_ended(child);
    detector_.task_resumed(task);
    return child;
  }

  Detector& detector_;
  bool handles_are_data_;
  std::deque<void*> slots_;
  std::map<int, void**> handles_;
  char objects_[8] = {};
  std::uint32_t line_ = 0;
};

}  // namespace anyorder::detect
