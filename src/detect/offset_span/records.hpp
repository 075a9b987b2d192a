// Numbered records in memory that is used again: what a number stands for is looked up by block, and a block
// whose records all belong to forks that are over is replaced by one step that stands for all of them.
//
// Why a look is right while another thread takes the memory for something else: that thread stores the step
// into the table before it stores other records there. Who loads one of these (acquire) has its store
// (release) before, and with it that of the table, which it looks at again afterwards.
//
// Contract: a Stock is its thread's own. Any thread may look up a number that it has got from a cell, from a
// record or from an event.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <type_traits>
#include <vector>

#include "detect/offset_span/pair.hpp"
#include "shadow/reservation.hpp"

namespace anyorder::detect::offset_span {

template <class T>
class Records {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);
  static constexpr std::size_t kWords = sizeof(T) / sizeof(std::uint64_t);
  using Words = std::array<std::uint64_t, kWords>;

 public:
  static constexpr std::uint32_t kBlock = 1024 / sizeof(T);

  // What a record belongs to: it extends the label `below`, and that of `root`. When that has made more
  // joins, it is over.
  struct Membership {
    Step below;
    Step root;
  };

  struct Block {
    std::uint32_t number = 0;  // 0: none
    std::uint32_t memory = 0;
    std::uint32_t used = 0;
    Step within{};  // all records extend this label or one of fewer joins
  };
  // A pair below which a thread has made records, and how many.
  struct Count {
    PairId below = kNoPair;
    std::uint32_t made = 0;
  };
  // The first few records below a pair share a block with others. If there are more, they have their own: it
  // can go when a loop is over, while the loop around it goes on.
  struct Stock {
    std::uint32_t generation = 0;
    Block shared;
    std::array<Block, 4> own;
    std::uint32_t next_own = 0;
    std::array<Count, 16> counts;
    std::vector<Block> full;
    std::size_t next_full = 0;
    std::vector<std::uint32_t> free;
  };

  [[nodiscard]] static constexpr std::size_t bytes_for(std::uint32_t most) noexcept {
    return shadow::Area::rounded(std::size_t{most} * sizeof(T)) + table_bytes(most);
  }
  Records(shadow::Reservation& reservation, std::uint32_t most, const char* of_what)
      : records_(reservation.carve(std::size_t{most} * sizeof(T))),
        table_(reservation.carve(table_bytes(most))),
        most_(most / kBlock),
        of_what_(of_what) {}

  // The record; or, where there is none any more, the step that stands for it.
  [[nodiscard]] Step look(std::uint32_t id, T& record) const noexcept {
    const std::uint64_t word = entry(id / kBlock).load(std::memory_order_acquire);
    if (!is_memory(word)) return step_of(word);
    Words words;
    for (std::size_t i = 0; i != kWords; ++i) {
      words[i] = word_of(memory_of(word), id % kBlock, i).load(std::memory_order_acquire);
    }
    const std::uint64_t now = entry(id / kBlock).load(std::memory_order_relaxed);
    if (now != word) return step_of(now);
    record = std::bit_cast<T>(words);
    return {};
  }
  // Only of one that is not over, by the thread that runs it.
  void set_word(std::uint32_t id, std::size_t i, std::uint64_t value) noexcept {
    word_of(memory_of(entry(id / kBlock).load(std::memory_order_relaxed)), id % kBlock, i)
        .store(value, std::memory_order_release);
  }

  // A number for a record that is stored before anybody else gets to know it. 0: `stock` has none.
  [[nodiscard]] std::uint32_t try_take(const Membership& of, Stock& stock) noexcept {
    if (stock.generation != generation_.load(std::memory_order_relaxed)) return 0;
    if (Block* const own = own_block(of.below.pair, stock); own != nullptr) {
      return own->used != kBlock ? take_from(*own, of.below) : 0;
    }
    Count& count = count_of(of.below.pair, stock);
    if (count.below != of.below.pair) count = {of.below.pair, 0};
    Block& shared = stock.shared;
    if (count.made >= kFew || shared.used == kBlock || shared.number == 0 ||
        shared.within.pair != of.root.pair) {
      return 0;
    }
    ++count.made;
    return take_from(shared, of.root);
  }
  // The same with a new block, if there has to be one. over(step): if all that extends the step is over, what
  // stands for it.
  template <class Over>
  [[nodiscard]] std::uint32_t take(const Membership& of, Stock& stock, Over over) {
    if (const std::uint32_t taken = try_take(of, stock); taken != 0) return taken;
    const std::uint32_t generation = generation_.load(std::memory_order_relaxed);
    if (stock.generation != generation) {
      stock = Stock{};
      stock.generation = generation;
    }
    Block* block = own_block(of.below.pair, stock);
    Count& count = count_of(of.below.pair, stock);
    if (block == nullptr && count.below == of.below.pair && count.made >= kFew) {
      block = &stock.own[stock.next_own++ % stock.own.size()];
    }
    const bool own = block != nullptr;
    if (!own) {
      block = &stock.shared;
      count = {of.below.pair, count.below == of.below.pair ? count.made + 1 : 1};
    }
    if (block->number != 0) stock.full.push_back(*block);
    *block = new_block(stock, over);
    block->within = own ? of.below : of.root;
    return take_from(*block, block->within);
  }
  void store(std::uint32_t id, const T& record) noexcept {
    const auto words = std::bit_cast<Words>(record);
    const std::uint32_t memory = memory_of(entry(id / kBlock).load(std::memory_order_relaxed));
    for (std::size_t i = 0; i != kWords; ++i) {
      word_of(memory, id % kBlock, i).store(words[i], std::memory_order_release);
    }
  }

  // All records are over, and precede whatever comes. No other thread looks meanwhile.
  void forget_all() noexcept {
    const std::uint32_t end = next_block_.load(std::memory_order_relaxed);
    constexpr std::uint32_t kOnPage = shadow::Area::kPage / sizeof(std::uint64_t);
    const auto clear = [&](std::uint32_t from, std::uint32_t to) {
      for (std::uint32_t i = from; i < to; ++i) entry(i).store(0, std::memory_order_relaxed);
    };
    const std::uint32_t first_page = (first_block_ + kOnPage - 1) / kOnPage * kOnPage;
    const std::uint32_t last_page = end / kOnPage * kOnPage;
    if (first_page < last_page) {
      clear(first_block_, first_page);
      table_.discard(first_page * sizeof(std::uint64_t), (last_page - first_page) * sizeof(std::uint64_t));
      clear(last_page, end);
    } else {
      clear(first_block_, end);
    }
    first_block_ = end;
    forgotten_ = end * kBlock;
    const std::size_t used = shadow::Area::rounded(std::size_t{next_memory_.load()} * kBlock * sizeof(T));
    if (used > kKeptBytes) records_.discard(kKeptBytes, used - kKeptBytes);
    next_memory_.store(0, std::memory_order_relaxed);
    generation_.fetch_add(1, std::memory_order_relaxed);
  }
  // Those with lower numbers are forgotten.
  [[nodiscard]] const std::uint32_t& forgotten() const noexcept { return forgotten_; }
  // Since then.
  [[nodiscard]] std::uint32_t blocks_taken() const noexcept {
    return next_block_.load(std::memory_order_relaxed) - first_block_;
  }

  // What was ever numbered, in whole blocks; and the memory behind what is there at most.
  [[nodiscard]] std::uint64_t numbered() const noexcept {
    return std::uint64_t{next_block_.load(std::memory_order_relaxed) - 1} * kBlock;
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return std::uint64_t{next_memory_.load(std::memory_order_relaxed)} * kBlock * sizeof(T) +
           std::uint64_t{blocks_taken()} * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::uint32_t kFew = 8;
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 16U;

  [[nodiscard]] static constexpr std::size_t table_bytes(std::uint32_t most) noexcept {
    return shadow::Area::rounded(std::size_t{most} / kBlock * sizeof(std::uint64_t));
  }

  // A word of the table: the block's memory + 1; or the step that stands for it, whose pair is not 0; or 0,
  // where all is forgotten.
  static bool is_memory(std::uint64_t word) noexcept { return word != 0 && word >> 32U == 0; }
  static std::uint32_t memory_of(std::uint64_t word) noexcept { return static_cast<std::uint32_t>(word) - 1; }
  static Step step_of(std::uint64_t word) noexcept {
    if (word == 0) return {kAncient, 0};
    return {static_cast<PairId>(word >> 32U), static_cast<std::uint32_t>(word)};
  }
  [[nodiscard]] std::atomic_ref<std::uint64_t> entry(std::uint32_t block) const noexcept {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(table_.base())[block]);
  }
  [[nodiscard]] std::atomic_ref<std::uint64_t> word_of(std::uint32_t memory, std::uint32_t index,
                                                       std::size_t i) const noexcept {
    const std::size_t record = std::size_t{memory} * kBlock + index;
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(records_.base())[record * kWords + i]);
  }

  static Count& count_of(PairId pair, Stock& stock) noexcept {
    return stock.counts[(pair * 0x9e37'79b1U >> 16U) % stock.counts.size()];
  }
  [[nodiscard]] static Block* own_block(PairId below, Stock& stock) noexcept {
    for (Block& block : stock.own) {
      if (block.number != 0 && block.within.pair == below) return &block;
    }
    return nullptr;
  }
  [[nodiscard]] static std::uint32_t take_from(Block& block, const Step& within) noexcept {
    block.within.joins = std::max(block.within.joins, within.joins);
    return block.number * kBlock + block.used++;
  }

  template <class Over>
  [[nodiscard]] Block new_block(Stock& stock, Over over) {
    if (stock.free.empty()) reclaim(stock, over);
    Block block;
    block.number = next_block_.fetch_add(1, std::memory_order_relaxed);
    if (block.number >= most_) fail_when_full();
    if (stock.free.empty()) {
      block.memory = next_memory_.fetch_add(1, std::memory_order_relaxed);
    } else {
      block.memory = stock.free.back();
      stock.free.pop_back();
    }
    entry(block.number).store(std::uint64_t{block.memory} + 1, std::memory_order_release);
    return block;
  }
  // Looks at some of the full blocks, others each time: the newest, and a few in turn.
  template <class Over>
  void reclaim(Stock& stock, Over over) {
    constexpr std::size_t kLooks = 8;
    for (std::size_t i = 1; i <= std::min(kLooks, stock.full.size()); ++i) {
      try_reclaim(stock, stock.full.size() - i, over);
    }
    for (std::size_t i = 0; i != kLooks && !stock.full.empty(); ++i) {
      try_reclaim(stock, stock.next_full++ % stock.full.size(), over);
    }
  }
  template <class Over>
  void try_reclaim(Stock& stock, std::size_t at, Over over) {
    Block& block = stock.full[at];
    const std::optional<Step> stands = over(block.within);
    if (!stands) return;
    entry(block.number).store(std::uint64_t{stands->pair} << 32U | stands->joins, std::memory_order_release);
    stock.free.push_back(block.memory);
    block = stock.full.back();
    stock.full.pop_back();
  }

  [[noreturn]] void fail_when_full() const noexcept {
    std::fprintf(stderr, "anyorder: more than %llu %s; check the program with a smaller input\n",
                 static_cast<unsigned long long>(most_) * kBlock, of_what_);
    std::abort();
  }

  shadow::Area records_;
  shadow::Area table_;
  const std::uint32_t most_;  // blocks
  const char* const of_what_;
  std::atomic<std::uint32_t> next_block_{1};
  std::atomic<std::uint32_t> next_memory_{0};
  std::atomic<std::uint32_t> generation_{1};
  std::uint32_t first_block_ = 1;
  std::uint32_t forgotten_ = kBlock;  // records before the first block, that is
};

}  // namespace anyorder::detect::offset_span
