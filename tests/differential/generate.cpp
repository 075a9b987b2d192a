#include "generate.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace anyorder::differential {
namespace {

// A program is made in the order in which it will run, so that the generator knows, nearly always, which
// handles are set and which blocks are there. Where it errs, in the bodies of loops, the statement does
// nothing.
class Generator {
 public:
  Generator(Family family, std::uint64_t seed)
      : family_(family), random_(seed * 8 + static_cast<std::uint64_t>(family)) {
    variables_ = 1 + below(kVariables);
    reads_per_write_ = any_of(std::array<int, 4>{1, 3, 8, 20});
    is_spread_ = one_in(2);
    hot_ = below(kVariableBytes - 16);
    budget_ = one_in(50) ? 120 + below(150) : 6 + below(one_in(3) ? 60 : 30);
    if (family_ == Family::loops && one_in(20)) {
      most_iterations_ = one_in(10) ? 1000 : 100;
      budget_ = std::min(budget_, 30);
    }
  }

  std::vector<Statement> program() {
    std::vector<Statement> statements;
    while (budget_ > 0) append(statements, 0);
    return statements;
  }

 private:
  using Body = std::vector<Statement>;

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class T, std::size_t N>
  T any_of(const std::array<T, N>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(N)))];
  }

  [[nodiscard]] bool has_asyncs() const { return family_ != Family::loops; }
  [[nodiscard]] bool has_futures() const {
    return family_ == Family::futures || family_ == Family::all || has_regions();
  }
  [[nodiscard]] bool has_regions() const { return family_ == Family::regions; }
  [[nodiscard]] bool has_isolated() const { return family_ == Family::isolated || family_ == Family::all; }

  // --- Accesses ------------------------------------------------------------------------------------------

  int size_of_access() {
    constexpr std::array<int, 12> kSizes{1, 1, 2, 4, 4, 4, 8, 8, 16, 3, 7, 11};
    return any_of(kSizes);
  }
  Range range() {
    Range range;
    range.size = size_of_access();
    range.stride = in_loop_ > 0 && !one_in(3) ? any_of(std::array<int, 5>{1, 2, 4, 8, 3}) : 0;
    const int chance = below(10);
    if (chance < 3 && any_block()) {
      range.storage = Storage::block;
      range.index = a_live_block();
      range.offset = one_in(2) ? 0 : below(16);
    } else if (chance < 6 && open_locals_ > 0) {
      range.storage = Storage::local;
      range.index = below(open_locals_);
      range.offset = one_in(2) ? 0 : below(kLocalBytes - range.size + 1);
    } else {
      range.index = below(variables_);
      // Most accesses meet around one place, aligned or not.
      const bool anywhere = is_spread_ ? !one_in(6) : one_in(4);
      range.offset = anywhere ? below(kVariableBytes - range.size + 1) : hot_ + below(one_in(2) ? 1 : 9);
      if (one_in(2)) range.offset -= range.offset % std::min(range.size, 8);
    }
    return range;
  }
  Statement access(bool writes) { return {writes ? Op::write : Op::read, range()}; }
  Statement access() { return access(one_in(reads_per_write_ + 1)); }
  static Statement access_to(const Range& range, bool writes) {
    return {writes ? Op::write : Op::read, range};
  }

  // --- Blocks and locals -----------------------------------------------------------------------------------

  [[nodiscard]] bool any_block() const { return std::find(live_.begin(), live_.end(), true) != live_.end(); }
  int a_live_block() {
    int block = below(kBlocks);
    while (!live_[static_cast<std::size_t>(block)]) block = (block + 1) % kBlocks;
    return block;
  }
  Statement allocate_or_free() {
    Statement statement;
    statement.index = below(kBlocks);
    bool& live = live_[static_cast<std::size_t>(statement.index)];
    statement.op = live ? Op::release : Op::allocate;
    // Few sizes, so that memory comes back.
    if (!live) statement.count = any_of(std::array<int, 4>{8, 24, 24, 40});
    live = !live;
    return statement;
  }
  Statement local(int depth) {
    Statement statement{Op::local};
    statement.index = open_locals_++;
    statement.body = body(depth + 1);
    --open_locals_;
    return statement;
  }

  // --- Handles -------------------------------------------------------------------------------------------

  HandlePlace a_place() {
    if (one_in(4) && (boxed_[0] || boxed_[1])) {
      const int box = boxed_[0] && (!boxed_[1] || one_in(2)) ? 0 : 1;
      return {HandleKind::boxed, box, below(kBoxHandles)};
    }
    return {HandleKind::shared, below(kHandles)};
  }
  // One that most likely has a future.
  HandlePlace a_source() {
    if (captured_ > 0 && one_in(3)) return {HandleKind::captured, below(captured_)};
    if (!set_.empty() && !one_in(12))
      return set_[static_cast<std::size_t>(below(static_cast<int>(set_.size())))];
    return a_place();
  }
  void is_set(const HandlePlace& place) {
    if (std::find(set_.begin(), set_.end(), place) == set_.end()) set_.push_back(place);
  }
  void capture(Statement& statement) {
    if (!has_futures() || set_.empty() || one_in(2)) return;
    const int count = 1 + below(kCaptures);
    for (int i = 0; i < count; ++i) statement.captures.push_back(a_source());
  }
  Body task_body(const Statement& task, int depth) {
    const int captured_before = captured_;
    captured_ = static_cast<int>(task.captures.size());
    Body made = body(depth + 1);
    captured_ = captured_before;
    return made;
  }
  Statement future(int depth) {
    Statement statement{Op::future};
    statement.target = a_place();
    capture(statement);
    const int captured_before = captured_;
    captured_ = static_cast<int>(statement.captures.size());
    statement.body = body(depth + 1);
    if (one_in(3)) statement.source = a_source();
    captured_ = captured_before;
    is_set(statement.target);
    return statement;
  }
  Statement get() {
    Statement statement{Op::get};
    statement.source = a_source();
    if (one_in(4)) statement.target = a_place();
    return statement;
  }
  Statement pass_on() {
    Statement statement{one_in(3) ? Op::move : Op::copy};
    statement.source = a_source();
    statement.target = a_place();
    if (statement.op == Op::move) std::erase(set_, statement.source);
    is_set(statement.target);
    return statement;
  }
  Statement box_or_unbox() {
    Statement statement;
    statement.index = below(kBoxes);
    bool& there = boxed_[static_cast<std::size_t>(statement.index)];
    statement.op = there ? Op::unbox : Op::box;
    there = !there;
    std::erase_if(set_, [&](const HandlePlace& place) {
      return place.kind == HandleKind::boxed && place.index == statement.index;
    });
    return statement;
  }

  // --- Tasks ---------------------------------------------------------------------------------------------

  Body body(int depth) {
    Body statements;
    const int most = one_in(5) ? 12 : 4;
    while (budget_ > 0 && static_cast<int>(statements.size()) < most) {
      append(statements, depth);
      if (one_in(4)) break;
    }
    return statements;
  }
  Statement async(int depth) {
    Statement statement{Op::async};
    capture(statement);
    statement.body = task_body(statement, depth);
    return statement;
  }
  Statement finish(int depth) {
    Statement statement{Op::finish};
    statement.body = body(depth + 1);
    return statement;
  }

  // Most posts are where there is a region.
  Statement region(int depth) {
    Statement statement{Op::region};
    ++open_regions_;
    statement.body = body(depth + 1);
    for (int i = below(3); i > 0; --i) statement.body.push_back(post(depth + 1));
    --open_regions_;
    return statement;
  }
  Statement post(int depth) {
    Statement statement{Op::post};
    capture(statement);
    statement.count = below(3);
    if (statement.count != 0) statement.range = range();
    statement.body = task_body(statement, depth);
    return statement;
  }

  Statement loop(Op op, int depth) {
    Statement statement{op};
    const int most = std::max(1, most_iterations_ / repeated_);
    statement.count = 1 + below(most_iterations_ > 12 && one_in(2) ? most : std::min(4, most));
    capture(statement);
    ++in_loop_;
    repeated_ *= statement.count;
    statement.body = task_body(statement, depth);
    repeated_ /= statement.count;
    --in_loop_;
    return statement;
  }
  Statement isolated() {
    Statement statement{Op::isolated};
    for (int object = 0; object < kObjects && !one_in(2); ++object) {
      if (one_in(2)) statement.objects.push_back(object);
    }
    const int count = below(4);
    for (int i = 0; i < count; ++i) {
      statement.body.push_back(has_futures() && one_in(6) ? pass_on() : access());
    }
    return statement;
  }

  // --- Shapes in which detectors are known to go wrong
  // ------------------------------------------------------

  static Statement in(Op op, Body body) {
    Statement statement{op};
    statement.body = std::move(body);
    return statement;
  }
  Statement future_into(int handle, Body body) {
    Statement statement = in(Op::future, std::move(body));
    statement.target = {HandleKind::shared, handle};
    is_set(statement.target);
    return statement;
  }
  static Statement get_of(int handle) {
    Statement statement{Op::get};
    statement.source = {HandleKind::shared, handle};
    return statement;
  }

  void shape_of_asyncs(Body& to) {
    const Range m = range();
    const auto reads = [&] { return access_to(m, false); };
    const auto writes = [&] { return access_to(m, true); };
    switch (below(5)) {
      case 0:  // several parallel readers, then a write
        for (int i = 1 + below(3); i > 0; --i) to.push_back(in(Op::async, {reads()}));
        if (one_in(2)) to.push_back(reads());
        to.push_back(writes());
        break;
      case 1:  // readers at several depths, one of them joined
        to.push_back(in(Op::finish, {in(Op::async, {reads(), in(Op::async, {reads()})})}));
        to.push_back(in(Op::async, {reads()}));
        if (one_in(2)) to.push_back(in(Op::async, {in(Op::async, {reads()})}));
        to.push_back(one_in(2) ? writes() : in(Op::async, {writes()}));
        break;
      case 2:  // a task that escapes through its parents to an outer finish
        to.push_back(in(Op::finish, {in(Op::async, {in(Op::async, {in(Op::async, {writes()})})}),
                                     one_in(2) ? reads() : in(Op::finish, {in(Op::async, {reads()})})}));
        to.push_back(access_to(m, one_in(2)));
        break;
      case 3:  // an empty finish before the task
        to.push_back(in(Op::finish, {in(Op::finish, {}), in(Op::async, {writes()})}));
        to.push_back(reads());
        break;
      default:  // a reader that comes after a parallel one and before the write
        to.push_back(in(Op::async, {reads()}));
        to.push_back(in(Op::finish, {in(Op::async, {reads()})}));
        to.push_back(in(Op::async, {writes()}));
        break;
    }
  }
  void shape_of_loops(Body& to) {
    const Range m = range();
    Statement loop = in(Op::forall, {access_to(m, false)});
    loop.count = 2 + below(3);
    Statement outer = in(Op::forall, {loop, access_to(m, one_in(2))});
    outer.count = 1 + below(3);
    to.push_back(one_in(2) ? loop : outer);
    to.push_back(access_to(m, true));
  }
  void shape_of_futures(Body& to) {
    const Range m = range();
    const auto reads = [&] { return access_to(m, false); };
    const auto writes = [&] { return access_to(m, true); };
    const int f = below(kHandles);
    const int g = (f + 1) % kHandles;
    switch (below(7)) {
      case 0:  // a join through another future
        to.push_back(future_into(f, {writes()}));
        to.push_back(future_into(g, {get_of(f), access_to(m, one_in(2))}));
        if (one_in(2)) to.push_back(in(Op::async, {get_of(g), reads()}));
        to.push_back(get_of(g));
        to.push_back(access_to(m, one_in(2)));
        break;
      case 1:  // an async reader inside a future, and one outside of it
        to.push_back(future_into(f, {in(Op::finish, {in(Op::async, {reads()})})}));
        to.push_back(in(Op::async, {reads()}));
        to.push_back(get_of(f));
        to.push_back(writes());
        break;
      case 2:  // a future inside a task; its handle leaks through a shared variable
        to.push_back(in(Op::async, {future_into(f, {access()}), writes()}));
        to.push_back(get_of(f));
        to.push_back(reads());
        break;
      case 3:  // the getter is no ancestor
        to.push_back(future_into(f, {writes()}));
        to.push_back(in(Op::finish, {in(Op::async, {get_of(f), in(Op::async, {reads()})}), access()}));
        to.push_back(access_to(m, one_in(2)));
        break;
      case 4:  // several gets, and tasks created between them
        to.push_back(future_into(f, {in(Op::async, {reads()}), writes()}));
        to.push_back(get_of(f));
        to.push_back(future_into(g, {reads()}));
        to.push_back(get_of(f));
        to.push_back(get_of(g));
        to.push_back(writes());
        break;
      case 5:  // an async of a future outlives the get
        to.push_back(future_into(f, {future_into(g, {writes()}), in(Op::async, {access_to(m, one_in(2))})}));
        to.push_back(get_of(f));
        if (one_in(2)) to.push_back(get_of(g));
        to.push_back(access_to(m, one_in(2)));
        break;
      default:  // a chain of which only the last one is got
        for (int i = 0; i < 3; ++i) {
          Body link{access()};
          if (i > 0) link.insert(link.begin(), get_of((f + i - 1) % kHandles));
          link.push_back(access_to(m, i == 0 || one_in(3)));
          to.push_back(future_into((f + i) % kHandles, std::move(link)));
        }
        to.push_back(get_of((f + 2) % kHandles));
        to.push_back(access_to(m, one_in(2)));
        break;
    }
  }
  void shape_of_isolated(Body& to) {
    const Range m = range();
    Statement section{Op::isolated};
    if (one_in(2)) section.objects.push_back(below(kObjects));
    Statement with_access = section;
    with_access.body = {access_to(m, one_in(2))};
    to.push_back(in(Op::async, {access_to(m, one_in(2)), one_in(2) ? section : with_access}));
    to.push_back(in(Op::async, {one_in(2) ? section : with_access, access_to(m, one_in(2))}));
    if (one_in(2)) to.push_back(isolated());
  }
  void shape(Body& to) {
    budget_ -= 4;
    if (!has_asyncs()) return shape_of_loops(to);
    const int kind = below(3);
    if (kind == 0 && has_isolated()) return shape_of_isolated(to);
    if (kind <= 1 && has_futures()) return shape_of_futures(to);
    shape_of_asyncs(to);
  }

  // --- The choice ------------------------------------------------------------------------------------------

  void append(Body& to, int depth) {
    constexpr int kDeepest = 9;
    --budget_;
    const int chance = below(100);
    if (depth >= kDeepest || chance < 34) return to.push_back(access());
    if (chance < 39) return to.push_back(allocate_or_free());
    if (chance < 43 && open_locals_ < kLocals) return to.push_back(local(depth));
    if (chance < 49) return shape(to);
    if (chance < 56) return to.push_back(loop(Op::forall, depth));
    if (!has_asyncs()) return to.push_back(one_in(2) ? access() : loop(Op::forall, depth));
    if (has_regions() && open_regions_ > 0 && one_in(3)) {
      return to.push_back(one_in(3) ? Statement{Op::await} : post(depth));
    }
    if (has_regions() && one_in(4)) return to.push_back(region(depth));
    if (chance < 60) return to.push_back(loop(Op::forasync, depth));
    if (chance < 64) return to.push_back(finish(depth));
    if (has_isolated() && chance < 74) return to.push_back(isolated());
    if (has_futures()) {
      if (chance < 78) return to.push_back(future(depth));
      if (chance < 85) return to.push_back(get());
      if (chance < 88) return to.push_back(pass_on());
      if (chance < 90) return to.push_back(box_or_unbox());
    }
    to.push_back(one_in(3) ? finish(depth) : async(depth));
  }

  Family family_;
  std::mt19937_64 random_;  // the same numbers everywhere, unlike the standard distributions
  int budget_ = 0;
  int variables_;
  int reads_per_write_;  // so that not every program is racy
  bool is_spread_;       // over all bytes; else most accesses meet around hot_
  int hot_;
  int in_loop_ = 0;
  int repeated_ = 1;          // how often the present body runs
  int most_iterations_ = 12;  // of the body of the innermost of nested loops
  int open_locals_ = 0;
  int open_regions_ = 0;
  int captured_ = 0;
  std::array<bool, kBlocks> live_{};
  std::array<bool, kBoxes> boxed_{};
  std::vector<HandlePlace> set_;
};

}  // namespace

Program generate(Family family, std::uint64_t seed) {
  return {std::string(name_of(family)) + "-" + std::to_string(seed), Generator(family, seed).program()};
}

}  // namespace anyorder::differential
