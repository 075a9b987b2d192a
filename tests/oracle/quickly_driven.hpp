// A detector that is driven as by a checked program, hooks that decide by themselves included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "binding/check/accesses.hpp"
#include "events/detector.hpp"
#include "findings/sink.hpp"

namespace anyorder::detect {

// A detector as a checked program drives it: what the thread can decide by itself does not reach the
// detector.
template <events::TryingDetector Detector>
class QuicklyDriven {
 public:
  explicit QuicklyDriven(findings::Sink& findings) : detector_(findings) {
    anyorder_quick_thread_3 = {};
    accesses_.begin_thread(counts_, places_);
  }
  QuicklyDriven(const QuicklyDriven&) = delete;
  QuicklyDriven& operator=(const QuicklyDriven&) = delete;
  ~QuicklyDriven() { anyorder_quick_thread_3 = {}; }

  // Events go to the detector.
  void root_begun(auto&&... arguments) { ended_step().root_begun(arguments...); }
  void root_ended(auto&&... arguments) { ended_step().root_ended(arguments...); }
  void task_created(auto&&... arguments) { ended_step().task_created(arguments...); }
  void task_begun(auto&&... arguments) { ended_step().task_begun(arguments...); }
  void task_ended(auto&&... arguments) { ended_step().task_ended(arguments...); }
  void task_resumed(auto&&... arguments) { ended_step().task_resumed(arguments...); }
  void finish_begun(auto&&... arguments) { ended_step().finish_begun(arguments...); }
  void finish_ended(auto&&... arguments) { ended_step().finish_ended(arguments...); }
  void get_begun(auto&&... arguments) { ended_step().get_begun(arguments...); }
  void get_ended(auto&&... arguments) { ended_step().get_ended(arguments...); }
  void isolated_entered(auto&&... arguments) { ended_step().isolated_entered(arguments...); }
  void isolated_left(auto&&... arguments) { ended_step().isolated_left(arguments...); }
  void forget(std::uintptr_t address, std::size_t bytes) {
    accesses_.make_runs();
    accesses_.forget(address, bytes);
    detector_.forget(address, bytes);
  }
  void release_reference(auto&&... arguments) { ended_step().release_reference(arguments...); }
  void begin_destruction(auto&&... arguments) { ended_step().begin_destruction(arguments...); }
  void end_destruction(auto&&... arguments) { ended_step().end_destruction(arguments...); }

  void read(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access<events::Access::read>(task, address, bytes, site);
  }
  void write(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access<events::Access::write>(task, address, bytes, site);
  }

 protected:
  // The thread runs it from now on.
  void run(void* task) {
    if (std::exchange(anyorder_quick_thread_3.task, task) == task) return;
    // What detectors that run in parallel keep is the same for roots.
    if constexpr (events::QuickDetector<Detector>) accesses_.runs_root(Detector::number_of(task) == 0);
  }
  // Few places, so that each comes again and again.
  static std::uintptr_t pc_of(std::uintptr_t site) { return 0x1000 + 4 * (site % 3); }
  [[nodiscard]] Detector& detector() { return detector_; }
  [[nodiscard]] binding::Accesses<Detector>& accesses() { return accesses_; }

 private:
  template <events::Access kAccess>
  void access(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    run(task);
    const auto* const begin = reinterpret_cast<const void*>(address);
    const std::uintptr_t pc = pc_of(site);
    switch (bytes) {
      case 1:
        return accesses_.template check<kAccess, 1>(task, begin, pc);
      case 2:
        return accesses_.template check<kAccess, 2>(task, begin, pc);
      case 4:
        return accesses_.template check<kAccess, 4>(task, begin, pc);
      case 8:
        return accesses_.template check<kAccess, 8>(task, begin, pc);
      case 16:
        return accesses_.template check<kAccess, 16>(task, begin, pc);
      default:
        return accesses_.template check<kAccess>(task, begin, bytes, pc);
    }
  }

  Detector& ended_step() {
    accesses_.end_step();
    return detector_;
  }

  Detector detector_;
  binding::Places sites_;
  binding::Accesses<Detector> accesses_{detector_, sites_};
  binding::ThreadPlaces places_;
  events::QuickCounts counts_{};
};

}  // namespace anyorder::detect
