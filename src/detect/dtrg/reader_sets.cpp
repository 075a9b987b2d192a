#include "detect/dtrg/reader_sets.hpp"

#include <algorithm>
#include <bit>

#include "support/check.hpp"

namespace anyorder::detect::dtrg {

Readers ReaderSets::of(const std::vector<Reader>& readers) {
  if (readers.empty()) return {};
  if (readers.size() == 1) return Readers::one(readers.front().task, readers.front().site);
  SetId set = kNoSet;
  for (const Reader& reader : readers) set = with(set, reader);
  return Readers::set(set);
}

void ReaderSets::copy_to(SetId set, std::vector<Reader>& readers) const {
  readers.clear();
  for_each(set, [&](const Reader& reader) { readers.push_back(reader); });
  std::reverse(readers.begin(), readers.end());
}

std::size_t ReaderSets::hash(SetId rest, Reader reader) noexcept {
  std::uint64_t mixed = (std::uint64_t{rest} << 32U | reader.task) * 0x9e37'79b9'7f4a'7c15U;
  mixed = (mixed ^ mixed >> 32U ^ reader.site) * 0xbf58'476d'1ce4'e5b9U;
  return mixed ^ mixed >> 29U;
}

std::size_t ReaderSets::place_of(SetId rest, Reader reader) const noexcept {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t place = hash(rest, reader) & mask;; place = (place + 1) & mask) {
    if (table_[place] == kNoSet) return place;
    const Node& node = nodes_[table_[place]];
    if (node.rest == rest && node.reader.task == reader.task && node.reader.site == reader.site) return place;
  }
}

SetId ReaderSets::with(SetId rest, Reader reader) {
  if (2 * (count() + 1) > table_.size()) rebuild_table(std::max<std::size_t>(1024, 2 * table_.size()));
  SetId& place = table_[place_of(rest, reader)];
  if (place != kNoSet) return place;
  const Node node{reader, rest, rest == kNoSet ? 1 : nodes_[rest].size + 1};
  ++made_;
  if (!free_.empty()) {
    place = free_.back();
    free_.pop_back();
    nodes_[place] = node;
  } else {
    ANYORDER_CHECK(nodes_.size() < Readers::kIsSet, "more sets of readers than 31 bits can number");
    place = nodes_.push_back(node);
  }
  return place;
}

void ReaderSets::rebuild_table(std::size_t places) {
  table_.assign(places, kNoSet);
  for (SetId set = 0; set != nodes_.size(); ++set) {
    if (nodes_[set].size != 0) table_[place_of(nodes_[set].rest, nodes_[set].reader)] = set;
  }
}

void ReaderSets::begin_collection() { kept_.assign(nodes_.size(), false); }

void ReaderSets::keep(SetId set) {
  for (SetId at = set; at != kNoSet && !kept_[at]; at = nodes_[at].rest) kept_[at] = true;
}

void ReaderSets::end_collection() {
  left_ = made_ = 0;
  free_.clear();
  for (SetId set = 0; set != nodes_.size(); ++set) {
    if (kept_[set]) {
      ++left_;
    } else {
      nodes_[set].size = 0;
      free_.push_back(set);
    }
  }
  kept_ = {};
  rebuild_table(std::bit_ceil(std::max<std::size_t>(1024, 4 * left_)));
}

}  // namespace anyorder::detect::dtrg
