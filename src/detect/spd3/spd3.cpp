#include "detect/spd3/spd3.hpp"

#include <exception>
#include <memory>
#include <utility>

namespace anyorder::detect::spd3 {

static_assert(events::TryingDetector<Spd3>);

namespace {

// A trace of creations ends here: nesting may be a million deep.
constexpr std::size_t kCreationFrames = 32;

findings::Frame frame_of(events::SourceSite at) { return {0, {at.file, at.line, 0, at.function}}; }

}  // namespace

void Spd3::attach() {
  auto own = std::make_unique<OwnThread>();
  tree_.refill(own->access.stock);
  t_attachment = {number_, own.get()};
  const std::lock_guard hold(threads_mutex_);
  threads_.push_back(std::move(own));
}

void Spd3::admit_process() {
  if (!whole_process_) return;
  try {
    history_.admit_process();
  } catch (const std::exception& error) {
    tell_shared_cells(error.what());
  }
}

void Spd3::root_begun(events::Slot root, events::Slot finish) {
  admit_process();
  root = finish = to_slot(tree_.begin_root(thread().stock));
}

void Spd3::root_ended(events::Slot root, events::Slot finish) {
  task_ended(root);
  finish = nullptr;
}

void Spd3::task_created(events::Slot parent, events::Slot child, events::Slot /*finish*/,
                        events::TaskKind kind, events::SourceSite at) {
  if (kind == events::TaskKind::future) {
    orders_missing_.store(true, std::memory_order_relaxed);
    tell_unsupported("future", at);
  }
  OwnThread& own = own_thread();
  child = to_slot(
      tree_.create_async(known_in(parent), creations_.number_of(at, own.creations), own.access.stock));
}

void Spd3::task_ended(events::Slot task) {
  const NodeId ended = known_in(task);
  // What was not freed was not destroyed.
  for (const References::Pending& race : references_.end(ended)) {
    report(race.earlier, ended, race.kind, race.place);
  }
}

void Spd3::task_forgotten(events::Slot task) {
  if (task != nullptr) tree_.forget(task_in(task), thread().stock);
}

void Spd3::finish_begun(events::Slot owner, events::Slot finish, events::SourceSite /*at*/) {
  finish = to_slot(tree_.begin_finish(known_in(owner), thread().stock));
}

void Spd3::finish_ended(events::Slot owner, events::Slot finish) {
  tree_.end_finish(known_in(owner), known_in(finish), thread().stock);
  finish = nullptr;
}

void Spd3::isolated_entered(events::Slot /*task*/, std::span<const void* const> /*objects*/,
                            events::SourceSite at) {
  tell_unsupported("isolated", at);
}

void Spd3::tell_unsupported(const char* construct, events::SourceSite at) {
  findings_.add(findings::Unsupported{construct, "The detector spd3 does not accept this construct.",
                                      findings::Trace({frame_of(at)})});
}

void Spd3::tell_shared_cells(const std::string& why) {
  findings_.add(findings::Unsupported{"memory layout", why, {}});
}

void Spd3::mapped(std::uintptr_t address, std::size_t bytes) {
  forget(address, bytes);
  if (!history_.admit(address, bytes)) {
    tell_shared_cells("Memory that the program mapped shares shadow memory with other memory.");
  }
}

void Spd3::unmapped(std::uintptr_t address, std::size_t bytes) {
  told_.forget(address, bytes);
  references_.forget(address, bytes);
  history_.release(address, bytes);
}

void Spd3::release_reference(void* state, const void* counter) {
  const NodeId task = task_in(state);
  references_.drop(task, counter, tree_.position_of(task));
  tree_.next_step(task);  // what comes now is not covered by the drop
}

void Spd3::begin_destruction(void* state, const void* counter, void* ended) {
  references_.begin_destruction(task_in(state), counter);
  if (ended == nullptr) return;
  references_.add_to_destruction(task_in(state), tree_.position_of(task_in(ended)));
}

void Spd3::end_destruction(void* state) {
  // What comes now is not exempt.
  if (references_.end_destruction(task_in(state))) tree_.next_step(task_in(state));
}

void Spd3::release_last_reference(void* state, const void* counter) {
  references_.drop_last(task_in(state), counter);
}

void Spd3::retire(void* state, std::uintptr_t address, std::size_t bytes, std::uintptr_t site) {
  write(state, address, bytes, site);
  references_.freed(task_in(state), address, bytes);
}

void Spd3::judge(std::span<const Conflict> conflicts, NodeId task, findings::AccessKind kind, PlaceId place,
                 Thread& own) {
  if (orders_missing_.load(std::memory_order_relaxed)) return;
  for (const Conflict& conflict : conflicts) {
    const Step& earlier = tree_.step(conflict.step);
    const auto precedes = [&](const Step& drop) {
      const Relation relation = history_.relation(earlier, drop, own);
      return !relation.parallel && relation.a_is_left;
    };
    const auto verdict = references_.judge(task, {conflict, kind, place}, precedes);
    if (verdict == References::Verdict::race) report(conflict, task, kind, place);
  }
}

void Spd3::report(const Conflict& earlier, NodeId task, findings::AccessKind kind, PlaceId place) {
  using findings::AccessKind;
  if (!told_.add({earlier.begin, earlier.end, earlier.place, place, earlier.kind == AccessKind::write,
                  kind == AccessKind::write})) {
    return;
  }
  findings_.add(
      findings::Race{earlier.begin,
                     earlier.end - earlier.begin,
                     describe(earlier.kind, tree_.task_of(tree_.step(earlier.step).scope), earlier.place),
                     describe(kind, task, place),
                     {}});
}

findings::Access Spd3::describe(findings::AccessKind kind, NodeId task, PlaceId place) const {
  findings::Trace::Frames created_at;
  for (NodeId at = task; created_at.size() < kCreationFrames;) {
    const std::uint32_t site = tree_.created_at(at);
    if (site == 0) break;  // nobody created a root
    created_at.push_back(frame_of(creations_[site]));
    at = tree_.task_of(tree_.node(at).parent);
  }
  return {kind, task, findings::Trace({findings::Frame{place, {}}}), findings::Trace(std::move(created_at))};
}

findings::Coverage Spd3::coverage() {
  admit_process();
  return findings::Coverage::all_schedules;
}

std::vector<std::pair<std::string, double>> Spd3::statistics() const {
  const Tree::Size size = tree_.size();
  const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
  return {{"tree_nodes", number(size.nodes)},
          {"steps_kept", number(size.steps)},
          {"tree_bytes", number(size.bytes())},
          {"shadow_bytes", number(history_.statistics().resident_bytes)},
          {"bytes_per_location", number(sizeof(Cell)) / number(CellPolicy::kWordBytes)}};
}

}  // namespace anyorder::detect::spd3
