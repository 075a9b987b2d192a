#include "findings/racy_ranges.hpp"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

namespace anyorder::findings {
namespace {

Witness tasks(std::uint64_t first, std::uint64_t second) {
  return {{AccessKind::write, first, {}, {}}, {AccessKind::read, second, {}, {}}};
}

// (begin, end, first task, second task) of each range.
using Row = std::tuple<std::uintptr_t, std::uintptr_t, std::uint64_t, std::uint64_t>;

std::vector<Row> rows(const RacyRanges& racy) {
  std::vector<Row> rows;
  for (const auto& [begin, range] : racy.ranges()) {
    rows.emplace_back(begin, range.end, range.witness.first.task, range.witness.second.task);
  }
  return rows;
}

TEST(RacyRanges, NeighboursWithOneWitnessAreOneRange) {
  RacyRanges racy;
  racy.add(100, 104, tasks(1, 2));
  racy.add(108, 112, tasks(1, 2));
  EXPECT_EQ(rows(racy), (std::vector<Row>{{100, 104, 1, 2}, {108, 112, 1, 2}}));
  racy.add(104, 108, tasks(1, 2));
  EXPECT_EQ(rows(racy), (std::vector<Row>{{100, 112, 1, 2}}));
}

TEST(RacyRanges, NeighboursWithDifferentWitnessesStayApart) {
  RacyRanges racy;
  racy.add(100, 104, tasks(1, 2));
  racy.add(104, 108, tasks(1, 3));
  EXPECT_EQ(rows(racy), (std::vector<Row>{{100, 104, 1, 2}, {104, 108, 1, 3}}));
}

TEST(RacyRanges, ABytesSmallestWitnessWins) {
  RacyRanges racy;
  racy.add(100, 108, tasks(3, 4));
  racy.add(102, 104, tasks(1, 9));
  EXPECT_EQ(rows(racy), (std::vector<Row>{{100, 102, 3, 4}, {102, 104, 1, 9}, {104, 108, 3, 4}}));
  racy.add(101, 110, tasks(2, 2));
  EXPECT_EQ(rows(racy),
            (std::vector<Row>{{100, 101, 3, 4}, {101, 102, 2, 2}, {102, 104, 1, 9}, {104, 110, 2, 2}}));
  racy.add(100, 110, tasks(1, 1));
  EXPECT_EQ(rows(racy), (std::vector<Row>{{100, 110, 1, 1}}));
}

TEST(RacyRanges, TheTopOfTheAddressSpaceIsARangeLikeAnyOther) {
  constexpr std::uintptr_t kTop = ~std::uintptr_t{0};
  RacyRanges racy;
  racy.add(kTop - 8, kTop, tasks(1, 2));
  racy.add(0, 4, tasks(1, 2));
  EXPECT_EQ(rows(racy), (std::vector<Row>{{0, 4, 1, 2}, {kTop - 8, kTop, 1, 2}}));
}

struct Report {
  std::uintptr_t begin;
  std::uintptr_t end;
  Witness witness;
};

// One witness per byte, kept the slow and obvious way.
class ByteByByte {
 public:
  void add(const Report& report) {
    for (auto at = report.begin; at < report.end; ++at) {
      const auto [it, is_new] = bytes_.try_emplace(at, report.witness);
      if (!is_new) it->second = std::min(it->second, report.witness);
    }
  }

  [[nodiscard]] bool covers(const Report& report) const {
    for (auto at = report.begin; at < report.end; ++at) {
      const auto it = bytes_.find(at);
      if (it == bytes_.end() || report.witness < it->second) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (const auto& [at, w] : bytes_) {
      const Row byte{at, at + 1, w.first.task, w.second.task};
      if (!rows.empty() && std::get<1>(rows.back()) == at && std::get<2>(rows.back()) == w.first.task &&
          std::get<3>(rows.back()) == w.second.task) {
        std::get<1>(rows.back()) = at + 1;
      } else {
        rows.push_back(byte);
      }
    }
    return rows;
  }

 private:
  std::map<std::uintptr_t, Witness> bytes_;
};

TEST(RacyRanges, AgreesWithOneWitnessPerByteInAnyOrder) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint64_t n) { return random() % n; };
    std::vector<Report> reports(1 + below(30));
    for (Report& report : reports) {
      report.begin = 1000 + below(40);
      report.end = report.begin + 1 + below(12);
      report.witness = tasks(below(3), below(3));
    }
    std::optional<std::vector<Row>> in_other_orders;
    for (int order = 0; order < 3; ++order) {
      RacyRanges racy;
      ByteByByte model;
      for (const Report& report : reports) {
        ASSERT_EQ(racy.covers(report.begin, report.end, report.witness), model.covers(report))
            << "seed " << seed;
        racy.add(report.begin, report.end, report.witness);
        model.add(report);
        ASSERT_EQ(rows(racy), model.rows()) << "seed " << seed;
      }
      if (in_other_orders) {
        ASSERT_EQ(rows(racy), *in_other_orders) << "seed " << seed;
      }
      in_other_orders = rows(racy);
      std::shuffle(reports.begin(), reports.end(), random);
    }
  }
}

}  // namespace
}  // namespace anyorder::findings
