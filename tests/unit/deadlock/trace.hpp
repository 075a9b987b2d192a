// Traces of tasks (the paper's section 3.1), the rules of Figure 2 run literally on them, and the same
// through an implementation. Figure 2 is extended by tasks that are no futures and by finishes: at the end of
// a finish its owner knows what all its tasks knew.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace anyorder::deadlock::test {

using Name = std::string;
using KnowledgeMap = std::map<Name, std::set<Name>>;

// Figure 2 with sets, by value.
class Figure2 {
 public:
  void init(const Name& f) { known_[f] = {}; }
  void fork(const Name& f, const Name& g, bool is_future = true) {
    known_[g] = known_[f];
    if (is_future) known_[f].insert(g);
  }
  [[nodiscard]] bool knows(const Name& f, const Name& g) const { return known_.at(f).contains(g); }
  void join(const Name& f, const Name& g) {
    const std::set<Name> more = known_[g];
    known_[f].insert(more.begin(), more.end());
  }
  void end(const Name& /*f*/, int /*finish*/) {}
  void finish_end(const Name& owner, int /*finish*/, const std::vector<Name>& tasks) {
    for (const Name& task : tasks) join(owner, task);
  }
  [[nodiscard]] const KnowledgeMap& map() const { return known_; }

 private:
  KnowledgeMap known_;
};

template <class K>
class Implementation {
 public:
  ~Implementation() {
    init("the owner of all finishes that are open");
    for (auto& [number, finish] : finishes_)
      K::finish_end(*tasks_["the owner of all finishes that are open"], finish);
    while (!tasks_.empty()) forget(tasks_.begin()->first);
  }

  void init(const Name& f) { tasks_[f] = new typename K::Task; }
  void fork(const Name& f, const Name& g, bool is_future = true) {
    init(g);
    K::fork(*tasks_[f], *tasks_[g], is_future);
    if (is_future) futures_.insert(g);
  }
  [[nodiscard]] bool knows(const Name& f, const Name& g) const {
    return K::knows(*tasks_.at(f), *tasks_.at(g));
  }
  void join(const Name& f, const Name& g) { K::join(*tasks_[f], *tasks_[g]); }
  void end(const Name& f, int finish) {
    if (K::has_learnt(*tasks_[f])) K::end(*tasks_[f], finishes_[finish]);
  }
  void finish_end(const Name& owner, int finish, const std::vector<Name>& /*tasks*/) {
    K::finish_end(*tasks_[owner], finishes_[finish]);
  }
  // Nobody has a handle of it any more.
  void forget(Name f) {  // a copy: it may be the name in the map
    typename K::Task* const task = tasks_[f];
    tasks_.erase(f);
    futures_.erase(f);
    K::forget(*task);
    K::release(task, [](typename K::Task* gone) { delete gone; });
  }
  [[nodiscard]] typename K::Task& task(const Name& f) { return *tasks_[f]; }

  [[nodiscard]] KnowledgeMap map() const {
    KnowledgeMap known;
    for (const auto& [f, task] : tasks_) {
      std::set<Name>& of_f = known[f];
      for (const Name& g : futures_) {
        if (knows(f, g)) of_f.insert(g);
      }
    }
    return known;
  }

 private:
  std::map<Name, typename K::Task*> tasks_;
  std::set<Name> futures_;
  std::map<int, typename K::Finish> finishes_;
};

}  // namespace anyorder::deadlock::test
