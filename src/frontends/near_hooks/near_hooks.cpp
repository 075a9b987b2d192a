// The hooks of plain accesses, as they are linked into each instrumented program or library: calls to them
// are direct, and most end here. All else is in libanyorder, which has these hooks, too, for what was linked
// without them.
//
// Contract: that of events/quick.hpp; no other symbol of libanyorder, no C++ runtime. The hooks are weak, so
// that a program may have this object twice.
#include <cstdint>

#include "events/quick.hpp"
#include "events/quick_accesses.hpp"
#include "events/quick_steps.hpp"
#include "events/quick_words.hpp"
#include "events/site_group.hpp"

#define ANYORDER_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

extern "C" void anyorder_settle_run_1(anyorder::events::QuickRun* run);
extern "C" void anyorder_settle_word_1(anyorder::events::QuickWord* word);

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the compilers choose the names
// One function for each way that a check goes on, so that none saves registers for another.
//
//   ..._cells          of a serial detector: as the access before at this place
//   ..._loop           likewise: the first one of a run
//   ..._step           of one that runs in parallel: of the step itself
//   ..._here           likewise: a read that changes nothing, as the one before, or the one of this word
//   ..._past           likewise: all others are past
//   ..._replace        likewise: all others precede
//   ..._quiet          likewise: a read that changes nothing
#define ANYORDER_STEP(number) \
  anyorder::events::QuickStep(anyorder_quick_steps_3, anyorder_quick_known_4, number)
#define ANYORDER_COUNT(kind) \
  anyorder::events::count_access<anyorder::events::Access::kind>(*anyorder_quick_thread_3.counts, pc)
#define ANYORDER_NEAR_READ(bytes)                                                                           \
  extern "C" void anyorder_read##bytes##_2(void* address, std::uintptr_t pc);                               \
  namespace {                                                                                               \
  [[gnu::noinline]] void read##bytes##_quiet(void* address, std::uintptr_t pc, std::uint32_t number) {      \
    if (ANYORDER_STEP(number).is_quiet<bytes>(reinterpret_cast<std::uintptr_t>(address))) [[likely]] {      \
      return ANYORDER_COUNT(read);                                                                          \
    }                                                                                                       \
    anyorder_read##bytes##_2(address, pc);                                                                  \
  }                                                                                                         \
  ANYORDER_NEAR_REPLACE(read, bytes, read##bytes##_quiet(address, pc, number))                              \
  [[gnu::noinline]] void read##bytes##_here(void* address, std::uintptr_t pc, std::uint32_t number) {       \
    if (ANYORDER_STEP(number).is_quiet_here<bytes>(reinterpret_cast<std::uintptr_t>(address))) [[likely]] { \
      return ANYORDER_COUNT(read);                                                                          \
    }                                                                                                       \
    /* most reads of what two have read change nothing */                                                   \
    if (number != 0 &&                                                                                      \
        ANYORDER_STEP(number).has_two_readers<bytes>(reinterpret_cast<std::uintptr_t>(address)))            \
      return read##bytes##_quiet(address, pc, number);                                                      \
    read##bytes##_replace(address, pc, number);                                                             \
  }                                                                                                         \
  }
#define ANYORDER_NEAR_WRITE(bytes)                                             \
  extern "C" void anyorder_write##bytes##_2(void* address, std::uintptr_t pc); \
  namespace {                                                                  \
  ANYORDER_NEAR_REPLACE(write, bytes, anyorder_write##bytes##_2(address, pc))  \
  }
#define ANYORDER_NEAR_REPLACE(kind, bytes, otherwise) \
  ANYORDER_NEAR_CHANGE(kind, bytes, replace, kind##bytes##_replace, otherwise)
#define ANYORDER_NEAR_CHANGE(kind, bytes, change, name, otherwise)                                        \
  [[gnu::noinline]] void name(void* address, std::uintptr_t pc, std::uint32_t number) {                   \
    const anyorder::events::QuickThread& own = anyorder_quick_thread_3;                                   \
    if (number == 0) return (otherwise); /* places are for steps */                                       \
    const anyorder::events::QuickPlace& place = anyorder::events::quick_place_of(own, pc);                \
    if (place.is(pc, own.context) && ANYORDER_STEP(number).change<anyorder::events::Access::kind, bytes>( \
                                         reinterpret_cast<std::uintptr_t>(address), place.marks))         \
        [[likely]] {                                                                                      \
      return ANYORDER_COUNT(kind);                                                                        \
    }                                                                                                     \
    (otherwise);                                                                                          \
  }
// `otherwise` is called for what a step has not done yet.
#define ANYORDER_NEAR_HOOK(kind, bytes, otherwise)                                                    \
  namespace {                                                                                         \
  [[gnu::noinline]] void kind##bytes##_in_cells(void* address, std::uintptr_t pc) {                   \
    anyorder::events::QuickThread& own = anyorder_quick_thread_3;                                     \
    anyorder::events::QuickRun* over;                                                                 \
    if (!anyorder::events::make_in_cells<anyorder::events::Access::kind, bytes>(                      \
            own, own.cells, reinterpret_cast<std::uintptr_t>(address), pc, over)) [[unlikely]]        \
      return anyorder_##kind##bytes##_2(address, pc);                                                 \
    if (over != nullptr) [[unlikely]]                                                                 \
      anyorder_settle_run_1(over);                                                                    \
  }                                                                                                   \
  [[gnu::noinline]] void kind##bytes##_cells(void* address, std::uintptr_t pc) {                      \
    if constexpr ((bytes) < anyorder::events::QuickCell::kWordBytes) {                                \
      anyorder::events::QuickThread& own = anyorder_quick_thread_3;                                   \
      const auto at = reinterpret_cast<std::uintptr_t>(address);                                      \
      if (anyorder::events::gathers<anyorder::events::Access::kind, bytes>(                           \
              own, at, pc, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),              \
              [](anyorder::events::QuickWord& word) { anyorder_settle_word_1(&word); })) {            \
        if (auto* const over = anyorder::events::note_for_runs<bytes>(own, at, pc)) [[unlikely]]      \
          anyorder_settle_run_1(over);                                                                \
        return;                                                                                       \
      }                                                                                               \
    }                                                                                                 \
    kind##bytes##_in_cells(address, pc);                                                              \
  }                                                                                                   \
  [[gnu::noinline]] void kind##bytes##_loop(void* address, std::uintptr_t pc) {                       \
    if (!anyorder::events::begins_run<anyorder::events::Access::kind, bytes>(                         \
            anyorder_quick_thread_3, reinterpret_cast<std::uintptr_t>(address), pc,                   \
            reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)),                             \
            [](anyorder::events::QuickRun& run) { anyorder_settle_run_1(&run); }))                    \
      kind##bytes##_cells(address, pc);                                                               \
  }                                                                                                   \
  ANYORDER_NEAR_CHANGE(kind, bytes, replace_past, kind##bytes##_past, otherwise(address, pc, number)) \
  [[gnu::noinline]] void kind##bytes##_step(void* address, std::uintptr_t pc) {                       \
    const anyorder::events::QuickStep step = ANYORDER_STEP(anyorder_quick_thread_3.task);             \
    const auto news =                                                                                 \
        step.look<anyorder::events::Access::kind, bytes>(reinterpret_cast<std::uintptr_t>(address));  \
    if (news == anyorder::events::QuickNews::none) [[likely]]                                         \
      return ANYORDER_COUNT(kind);                                                                    \
    if (news == anyorder::events::QuickNews::after_past)                                              \
      return kind##bytes##_past(address, pc, step.number());                                          \
    otherwise(address, pc, step.number());                                                            \
  }                                                                                                   \
  }
// With what it takes beside the address, and the place.
#define ANYORDER_NEAR_ENTRY(name, kind, bytes, place, ...)                                                  \
  extern "C" [[gnu::weak, gnu::visibility("hidden")]] void name(void* address __VA_OPT__(, ) __VA_ARGS__) { \
    anyorder::events::QuickThread& own = anyorder_quick_thread_3;                                           \
    if (own.task == nullptr) [[unlikely]] {                                                                 \
      if (anyorder_quick_watch_1 && !own.unwatched) anyorder_##kind##bytes##_2(address, place);             \
      return;                                                                                               \
    }                                                                                                       \
    if (own.cells == nullptr) return kind##bytes##_step(address, place);                                    \
    if (anyorder::events::is_no_news<anyorder::events::Access::kind, bytes>(                                \
            own, reinterpret_cast<std::uintptr_t>(address), place)) [[likely]]                              \
      return;                                                                                               \
    if (anyorder::events::loops(own, place)) return kind##bytes##_loop(address, place);                     \
    kind##bytes##_cells(address, place);                                                                    \
  }
#define ANYORDER_NEAR_HOOKS(bytes)                                                             \
  ANYORDER_NEAR_READ(bytes)                                                                    \
  ANYORDER_NEAR_WRITE(bytes)                                                                   \
  ANYORDER_NEAR_HOOK(read, bytes, read##bytes##_here)                                          \
  ANYORDER_NEAR_HOOK(write, bytes, write##bytes##_replace)                                     \
  ANYORDER_NEAR_ENTRY(anyorder_read##bytes##_at_1, read, bytes, place, std::uintptr_t place)   \
  ANYORDER_NEAR_ENTRY(anyorder_write##bytes##_at_1, write, bytes, place, std::uintptr_t place) \
  ANYORDER_NEAR_ENTRY(__tsan_read##bytes, read, bytes, ANYORDER_CALLER)                        \
  ANYORDER_NEAR_ENTRY(__tsan_write##bytes, write, bytes, ANYORDER_CALLER)                      \
  ANYORDER_NEAR_ENTRY(__tsan_unaligned_read##bytes, read, bytes, ANYORDER_CALLER)              \
  ANYORDER_NEAR_ENTRY(__tsan_unaligned_write##bytes, write, bytes, ANYORDER_CALLER)
ANYORDER_NEAR_HOOKS(1)
ANYORDER_NEAR_HOOKS(2)
ANYORDER_NEAR_HOOKS(4)
ANYORDER_NEAR_HOOKS(8)
ANYORDER_NEAR_HOOKS(16)

#define ANYORDER_NEAR_GROUP(kind)                                                                       \
  namespace {                                                                                           \
  [[gnu::noinline]] void kind##_one_by_one(std::uintptr_t address, std::uintptr_t group) {              \
    anyorder::events::check_one_by_one(address, group,                                                  \
                                       []<unsigned kBytes>(std::uintptr_t at, std::uintptr_t place) {   \
                                         if constexpr (kBytes == 1)                                     \
                                           anyorder_##kind##1_at_1(reinterpret_cast<void*>(at), place); \
                                         if constexpr (kBytes == 2)                                     \
                                           anyorder_##kind##2_at_1(reinterpret_cast<void*>(at), place); \
                                         if constexpr (kBytes == 4)                                     \
                                           anyorder_##kind##4_at_1(reinterpret_cast<void*>(at), place); \
                                       });                                                              \
  }                                                                                                     \
  }                                                                                                     \
  extern "C" [[gnu::weak, gnu::visibility("hidden")]] void anyorder_##kind##_group_at_1(                \
      void* address, std::uintptr_t begins, std::uintptr_t place) {                                     \
    const std::uintptr_t group = anyorder::events::group_of(place, begins);                             \
    const auto at = reinterpret_cast<std::uintptr_t>(address);                                          \
    if (anyorder_quick_thread_3.cells == nullptr || !anyorder::events::is_word(at))                     \
      return kind##_one_by_one(at, group);                                                              \
    anyorder_##kind##8_at_1(address, group);                                                            \
  }
ANYORDER_NEAR_GROUP(read)
ANYORDER_NEAR_GROUP(write)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
