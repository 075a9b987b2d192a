// What was published about the suite: Surendran and Sarkar, Dynamic Determinacy Race Detection for Task
// Parallelism with Futures, RV 2016, Table 2. Java programs, Habanero-Java, on a machine of its time: only
// counts and slowdowns compare.
#pragma once

#include <cstdint>
#include <string_view>

namespace bench {

struct Published {
  std::string_view program;  // here
  std::string_view name;     // there
  std::uint64_t tasks;
  std::uint64_t non_tree_joins;
  std::uint64_t accesses;
  double average_readers;
  double serial_seconds;
  double checked_seconds;
  double slowdown;
};

inline constexpr Published kPublished[] = {
    {"series", "Series-af", 999'999, 0, 4'000'059, 0.75, 483.224, 484.746, 1.00},
    {"series_futures", "Series-future", 999'999, 0, 6'000'059, 0.66, 487.134, 487.985, 1.00},
    {"crypt", "Crypt-af", 12'500'000, 0, 1'150'000'682, 0.74, 15.375, 119.504, 7.77},
    {"crypt_futures", "Crypt-future", 12'500'000, 0, 1'175'000'682, 1.23, 15.517, 128.234, 8.26},
    {"jacobi", "Jacobi", 8'192, 34'944, 641'499'805, 1.70, 3.402, 27.388, 8.05},
    {"strassen", "Strassen", 30'811, 33'612, 1'610'522'196, 0.94, 6.281, 33.618, 5.35},
    {"smith_waterman", "Smith-Waterman", 1'608, 4'641, 1'652'175'806, 1.56, 3.488, 34.558, 9.92},
};

// Null if nothing was.
[[nodiscard]] constexpr const Published* published_about(std::string_view program) {
  for (const Published& entry : kPublished) {
    if (entry.program == program) return &entry;
  }
  return nullptr;
}

}  // namespace bench
