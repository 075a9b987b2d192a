// The part of a check that is in the checked program itself: an access that is no news to the detector, or as
// simple as the one before at the same place, ends there, without a call into libanyorder.
//
// This is an interface between objects that were compiled at different times: the object that a program was
// linked with, and the libanyorder that it runs with. Whoever changes a type or the meaning of a name below
// gives the names another number.
//
// Detectors that take part keep cells in this form, and the slots of their tasks are tags, from 1 on and
// below 2^31. A line of eight words has one cell as long as all have the same history, and else one for each:
// it is open then, and what is done in the program never opens or closes it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace anyorder::events {

enum class Access : std::uint8_t { read, write };

// What one thread counts, in 64-bit numbers that the thread alone writes. Accesses are spread over several by
// the address of the code: one number that all accesses change would make each wait for the one before.
struct QuickCounts {
  std::uint64_t reads[4];
  std::uint64_t writes[4];
  std::uint64_t readers;  // that accesses found, other than the task itself
};

// A place in the code that makes accesses, and what it did last.
struct alignas(32) QuickPlace {
  std::uintptr_t pc;      // the return address of the hook, or what stands for it, also for several
  std::uint64_t context;  // of the calls that led there
  std::uint32_t marks;    // the detector's word for the place, in the upper 24 bits
  // For the running task itself, if it has accessed other bytes of the word at other places: what its marks
  // become. By where in the word accesses begin, for each two bytes: a loop comes to several of them.
  struct Step {
    std::uint32_t before;
    std::uint32_t after;
  } steps[4];
  // How often a part of a word was put off in vain there: quick_words.hpp.
  static constexpr std::uint32_t kMostFails = 4;
  std::uint32_t fails = 0;

  // Whether it is this one, in the calls that a thread is in, which are known.
  [[nodiscard, gnu::always_inline]] bool is(std::uintptr_t at, std::uint64_t calls) const noexcept {
    return pc == at && calls != 0 && context == calls;
  }
};

// Tasks that a task has to do with often are a power of two apart, as tiles of a matrix and sweeps over it.
inline constexpr unsigned kPrecedeBits = 4;
inline constexpr std::size_t kPrecedeSlots = std::size_t{1} << kPrecedeBits;
[[nodiscard]] constexpr std::size_t precede_slot_of(std::uint32_t tag) noexcept {
  return tag * 0x9e37'79b1U >> (32U - kPrecedeBits);
}

// What a step has done to a line of memory, one bit for each byte: quick_lines.hpp.
struct alignas(32) QuickLine {
  std::uint64_t key;      // of the line and the step; 0: of none
  std::uint64_t read;     // or written
  std::uint64_t written;  // and not read by others since
  std::uint64_t quiet;    // whoever reads them changes nothing
};
inline constexpr unsigned kQuickLineBits = 10;
inline constexpr std::size_t kQuickLines = std::size_t{1} << kQuickLineBits;
inline constexpr std::uint64_t kQuickNextStep = std::uint64_t{1} << 42U;  // no line has such a number

// Accesses of a place, one behind the other, that are still to be made: quick_runs.hpp.
struct alignas(128) QuickRun {
  static constexpr unsigned kTries = 4;

  std::uint64_t key;       // of the place, its kind, and the calls that led to it
  std::uintptr_t next;     // where the next one is; 0: there is no run
  std::uintptr_t begin;    // where the first one is
  std::uintptr_t pc;       // the place, also if there is no run
  std::uint64_t context;   // of the calls
  std::uint64_t expected;  // if there is no run: the step, plus where the place's next access makes it loop
  std::uint64_t number;    // in the order in which they began
  std::uint32_t marks;     // as of a QuickPlace
  std::uint32_t bytes;     // of each
  std::uint32_t loops;     // how often the place may go elsewhere until it loops no more
  bool writes;
};
inline constexpr std::size_t kQuickRuns = 64;
// Accesses to parts of a word that are still to be made: quick_words.hpp.
struct QuickWord {
  struct Part {
    std::uintptr_t pc;
    std::uint32_t marks;  // as of a QuickPlace, and the bytes
  };

  std::uintptr_t begin;   // 0: none are
  std::uint64_t context;  // of the calls
  std::uintptr_t places;  // what stands for the places of all parts
  std::uint32_t bytes;    // of all
  std::uint32_t count;
  bool writes;
  Part parts[8];  // each has bytes that those before it have not
};
inline constexpr std::size_t kQuickWords = 64;
// Of threads that have none: nothing is known, and nothing goes on.
extern QuickLine quick_no_lines[kQuickLines];
extern QuickRun quick_no_runs[kQuickRuns];

struct QuickThread {
  void* task;             // the slot of the task that the thread runs; null: nothing is checked
  char* cells;            // of the line at address 0; null: the detector takes no part, and is to be called
  std::uint64_t made[2];  // reads and writes that are not in `counts` yet
  QuickCounts* counts;    // not null if the task is not, as is the next
  QuickPlace* places;     // kQuickPlaces of them
  QuickLine* lines = quick_no_lines;
  QuickRun* runs = quick_no_runs;
  QuickWord* words;          // not null if there are cells
  std::uint64_t context;     // the calls that the thread is in; 0: to be found out, or nothing is simple
  std::uint64_t step;        // its number, from kQuickNextStep on; others after task operations
  std::uint64_t runs_there;  // which of the runs may be there, a bit each
  std::uint64_t runs_begun;
  std::uint64_t words_there;  // likewise
  std::uintptr_t stack_top;   // of the task's part of the stack
  // Of a stack, of which the lowest bytes have no history: as far down as it has been accessed, the thread
  // says.
  std::uintptr_t bottom;
  std::size_t untouched;
  // What was found out since the last task operation, by tags of other tasks; 0: none. By precede_slot_of the
  // tag, some that precede the task that runs; and one that may run in parallel, but that as a reader
  // makes a further one superfluous.
  std::uint32_t precede[kPrecedeSlots];
  std::uint32_t stands;
  std::uint32_t over;  // all tags from 1 to this one precede whatever the thread runs from now on
  bool unwatched;      // without a task, its accesses need not be told
};

}  // namespace anyorder::events

extern "C" {
[[gnu::visibility(
    "default")]] extern constinit thread_local anyorder::events::QuickThread anyorder_quick_thread_3;

// Accesses of threads that run no task are to be told, too, unless the thread is unwatched.
[[gnu::visibility("default")]] extern bool anyorder_quick_watch_1;
}

namespace anyorder::events {

// The first root's. What it does precedes all that is to come, and is not kept.
inline constexpr std::uint32_t kQuickRoot = 1;
inline std::uint32_t quick_tag_in(const void* task) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(task));
}

// The task that did something to bytes of a word, as far as it matters here.
struct QuickAccess {
  static constexpr std::uint32_t kBytes = 0xff;
  static constexpr std::uint32_t kMany = std::uint32_t{1} << 31U;

  std::uint32_t tag;    // 0: nobody; from 2^31 on: not for here
  std::uint32_t marks;  // kMany: others, too; the lowest 8 bits: the bytes, one each

  [[nodiscard]] bool covers(std::uint32_t by, std::uint32_t bytes) const noexcept {
    return tag == by && (marks & bytes) == bytes;
  }
  // More bytes for the task that has some. False: nothing was done.
  [[nodiscard]] bool repeat_step(std::uint32_t bytes, const QuickPlace& place) noexcept {
    const QuickPlace::Step& step = place.steps[std::countr_zero(bytes) / 2];
    if (marks >> 8U == place.marks >> 8U) {
      marks |= bytes;
    } else if (marks == step.before && ((marks | bytes) & kBytes) == (step.after & kBytes)) {
      marks = step.after;
    } else {
      return false;
    }
    return true;
  }
  // Whether it is about these bytes alone, and of one task.
  [[nodiscard]] bool is_within(std::uint32_t bytes) const noexcept {
    return (marks & (kMany | (kBytes & ~bytes))) == 0;
  }
};

// For each aligned word of 8 bytes, or for each of the eight words of a line.
struct QuickCell {
  static constexpr unsigned kWordBytes = 8;
  static constexpr unsigned kLineWords = 8;
  static constexpr unsigned kLineBytes = kLineWords * kWordBytes;
  static constexpr unsigned kAddressBits = 44;

  QuickAccess writer;
  QuickAccess reader;  // all zero: no byte has been read since it was written

  // The bytes of an access as bits, the word's lowest byte in the lowest bit.
  static constexpr std::uint32_t bytes_of(std::uintptr_t address, unsigned bytes) noexcept {
    return ((1U << bytes) - 1) << (address % kWordBytes);
  }

  template <unsigned kBytes>
  static constexpr std::uint32_t bytes_of(std::uintptr_t address) noexcept {
    if constexpr (kBytes == kWordBytes) return QuickAccess::kBytes;
    return bytes_of(address, kBytes);
  }

  // The cell of a line. If it is open, that says only where its words have theirs: no task has such tags, so
  // nothing is known by it.
  [[gnu::always_inline]] static inline QuickCell& line_at(char* cells, std::uintptr_t address) noexcept {
    return reinterpret_cast<QuickCell*>(cells)[(address & (kWindow - 1)) / kLineBytes];
  }
  [[nodiscard]] constexpr bool is_open() const noexcept { return is_elsewhere(); }
  // Whether the history is in other cells: of an open line, or of a split word.
  [[nodiscard]] constexpr bool is_elsewhere() const noexcept {
    return static_cast<std::int32_t>(writer.tag) < 0;
  }
  // Of an open line: its words' cells.
  [[nodiscard, gnu::always_inline]] inline QuickCell* words(char* cells) const noexcept {
    // With the tag's highest bit, which need not be taken out then.
    constexpr std::size_t kNoBlockAt = kBlocksAt - (std::size_t{kBlockBytes} << kBlockBits);
    return reinterpret_cast<QuickCell*>(cells + kNoBlockAt + std::uint64_t{reader.tag} * kBlockBytes);
  }
  [[nodiscard]] static std::size_t word_in_line(std::uintptr_t address) noexcept {
    return address % kLineBytes / kWordBytes;
  }
  // The cell that stands for the word: its own, or that of the line, which stands for others as well.
  [[gnu::always_inline]] static inline QuickCell& at(char* cells, std::uintptr_t address) noexcept {
    QuickCell& line = line_at(cells, address);
    return line.is_open() ? line.words(cells)[word_in_line(address)] : line;
  }

  // Blocks of cells for the words of open lines are behind the cells of all lines, by number.
  static constexpr std::uintptr_t kWindow = std::uintptr_t{1} << kAddressBits;
  static constexpr std::size_t kBlocksAt = kWindow / kLineBytes * (2 * sizeof(QuickAccess));
  static constexpr std::size_t kBlockBytes = kLineWords * (2 * sizeof(QuickAccess));
  static constexpr unsigned kBlockBits = 31;
  // What an open line's cell is.
  static constexpr QuickCell open(std::uint32_t block) noexcept {
    return {{kNoTag, kSplitMarks}, {kNoTag | block, 0}};
  }
  [[nodiscard]] constexpr std::uint32_t block() const noexcept { return reader.tag & (kNoTag - 1); }

  [[nodiscard]] bool is_same(const QuickCell& other) const noexcept {
    const auto own = std::bit_cast<std::array<std::uint64_t, 2>>(*this);
    const auto others = std::bit_cast<std::array<std::uint64_t, 2>>(other);
    return ((own[0] ^ others[0]) | (own[1] ^ others[1])) == 0;
  }
  // Whether the task has read, or written, all of these bytes of the word, and nobody has changed them since:
  // then another read is no news. A write is none if nobody else has read since.
  template <Access kAccess>
  [[nodiscard]] bool knows(std::uint32_t tag, std::uint32_t bytes) const noexcept {
    return kAccess == Access::read ? reader.covers(tag, bytes) || writer.covers(tag, bytes)
                                   : writer.covers(tag, bytes) && reader.tag == 0;
  }

  // Whether a read changes nothing although the task is new here: the one reader of these bytes stands for
  // it, wherever it is made.
  [[nodiscard]] bool stays(const QuickThread& own, std::uint32_t bytes) const noexcept {
    return reader.tag == own.stands && (reader.marks & (QuickAccess::kMany | bytes)) == bytes &&
           (writer.tag == 0 || writer.tag == quick_tag_in(own.task) || precedes(own, writer.tag));
  }
  // The same for an access of the root, of which nothing is kept.
  template <Access kAccess>
  [[nodiscard]] bool stays_for_root(const QuickThread& own) const noexcept {
    if (kAccess == Access::write) return writer.tag == 0 && reader.tag == 0;
    return writer.tag == 0 || precedes(own, writer.tag);
  }
  // The root's write. False: nothing was done.
  [[nodiscard]] bool forget_by_root(const QuickThread& own, std::uint32_t bytes) noexcept {
    if (writer.tag != 0 && !precedes(own, writer.tag)) return false;
    if (!writer.is_within(bytes) || !reader.is_within(bytes)) return false;
    if (reader.tag != 0) {
      if (!precedes(own, reader.tag)) return false;
      ++own.counts->readers;
    }
    *this = {};
    return true;
  }
  // Makes an access at this place, if that can be done with what is known. False: nothing was done.
  template <Access kAccess>
  [[nodiscard]] bool repeat(const QuickThread& own, std::uint32_t bytes, const QuickPlace& place) noexcept {
    return kAccess == Access::read ? repeat_read(own, bytes, place) : repeat_write(own, bytes, place);
  }

 private:
  [[nodiscard]] bool repeat_read(const QuickThread& own, std::uint32_t bytes,
                                 const QuickPlace& place) noexcept {
    const std::uint32_t tag = quick_tag_in(own.task);
    if (writer.tag != 0 && writer.tag != tag && !precedes(own, writer.tag)) return false;
    if (reader.tag == tag) return reader.repeat_step(bytes, place);
    if (reader.tag != 0) {
      const bool stays_as_it_is =
          reader.tag == own.stands && (reader.marks & (QuickAccess::kMany | bytes)) == bytes;
      if (!stays_as_it_is && !(precedes(own, reader.tag) && reader.is_within(bytes))) return false;
      ++own.counts->readers;
      if (stays_as_it_is) return true;
    }
    reader = {tag, place.marks | bytes};
    return true;
  }
  [[nodiscard]] bool repeat_write(const QuickThread& own, std::uint32_t bytes,
                                  const QuickPlace& place) noexcept {
    const std::uint32_t tag = quick_tag_in(own.task);
    const bool read_by_others = reader.tag != 0 && reader.tag != tag;
    if (!reader.is_within(bytes) || (read_by_others && !precedes(own, reader.tag))) return false;
    if (writer.tag == tag) {
      if (!writer.covers(tag, bytes) && !writer.repeat_step(bytes, place)) return false;
    } else if (writer.tag == 0 || (precedes(own, writer.tag) && writer.is_within(bytes))) {
      writer = {tag, place.marks | bytes};
    } else {
      return false;
    }
    if (read_by_others) ++own.counts->readers;
    reader = {};
    return true;
  }

  [[nodiscard]] static bool precedes(const QuickThread& own, std::uint32_t tag) noexcept {
    return tag <= own.over || own.precede[precede_slot_of(tag)] == tag;
  }

  static constexpr std::uint32_t kNoTag = std::uint32_t{1} << kBlockBits;
  static constexpr std::uint32_t kSplitMarks = 0xffff'fe00;  // no site is as high
};
static_assert(sizeof(QuickCell) == 16);

inline constexpr std::size_t kQuickPlaces = 1024;
[[nodiscard]] inline QuickPlace& quick_place_of(const QuickThread& own, std::uintptr_t pc) noexcept {
  return own.places[(pc >> 2U ^ pc >> 8U) % kQuickPlaces];
}

// Others may read a count at any time.
template <Access kAccess>
[[gnu::always_inline]] inline void count_access(QuickCounts& counts, std::uintptr_t pc,
                                                std::uint64_t accesses = 1) noexcept {
  std::uint64_t& count = (kAccess == Access::read ? counts.reads : counts.writes)[pc / 4 % 4];
  __atomic_store_n(&count, count + accesses, __ATOMIC_RELAXED);
}
// The same, at the next task operation.
template <Access kAccess>
[[gnu::always_inline]] inline void count_made(QuickThread& own) noexcept {
  ++own.made[static_cast<std::size_t>(kAccess)];
}
inline void tell_counts(QuickThread& own) noexcept {
  if (own.counts == nullptr) return;
  count_access<Access::read>(*own.counts, 0, own.made[0]);
  count_access<Access::write>(*own.counts, 0, own.made[1]);
  own.made[0] = own.made[1] = 0;
}

// Whether an access of an instruction is known. Not aligned: not known.
template <Access kAccess, unsigned kBytes>
[[gnu::always_inline]] inline bool is_known(char* cells, std::uint32_t tag, std::uintptr_t address) {
  if constexpr (kBytes == 2 * QuickCell::kWordBytes) {
    return is_known<kAccess, kBytes / 2>(cells, tag, address) &&
           is_known<kAccess, kBytes / 2>(cells, tag, address + kBytes / 2);
  } else {
    return address % kBytes == 0 &&
           QuickCell::at(cells, address).knows<kAccess>(tag, QuickCell::bytes_of<kBytes>(address));
  }
}

// The thread's stack is used as far down as this.
[[gnu::always_inline]] inline void note_touched(QuickThread& own, std::uintptr_t address) noexcept {
  if (address - own.bottom < own.untouched) own.untouched = address - own.bottom;
}

// What the thread can do about an access by the cells.
enum class QuickResult : std::uint8_t {
  made,    // nothing is left to be done
  quiet,   // likewise: it changes nothing, nor would that of any byte that stands like these
  missed,  // not, or not all of it
};

// Makes an access of an instruction, aligned: one that is known, or as the one before at its place.
template <Access kAccess, unsigned kBytes>
[[nodiscard, gnu::always_inline]] inline QuickResult repeat_access(QuickThread& own, char* cells,
                                                                   std::uintptr_t address,
                                                                   std::uintptr_t pc) noexcept {
  constexpr bool kPair = kBytes == 2 * QuickCell::kWordBytes;
  const std::uint32_t tag = quick_tag_in(own.task);
  const std::uint32_t bytes = QuickCell::bytes_of < kPair ? kBytes / 2 : kBytes > (address);
  QuickCell& line = QuickCell::line_at(cells, address);
  const bool is_open = line.is_open();
  QuickCell* const cell = is_open ? line.words(cells) + QuickCell::word_in_line(address) : &line;
  if (cell[0].knows<kAccess>(tag, bytes) && (!kPair || !is_open || cell[1].knows<kAccess>(tag, bytes))) {
    return QuickResult::made;
  }
  if constexpr (!kPair) {
    if (tag == kQuickRoot) [[unlikely]] {
      note_touched(own, address);
      if (cell->stays_for_root<kAccess>(own) ||
          (kAccess == Access::write && is_open && cell->forget_by_root(own, bytes))) {
        return QuickResult::made;
      }
      return QuickResult::missed;
    }
    // Without a look at the place: many tasks read the same, each for the first time.
    if (kAccess == Access::read && cell->stays(own, bytes)) return QuickResult::quiet;
  }
  const QuickPlace& place = quick_place_of(own, pc);
  if (!is_open || !place.is(pc, own.context)) return QuickResult::missed;
  note_touched(own, address);
  return cell[0].repeat<kAccess>(own, bytes, place) && (!kPair || cell[1].repeat<kAccess>(own, bytes, place))
             ? QuickResult::made
             : QuickResult::missed;
}

// Whether an access is the last one of those that go through a line, and so perhaps made its words the same:
// then it is to be told, though it was made.
template <unsigned kBytes>
[[gnu::always_inline]] inline bool may_close_line(char* cells, std::uintptr_t address) {
  if ((address + kBytes) % QuickCell::kLineBytes != 0) return false;
  const QuickCell& line = QuickCell::line_at(cells, address);
  if (!line.is_open()) return false;
  const QuickCell* const words = line.words(cells);
  return words[0].is_same(words[QuickCell::kLineWords - 1]);
}

}  // namespace anyorder::events
