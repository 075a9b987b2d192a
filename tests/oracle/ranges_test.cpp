// A range is no more than its words: after each access of random programs every detector has the same cells
// whether ranges come as such or word by word; and in the end, also in halves or byte by byte, the same racy
// bytes.
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "detect/dtrg/dtrg.hpp"
#include "detect/esp_bags/esp_bags.hpp"
#include "detect/offset_span/offset_span.hpp"
#include "detect/spd3/spd3.hpp"
#include "findings/finding_set.hpp"
#include "name_of.hpp"
#include "quickly_driven.hpp"
#include "racy_bytes.hpp"
#include "random_program.hpp"
#include "serial_run.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::detect {
namespace {

constexpr int kBytes = 400;

enum class Form {
  ranges,  // by the hooks' way in
  halves,  // the same, each in two, the upper first
  words,   // by the detector's own: the part of each word
  bytes,
};

// What is kept of each word, as far as it can be compared: a split word's is a link.
using Kept = std::vector<std::uint64_t>;

template <class Detector>
void add_kept(Kept& kept, Detector& detector, std::uintptr_t address) {
  if constexpr (events::QuickDetector<Detector>) {
    const events::QuickCell& cell = events::QuickCell::at(detector.quick_cells(), address);
    const bool is_split = cell.writer.tag >> 31U != 0;
    kept.push_back(is_split ? ~std::uint64_t{0} : std::uint64_t{cell.writer.tag} << 32U | cell.writer.marks);
    // Of a log, the newest and the bytes: logs of the same readers may be several.
    const std::uint32_t without_log = (cell.reader.marks & events::QuickAccess::kMany) != 0
                                          ? cell.reader.marks & (events::QuickAccess::kMany | 0xffU)
                                          : cell.reader.marks;
    kept.push_back(is_split ? 0 : std::uint64_t{cell.reader.tag} << 32U | without_log);
  } else {
    const auto entries = detector.history().entries_at(address);
    kept.push_back(entries ? 1 : 0);
    if (!entries) return;
    for (const auto& entry : *entries) kept.push_back(entry.word());
  }
}

// What a step has done: of what it does once more, nothing is news, whatever a cell would say of it.
class Done {
 public:
  // Calls make(begin, bytes) for what is news of an access, if anything is.
  template <events::Access kAccess, class Make>
  void make_news(std::uint64_t step, std::uint64_t epoch, std::uintptr_t address, std::size_t bytes,
                 Make make) {
    if (bytes > events::kFewBytes) {
      return stretches_.make_rest<kAccess>({address, address + bytes}, epoch, [&](const auto& rest) {
        make(rest.begin, rest.end - rest.begin);
      });
    }
    if (!is_once_more<kAccess>(step, address, bytes)) make(address, bytes);
  }
  void forget(std::uintptr_t address, std::size_t bytes) {
    stretches_.forget(address, bytes);
    std::erase_if(lines_, [=](const auto& line) {
      return (line.first + 1) * kLine > address && line.first * kLine < address + bytes;
    });
  }

 private:
  static constexpr std::uintptr_t kLine = events::QuickCell::kLineBytes;
  struct Line {
    std::bitset<kLine> read;
    std::bitset<kLine> written;
  };

  // What crosses lines is not remembered.
  template <events::Access kAccess>
  bool is_once_more(std::uint64_t step, std::uintptr_t address, std::size_t bytes) {
    if (std::exchange(step_, step) != step) lines_.clear();
    if (address / kLine != (address + bytes - 1) / kLine) return false;
    Line& line = lines_[address / kLine];
    bool all = true;
    for (std::uintptr_t i = address % kLine; i != address % kLine + bytes; ++i) {
      all = all && (kAccess == events::Access::read ? line.read : line.written).test(i);
      line.read.set(i);
      if (kAccess == events::Access::write) line.written.set(i);
    }
    return all;
  }

  std::uint64_t step_ = 0;
  std::map<std::uintptr_t, Line> lines_;
  events::StepStretches stretches_;
};

// A detector that hears all accesses in one form, and what it has after each.
template <class Detector>
class InForm : public QuicklyDriven<Detector> {
 public:
  InForm(findings::Sink& findings, Form form) : QuicklyDriven<Detector>(findings), form_(form) {}

  void read(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access<events::Access::read>(task, address, bytes, site);
  }
  void write(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    access<events::Access::write>(task, address, bytes, site);
  }
  void forget(std::uintptr_t address, std::size_t bytes) {
    QuicklyDriven<Detector>::forget(address, bytes);
    done_.forget(address, bytes);
  }

  // After each access.
  [[nodiscard]] const std::vector<Kept>& kept() const { return kept_; }

 private:
  template <events::Access kAccess>
  void access(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
    this->run(task);
    const std::uintptr_t pc = this->pc_of(site);
    const auto at = [](std::uintptr_t begin) { return reinterpret_cast<const void*>(begin); };
    // In all forms, so that places have the same numbers.
    const auto place = this->accesses().place_at(pc);
    if (form_ == Form::ranges) {
      this->accesses().template check<kAccess>(task, at(address), bytes, pc);
    } else if (form_ == Form::halves) {
      const std::size_t half = bytes / 2;
      this->accesses().template check<kAccess>(task, at(address + half), bytes - half, pc);
      this->accesses().template check<kAccess>(task, at(address), half, pc);
    } else {
      const auto make = [&](std::uintptr_t begin, std::size_t length) {
        make_parts<kAccess>(task, begin, length, place);
      };
      if constexpr (events::QuickDetector<Detector>) {
        if (form_ == Form::words) {
          done_.make_news<kAccess>(anyorder_quick_thread_3.step, this->detector().epoch(), address, bytes,
                                   make);
        } else {
          make(address, bytes);
        }
      } else {
        make(address, bytes);
      }
    }
    Kept& kept = kept_.emplace_back();
    for (std::uintptr_t word = 0; word < kBytes + 16; word += 8) {
      add_kept(kept, this->detector(), kMemory + word);
    }
  }

  template <events::Access kAccess>
  void make_parts(void* task, std::uintptr_t address, std::size_t bytes, std::uintptr_t place) {
    const std::size_t most = form_ == Form::bytes ? 1 : 8;
    for (std::uintptr_t from = address; from != address + bytes;) {
      const std::size_t length = std::min<std::size_t>(address + bytes - from, most - from % most);
      if constexpr (kAccess == events::Access::read) {
        this->detector().read(task, from, length, place);
      } else {
        this->detector().write(task, from, length, place);
      }
      from += length;
    }
  }

  Form form_;
  Done done_;
  std::vector<Kept> kept_;
};

struct Run {
  Bytes racy;
  std::vector<Kept> kept;
};
template <class Detector>
Run run_in(Form form, const Program& program) {
  findings::FindingSet findings;
  InForm<Detector> detector(findings, form);
  SerialRun(detector).run(program);
  return {racy_bytes(findings), detector.kept()};
}

template <class Detector>
class Ranges : public testing::Test {
 protected:
  void SetUp() override {
    if (ANYORDER_TSAN) GTEST_SKIP() << "ThreadSanitizer leaves no room for the shadow of a process";
  }
};
using DetectorsWithRanges =
    testing::Types<dtrg::Dtrg, esp_bags::EspBags, spd3::Spd3, offset_span::OffsetSpan>;
TYPED_TEST_SUITE(Ranges, DetectorsWithRanges, NameOf);

TYPED_TEST(Ranges, AreTheirWords) {
  const Shape shape{.statements = 24,
                    .depth = 4,
                    .bytes = kBytes,
                    .wide = true,
                    .in_a_row = 4,
                    .futures = TypeParam::kTraits.accepts.contains(events::Construct::futures),
                    .rare_writes = 3,
                    .ranges = true};
  const unsigned programs = programs_of_each_shape(500);
  unsigned racy = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Program program = RandomProgram(seed, shape).make();
    const Run words = run_in<TypeParam>(Form::words, program);
    const Run ranges = run_in<TypeParam>(Form::ranges, program);
    ASSERT_EQ(ranges.kept.size(), words.kept.size());
    for (std::size_t i = 0; i != words.kept.size(); ++i) {
      ASSERT_EQ(ranges.kept[i], words.kept[i])
          << "after access " << i << ", seed " << seed << ": " << to_string(program);
    }
    // Where they are cut within a word, another cell may say the same.
    for (const Run& other :
         {ranges, run_in<TypeParam>(Form::halves, program), run_in<TypeParam>(Form::bytes, program)}) {
      ASSERT_EQ(other.racy, words.racy) << "seed " << seed << ": " << to_string(program);
    }
    racy += words.racy.empty() ? 0 : 1;
  }
  this->RecordProperty("racy", static_cast<int>(racy));
  expect_both_answers(racy, programs);
}

}  // namespace
}  // namespace anyorder::detect
