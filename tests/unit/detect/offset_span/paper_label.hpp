// Labels as the paper prints them, [offset, span] after [offset, span], and its lemmas on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "detect/offset_span/known_partings.hpp"
#include "detect/offset_span/labels.hpp"

namespace anyorder::detect::offset_span {

struct OffsetAndSpan {
  std::uint64_t offset;
  std::uint64_t span;
  friend bool operator==(const OffsetAndSpan&, const OffsetAndSpan&) = default;
};
using PaperLabel = std::vector<OffsetAndSpan>;

// The span of a fork is known when it is over: it is counted here.
class Spans {
 public:
  void count(const Labels& labels, const Step& child) {
    const Pair pair = labels.pair(child.pair);
    ++spans_[{pair.prefix, pair.joins}];
  }
  [[nodiscard]] PaperLabel label_of(const Labels& labels, const Step& step) const {
    PaperLabel label;
    std::uint64_t joins = step.joins;
    for (Pair pair = labels.pair(step.pair);; pair = labels.pair(pair.prefix)) {
      const std::uint64_t span = pair.prefix == kNoPair ? 1 : spans_.at({pair.prefix, pair.joins});
      label.push_back({index_of(pair.branch) + joins * span, span});
      if (pair.prefix == kNoPair) break;
      joins = pair.joins;
    }
    std::reverse(label.begin(), label.end());
    return label;
  }

 private:
  std::map<std::pair<PairId, std::uint32_t>, std::uint64_t> spans_;
};

inline std::string to_string(const PaperLabel& label) {
  std::string text;
  for (const OffsetAndSpan& pair : label) {
    text.append("[")
        .append(std::to_string(pair.offset))
        .append(",")
        .append(std::to_string(pair.span))
        .append("]");
  }
  return text;
}

// Lemma 2.
inline bool precedes(const PaperLabel& x, const PaperLabel& y) {
  const auto [at_x, at_y] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  if (at_x == x.end()) return at_y != y.end();
  if (at_y == y.end()) return false;
  return at_x->span == at_y->span && at_x->offset < at_y->offset &&
         at_x->offset % at_x->span == at_y->offset % at_y->span;
}
// Definition 3.
inline bool left_of(const PaperLabel& x, const PaperLabel& y) {
  const auto [at_x, at_y] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
  return at_x != x.begin() && at_x != x.end() && at_y != y.end() && at_x->span == at_y->span &&
         at_x->offset % at_x->span < at_y->offset % at_y->span;
}

}  // namespace anyorder::detect::offset_span
