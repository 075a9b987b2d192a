// The detectors that run in parallel, as tests drive them: on made-up addresses, with accesses tried quickly
// first, as a checked program does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <span>
#include <string>

#include "detect/offset_span/offset_span.hpp"
#include "detect/spd3/spd3.hpp"
#include "events/step_ranges.hpp"
#include "findings/finding_set.hpp"
#include "racy_bytes.hpp"
#include "serial_run.hpp"

namespace anyorder::detect {

// Where programs have their bytes.
inline constexpr shadow::AddressRange kProgramMemory[] = {{kMemory, kMemory + 0x1000}};

enum class Which : std::uint8_t { spd3, offset_span };
inline constexpr Which kWhich[] = {Which::spd3, Which::offset_span};
inline std::string name_of(Which which) { return which == Which::spd3 ? "spd3" : "offset_span"; }
// Calls f.operator()<Detector>().
template <class F>
void with_detector(Which which, F f) {
  if (which == Which::spd3) {
    f.template operator()<spd3::Spd3>();
  } else {
    f.template operator()<offset_span::OffsetSpan>();
  }
}

template <class Detector>
class QuicklyDriven {
 public:
  template <class... Arguments>
  explicit QuicklyDriven(findings::Sink& findings, const Arguments&... arguments)
      : detector_(findings, kProgramMemory, arguments...) {}

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
  void forget(std::uintptr_t address, std::size_t bytes) {
    ranges().forget(address, bytes);
    detector_.forget(address, bytes);
  }
  void release_reference(auto&&... arguments) { detector_.release_reference(arguments...); }
  void begin_destruction(auto&&... arguments) { detector_.begin_destruction(arguments...); }
  void end_destruction(auto&&... arguments) { detector_.end_destruction(arguments...); }

  void read(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    const auto site_of = [site] { return site; };
    if (in_size(bytes, [&]<unsigned kBytes>() {
          return is_known<events::Access::read, kBytes>(task, address, site) ||
                 detector_.template try_read<kBytes>(task, address, site_of);
        })) {
      return;
    }
    make_once<events::Access::read>(task, address, bytes, site, [&] {
      const std::size_t made = detector_.try_read_range(task, address, bytes, site_of);
      if (made != bytes) detector_.read(task, address + made, bytes - made, site);
    });
  }
  void write(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    const auto site_of = [site] { return site; };
    if (in_size(bytes, [&]<unsigned kBytes>() {
          return is_known<events::Access::write, kBytes>(task, address, site) ||
                 detector_.template try_write<kBytes>(task, address, site_of);
        })) {
      return;
    }
    make_once<events::Access::write>(task, address, bytes, site, [&] {
      const std::size_t made = detector_.try_write_range(task, address, bytes, site_of);
      if (made != bytes) detector_.write(task, address + made, bytes - made, site);
    });
  }

  [[nodiscard]] Detector& detector() { return detector_; }

 private:
  // By what the program itself would know or make.
  template <events::Access kAccess, unsigned kBytes>
  [[nodiscard]] bool is_known(const void* task, std::uintptr_t address, std::uintptr_t site) const {
    const events::QuickStep step = step_of(task);
    if (kAccess == events::Access::read && kBytes == 8 && step.count_quiet(address, 8, 1) == 1) return true;
    const std::uint32_t marks = static_cast<std::uint32_t>(site) << 8U;
    const events::QuickNews news = step.look<kAccess, kBytes>(address);
    if (news == events::QuickNews::none) return true;
    if (news == events::QuickNews::after_past && step.replace_past<kAccess, kBytes>(address, marks))
      return true;
    return step.knows<kAccess, kBytes>(address) || step.replace<kAccess, kBytes>(address, marks);
  }
  template <events::Access kAccess, class Make>
  void make_once(const void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site,
                 Make make) {
    const auto step = [&] { return step_of(task).number(); };
    ranges().template make_once<kAccess>(site * 4, {address, bytes}, step, make);
  }
  [[nodiscard]] events::QuickStep step_of(const void* task) const {
    return {steps_, detector_.quick_known(), task};
  }
  // The calling thread's.
  [[nodiscard]] events::StepRanges& ranges() const {
    struct Own {
      std::uint64_t of = 0;
      events::StepRanges ranges;
    };
    static thread_local Own own;
    if (own.of != number_) own = {number_, {}};
    return own.ranges;
  }
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

  static inline std::atomic<std::uint64_t> so_far{0};
  const std::uint64_t number_ = ++so_far;
  Detector detector_;
  const events::QuickSteps steps_ = detector_.quick_steps();
};

}  // namespace anyorder::detect
