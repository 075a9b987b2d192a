#include "frontends/llvm_pass/joined.hpp"

#include <algorithm>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/MathExtras.h>
#include <map>
#include <vector>

#include "events/quick.hpp"
#include "frontends/llvm_pass/facts.hpp"

namespace anyorder::llvm_pass {
namespace {

using llvm::BasicBlock;
using llvm::BitVector;
using llvm::DILocation;

bool have_one_place(const DILocation* a, const DILocation* b) {
  return a->getLine() == b->getLine() && a->getFile() == b->getFile();
}

// Whether the calls by which the two were inlined are on the same lines.
bool have_one_caller(const DILocation* a, const DILocation* b) {
  a = a->getInlinedAt();
  b = b->getInlinedAt();
  for (; a != b; a = a->getInlinedAt(), b = b->getInlinedAt()) {
    if (a == nullptr || b == nullptr || !have_one_place(a, b)) return false;
  }
  return true;
}

class Joiner {
 public:
  Joiner(llvm::Function& function, const Facts& facts, const Steps& steps)
      : function_(function), facts_(facts), steps_(steps), by_number_(facts.size()), count_(facts.size()) {}

  void join_neighbours() {
    join([&](unsigned i) {
      const std::vector<unsigned> run = run_of(i, true);
      return run.empty() ? run_of(i, false) : run;
    });
  }
  void join_words() {
    join([&](unsigned i) {
      std::vector<unsigned> word = word_of(i);
      for (const unsigned one : word) {
        const Access& access = access_of(one, i);
        facts_.access(i).parts.push_back({access.at, access.address, access.bytes});
      }
      return word;
    });
  }

 private:
  // with_it(i): the access's own fact, and those to come that become part of it; none: it stays as it is.
  template <class WithIt>
  void join(WithIt with_it) {
    for (const BasicBlock* const block : llvm::post_order(&function_)) find_coming(*block);
    // What holds in loops, from the iteration before, is of no interest here: drop_covered has seen to it.
    llvm::DenseMap<const BasicBlock*, BitVector> at_end;
    for (const BasicBlock* const block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function_)) {
      BitVector holding(facts_.size(), !block->isEntryBlock());
      for (const BasicBlock* const before : llvm::predecessors(block)) {
        const auto end = at_end.find(before);
        if (end == at_end.end()) {
          holding.reset();
        } else {
          holding &= end->second;
        }
      }
      pass_through(*block, facts_, steps_, holding, [&](unsigned i) {
        if (!facts_.access(i).needs_check || facts_.cover(holding, facts_.number_of(i))) return;
        const std::vector<unsigned> parts = with_it(i);
        if (!parts.empty()) enlarge(i, parts);
        for (const unsigned part : parts) holding.set(part);
      });
      at_end.try_emplace(block, std::move(holding));
    }
  }

  // Nothing is known to come at the end of a block that goes back: a loop before it may take for ever.
  void find_coming(const BasicBlock& block) {
    BitVector coming(facts_.size(), !llvm::succ_empty(&block));
    for (const BasicBlock* const next : llvm::successors(&block)) {
      const auto begin = at_begin_.find(next);
      if (begin == at_begin_.end()) {
        coming.reset();
      } else {
        coming &= begin->second;
      }
    }
    pass_back(block, facts_, steps_, coming, [&](unsigned i) {
      const Access& access = facts_.access(i);
      if (!access.needs_check) return false;
      keep_neighbours(i, coming);
      const unsigned number = facts_.number_of(i);
      by_number_[number] = &access;
      ++count_[number];
      return true;
    });
    at_begin_.try_emplace(&block, std::move(coming));
  }

  void keep_neighbours(unsigned i, const BitVector& coming) {
    const Fact& fact = facts_[facts_.number_of(i)];
    auto& found = coming_[i];
    for (const unsigned other : facts_.facts_about(*fact.base)) {
      if (coming.test(other) && facts_[other].writes == fact.writes) found.push_back(other);
    }
  }

  void enlarge(unsigned i, llvm::ArrayRef<unsigned> parts) {
    Access& access = facts_.access(i);
    const Fact& own = facts_[facts_.number_of(i)];
    std::int64_t begin = own.begin;
    std::int64_t end = own.end;
    for (const unsigned part : parts) {
      begin = std::min(begin, facts_[part].begin);
      end = std::max(end, facts_[part].end);
    }
    if (begin != own.begin) {
      llvm::IRBuilder<> builder(access.at);
      access.address = builder.CreatePtrAdd(access.address,
                                            builder.getInt64(static_cast<std::uint64_t>(begin - own.begin)));
    }
    access.bytes = static_cast<std::uint64_t>(end - begin);
  }

  // One of several that have the fact, or this one.
  [[nodiscard]] const Access& access_of(unsigned fact, unsigned i) const {
    return fact == facts_.number_of(i) ? facts_.access(i) : *by_number_[fact];
  }

  // What fills a word, one behind the other. Words are taken to begin at multiples of their length from the
  // address that the facts are about; where they do not, the parts are checked one by one. Those on other
  // ways that access the same would have other places.
  [[nodiscard]] std::vector<unsigned> word_of(unsigned i) const {
    constexpr std::int64_t kWord = events::QuickCell::kWordBytes;
    std::vector<unsigned> word{facts_.number_of(i)};
    const std::int64_t begin = facts_[word.front()].begin & -kWord;
    for (const unsigned other : coming_.lookup(i)) {
      const Fact& fact = facts_[other];
      if (other == word.front() || fact.begin < begin || fact.end > begin + kWord) continue;
      if (count_[other] == 1 && by_number_[other]->parts.empty()) word.push_back(other);
    }
    if (word.size() < 2) return {};
    sort_by_begin(word);
    std::int64_t end = begin;
    for (const unsigned one : word) {
      const Fact& fact = facts_[one];
      // Each of them has a hook.
      const bool fits =
          fact.begin == end && llvm::isPowerOf2_64(static_cast<std::uint64_t>(fact.end - fact.begin));
      if (!fits) return {};
      end = fact.end;
    }
    return end == begin + kWord ? word : std::vector<unsigned>();
  }

  void sort_by_begin(std::vector<unsigned>& some) const {
    std::sort(some.begin(), some.end(),
              [&](unsigned a, unsigned b) { return facts_[a].begin < facts_[b].begin; });
  }

  // The access's own fact, and those to come that together with it leave no gap: on its line, or on several
  // lines each of which has at least two, as an unrolled loop makes them. Nothing: it is alone.
  [[nodiscard]] std::vector<unsigned> run_of(unsigned i, bool on_one_line) const {
    const Access& access = facts_.access(i);
    std::vector<unsigned> candidates{facts_.number_of(i)};
    for (const unsigned other : coming_.lookup(i)) {
      const Access& next = *by_number_[other];
      if (other == candidates.front()) continue;
      if (on_one_line ? are_on_one_line(access, next) : are_in_one_place(access, next)) {
        candidates.push_back(other);
      }
    }
    const Fact& own = facts_[candidates.front()];
    sort_by_begin(candidates);
    // The stretch without a gap that has the access in it.
    std::vector<unsigned> run;
    std::int64_t end = 0;
    for (const unsigned one : candidates) {
      if (!run.empty() && facts_[one].begin > end) {
        if (end >= own.end) break;
        run.clear();
      }
      end = run.empty() ? facts_[one].end : std::max(end, facts_[one].end);
      run.push_back(one);
    }
    if (run.size() < 2 || (!on_one_line && !is_unrolled(run, i))) return {};
    return run;
  }

  [[nodiscard]] bool is_unrolled(llvm::ArrayRef<unsigned> run, unsigned i) const {
    std::map<unsigned, unsigned> on_line;
    for (const unsigned one : run) {
      ++on_line[access_of(one, i).at->getDebugLoc().getLine()];
    }
    return std::all_of(on_line.begin(), on_line.end(), [](const auto& line) { return line.second > 1; });
  }

  static bool are_in_one_place(const Access& a, const Access& b) {
    const DILocation* const first = a.at->getDebugLoc();
    const DILocation* const second = b.at->getDebugLoc();
    return first != nullptr && second != nullptr && first->getFile() == second->getFile() &&
           a.at->getParent() == b.at->getParent() && have_one_caller(first, second);
  }

  llvm::Function& function_;
  const Facts& facts_;
  const Steps& steps_;
  std::vector<const Access*> by_number_;  // one of those that need a check
  std::vector<unsigned> count_;           // of these
  llvm::DenseMap<const BasicBlock*, BitVector> at_begin_;
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>> coming_;  // by the number of the access
};

}  // namespace

bool are_on_one_line(const Access& a, const Access& b) {
  const DILocation* const first = a.at->getDebugLoc();
  const DILocation* const second = b.at->getDebugLoc();
  if (first == nullptr || second == nullptr) return first == second;
  return have_one_place(first, second) && have_one_caller(first, second);
}

void join_neighbours(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps) {
  const Facts facts(function, accesses);
  if (facts.are_few_for(function)) Joiner(function, facts, steps).join_neighbours();
}

void join_words(llvm::Function& function, llvm::MutableArrayRef<Access> accesses, const Steps& steps) {
  const Facts facts(function, accesses);
  if (facts.are_few_for(function)) Joiner(function, facts, steps).join_words();
}

}  // namespace anyorder::llvm_pass
