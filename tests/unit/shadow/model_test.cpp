// Shadow memory of every kind against a map from byte to value, under long random sequences of operations.

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "cells.hpp"
#include "shadow/concurrent_shadow.hpp"
#include "shadow/shadow.hpp"
#include "support/sanitizers.hpp"

namespace anyorder::shadow {
namespace {

using test::cell_of;
using test::LargePolicy;
using test::SmallPolicy;

constexpr unsigned kBits = 30;
constexpr std::uintptr_t kWindow = std::uintptr_t{1} << kBits;

// The bytes of the model that are not here were never accessed: value 0.
class Model {
 public:
  std::uint64_t at(std::uintptr_t byte) const {
    const auto found = bytes_.find(byte);
    return found == bytes_.end() ? 0 : found->second;
  }
  void set(std::uintptr_t address, std::size_t bytes, std::uint64_t value) {
    for (std::size_t i = 0; i != bytes; ++i) bytes_[address + i] = value;
  }
  void forget(std::uintptr_t address, std::size_t bytes) {
    bytes_.erase(bytes_.lower_bound(address), bytes_.lower_bound(address + bytes));
  }
  // Words whose bytes do not all have the same value.
  std::size_t split_words(std::size_t word_bytes) const {
    std::size_t count = 0;
    for (auto i = bytes_.begin(); i != bytes_.end();) {
      const std::uintptr_t word = i->first / word_bytes * word_bytes;
      bool differ = false;
      for (std::size_t byte = 1; byte != word_bytes; ++byte) differ |= at(word + byte) != at(word);
      count += differ ? 1 : 0;
      i = bytes_.lower_bound(word + word_bytes);
    }
    return count;
  }

 private:
  std::map<std::uintptr_t, std::uint64_t> bytes_;
};

template <class Shadow>
class ModelTest : public testing::Test {
 protected:
  using Cell = typename Shadow::Cell;
  static constexpr bool kHasLines = requires { &Shadow::close; };

  // Each byte is visited once, in order, with the model's value.
  class Reader {
   public:
    Reader(const Model& model, std::uintptr_t address, std::size_t bytes)
        : model_(model), at_(address), end_(address + bytes) {}
    ~Reader() { EXPECT_EQ(at_, end_); }
    void piece(const Cell& cell, std::uintptr_t address, std::size_t bytes) {
      ASSERT_EQ(address, at_);
      ASSERT_GT(bytes, 0U);
      for (std::size_t i = 0; i != bytes; ++i) {
        const Cell expected = cell_of<Cell>(model_.at(address + i));
        ASSERT_TRUE(same_history(cell, expected)) << std::hex << address + i;
      }
      at_ += bytes;
    }

   private:
    const Model& model_;
    std::uintptr_t at_;
    std::uintptr_t end_;
  };

  void read(std::uintptr_t address, std::size_t bytes) {
    Reader reader(model_, address, bytes);
    shadow_.for_each_piece(address, bytes, [&](const Cell& cell, std::uintptr_t at, std::size_t size) {
      reader.piece(cell, at, size);
    });
  }
  void write(std::uintptr_t address, std::size_t bytes, std::uint64_t value) {
    shadow_.for_each_piece(address, bytes,
                           [&](Cell& cell, std::uintptr_t, std::size_t) { cell = cell_of<Cell>(value); });
    model_.set(address, bytes, value);
  }
  // As a detector that reads and writes: what it writes depends on what is there.
  void advance(std::uintptr_t address, std::size_t bytes) {
    shadow_.for_each_piece(address, bytes, [&](Cell& cell, std::uintptr_t, std::size_t) {
      cell = cell_of<Cell>(cell.value % 3 == 0 ? cell.value : cell.value - 1);
    });
    for (std::size_t i = 0; i != bytes; ++i) {
      const std::uint64_t old = model_.at(address + i);
      model_.set(address + i, 1, old % 3 == 0 ? old : old - 1);
    }
  }
  void read_range(std::uintptr_t address, std::size_t bytes) {
    if constexpr (kHasLines) {
      Reader reader(model_, address, bytes);
      const auto pieces = [&](std::uintptr_t at, std::size_t size) {
        shadow_.for_each_piece(at, size, [&](const Cell& cell, std::uintptr_t from, std::size_t n) {
          reader.piece(cell, from, n);
        });
      };
      shadow_.for_range(
          address, bytes,
          [&](std::span<Cell> lines, std::uintptr_t at) {
            for (std::size_t i = 0; i != lines.size(); ++i) {
              reader.piece(lines[i], at + i * Shadow::kLineBytes, Shadow::kLineBytes);
            }
          },
          [&](std::span<Cell> words, std::uintptr_t at) {
            for (std::size_t i = 0; i != words.size(); ++i, at += Shadow::kWordBytes) {
              if (Shadow::is_split(words[i])) {
                pieces(at, Shadow::kWordBytes);
              } else {
                reader.piece(words[i], at, Shadow::kWordBytes);
              }
            }
          },
          pieces);
    } else {
      read(address, bytes);
    }
  }
  // Closes the lines that it has been through.
  void write_range(std::uintptr_t address, std::size_t bytes, std::uint64_t value) {
    if constexpr (kHasLines) {
      const Cell cell = cell_of<Cell>(value);
      const auto pieces = [&](std::uintptr_t at, std::size_t size) {
        shadow_.for_each_piece(at, size, [&](Cell& piece, std::uintptr_t, std::size_t) { piece = cell; });
      };
      shadow_.for_range(
          address, bytes,
          [&](std::span<Cell> lines, std::uintptr_t) { std::fill(lines.begin(), lines.end(), cell); },
          [&](std::span<Cell> words, std::uintptr_t at) {
            pieces(at, words.size() * Shadow::kWordBytes);
            shadow_.close(at);
          },
          pieces);
      model_.set(address, bytes, value);
    } else {
      write(address, bytes, value);
    }
  }

  // Random operations near `middle`.
  void run(std::uintptr_t middle, unsigned seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) {
      return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    const int steps = ANYORDER_ASAN || ANYORDER_TSAN ? 8'000 : 40'000;
    for (int step = 0; step != steps; ++step) {
      const bool near = below(4) != 0;
      const std::size_t spread = near ? 48 : 20'000;
      const std::uintptr_t address = middle - spread + below(2 * spread);
      std::size_t bytes = std::size_t{1} << below(5);
      if (below(3) == 0) bytes = below(70);
      if (below(200) == 0) bytes = below(20'000);
      const std::uint64_t value = below(3);  // few, so that neighbours become equal again; 0 is "never"
      switch (below(12)) {
        case 0:
        case 1:
        case 2:
        case 3:
          write(address, bytes, value);
          break;
        case 4:
        case 5:
        case 6:
          read(address, bytes);
          break;
        case 7:
          advance(address, bytes);
          break;
        case 8:
          write_range(address, bytes, value);
          break;
        case 9:
          read_range(address, bytes);
          break;
        case 10:
          shadow_.forget(address, bytes);
          model_.forget(address, bytes);
          break;
        default:
          if (below(20) == 0) {  // large enough for pages to go back
            const std::size_t large = below(400'000);
            if (below(2) == 0) {
              shadow_.forget(address, large);
            } else {
              shadow_.release(address, large);
            }
            model_.forget(address, large);
          } else {
            shadow_.release(address, bytes);
            model_.forget(address, bytes);
          }
      }
      if (testing::Test::HasFatalFailure()) FAIL() << "step " << step << " of seed " << seed;
    }
    read(middle - 25'000, 450'000);
    read_range(middle - 25'000, 450'000);
    EXPECT_EQ(shadow_.statistics().split_words, model_.split_words(Shadow::kWordBytes));
    EXPECT_GT(shadow_.statistics().split_words, 0U);
    shadow_.forget(middle - kWindow / 4, kWindow / 2);
    model_.forget(middle - kWindow / 4, kWindow / 2);
    EXPECT_EQ(shadow_.statistics().split_words, 0U);
    read_range(middle - 25'000, 450'000);
  }

  Shadow shadow_{std::span<const AddressRange>()};
  Model model_;
};

using Kinds = testing::Types<Shadow<SmallPolicy<8>, kBits>, Shadow<SmallPolicy<4>, kBits>,
                             Shadow<LargePolicy<8>, kBits>, Shadow<LargePolicy<4>, kBits>,
                             Shadow<SmallPolicy<16>, kBits>, ConcurrentShadow<SmallPolicy<8>, kBits>,
                             ConcurrentShadow<LargePolicy<4>, kBits>>;
TYPED_TEST_SUITE(ModelTest, Kinds);

TYPED_TEST(ModelTest, AgreesInAPage) { this->run(0x5555'5555'4800, 1); }
TYPED_TEST(ModelTest, AgreesAtAPagesEnd) { this->run(0x7fff'1234'5000, 2); }
TYPED_TEST(ModelTest, AgreesAtTwoMegabytes) { this->run(0x7fff'1220'0000, 3); }
TYPED_TEST(ModelTest, AgreesWhereTheWindowBeginsAnew) { this->run(7 * kWindow, 4); }

TYPED_TEST(ModelTest, EachSizeAtEachOffset) {
  const std::uintptr_t base = 0x7f00'0000'1000;
  std::uint64_t value = 0;
  for (std::size_t bytes = 0; bytes <= 40; ++bytes) {
    for (std::size_t offset = 0; offset != 16; ++offset) {
      this->write(base + offset, bytes, ++value);
      this->read(base - 16, 96);
      this->read_range(base - 16, 96);
      if (value % 3 == 0) {
        this->shadow_.forget(base + offset / 2, bytes);
        this->model_.forget(base + offset / 2, bytes);
        this->read(base - 16, 96);
      }
    }
  }
}

}  // namespace
}  // namespace anyorder::shadow
