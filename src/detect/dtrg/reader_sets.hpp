// Sets of two or more readers, each set once however many cells have it: an array that the same tasks have
// read has one. A set is a list, newest reader first, that shares its tail with the set it was made from.
//
// Contract: one thread. A number is valid until a collection that does not keep it. Cells come and go without
// a word, so who holds numbers says at a collection which ones they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "detect/dtrg/blocks.hpp"
#include "detect/dtrg/cell.hpp"
#include "detect/dtrg/ids.hpp"

namespace anyorder::detect::dtrg {

struct Reader {
  TaskId task;
  SiteId site;
};

class ReaderSets {
 public:
  // The readers as a cell keeps them: nobody, the only one, or their set. Oldest first.
  [[nodiscard]] Readers of(const std::vector<Reader>& readers);

  [[nodiscard]] TaskId newest(SetId set) const noexcept { return nodes_[set].reader.task; }
  [[nodiscard]] std::size_t size(SetId set) const noexcept { return nodes_[set].size; }

  // Calls f(Reader), newest first.
  template <class F>
  void for_each(SetId set, F f) const {
    for (SetId at = set; at != kNoSet; at = nodes_[at].rest) f(nodes_[at].reader);
  }
  // All of them, oldest first.
  void copy_to(SetId set, std::vector<Reader>& readers) const;

  // Memory is worth collecting: as much is new as was left by the last collection, and as `at_least`.
  [[nodiscard]] bool should_collect(std::size_t at_least) const noexcept {
    return made_ >= left_ && made_ >= at_least;
  }
  // keep() is called for each number in use between the two.
  void begin_collection();
  void keep(SetId set);
  void end_collection();

  // Sets now, those that are only the rest of another included.
  [[nodiscard]] std::size_t count() const noexcept { return left_ + made_; }

 private:
  static constexpr SetId kNoSet = ~SetId{0};

  struct Node {
    Reader reader;
    SetId rest;
    std::uint32_t size;
  };

  [[nodiscard]] SetId with(SetId rest, Reader reader);
  [[nodiscard]] static std::size_t hash(SetId rest, Reader reader) noexcept;
  // Where the node is in the table, or the free place for it.
  [[nodiscard]] std::size_t place_of(SetId rest, Reader reader) const noexcept;
  void rebuild_table(std::size_t places);

  Blocks<Node> nodes_;        // a free one has size 0
  std::vector<SetId> table_;  // of nodes, by hash; a power of two, at most half full
  std::vector<SetId> free_;
  std::vector<bool> kept_;  // during a collection
  std::size_t left_ = 0;    // nodes that the last collection left
  std::size_t made_ = 0;    // nodes since
};

}  // namespace anyorder::detect::dtrg
