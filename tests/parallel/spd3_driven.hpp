// spd3 as tests drive it: on made-up addresses, with accesses tried quickly first, as a checked program does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <span>
#include <string>

#include "detect/spd3/spd3.hpp"
#include "findings/finding_set.hpp"
#include "racy_bytes.hpp"
#include "serial_run.hpp"

namespace anyorder::detect {

// Where programs have their bytes.
inline constexpr shadow::AddressRange kProgramMemory[] = {{kMemory, kMemory + 0x1000}};

class QuicklyDriven {
 public:
  explicit QuicklyDriven(findings::Sink& findings) : detector_(findings, kProgramMemory) {}

  // Events go to the detector.
  void root_begun(auto&&... arguments) { detector_.root_begun(arguments...); }
  void root_ended(auto&&... arguments) { detector_.root_ended(arguments...); }
  void task_created(auto&&... arguments) { detector_.task_created(arguments...); }
  void task_begun(auto&&... arguments) { detector_.task_begun(arguments...); }
  void task_ended(auto&&... arguments) { detector_.task_ended(arguments...); }
  void task_resumed(auto&&... arguments) { detector_.task_resumed(arguments...); }
  void finish_begun(auto&&... arguments) { detector_.finish_begun(arguments...); }
  void finish_ended(auto&&... arguments) { detector_.finish_ended(arguments...); }
  void task_forgotten(auto&&... arguments) { detector_.task_forgotten(arguments...); }
  void forget(auto&&... arguments) { detector_.forget(arguments...); }
  void release_reference(auto&&... arguments) { detector_.release_reference(arguments...); }
  void begin_destruction(auto&&... arguments) { detector_.begin_destruction(arguments...); }
  void end_destruction(auto&&... arguments) { detector_.end_destruction(arguments...); }

  void read(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    const auto site_of = [site] { return site; };
    if (in_size(bytes,
                [&]<unsigned kBytes>() { return detector_.try_read<kBytes>(task, address, site_of); })) {
      return;
    }
    detector_.read(task, address, bytes, site);
  }
  void write(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    const auto site_of = [site] { return site; };
    if (in_size(bytes,
                [&]<unsigned kBytes>() { return detector_.try_write<kBytes>(task, address, site_of); })) {
      return;
    }
    detector_.write(task, address, bytes, site);
  }

  [[nodiscard]] spd3::Spd3& detector() { return detector_; }

 private:
  template <class F>
  static bool in_size(std::size_t bytes, F f) {
    switch (bytes) {
      case 1:
        return f.template operator()<1>();
      case 2:
        return f.template operator()<2>();
      case 4:
        return f.template operator()<4>();
      case 8:
        return f.template operator()<8>();
      case 16:
        return f.template operator()<16>();
      default:
        return false;
    }
  }

  spd3::Spd3 detector_;
};

}  // namespace anyorder::detect
