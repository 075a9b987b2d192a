#include "deadlock/policy.hpp"

#include <array>
#include <utility>

#include "deadlock/memory.hpp"
#include "deadlock/no_knowledge.hpp"
#include "deadlock/snapshot_sets.hpp"
#include "deadlock/vector_clocks.hpp"
#include "support/check.hpp"

namespace anyorder::deadlock {
namespace {

constexpr auto kNames = std::to_array<std::string_view>({"off", "known", "known-vc", "strict", "cycle"});
std::array<std::atomic<Policy*>, kNames.size()> policies{};

// A word: a record's address, and in its low bits whose it is.
constexpr std::uintptr_t kOwner = 7;

template <Knowledge K>
class PolicyWith final : public Policy {
 public:
  using Policy::Policy;

  void forked(TaskWord& parent, TaskWord& child, bool is_future) override {
    Record& made = make_record(child);
    K::fork(record(parent), made, is_future);
  }
  void split(TaskWord& loop, TaskWord& rest) override {
    Record& made = make_record(rest);
    K::split(record(loop), made);
  }
  void index_ended(TaskWord& loop, FinishWord* finish) override {
    typename K::Finish nowhere;
    Record& ended = record(loop);
    if (!K::has_learnt(ended)) return;
    K::next_index(ended, finish == nullptr ? nowhere : state(*finish));
    if (finish == nullptr) drop(nowhere);
  }
  void ended(TaskWord& task, FinishWord* finish) override {
    Record& ended = record(task);
    if (K::has_learnt(ended) && finish != nullptr) K::end(ended, state(*finish));
  }
  void finish_ended(TaskWord& owner, FinishWord& finish) override {
    if (finish.load(std::memory_order_relaxed) == nullptr) return;
    auto* const learnt =
        static_cast<typename K::Finish*>(finish.exchange(nullptr, std::memory_order_acquire));
    K::finish_end(record(owner), *learnt);
    destroy(learnt);
  }
  void forget(TaskWord& task) override {
    Record& gone = *record_in(task);
    task = nullptr;
    K::forget(gone);
    K::release(static_cast<typename K::Task*>(&gone),
               [](typename K::Task* last) { destroy(static_cast<Record*>(last)); });
  }
  bool knows(TaskWord& task, TaskWord target) override {
    return !is_own(target) || K::knows(record(task), *record_in(target));
  }
  void joined(TaskWord& task, TaskWord target) override {
    if (is_own(target)) K::join(record(task), *record_in(target));
  }
  WaitNode& node(TaskWord& task) override { return record(task); }

 private:
  struct alignas(16) Record : WaitNode, K::Task {};
  static_assert(!std::same_as<K, SnapshotSets> || sizeof(Record) == 96);

  [[nodiscard]] bool is_own(TaskWord word) const {
    return (reinterpret_cast<std::uintptr_t>(word) & kOwner) == static_cast<std::uintptr_t>(name()) &&
           record_in(word)->period == period();
  }
  [[nodiscard]] static Record* record_in(TaskWord word) {
    return reinterpret_cast<Record*>(reinterpret_cast<std::uintptr_t>(word) & ~kOwner);
  }
  Record& make_record(TaskWord& word) {
    auto* const made = make<Record>();
    made->period = period();
    word =
        reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(made) | static_cast<std::uintptr_t>(name()));
    return *made;
  }
  Record& record(TaskWord& word) {
    if (is_own(word)) [[likely]]
      return *record_in(word);
    if (word != nullptr) owner_of(word).forget(word);
    return make_record(word);
  }
  static typename K::Finish& state(FinishWord& word) {
    void* present = word.load(std::memory_order_acquire);
    if (present == nullptr) {
      auto* const made = make<typename K::Finish>();
      if (word.compare_exchange_strong(present, made, std::memory_order_acq_rel)) return *made;
      destroy(made);
    }
    return *static_cast<typename K::Finish*>(present);
  }
  static void drop(typename K::Finish& finish) {
    typename K::Task nobody;
    K::finish_end(nobody, finish);
  }
};

Policy* new_policy(PolicyName name, WaitGraph::Resume resume) {
  switch (name) {
    case PolicyName::off:
      break;
    case PolicyName::known:
    case PolicyName::strict:
      return new PolicyWith<SnapshotSets>(name, resume);
    case PolicyName::known_vc:
      return new PolicyWith<VectorClocks>(name, resume);
    case PolicyName::cycle:
      return new PolicyWith<NoKnowledge>(name, resume);
  }
  return nullptr;
}

}  // namespace

std::optional<PolicyName> policy_named(std::string_view name) {
  for (std::size_t i = 0; i != kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<PolicyName>(i);
  }
  return std::nullopt;
}

std::string_view name_of(PolicyName policy) { return kNames[static_cast<std::size_t>(policy)]; }

std::string names_of_policies() {
  std::string names;
  for (const std::string_view name : kNames) names.append(names.empty() ? "" : ", ").append(name);
  return names;
}

Policy* policy(PolicyName name, WaitGraph::Resume resume) {
  std::atomic<Policy*>& made = policies[static_cast<std::size_t>(name)];
  if (made.load(std::memory_order_acquire) == nullptr) {
    made.store(new_policy(name, resume),
               std::memory_order_release);  // configuring is for one thread at a time
  }
  return made.load(std::memory_order_acquire);
}

Policy& owner_of(TaskWord word) {
  Policy* const owner =
      policies[reinterpret_cast<std::uintptr_t>(word) & kOwner].load(std::memory_order_acquire);
  ANYORDER_CHECK(owner != nullptr, "a task's word belongs to a policy that there is");
  return *owner;
}

}  // namespace anyorder::deadlock
