// What a detector is: a type that takes the events of one run and says what it found.
//
// The per-access calls are never virtual: hooks are compiled once per detector, and see its concrete type.
// Honesty is in the type: a detector states what it accepts, and the binding turns every construct outside
// that set into the finding Unsupported, and so into the verdict unknown.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "events/listener.hpp"
#include "events/quick_steps.hpp"

namespace anyorder::events {

enum class Construct : std::uint32_t {
  async_finish = 1U << 0U,  // async and finish in any nesting
  fork_join = 1U << 1U,     // nested loops: a finish whose tasks are all created by its owner
  futures = 1U << 2U,
  isolated = 1U << 3U,
};

class Constructs {
 public:
  constexpr Constructs() noexcept = default;
  // NOLINTNEXTLINE(*-explicit-*): one construct is a set of them
  constexpr Constructs(Construct one) noexcept : bits_(static_cast<std::uint32_t>(one)) {}
  constexpr bool contains(Construct one) const noexcept {
    return (bits_ & static_cast<std::uint32_t>(one)) != 0;
  }
  friend constexpr Constructs operator|(Constructs a, Constructs b) noexcept {
    Constructs both;
    both.bits_ = a.bits_ | b.bits_;
    return both;
  }

 private:
  std::uint32_t bits_ = 0;
};
constexpr Constructs operator|(Construct a, Construct b) noexcept { return Constructs(a) | Constructs(b); }

enum class Execution : std::uint8_t { serial_depth_first, parallel, controlled };

// What the verdict holds for when nothing was found.
enum class Guarantee : std::uint8_t { all_schedules_of_this_input, one_order_of_isolated_sections };

struct DetectorTraits {
  const char* name;
  Constructs accepts;
  Execution needs;
  Guarantee guarantee;
  // A program may get a handle that reached it through a race on the variable that holds it. False: then that
  // race is reported, and so is the verdict, but perhaps not every other racy location.
  bool exact_with_leaked_handles = true;
};

// An access by the running task. `state` is the task's slot; `site` names the place in the code: a number
// from 1 on that the binding gave to it.
template <class D>
concept Detector = std::derived_from<D, Listener> &&
    requires(D& detector, void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
  { D::kTraits } -> std::convertible_to<const DetectorTraits&>;
  { detector.read(state, address, bytes, site) } -> std::same_as<void>;
  { detector.write(state, address, bytes, site) } -> std::same_as<void>;
  // The memory is given back or reused: what was accessed before is another location.
  { detector.forget(address, bytes) } -> std::same_as<void>;
};

// A detector that knows references that are counted (events/listener.hpp), and that memory is given back by
// a task (retire), which is a write.
template <class D>
concept ReferenceDetector = Detector<D> &&
    requires(D& detector, void* state, const void* counter, std::uintptr_t address, std::size_t bytes,
             std::uintptr_t site) {
  detector.release_reference(state, counter);
  detector.begin_destruction(state, counter, state);
  detector.end_destruction(state);
  detector.release_last_reference(state, counter);
  detector.retire(state, address, bytes, site);
};

// One that keeps something for each page, and wants to know of pages that come and go; and of blocks of the
// heap of kLargeBlock bytes or more, which are mostly used as a whole.
inline constexpr std::size_t kLargeBlock = std::size_t{1} << 20U;
template <class D>
concept PageDetector = Detector<D> && requires(D& detector, std::uintptr_t address, std::size_t bytes) {
  detector.mapped(address, bytes);
  detector.expect(address, bytes);
  detector.unmapped(address, bytes);
};

// A detector that is asked first for accesses of 1, 2, 4, 8 and 16 bytes. try_*: makes the access, if that is
// simple, takes no memory and calls nobody meanwhile; false: not all was done, and read() or write() does it.
// site_of() is the site, or 0 if that is not known yet.
template <class D>
concept TryingDetector = Detector<D> &&
    requires(D& detector, void* state, std::uintptr_t address, std::uintptr_t (*site_of)()) {
  { detector.template try_read<8>(state, address, site_of) } -> std::same_as<bool>;
  { detector.template try_write<8>(state, address, site_of) } -> std::same_as<bool>;
};

// One that keeps each site as it is, and has it in what it finds. The lower half is the number of the place,
// by which it tells sites apart; the upper half is the binding's own affair.
template <class D>
concept SiteKeepingDetector = Detector<D> && D::kKeepsSites;
inline constexpr unsigned kPlaceBits = 32;
[[nodiscard]] constexpr std::uintptr_t place_of(std::uintptr_t site) noexcept {
  return site & ((std::uintptr_t{1} << kPlaceBits) - 1);
}

// One that is asked first for ranges, too. try_*: makes the access from its first byte on, as far as that is
// simple, in the sense above; how many bytes of it were made.
template <class D>
concept RangeTryingDetector = Detector<D> && requires(D& detector, void* state, std::uintptr_t address,
                                                      std::size_t bytes, std::uintptr_t (*site_of)()) {
  { detector.try_read_range(state, address, bytes, site_of) } -> std::same_as<std::size_t>;
  { detector.try_write_range(state, address, bytes, site_of) } -> std::same_as<std::size_t>;
};

// One whose cells are QuickCells: an access that they know is none that it needs to hear of. Sites below
// kMostPlaces are in the cells as they are. site_of_word: the site of an access to a whole word of which each
// byte has its own of these, from the lowest on; 0: it has none left. It tells the thread which tasks precede
// the one that runs. Asked for as many bytes as a line has, it tries the access of a line that is not open;
// try_*_part is for any bytes of one word. close_line: if the line of this address is open, and all of its
// words have the same history, it need not be. epoch: from 1 on, another one after each task operation.
// note_log_at: the cell of this address gets a log of readers, as by events/ step_updates.hpp. readers_seen:
// how many other tasks all accesses found as readers. found_races: whether the last read or write did, those
// that are none included.
template <class D>
concept QuickDetector = TryingDetector<D> &&
    requires(D& detector, void* state, std::uintptr_t address, unsigned bytes, std::uintptr_t (*site_of)()) {
  { detector.try_read_part(state, address, bytes, site_of) } -> std::same_as<bool>;
  { detector.try_write_part(state, address, bytes, site_of) } -> std::same_as<bool>;
  { detector.quick_cells() } -> std::same_as<char*>;
  { detector.close_line(address) } -> std::same_as<void>;
  { detector.epoch() } -> std::same_as<std::uint64_t>;
  { detector.note_log_at(address) } -> std::same_as<void>;
  { detector.readers_seen() } -> std::same_as<std::uint64_t>;
  { detector.site_of_word(std::array<std::uint32_t, 8>()) } -> std::same_as<std::uint32_t>;
  { detector.found_races() } -> std::same_as<bool>;
  { D::kMostPlaces } -> std::convertible_to<std::uint32_t>;
};

// One whose cells are QuickStepCells, likewise. It tells each thread what it has found out; also when asked,
// null if the calling thread has not used it yet.
template <class D>
concept QuickStepDetector = TryingDetector<D> && requires(D& detector) {
  { detector.quick_steps() } -> std::same_as<QuickSteps>;
  { detector.quick_known() } -> std::same_as<QuickKnown*>;
  { D::kMostPlaces } -> std::convertible_to<std::uint32_t>;
};

}  // namespace anyorder::events
