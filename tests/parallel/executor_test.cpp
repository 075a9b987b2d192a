// Detectors on the parallel executor: on every schedule the bytes of the oracle, and pairs of places that do
// race.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

#include <anyorder/anyorder.hpp>

#include "detect/graph/graph.hpp"
#include "driven.hpp"
#include "findings/finding_set.hpp"
#include "parallel_run.hpp"
#include "random_nest.hpp"
#include "random_program.hpp"
#include "serial_run.hpp"
#include "support/sanitizers.hpp"
#include "text_order.hpp"

namespace ao = anyorder;

namespace anyorder::detect {
namespace {

struct Shaped {
  const char* name;
  Shape shape;
  unsigned programs;
};

class Workers {
 public:
  // 0: the serial executor.
  explicit Workers(unsigned count) : before_(configuration()) {
    configure({count == 0 ? executor::serial : executor::parallel, count, 0});
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { configure(before_); }

 private:
  options before_;
};

void expect_only_races(const findings::FindingSet& findings, const TextOrder& text) {
  const auto op_of = [](findings::AccessKind kind) {
    return kind == findings::AccessKind::read ? Op::read : Op::write;
  };
  for (const auto& group : findings.snapshot().races) {
    for (const auto& race : group.races) {
      const std::uintptr_t first = race.first.stack.innermost().pc;
      const std::uintptr_t second = race.second.stack.innermost().pc;
      ASSERT_TRUE(text.is_site(first) && text.is_site(second));
      ASSERT_TRUE(text.parallel(first, second)) << first << " and " << second;
      for (std::uint64_t i = 0; i != race.size; ++i) {
        ASSERT_TRUE(text.accesses(first, op_of(race.first.kind), race.address + i)) << first;
        ASSERT_TRUE(text.accesses(second, op_of(race.second.kind), race.address + i)) << second;
      }
    }
  }
}

using Parameters = std::tuple<Shaped, unsigned, Which>;

class InParallel : public testing::TestWithParam<Parameters> {
 protected:
  template <class Make>
  static void compare(Which which, unsigned workers, unsigned programs, Make make) {
    const Workers in_force(workers);
    unsigned racy = 0;
    for (unsigned seed = 0; seed < programs; ++seed) {
      const Program program = make(seed + 1000 * workers);
      findings::FindingSet expected;
      graph::Graph oracle(expected);
      SerialRun(oracle).run(program);
      const TextOrder text(program);
      findings::FindingSet found;
      with_detector(which, [&]<class Detector>() {
        QuicklyDriven<Detector> detector(found);
        ParallelRun(detector, text, seed).run(program);
      });
      ASSERT_EQ(racy_bytes(found), racy_bytes(expected)) << "seed " << seed << ": " << to_string(program);
      expect_only_races(found, text);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ": " << to_string(program);
      racy += racy_bytes(expected).empty() ? 0 : 1;
    }
    RecordProperty("racy", static_cast<int>(racy));
    expect_both_answers(racy, programs);
  }
};

TEST_P(InParallel, NamesTheBytesOfTheOracle) {
  const auto& [shaped, workers, which] = GetParam();
  const Shape& shape = shaped.shape;
  const unsigned otherwise = which == Which::spd3 ? shaped.programs : shaped.programs / 2;
  compare(which, workers, programs_of_each_shape(otherwise),
          [&](unsigned seed) { return RandomProgram(seed, shape).make(); });
}

class NestsInParallel : public InParallel {};

TEST_P(NestsInParallel, NameTheBytesOfTheOracle) {
  const auto& [shaped, workers, which] = GetParam();
  compare(which, workers, programs_of_each_shape(shaped.programs),
          [](unsigned seed) { return RandomNest(seed).make(); });
}

std::string parameters_of(const testing::TestParamInfo<Parameters>& test) {
  const auto& [shaped, workers, which] = test.param;
  return name_of(which) + "_" + shaped.name + "_" + std::to_string(workers) + "_workers";
}

INSTANTIATE_TEST_SUITE_P(Loops, NestsInParallel,
                         testing::Combine(testing::Values(Shaped{"nests", {}, 150}),
                                          testing::Values(0U, 2U, 4U, 8U),
                                          testing::Values(Which::offset_span)),
                         parameters_of);

INSTANTIATE_TEST_SUITE_P(
    Shapes, InParallel,
    testing::Combine(
        testing::Values(
            Shaped{"small", {.statements = 14, .depth = 4, .bytes = 2, .futures = false}, 400},
            Shaped{"one_write",
                   {.statements = 24, .depth = 5, .bytes = 1, .futures = false, .rare_writes = 12},
                   500},
            Shaped{"readers", {.statements = 30, .depth = 7, .bytes = 24, .futures = false}, 400},
            Shaped{"large",
                   {.statements = 200, .depth = 8, .bytes = 600, .futures = false, .rare_writes = 4},
                   60},
            Shaped{"wide",
                   {.statements = 16,
                    .depth = 4,
                    .bytes = 400,
                    .wide = true,
                    .futures = false,
                    .forgets = false},
                   300},
            Shaped{"in_a_row",
                   {.statements = 12,
                    .depth = 4,
                    .bytes = 200,
                    .wide = true,
                    .in_a_row = 12,
                    .futures = false,
                    .forgets = false},
                   300},
            Shaped{"ranges",
                   {.statements = 16,
                    .depth = 4,
                    .bytes = 2000,
                    .wide = true,
                    .in_a_row = 4,
                    .futures = false,
                    .rare_writes = 3,
                    .forgets = false,
                    .ranges = true},
                   100}),
        testing::Values(1U, 2U, 4U, 8U), testing::ValuesIn(kWhich)),
    parameters_of);

// Many tasks at once read the same words, and only one of them is still running when the words are written:
// its read must not get lost, in any word, whatever the others do to the cells meanwhile.
class Contended : public testing::TestWithParam<std::tuple<unsigned, Which>> {
 protected:
  static constexpr std::uintptr_t kWords = 256;
  static constexpr int kRounds = ANYORDER_TSAN || ANYORDER_ASAN ? 20 : 100;

  template <class Detector>
  void lose_no_reader() {
    const Workers in_force(std::get<0>(GetParam()));
    for (int round = 0; round != kRounds; ++round) {
      findings::FindingSet found;
      QuicklyDriven<Detector> detector(found);
      std::atomic<int> ready = 0;
      const auto read_all = [&](std::uintptr_t site) {
        ready.fetch_add(1);
        for (int spins = 0; ready.load() < 2 && spins != 10'000; ++spins) __builtin_ia32_pause();
        // Some read word by word, others in ranges.
        const std::uintptr_t words = site % 3 == 0 ? 1 : site % 3 == 1 ? kWords : 12;
        for (std::uintptr_t word = 0; word < kWords; word += words) {
          detector.read(running(), kMemory + 8 * word, 8 * std::min(words, kWords - word), site);
        }
      };
      run_attached(detector, [&] {
        ao::finish([&] {
          ao::async([&] { read_all(1); });
          ao::finish([&] {
            for (std::uintptr_t i = 0; i != 6; ++i) ao::async([&, i] { read_all(2 + i); });
          });
          for (std::uintptr_t word = 0; word != kWords; ++word) {
            detector.write(running(), kMemory + 8 * word, 8, 9);
          }
        });
      });
      ASSERT_EQ(racy_bytes(found).size(), 8 * kWords) << "round " << round;
      for (const auto& group : found.snapshot().races) {
        for (const auto& race : group.races) {
          const std::uintptr_t first = race.first.stack.innermost().pc;
          const std::uintptr_t second = race.second.stack.innermost().pc;
          ASSERT_EQ(first < second ? first : second, 1U);
          ASSERT_EQ(first < second ? second : first, 9U);
        }
      }
    }
  }
  template <class Detector>
  void keep_neighbours_apart() {
    const Workers in_force(std::get<0>(GetParam()));
    for (int round = 0; round != kRounds; ++round) {
      findings::FindingSet found;
      QuicklyDriven<Detector> detector(found);
      run_attached(detector, [&] {
        for (int phase = 0; phase != 2; ++phase) {
          ao::finish([&] {
            for (std::uintptr_t byte = 0; byte != 8; ++byte) {
              ao::async([&, byte] {
                for (std::uintptr_t word = 0; word != kWords; ++word) {
                  detector.read(running(), kMemory + 8 * word + byte, 1, 10 + byte);
                  detector.write(running(), kMemory + 8 * word + byte, 1, 20 + byte);
                }
              });
            }
          });
        }
        for (std::uintptr_t word = 0; word != kWords; ++word) {
          detector.write(running(), kMemory + 8 * word, 8, 9);
        }
      });
      ASSERT_EQ(racy_bytes(found), Bytes{}) << "round " << round;
      ASSERT_EQ(detector.detector().history().statistics().split_words, 0U);
    }
  }
};

TEST_P(Contended, LosesNoReader) {
  with_detector(std::get<1>(GetParam()), [&]<class Detector>() { lose_no_reader<Detector>(); });
}

// Neighbours: each byte of a word has another writer, and they all write at once. No race.
TEST_P(Contended, KeepsNeighboursApart) {
  with_detector(std::get<1>(GetParam()), [&]<class Detector>() { keep_neighbours_apart<Detector>(); });
}

INSTANTIATE_TEST_SUITE_P(On, Contended,
                         testing::Combine(testing::Values(1U, 2U, 4U, 8U), testing::ValuesIn(kWhich)),
                         [](const auto& test) {
                           return name_of(std::get<1>(test.param)) + "_" +
                                  std::to_string(std::get<0>(test.param)) + "_workers";
                         });

}  // namespace
}  // namespace anyorder::detect
