// What a join policy knows: which tasks each task may wait for, by the rules of Known Joins (Cogumbreiro et
// al., OOPSLA 2017, Figure 2).
//
//   fork    T-ASYNC  the child knows what its parent knew; then the parent knows the child, if it is a future
//   knows   T-GET    what may be waited for
//   join    T-GET    the getter knows what the target knew at its end. Only after knows() was true: to take
//                    over the knowledge of a stranger lets cycles in
//   end, finish_end  the owner of a finish knows at its end what all its tasks knew
//
// Contract: all calls that name a task as the one that acts are made by the thread that runs it. fork comes
// before the child begins; join and finish_end after the calls of end that they follow from. The caller sees
// to it that these happen-before each other. `knows` looks at its target's label alone, which fork has made.
#pragma once

#include <concepts>

namespace anyorder::deadlock {

template <class K>
concept Knowledge = std::default_initializable<typename K::Task> &&
    std::default_initializable<typename K::Finish> &&
    requires(typename K::Task& task, const typename K::Task& other, typename K::Finish& finish) {
  { K::fork(task, task, true) } -> std::same_as<void>;
  { K::knows(other, other) } -> std::same_as<bool>;
  { K::join(task, other) } -> std::same_as<void>;
  // One index of a loop is done, which counted as a task; the next one knows what this one knew at first.
  { K::next_index(task, finish) } -> std::same_as<void>;
  // The second piece of a loop begins with what the first one began with.
  { K::split(other, task) } -> std::same_as<void>;
  // Before end and next_index, by which these may be left out.
  { K::has_learnt(task) } -> std::same_as<bool>;
  { K::end(task, finish) } -> std::same_as<void>;
  { K::finish_end(task, finish) } -> std::same_as<void>;
  // Nobody can get the task any more, and it has ended.
  { K::forget(task) } -> std::same_as<void>;
};

}  // namespace anyorder::deadlock
