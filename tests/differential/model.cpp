#include "model.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace anyorder::differential {
namespace {

// Which steps precede a step: one bit each.
class StepSet {
 public:
  void add(int step) {
    const auto word = static_cast<std::size_t>(step) / 64;
    if (words_.size() <= word) words_.resize(word + 1);
    words_[word] |= std::uint64_t{1} << (static_cast<unsigned>(step) % 64U);
  }
  void add_all(const StepSet& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }
  [[nodiscard]] bool contains(int step) const {
    const auto word = static_cast<std::size_t>(step) / 64;
    return word < words_.size() && (words_[word] >> (static_cast<unsigned>(step) % 64U) & 1U) != 0;
  }

 private:
  std::vector<std::uint64_t> words_;
};

struct Step {
  StepSet before;           // on every schedule
  StepSet before_this_run;  // also by the order of isolated sections
  int section;              // -1: none
};

struct Section {
  std::vector<int> objects;
  int last_step;
};

[[nodiscard]] bool exclude_each_other(const std::vector<int>& a, const std::vector<int>& b) {
  if (a.empty() || b.empty()) return true;
  return std::any_of(a.begin(), a.end(),
                     [&](int object) { return std::find(b.begin(), b.end(), object) != b.end(); });
}

struct Access {
  int step;
  bool writes;
};

constexpr int kNone = -1;

// A handle: which future it is of, and the bytes that it lies in.
struct HandleSlot {
  int* future;
  int object;  // kNone: private to the task
  int offset;
};

struct Finish {
  int owner;              // task
  std::vector<int> ends;  // last steps of the tasks that it joins
};

struct TaskView {
  int task;
  int step;
};

// What a piece of code sees of its surroundings.
struct Environment {
  std::array<int, kLocals> locals{kNone, kNone, kNone};
  std::array<int, kCaptures> captures{kNone, kNone};
  std::size_t captured = 0;  // that many of them
  int loop_index = 0;
  int region = kNone;  // the posts of the task in the region that it may use
};

class Walk {
 public:
  explicit Walk(Flaw flaw) : flaw_(flaw) {
    prediction_.objects = objects_at_start();
    accesses_.resize(prediction_.objects.size());
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      accesses_[i].resize(static_cast<std::size_t>(prediction_.objects[i].size));
    }
    handles_.fill(kNone);
    blocks_.fill(kNone);
    for (Box& box : boxes_) box.object = kNone;
  }

  Prediction run(const Program& program) {
    Finish outermost{kNone, {}};  // around the task that runs the program
    TaskView main{tasks_++, add_step({}, {}, kNone)};
    walk(program.body, Environment{}, main, outermost);
    decide();
    return std::move(prediction_);
  }

 private:
  struct Box {
    int object;
    std::array<int, kBoxHandles> futures;
  };
  struct Future {
    int last_step;
    int result;  // the future that the handle it returned is of
  };
  struct Post {
    int last_step;
    int own;            // its posts
    Statement handler;  // an access
    Environment environment;
  };

  int new_posts() {
    posts_.emplace_back();
    return static_cast<int>(posts_.size()) - 1;
  }
  // What a task has left comes after all that its parent has posted before.
  bool await_all(int posts, TaskView& task) {
    if (posts == kNone) return false;
    std::vector<Post> all = std::move(posts_[static_cast<std::size_t>(posts)]);
    posts_[static_cast<std::size_t>(posts)].clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Post post = all[i];
      std::vector<int> preceding{task.step};
      if (flaw_ != Flaw::forgets_gets) preceding.push_back(post.last_step);
      task.step = add_step(preceding, {}, kNone);
      std::vector<Post>& left = posts_[static_cast<std::size_t>(post.own)];
      all.insert(all.end(), left.begin(), left.end());
      left.clear();
      if (post.handler.op != Op::post) access_range(post.handler, post.environment, task);
    }
    return !all.empty();
  }

  int add_step(const std::vector<int>& preceding, const std::vector<int>& preceding_sections, int section) {
    Step step{{}, {}, section};
    for (const int from : preceding) {
      step.before.add(from);
      step.before.add_all(steps_[static_cast<std::size_t>(from)].before);
      step.before_this_run.add(from);
      step.before_this_run.add_all(steps_[static_cast<std::size_t>(from)].before_this_run);
    }
    for (const int from : preceding_sections) {
      step.before_this_run.add(from);
      step.before_this_run.add_all(steps_[static_cast<std::size_t>(from)].before_this_run);
    }
    steps_.push_back(std::move(step));
    return static_cast<int>(steps_.size()) - 1;
  }

  int add_object(int size, bool holds_handles = false) {
    prediction_.objects.push_back({size, holds_handles});
    accesses_.emplace_back(static_cast<std::size_t>(size));
    return static_cast<int>(prediction_.objects.size()) - 1;
  }

  void access(const TaskView& task, int object, int offset, int size, bool writes) {
    auto& bytes = accesses_[static_cast<std::size_t>(object)];
    for (int i = offset; i < offset + size; ++i) {
      auto& list = bytes[static_cast<std::size_t>(i)];
      const bool known = std::any_of(list.rbegin(), list.rend(), [&](const Access& other) {
        return other.step == task.step && (other.writes || !writes);
      });
      if (!known) list.push_back({task.step, writes});
    }
  }

  // --- Handles -------------------------------------------------------------------------------------------

  // Null future: nothing is there.
  HandleSlot slot(const HandlePlace& place, Environment& environment) {
    const auto index = static_cast<std::size_t>(place.index);
    switch (place.kind) {
      case HandleKind::shared:
        return {&handles_[index], kVariables + place.index, 0};
      case HandleKind::captured:
        if (index >= environment.captured) break;
        return {&environment.captures[index], kNone, 0};
      case HandleKind::boxed:
        if (boxes_[index].object == kNone) break;
        return {&boxes_[index].futures[static_cast<std::size_t>(place.element)], boxes_[index].object,
                place.element * kHandleBytes};
      case HandleKind::none:
        break;
    }
    return {nullptr, kNone, 0};
  }
  void access_handle(const TaskView& task, const HandleSlot& slot, bool writes) {
    if (slot.object != kNone && flaw_ != Flaw::forgets_handles) {
      access(task, slot.object, slot.offset, kHandleBytes, writes);
    }
  }
  void assign(const TaskView& task, const HandleSlot& target, int future) {
    access_handle(task, target, true);
    *target.future = future;
  }
  Environment child_environment(const Statement& statement, Environment& parent, const TaskView& task) {
    Environment child = parent;
    child.region = kNone;
    child.captures.fill(kNone);
    child.captured = statement.captures.size();
    for (std::size_t i = 0; i < statement.captures.size(); ++i) {
      const HandleSlot from = slot(statement.captures[i], parent);
      if (from.future == nullptr) continue;
      access_handle(task, from, false);
      child.captures[i] = *from.future;
    }
    return child;
  }

  // --- Tasks ---------------------------------------------------------------------------------------------

  // Runs the child, then at_end(child) as its last action. Returns its last step.
  template <class AtEnd>
  int spawn(const std::vector<Statement>& body, const Environment& environment, TaskView& parent,
            Finish& finish, AtEnd at_end) {
    const bool escapes = parent.task != finish.owner;
    if (escapes) prediction_.is_fork_join = false;
    const int spawning = parent.step;
    TaskView child{tasks_++, add_step({spawning}, {}, kNone)};
    walk(body, environment, child, finish);
    at_end(child);
    parent.step = add_step({spawning}, {}, kNone);
    if (!escapes || flaw_ != Flaw::forgets_escapes) finish.ends.push_back(child.step);
    return child.step;
  }
  void spawn(const std::vector<Statement>& body, const Environment& environment, TaskView& parent,
             Finish& finish) {
    spawn(body, environment, parent, finish, [](const TaskView&) {});
  }

  void end(Finish& finish, TaskView& owner) {
    std::vector<int> preceding{owner.step};
    preceding.insert(preceding.end(), finish.ends.begin(), finish.ends.end());
    owner.step = add_step(preceding, {}, kNone);
  }

  void loop(const Statement& statement, Environment& environment, TaskView& task, Finish& finish) {
    const Environment child = child_environment(statement, environment, task);
    for (int i = 0; i < statement.count; ++i) {
      Environment of_index = child;
      of_index.loop_index = i;
      spawn(statement.body, of_index, task, finish);
    }
  }

  void isolated(const Statement& statement, const Environment& environment, TaskView& task, Finish& finish) {
    prediction_.uses_isolated = true;
    std::vector<int> earlier;
    for (const Section& section : sections_) {
      if (exclude_each_other(section.objects, statement.objects)) earlier.push_back(section.last_step);
    }
    const auto number = sections_.size();
    task.step = add_step({task.step}, earlier, static_cast<int>(number));
    sections_.push_back({statement.objects, task.step});
    walk(statement.body, environment, task, finish);
    sections_[number].last_step = task.step;
    task.step = add_step({task.step}, {}, kNone);
  }

  // --- Statements ----------------------------------------------------------------------------------------

  void walk(const std::vector<Statement>& body, Environment environment, TaskView& task, Finish& finish) {
    for (const Statement& statement : body) {
      if (executes(statement, environment, task, finish)) ++prediction_.executed;
    }
  }

  // Which block is there is decided when a statement comes to it.
  void look_for_block(const TaskView& task, std::size_t index, bool changes) {
    block_looks_[index].push_back({task.step, changes});
  }
  bool access_range(const Statement& statement, const Environment& environment, const TaskView& task) {
    const Range& range = statement.range;
    const auto index = static_cast<std::size_t>(range.index);
    int object = range.index;
    if (range.storage == Storage::block) {
      look_for_block(task, index, false);
      object = blocks_[index];
    }
    if (range.storage == Storage::local) object = environment.locals[index];
    if (object == kNone) return false;
    const int offset = range.offset + range.stride * environment.loop_index;
    if (offset + range.size > prediction_.objects[static_cast<std::size_t>(object)].size) return false;
    access(task, object, offset, range.size, statement.op == Op::write);
    return true;
  }

  // Whether it did anything.
  bool executes(const Statement& statement, Environment& environment, TaskView& task, Finish& finish) {
    const auto index = static_cast<std::size_t>(statement.index);
    switch (statement.op) {
      case Op::read:
      case Op::write:
        return access_range(statement, environment, task);
      case Op::async:
        spawn(statement.body, child_environment(statement, environment, task), task, finish);
        return true;
      case Op::future: {
        prediction_.uses_futures = true;
        Environment child = child_environment(statement, environment, task);
        Future future{0, kNone};
        future.last_step = spawn(statement.body, child, task, finish, [&](const TaskView& at_end) {
          const HandleSlot returned = slot(statement.source, child);
          if (returned.future == nullptr) return;
          access_handle(at_end, returned, false);
          future.result = *returned.future;
        });
        futures_.push_back(future);
        const HandleSlot target = slot(statement.target, environment);
        if (target.future != nullptr) assign(task, target, static_cast<int>(futures_.size()) - 1);
        return true;
      }
      case Op::region: {
        Environment inside = environment;
        inside.region = new_posts();
        walk(statement.body, inside, task, finish);
        await_all(inside.region, task);
        return true;
      }
      case Op::post: {
        if (environment.region == kNone) return false;
        prediction_.uses_futures = true;
        Environment child = child_environment(statement, environment, task);
        child.region = new_posts();
        Statement handler{statement.count == kReads    ? Op::read
                          : statement.count == kWrites ? Op::write
                                                       : Op::post,
                          statement.range};
        const int last_step = spawn(statement.body, child, task, finish, [](const TaskView&) {});
        posts_[static_cast<std::size_t>(environment.region)].push_back(
            {last_step, child.region, std::move(handler), environment});
        return true;
      }
      case Op::await:
        return await_all(environment.region, task);
      case Op::finish: {
        Finish inner{task.task, {}};
        task.step = add_step({task.step}, {}, kNone);
        walk(statement.body, environment, task, inner);
        end(inner, task);
        return true;
      }
      case Op::get: {
        const HandleSlot source = slot(statement.source, environment);
        if (source.future == nullptr || *source.future == kNone) return false;
        access_handle(task, source, false);
        const Future future = futures_[static_cast<std::size_t>(*source.future)];
        std::vector<int> preceding{task.step};
        if (flaw_ != Flaw::forgets_gets) preceding.push_back(future.last_step);
        task.step = add_step(preceding, {}, kNone);
        const HandleSlot target = slot(statement.target, environment);
        if (target.future != nullptr) assign(task, target, future.result);
        return true;
      }
      case Op::copy:
      case Op::move: {
        const HandleSlot source = slot(statement.source, environment);
        const HandleSlot target = slot(statement.target, environment);
        if (source.future == nullptr || target.future == nullptr) return false;
        const bool moves = statement.op == Op::move && statement.source.kind != HandleKind::captured;
        access_handle(task, source, moves);
        const int future = *source.future;
        if (moves) *source.future = kNone;
        assign(task, target, future);
        return true;
      }
      case Op::forall: {
        Finish inner{task.task, {}};
        task.step = add_step({task.step}, {}, kNone);
        loop(statement, environment, task, inner);
        end(inner, task);
        return true;
      }
      case Op::forasync:
        loop(statement, environment, task, finish);
        return true;
      case Op::isolated:
        isolated(statement, environment, task, finish);
        return true;
      case Op::allocate:
        look_for_block(task, index, true);
        if (blocks_[index] != kNone) return false;
        blocks_[index] = add_object(statement.count);
        return true;
      case Op::release: {
        look_for_block(task, index, true);
        const int object = blocks_[index];
        if (object == kNone) return false;
        blocks_[index] = kNone;
        if (flaw_ != Flaw::forgets_frees) {
          access(task, object, 0, prediction_.objects[static_cast<std::size_t>(object)].size, true);
        }
        return true;
      }
      case Op::box:
        prediction_.depends_on_schedule = true;  // who finds a box is not followed
        if (boxes_[index].object != kNone) return false;
        boxes_[index].object = add_object(kBoxHandles * kHandleBytes, true);
        boxes_[index].futures.fill(kNone);
        access(task, boxes_[index].object, 0, kBoxHandles * kHandleBytes, true);
        return true;
      case Op::unbox:
        if (boxes_[index].object == kNone) return false;
        access(task, boxes_[index].object, 0, kBoxHandles * kHandleBytes, true);
        boxes_[index].object = kNone;
        return true;
      case Op::local: {
        Environment inside = environment;
        inside.region = kNone;  // a handler must not outlive the local
        inside.locals[index] = add_object(kLocalBytes);
        Finish inner{task.task, {}};
        task.step = add_step({task.step}, {}, kNone);
        walk(statement.body, inside, task, inner);
        end(inner, task);
        return true;
      }
    }
    return false;
  }

  // --- The decision --------------------------------------------------------------------------------------

  enum class Judgement : std::uint8_t { harmless, undecided, race };

  [[nodiscard]] Judgement judge(const Access& a, const Access& b) const {
    if ((!a.writes && !b.writes) || a.step == b.step) return Judgement::harmless;
    const Step& first = steps_[static_cast<std::size_t>(a.step)];
    const Step& second = steps_[static_cast<std::size_t>(b.step)];
    if (first.before.contains(b.step) || second.before.contains(a.step)) return Judgement::harmless;
    if (first.section != kNone && second.section != kNone && flaw_ != Flaw::forgets_isolated &&
        exclude_each_other(sections_[static_cast<std::size_t>(first.section)].objects,
                           sections_[static_cast<std::size_t>(second.section)].objects)) {
      return Judgement::harmless;
    }
    if (first.before_this_run.contains(b.step) || second.before_this_run.contains(a.step)) {
      return flaw_ == Flaw::forgets_isolated ? Judgement::race : Judgement::undecided;
    }
    return Judgement::race;
  }
  [[nodiscard]] bool has_race(const std::vector<Access>& list) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (judge(list[i], list[j]) != Judgement::harmless) return true;
      }
    }
    return false;
  }
  void decide() {
    for (const std::vector<Access>& looks : block_looks_) {
      if (has_race(looks)) prediction_.depends_on_schedule = true;
    }
    for (std::size_t object = 0; object < accesses_.size(); ++object) {
      for (std::size_t byte = 0; byte < accesses_[object].size(); ++byte) {
        const std::vector<Access>& list = accesses_[object][byte];
        bool racy = false;
        for (std::size_t i = 0; i < list.size(); ++i) {
          for (std::size_t j = 0; j < i && !(racy && (prediction_.undecided || sections_.empty())); ++j) {
            const Judgement judgement = judge(list[i], list[j]);
            racy = racy || judgement == Judgement::race;
            if (judgement == Judgement::undecided) prediction_.undecided = true;
          }
        }
        if (racy) prediction_.racy.insert({static_cast<int>(object), static_cast<int>(byte)});
      }
    }
  }

  Flaw flaw_;
  Prediction prediction_;
  int tasks_ = 0;
  std::vector<Step> steps_;
  std::vector<Section> sections_;
  std::vector<Future> futures_;
  std::vector<std::vector<Post>> posts_;  // in regions, by their owner
  std::array<int, kHandles> handles_{};   // the future that each is of
  std::array<int, kBlocks> blocks_{};     // the object, or kNone
  std::array<std::vector<Access>, kBlocks> block_looks_;
  std::array<Box, kBoxes> boxes_{};
  std::vector<std::vector<std::vector<Access>>> accesses_;  // by object and byte
};

}  // namespace

Prediction predict(const Program& program, Flaw flaw) { return Walk(flaw).run(program); }

}  // namespace anyorder::differential
