#include "runtime/serial.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "runtime/configuration.hpp"
#include "runtime/scheduler.hpp"
#include "support/settings.hpp"

namespace anyorder::runtime {
namespace {

// A region knows what is posted into it.
bool is_unseen(const detail::Task& task) noexcept { return task.ops->handle == nullptr; }

void execute_now(Strand& strand, detail::Task& task) noexcept {
  if (is_unseen(task)) {
    execute_unseen(strand, task);
  } else {
    execute(strand, task);
  }
}

[[noreturn]] void run_each_first(support::Context& self) {
  auto& strand = static_cast<Strand&>(self);
  for (;;) {
    execute_now(strand, *std::exchange(strand.first, nullptr));
    Worker& worker = *this_worker();
    switch_to(worker, strand, *worker.own, &do_nothing, nullptr);
  }
}

std::unique_ptr<Strand> new_serial_strand() noexcept {
  try {
    return std::make_unique<Strand>(support::StackMemory(in_force.serial_stack), &run_each_first);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\nanyorder: give the serial executor less with %s, for example %s=64M\n",
                 error.what(), support::kStack.name, support::kStack.name);
    std::_Exit(support::kUsageExit);
  }
}

}  // namespace

void run_now(Worker& worker, detail::Task& task) noexcept {
  if (task.ops->kind == detail::TaskKind::future) {
    auto& future = static_cast<detail::FutureTask&>(task);
    if (is_unseen(task)) {
      future.status.store(detail::kRunning, std::memory_order_relaxed);
    } else {
      claim(future);
    }
    future.has_place = true;  // there is no queue that it could have been left in
  }
  Strand& running = *worker.strand;
  if (&running != worker.own) {
    execute_now(running, task);
    return;
  }
  if (worker.serial == nullptr) worker.serial = new_serial_strand();
  Strand& serial = *worker.serial;
  serial.task = running.task;
  serial.view = running.view;
  serial.first = &task;
  if constexpr (support::Context::kCallsOnStacks) {
    worker.strand = &serial;
    support::Context::call_on(
        serial.memory.high(),
        [](void* strand) {
          auto& self = *static_cast<Strand*>(strand);
          execute_now(self, *std::exchange(self.first, nullptr));
        },
        &serial);
    worker.strand = &running;
  } else {
    switch_to(worker, running, serial, &do_nothing, nullptr);
  }
}

}  // namespace anyorder::runtime
