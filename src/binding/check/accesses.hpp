// The way of an access from a hook to the detector: what the thread can decide by itself, the number of the
// place where it was made, and what the thread learns from the detector's answer.
//
// Contract: each thread that runs tasks says so once by begin_thread, and what it runs by runs_root. The
// detector and the places outlive it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "binding/check/places.hpp"
#include "binding/check/this_stack.hpp"
#include "binding/check/whole_stacks.hpp"
#include "events/detector.hpp"
#include "events/quick_accesses.hpp"
#include "events/quick_learning.hpp"
#include "events/quick_ranges.hpp"
#include "events/quick_words.hpp"
#include "events/running_task.hpp"
#include "events/site_group.hpp"
#include "events/step_ranges.hpp"
#include "events/step_stretches.hpp"
#include "events/step_updates.hpp"

namespace anyorder::binding {

// What one thread knows about places; it belongs to one Accesses.
struct ThreadPlaces {
  RecentPlaces recent;
  std::array<events::QuickPlace, events::kQuickPlaces> quick{};
  std::array<events::QuickLine, events::kQuickLines> lines{};  // of QuickDetectors, as are
  std::array<events::QuickRun, events::kQuickRuns> runs{};
  std::array<events::QuickWord, events::kQuickWords> words{};
  events::StepStretches stretches;
  events::StepUpdates updates;
  events::StepRanges ranges;  // of QuickStepDetectors
};

template <events::Detector D>
class Accesses {
 public:
  Accesses(D& detector, Places& places) : detector_(detector), places_(places) {
    if constexpr (events::QuickStepDetector<D>) anyorder_quick_steps_3 = detector_.quick_steps();
  }

  // `counts` and `places` are the calling thread's from now on.
  void begin_thread(events::QuickCounts& counts, ThreadPlaces& places) noexcept {
    anyorder_quick_thread_3.counts = &counts;
    anyorder_quick_thread_3.places = places.quick.data();
    if constexpr (events::QuickDetector<D>) {
      anyorder_quick_thread_3.cells = detector_.quick_cells();
      anyorder_quick_thread_3.lines = places.lines.data();
      anyorder_quick_thread_3.runs = places.runs.data();
      anyorder_quick_thread_3.words = places.words.data();
      anyorder_quick_thread_3.step = events::kQuickNextStep;
    }
    t_places = &places;
  }
  // The calling thread runs another task, the root or not. Detectors do not keep what the root does, so it is
  // never as simple as what a task did at the same place.
  static void runs_root(bool root) noexcept {
    t_runs_root = root;
    anyorder_quick_thread_3.context =
        events::QuickDetector<D> && !root ? this_stack().calls.known_context() : 0;
  }

  // An access of an instruction; the task runs.
  template <events::Access kAccess, std::size_t kBytes>
  [[gnu::always_inline]] void check(void* task, const void* begin, std::uintptr_t pc) {
    if constexpr (events::QuickDetector<D>) {
      const auto address = reinterpret_cast<std::uintptr_t>(begin);
      events::QuickThread& own = anyorder_quick_thread_3;
      if (events::is_no_news<kAccess, kBytes>(own, address, pc)) [[likely]]
        return;
      const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
      if (events::loops(own, pc) &&
          events::begins_run<kAccess, kBytes>(own, address, pc, frame,
                                              [&](events::QuickRun& run) { settle(task, run); })) {
        return;
      }
      if constexpr (kBytes < events::QuickCell::kWordBytes) {
        if (events::gathers<kAccess, kBytes>(own, address, pc, frame,
                                             [&](events::QuickWord& word) { settle(task, word); })) {
          if (events::QuickRun* const over = events::note_for_runs<kBytes>(own, address, pc))
            settle(task, *over);
          return;
        }
      }
      events::QuickRun* over;
      if (events::make_in_cells<kAccess, kBytes>(own, detector_.quick_cells(), address, pc, over))
          [[likely]] {
        if (over != nullptr) [[unlikely]]
          settle(task, *over);
        return;
      }
    } else if constexpr (events::QuickStepDetector<D>) {
      const auto address = reinterpret_cast<std::uintptr_t>(begin);
      if (step_of(task).template knows_at_once<kAccess, kBytes>(address)) [[likely]] {
        events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc);
        return;
      }
      if constexpr (kAccess == events::Access::read) return check_if_not_quiet<kBytes>(task, begin, pc);
    }
    check_news<kAccess, kBytes>(task, begin, pc);
  }
  // The same, if it is not known.
  template <events::Access kAccess, std::size_t kBytes>
  void check_news(void* task, const void* begin, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc);
    if constexpr (events::QuickDetector<D>) {
      const AtWork at_work;
      const events::QuickLearning learning(detector_.quick_cells(), address);
      const std::uint64_t calls = context();
      if (try_access<kAccess, kBytes>(task, address, pc)) [[likely]] {
        if (anyorder_quick_thread_3.context != 0) {
          learning.learn<kAccess>(pc, calls, [&] { return recent_site_at(pc, calls); });
        }
        if ((address + kBytes) % events::QuickCell::kLineBytes == 0) detector_.close_line(address);
        return note_made<kAccess, kBytes>(task, address, pc);
      }
    } else if constexpr (events::TryingDetector<D>) {
      if (try_access<kAccess, kBytes>(task, address, pc)) [[likely]] {
        if constexpr (events::QuickStepDetector<D>) learn_quick_place(pc);
        return;
      }
    }
    access_at_length<kAccess>(task, address, kBytes, pc);
    if constexpr (events::QuickDetector<D>) note_made<kAccess, kBytes>(task, address, pc);
  }
  // Several of them, as a loop makes them.
  template <events::Access kAccess, std::size_t kBytes>
  void check_each(void* task, const char* begin, std::ptrdiff_t stride, std::size_t count,
                  std::uintptr_t pc) {
    for (; count != 0; --count, begin += stride) {
      if constexpr (events::QuickDetector<D>) {
        // They are no loop of hooks, nor does another one follow in the line.
        if (repeats<kAccess, kBytes>(reinterpret_cast<std::uintptr_t>(begin), pc)) [[likely]]
          continue;
        check_news<kAccess, kBytes>(task, begin, pc);
        continue;
      } else if constexpr (events::QuickStepDetector<D>) {
        const events::QuickStep step = step_of(task);
        const std::size_t all = count;
        if constexpr (kAccess == events::Access::read && kBytes == 8) {
          const std::size_t quiet = step.count_quiet(reinterpret_cast<std::uintptr_t>(begin), stride, count);
          count -= quiet;
          begin += static_cast<std::ptrdiff_t>(quiet) * stride;
        }
        while (count != 0 &&
               step.template knows_at_once<kAccess, kBytes>(reinterpret_cast<std::uintptr_t>(begin))) {
          --count;
          begin += stride;
        }
        events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc, all - count);
        if (count == 0) return;
      }
      check<kAccess, kBytes>(task, begin, pc);
    }
  }
  // Of any length. It counts as one access.
  template <events::Access kAccess>
  void check(void* task, const void* begin, std::size_t bytes, std::uintptr_t pc) {
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    if constexpr (events::QuickStepDetector<D>) {
      if (bytes >= kWorthRemembering) {
        if (t_places->ranges.template knows<kAccess>(pc, {address, bytes}, step_of(task).number())) [[likely]]
          return events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc);
        return check_range_once<kAccess>(task, address, bytes, pc);
      }
    }
    events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc);
    if constexpr (events::QuickDetector<D>) {
      if (bytes <= events::kFewBytes) return check_few_once<kAccess>(task, address, bytes, pc);
      check_stretch<kAccess>(task, address, bytes, pc);
    } else {
      check_range<kAccess>(task, address, bytes, pc);
    }
  }
  // What make() checks; not, if the step is known to have done so.
  template <events::Access kAccess, class Make>
  [[gnu::always_inline]] void check_once(void* task, const events::Rows& rows, std::uintptr_t pc, Make make) {
    if constexpr (events::QuickStepDetector<D>) {
      const auto step = [&] { return step_of(task).number(); };
      if (t_places->ranges.make_once<kAccess>(pc, rows, step, make)) return;
      events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc, rows.count * rows.outer_count);
    } else {
      make();
    }
  }
  // The calling thread forgets what this memory has seen.
  static void forget(std::uintptr_t address, std::size_t bytes) noexcept {
    if constexpr (events::QuickStepDetector<D>) {
      if (t_places != nullptr) t_places->ranges.forget(address, bytes);
    } else if constexpr (events::QuickDetector<D>) {
      if (t_places == nullptr) return;
      t_places->stretches.forget(address, bytes);
      events::forget_lines(anyorder_quick_thread_3, address, bytes);
    }
  }

  // The range of a run that is over.
  void settle(void* task, events::QuickRun& run) {
    if constexpr (events::QuickDetector<D>) {
      events::QuickThread& own = anyorder_quick_thread_3;
      const std::uint64_t calls = std::exchange(own.context, run.context);
      events::learn_place(events::quick_place_of(own, run.pc), run.pc, run.context, run.marks >> 8U);
      if (run.writes) {
        make_range_of<events::Access::write>(task, run);
      } else {
        make_range_of<events::Access::read>(task, run);
      }
      own.context = calls;
    }
    events::end_run(run);
  }
  // What was put off of a word.
  void settle(void* task, events::QuickWord& word) {
    if constexpr (events::QuickDetector<D>) {
      events::QuickThread& own = anyorder_quick_thread_3;
      const std::uint64_t calls = std::exchange(own.context, word.context);
      if (word.writes) {
        make_word<events::Access::write>(task, word);
      } else {
        make_word<events::Access::read>(task, word);
      }
      own.context = calls;
    }
    word.begin = 0;
  }
  // What was put off, by the calling thread. Not if it runs no task now, but may go on with one: in a handler
  // of signals. Nor if the detector allocates while it is at work: that is not the program's memory.
  void make_runs() {
    if constexpr (events::QuickDetector<D>) {
      if (t_at_work) return;
      const events::QuickThread& own = anyorder_quick_thread_3;
      if ((own.runs_there | own.words_there) != 0 && own.task != nullptr) [[unlikely]]
        make_all();
    }
  }
  // Before a task operation.
  void end_step() {
    make_runs();
    if constexpr (events::QuickDetector<D>) events::end_lines(anyorder_quick_thread_3);
  }

  // The number of the place of a call; also outside of tasks.
  PlaceNumber place_at(std::uintptr_t return_address) {
    const std::uintptr_t pc = return_address - 1;
    if (t_places == nullptr) return places_.at(pc, this_stack().calls);
    const std::uint64_t calls = context();
    if constexpr (events::QuickDetector<D>) {
      const events::QuickPlace& place = events::quick_place_of(anyorder_quick_thread_3, return_address);
      if (place.is(return_address, calls)) return place.marks >> 8U;
    }
    PlaceNumber number = t_places->recent.find(pc, calls);
    if (number == 0) {
      number = places_.at(pc, this_stack().calls);
      if (is_site(number)) t_places->recent.add(pc, calls, number);
    }
    return number;
  }

  // The detector's word for an access that the running task makes there.
  std::uintptr_t site_of(PlaceNumber place) {
    if constexpr (events::QuickDetector<D>) return is_site(place) ? place : 0;
    if constexpr (events::SiteKeepingDetector<D>) {
      if (t_whole_stacks != nullptr) {
        const CallStack& calls = this_stack().calls;
        return std::uintptr_t{t_whole_stacks->at(calls.task_begin(), calls.depth())} << events::kPlaceBits |
               place;
      }
    }
    return place;
  }

 private:
  template <std::size_t kBytes>
  [[gnu::noinline]] void check_if_not_quiet(void* task, const void* begin, std::uintptr_t pc) {
    if (step_of(task).template is_quiet<kBytes>(reinterpret_cast<std::uintptr_t>(begin))) [[likely]] {
      return events::count_access<events::Access::read>(*anyorder_quick_thread_3.counts, pc);
    }
    check_news<events::Access::read, kBytes>(task, begin, pc);
  }
  template <std::size_t kBytes>
  [[nodiscard, gnu::noinline]] static bool is_quiet(const events::QuickStep& step,
                                                    std::uintptr_t address) noexcept {
    return step.is_quiet<kBytes>(address);
  }
  // Of a QuickStepDetector.
  [[nodiscard, gnu::always_inline]] events::QuickStep step_of(void* task) const noexcept {
    return {anyorder_quick_steps_3, detector_.quick_known(), task};
  }
  template <events::Access kAccess, std::size_t kBytes>
  [[gnu::always_inline]] bool try_access(void* task, std::uintptr_t address, std::uintptr_t pc) {
    const auto site_of = [pc] { return known_site_at(pc); };
    if constexpr (kAccess == events::Access::read) {
      return detector_.template try_read<kBytes>(task, address, site_of);
    } else {
      return detector_.template try_write<kBytes>(task, address, site_of);
    }
  }
  template <events::Access kAccess>
  [[nodiscard]] bool try_part(void* task, std::uintptr_t address, unsigned bytes, std::uintptr_t pc) {
    const auto site_of = [pc] { return known_site_at(pc); };
    if constexpr (kAccess == events::Access::read) {
      return detector_.try_read_part(task, address, bytes, site_of);
    } else {
      return detector_.try_write_part(task, address, bytes, site_of);
    }
  }
  template <events::Access kAccess>
  [[gnu::noinline]] void check_range_once(void* task, std::uintptr_t address, std::size_t bytes,
                                          std::uintptr_t pc) {
    check_once<kAccess>(
        task, {address, bytes}, pc, [&]() __attribute__((always_inline)) {
          events::count_access<kAccess>(*anyorder_quick_thread_3.counts, pc);
          check_range<kAccess>(task, address, bytes, pc);
        });
  }
  // An access that is known, or as the one before at its place; it is counted then.
  template <events::Access kAccess, unsigned kBytes>
  [[nodiscard, gnu::always_inline]] bool repeats(std::uintptr_t address, std::uintptr_t pc) {
    events::QuickThread& own = anyorder_quick_thread_3;
    char* const cells = detector_.quick_cells();
    if (address % kBytes != 0) return false;
    const events::QuickResult result = events::repeat_access<kAccess, kBytes>(own, cells, address, pc);
    if (result == events::QuickResult::missed || events::may_close_line<kBytes>(cells, address)) return false;
    if (result == events::QuickResult::quiet) ++own.counts->readers;
    events::count_made<kAccess>(own);
    return true;
  }
  class AtWork {
   public:
    AtWork() noexcept : before_(std::exchange(t_at_work, true)) {}
    ~AtWork() { t_at_work = before_; }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;

   private:
    bool before_;
  };

  // For the accesses that follow.
  template <events::Access kAccess, unsigned kBytes>
  void note_made(void* task, std::uintptr_t address, std::uintptr_t pc) {
    if (address % kBytes != 0) return;
    events::QuickThread& own = anyorder_quick_thread_3;
    events::remember<kAccess>(events::remembered_line(own, address), events::bytes_in_line<kBytes>(address));
    if (events::QuickRun* const over = events::note_for_runs<kBytes>(own, address, pc)) settle(task, *over);
  }
  [[gnu::noinline]] void make_all() {
    events::QuickThread& own = anyorder_quick_thread_3;
    events::end_runs(own, [&](events::QuickRun& run) { settle(own.task, run); });
    events::end_words(own, [&](events::QuickWord& word) { settle(own.task, word); });
  }
  template <events::Access kAccess>
  void make_word(void* task, const events::QuickWord& word) {
    events::QuickThread& own = anyorder_quick_thread_3;
    if (word.bytes == events::QuickAccess::kBytes && knows_places_of(word)) {
      return check_range<kAccess>(task, word.begin, events::QuickCell::kWordBytes, word.places);
    }
    for (const events::QuickWord::Part& part : std::span(word.parts, word.count)) {
      events::QuickPlace& place = events::quick_place_of(own, part.pc);
      events::learn_place(place, part.pc, word.context, part.marks >> 8U);
      if (word.bytes != events::QuickAccess::kBytes && place.fails != events::QuickPlace::kMostFails)
        ++place.fails;
      const std::uint32_t bytes = part.marks & events::QuickAccess::kBytes;
      check_range<kAccess>(task, word.begin + static_cast<unsigned>(std::countr_zero(bytes)),
                           static_cast<std::size_t>(std::popcount(bytes)), part.pc);
    }
  }
  // Whether there is a site for all parts of a word that is there; it is one of the thread's places then.
  [[nodiscard]] bool knows_places_of(const events::QuickWord& word) {
    events::QuickPlace& place = events::quick_place_of(anyorder_quick_thread_3, word.places);
    if (place.is(word.places, word.context)) return true;
    const events::InsideTool inside;
    std::array<std::uint32_t, events::QuickCell::kWordBytes> sites{};
    for (const events::QuickWord::Part& part : std::span(word.parts, word.count)) {
      for (unsigned byte = 0; byte != sites.size(); ++byte) {
        if ((part.marks >> byte & 1U) != 0) sites[byte] = part.marks >> 8U;
      }
    }
    const std::uint32_t site = detector_.site_of_word(sites);
    if (site != 0) events::learn_place(place, word.places, word.context, site);
    return site != 0;
  }
  template <events::Access kAccess>
  void make_range_of(void* task, const events::QuickRun& run) {
    const std::size_t bytes = run.next - run.begin;
    events::count_access<kAccess>(*anyorder_quick_thread_3.counts, run.pc, bytes / run.bytes);
    if (bytes > events::kFewBytes) return check_stretch<kAccess>(task, run.begin, bytes, run.pc);
    check_range<kAccess>(task, run.begin, bytes, run.pc);
  }
  // What the step has not accessed yet.
  template <events::Access kAccess>
  [[gnu::always_inline]] void check_stretch(void* task, std::uintptr_t address, std::size_t bytes,
                                            std::uintptr_t pc) {
    if (t_places->stretches.template knows<kAccess>({address, address + bytes}, detector_.epoch())) return;
    check_unknown_stretch<kAccess>(task, address, bytes, pc);
  }
  template <events::Access kAccess>
  [[gnu::noinline]] void check_unknown_stretch(void* task, std::uintptr_t address, std::size_t bytes,
                                               std::uintptr_t pc) {
    t_places->stretches.template make_rest_of_unknown<kAccess>(
        {address, address + bytes},
        detector_.epoch(), [&](const events::StepStretches::Stretch& rest) __attribute__((always_inline)) {
          check_range<kAccess>(task, rest.begin, rest.end - rest.begin, pc);
        });
  }
  template <events::Access kAccess>
  [[gnu::noinline]] void check_few_once(void* task, std::uintptr_t address, std::size_t bytes,
                                        std::uintptr_t pc) {
    const events::QuickThread& own = anyorder_quick_thread_3;
    const std::uint64_t all = events::bytes_in_line(address, bytes);
    if (all != 0) {
      events::QuickLine& line = events::remembered_line(own, address);
      if ((all & ~(kAccess == events::Access::write ? line.written : line.read)) == 0) return;
      events::remember<kAccess>(line, all);
    }
    check_few<kAccess>(task, address, bytes, pc);
  }
  template <events::Access kAccess>
  [[gnu::noinline]] void check_few(void* task, std::uintptr_t begin, std::size_t bytes, std::uintptr_t pc) {
    const std::uintptr_t end = begin + bytes;
    const std::uintptr_t at =
        events::repeat_few<kAccess>(anyorder_quick_thread_3, t_places->updates, detector_.epoch(),
                                    detector_.quick_cells(), begin, end, pc, [&](std::uintptr_t address) {
                                      const AtWork at_work;
                                      detector_.note_log_at(address);
                                    });
    if (at != end) check_range_news<kAccess>(task, at, end - at, pc);
  }
  // What the thread can decide by itself, and the rest at length.
  template <events::Access kAccess>
  [[gnu::always_inline]] void check_range(void* task, std::uintptr_t begin, std::size_t bytes,
                                          std::uintptr_t pc) {
    std::uintptr_t at = begin;
    if constexpr (events::QuickDetector<D>) {
      if (bytes <= events::kFewBytes) return check_few<kAccess>(task, begin, bytes, pc);
    } else if constexpr (events::QuickStepDetector<D>) {
      const std::uintptr_t end = begin + bytes;
      if (is_of_few_words(begin, end)) {
        const events::QuickStep step = step_of(task);
        while (at != end && (step.knows_at_once<kAccess, 8>(at) ||
                             (kAccess == events::Access::read && is_quiet<8>(step, at)))) {
          at += 8;
        }
      }
      if (at == end) return;
    }
    check_range_news<kAccess>(task, at, begin + bytes - at, pc);
  }
  template <events::Access kAccess>
  [[gnu::noinline]] void check_range_news(void* task, std::uintptr_t begin, std::size_t bytes,
                                          std::uintptr_t pc) {
    const std::uintptr_t end = begin + bytes;
    std::uintptr_t at = begin;
    if constexpr (events::QuickDetector<D>) {
      const AtWork at_work;
      events::fetch_cells(detector_.quick_cells(), begin, end);
      context();
      at = repeat_range<kAccess>(begin, begin, end, pc);
      if (at != end) [[unlikely]]
        check_range_by_cells<kAccess>(task, begin, at, end, pc);
    } else {
      if constexpr (events::RangeTryingDetector<D>) at += try_range<kAccess>(task, begin, bytes, pc);
      if (at != end) access_at_length<kAccess>(task, at, end - at, pc);
    }
  }
  // As the step has made them before.
  template <events::Access kAccess>
  [[nodiscard, gnu::always_inline]] std::uintptr_t repeat_range(std::uintptr_t begin, std::uintptr_t at,
                                                                std::uintptr_t end, std::uintptr_t pc) {
    return events::repeat_range<kAccess>(
        anyorder_quick_thread_3, t_places->updates, detector_.epoch(), detector_.quick_cells(), begin, at,
        end, pc, [&](std::uintptr_t line) { detector_.close_line(line); },
        [&](std::uintptr_t address) { detector_.note_log_at(address); });
  }
  // The cell at `at` is not that simple. Lines and words that are not like the others, at the border of what
  // tasks share, mostly are so by themselves; or what comes after them is.
  template <events::Access kAccess>
  [[gnu::noinline]] void check_range_by_cells(void* task, std::uintptr_t begin, std::uintptr_t at,
                                              std::uintptr_t end, std::uintptr_t pc) {
    bool was_at_length = false;
    while (at != end) {
      if (events::repeat_cell<kAccess>(anyorder_quick_thread_3, t_places->updates, detector_.epoch(),
                                       detector_.quick_cells(), at, end, pc) ||
          try_some<kAccess>(task, at, end, pc)) {
        was_at_length = false;
      } else {
        if (was_at_length) return access_at_length<kAccess>(task, at, end - at, pc);
        was_at_length = !make_some_at_length<kAccess>(task, at, end, pc);
      }
      if (at % events::QuickCell::kLineBytes == 0 && at - begin >= events::QuickCell::kLineBytes) {
        detector_.close_line(at - events::QuickCell::kLineBytes);
      }
      if (at != end) at = repeat_range<kAccess>(begin, at, end, pc);
    }
  }
  // Goes on with the line or the word at `at`, and those that follow and equal it. False: that is not simple,
  // and nothing was done.
  template <events::Access kAccess>
  [[nodiscard]] bool try_some(void* task, std::uintptr_t& at, std::uintptr_t end, std::uintptr_t pc) {
    constexpr std::uintptr_t kLine = events::QuickCell::kLineBytes;
    const std::uintptr_t stop = std::min(end, end_of_cell(at, end));
    const events::QuickCell before = events::QuickCell::at(detector_.quick_cells(), at);
    const std::uint64_t readers = detector_.readers_seen();
    if (stop - at == kLine) {
      if (!try_access<kAccess, kLine>(task, at, pc)) return false;
    } else if (stop - at == 8) {
      if (!try_access<kAccess, 8>(task, at, pc)) return false;
    } else {
      if (!try_part<kAccess>(task, at, static_cast<unsigned>(stop - at), pc)) return false;
      at = stop;
      return true;
    }
    at = repeat_update<kAccess>(before, at, stop, end, pc, detector_.readers_seen() - readers);
    return true;
  }
  // The same at length. False: what was done may not be the same for others, or there are none.
  template <events::Access kAccess>
  [[nodiscard]] bool make_some_at_length(void* task, std::uintptr_t& at, std::uintptr_t end,
                                         std::uintptr_t pc) {
    const std::uintptr_t begin = at;
    const std::uintptr_t stop = std::min(end, end_of_cell(at, end));
    const events::QuickCell before = events::QuickCell::at(detector_.quick_cells(), begin);
    const std::uint64_t readers = detector_.readers_seen();
    access_at_length<kAccess>(task, begin, stop - begin, pc);
    at = stop;
    const events::QuickCell& after = events::QuickCell::at(detector_.quick_cells(), begin);
    if (detector_.found_races() || (stop - begin) % 8 != 0 || before.is_elsewhere() || after.is_elsewhere()) {
      return false;
    }
    at = repeat_update<kAccess>(before, begin, stop, end, pc, detector_.readers_seen() - readers);
    return true;
  }
  // After the access of a whole word, or line, up to `stop`: also in those that follow and equal it.
  template <events::Access kAccess>
  std::uintptr_t repeat_update(const events::QuickCell& before, std::uintptr_t at, std::uintptr_t stop,
                               std::uintptr_t end, std::uintptr_t pc, std::uint64_t readers) {
    char* const cells = detector_.quick_cells();
    const bool is_line = stop - at == events::QuickCell::kLineBytes;
    // It was opened, and is to be closed.
    if (is_line && events::QuickCell::line_at(cells, at).is_open()) return stop;
    const events::QuickThread& own = anyorder_quick_thread_3;
    const events::QuickPlace& place = events::quick_place_of(own, pc);
    const events::QuickCell& after = events::QuickCell::at(cells, at);
    if (place.is(pc, own.context) && !before.is_elsewhere() && !after.is_elsewhere()) {
      t_places->updates.learn(before, after,
                              events::StepUpdates::key_of<kAccess>(detector_.epoch(), place.marks),
                              static_cast<std::uint32_t>(readers));
    }
    return is_line ? events::repeat_in_lines(cells, before, at, end)
                   : events::repeat_in_words(cells, before, at, end);
  }
  // Of the line, if it is not open and all of it is in the range, or of the word.
  [[nodiscard]] std::uintptr_t end_of_cell(std::uintptr_t at, std::uintptr_t end) const noexcept {
    constexpr std::uintptr_t kLine = events::QuickCell::kLineBytes;
    const bool is_line = at % kLine == 0 && end - at >= kLine &&
                         !events::QuickCell::line_at(detector_.quick_cells(), at).is_open();
    return at + (is_line ? kLine : 8 - at % 8);
  }
  // From so many bytes on, to see whether they are known by StepRanges takes less time than to look.
  static constexpr std::size_t kWorthRemembering = 24;
  // Which take less time one by one.
  static constexpr std::size_t kFewWords = 2 * events::kFewBytes;
  static bool is_of_few_words(std::uintptr_t begin, std::uintptr_t end) noexcept {
    return end - begin <= kFewWords && (begin | end) % 8 == 0;
  }
  template <events::Access kAccess>
  [[nodiscard]] std::size_t try_range(void* task, std::uintptr_t address, std::size_t bytes,
                                      std::uintptr_t pc) {
    const auto site_of = [pc] { return known_site_at(pc); };
    if constexpr (kAccess == events::Access::read) {
      return detector_.try_read_range(task, address, bytes, site_of);
    } else {
      return detector_.try_write_range(task, address, bytes, site_of);
    }
  }
  template <events::Access kAccess>
  [[gnu::noinline]] void access_at_length(void* task, std::uintptr_t address, std::size_t bytes,
                                          std::uintptr_t pc) {
    const events::InsideTool inside;
    const std::uintptr_t site = site_at(pc);
    if constexpr (events::QuickDetector<D>) {
      if (site == 0 && events::is_group(pc)) {
        return access_groups_one_by_one<kAccess>(task, address, bytes, pc);
      }
    }
    if constexpr (kAccess == events::Access::read) {
      detector_.read(task, address, bytes, site);
    } else {
      detector_.write(task, address, bytes, site);
    }
    if constexpr (events::QuickDetector<D>) {
      const events::QuickThread& own = anyorder_quick_thread_3;
      if (own.context != 0 && site != 0) {
        learn_place(events::quick_place_of(own, pc), pc, own.context, static_cast<std::uint32_t>(site));
      }
    }
  }
  // Of words.
  template <events::Access kAccess>
  void access_groups_one_by_one(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t group) {
    for (const std::uintptr_t end = address + bytes; address != end;
         address += events::QuickCell::kWordBytes) {
      events::for_each_of_group(group, [&](unsigned begin, unsigned length, std::uintptr_t place) {
        access_at_length<kAccess>(task, address + begin, length, place);
      });
    }
  }

  [[nodiscard]] std::uintptr_t site_at(std::uintptr_t pc) {
    if constexpr (events::QuickDetector<D>) {
      if (events::is_group(pc)) return site_of_group(pc);
    }
    return site_of(place_at(pc));
  }
  // 0: the detector has none for it.
  [[nodiscard]] std::uintptr_t site_of_group(std::uintptr_t group) {
    const std::uint64_t calls = context();
    if (const std::uintptr_t known = known_site_at(group)) return known;
    std::array<std::uint32_t, events::QuickCell::kWordBytes> sites{};
    events::for_each_of_group(group, [&](unsigned begin, unsigned bytes, std::uintptr_t place) {
      std::fill_n(sites.begin() + begin, bytes, static_cast<std::uint32_t>(site_at(place)));
    });
    const std::uint32_t site = detector_.site_of_word(sites);
    if (site != 0) t_places->recent.add(group - 1, calls, site);
    return site;
  }

  // Of the calls that the task is in.
  [[gnu::always_inline]] static std::uint64_t context() noexcept {
    const std::uint64_t known = anyorder_quick_thread_3.context;
    return known != 0 ? known : find_context();
  }
  [[gnu::noinline]] static std::uint64_t find_context() noexcept {
    events::QuickThread& own = anyorder_quick_thread_3;
    const std::uint64_t context = this_stack().calls.context();
    if (!t_runs_root) own.context = context;
    return context;
  }
  // 0: not known here. Asked for when it is needed, since the calls may have to be looked at.
  [[nodiscard, gnu::always_inline]] static std::uintptr_t known_site_at(std::uintptr_t pc) noexcept {
    const std::uint64_t calls = context();
    if constexpr (events::QuickDetector<D> || events::QuickStepDetector<D>) {
      const events::QuickPlace& place = events::quick_place_of(anyorder_quick_thread_3, pc);
      if (place.is(pc, calls)) [[likely]]
        return place.marks >> 8U;
    }
    return recent_site_at(pc, calls);
  }
  // Of a group, it is the detector's own number.
  [[nodiscard, gnu::noinline]] static std::uint32_t recent_site_at(std::uintptr_t pc,
                                                                   std::uint64_t calls) noexcept {
    return t_places->recent.find(pc - 1, calls);
  }
  // Whether the detector keeps it as it is; others are looked up each time.
  [[nodiscard]] static constexpr bool is_site(PlaceNumber place) noexcept {
    if constexpr (events::QuickDetector<D> || events::QuickStepDetector<D>) return place < D::kMostPlaces;
    return true;
  }
  // So that the next access there can be made by the program itself.
  static void learn_quick_place(std::uintptr_t pc) noexcept {
    const events::QuickThread& own = anyorder_quick_thread_3;
    events::QuickPlace& place = events::quick_place_of(own, pc);
    if (own.context == 0 || place.is(pc, own.context)) return;
    const std::uint32_t number = recent_site_at(pc, own.context);
    if (number != 0) learn_place(place, pc, own.context, number);
  }

  static inline constinit thread_local ThreadPlaces* t_places = nullptr;
  static inline constinit thread_local bool t_runs_root = false;
  static inline constinit thread_local bool t_at_work = false;  // on an access, which may allocate

  D& detector_;
  Places& places_;
};

}  // namespace anyorder::binding
