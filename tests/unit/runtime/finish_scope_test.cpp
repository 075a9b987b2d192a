// The credits of a finish: counting, refilling, and who sees it complete.

#include <gtest/gtest.h>

#include "runtime/finish.hpp"

namespace anyorder::runtime {
namespace {

using detail::FinishScope;
using detail::FinishView;
using detail::kCredits;

FinishScope::ForThread for_thread() { return {}; }

TEST(FinishScope, IsCompleteAtFirst) {
  const FinishScope scope(for_thread());
  EXPECT_TRUE(complete(scope));
  EXPECT_EQ(scope.own.credits, kCredits);
}

TEST(FinishScope, WaitsForEachTask) {
  FinishScope scope(for_thread());
  take_credit(scope.own);
  take_credit(scope.own);
  EXPECT_FALSE(complete(scope));
  ++scope.own.credits;  // as a task of the scope ends on the owner's strand
  EXPECT_FALSE(complete(scope));
  give_back(scope, 1);  // and one elsewhere
  EXPECT_TRUE(complete(scope));
  EXPECT_EQ(scope.outstanding, scope.own.credits);
}

TEST(FinishScope, LeavesTheOwnerItsLastCredit) {
  FinishScope scope(for_thread());
  scope.own.credits = 2;
  scope.outstanding = 2;
  take_credit(scope.own);
  EXPECT_EQ(scope.own.credits, 1);
  EXPECT_EQ(scope.outstanding, 2);
  take_credit(scope.own);  // the last one stays: more are made
  EXPECT_EQ(scope.own.credits, kCredits);
  EXPECT_EQ(scope.outstanding, 2 + kCredits);
  give_back(scope, 2);
  EXPECT_TRUE(complete(scope));
}

TEST(FinishScope, FillsAnEmptyPurse) {
  FinishScope scope(for_thread());
  take_credit(scope.own);  // a task's, which runs on another strand...
  FinishView elsewhere{&scope, 0};
  take_credit(elsewhere);  // ...and creates one
  EXPECT_EQ(elsewhere.credits, kCredits - 1);
  EXPECT_EQ(scope.outstanding, 2 * kCredits);
  give_back(scope, elsewhere.credits + 1);  // the first has ended
  EXPECT_FALSE(complete(scope));
  give_back(scope, 1);  // and the second
  EXPECT_TRUE(complete(scope));
  EXPECT_EQ(scope.own.credits, kCredits - 1);
}

TEST(FinishScope, TellsWhatIsNestedInWhat) {
  FinishScope outer(for_thread());
  FinishScope middle(for_thread());
  FinishScope inner(for_thread());
  FinishScope sibling(for_thread());
  middle.enclosing = &outer.own;
  middle.depth = 1;
  sibling.enclosing = &outer.own;
  sibling.depth = 1;
  inner.enclosing = &middle.own;
  inner.depth = 2;
  EXPECT_TRUE(nested_in(&inner, inner));
  EXPECT_TRUE(nested_in(&inner, middle));
  EXPECT_TRUE(nested_in(&inner, outer));
  EXPECT_FALSE(nested_in(&inner, sibling));
  EXPECT_FALSE(nested_in(&sibling, middle));
  EXPECT_FALSE(nested_in(&outer, inner));
  const FinishScope other_thread(for_thread());
  EXPECT_FALSE(nested_in(&inner, other_thread));
  EXPECT_FALSE(nested_in(&outer, other_thread));
}

TEST(FinishScope, GivesTheFirstFailure) {
  FinishScope scope(for_thread());
  EXPECT_EQ(take_failure(scope), nullptr);
  for (int i = 1; i != 4; ++i) {
    try {
      throw i;
    } catch (...) {
      record_failure(scope, source_site{"file", "function", static_cast<unsigned>(10 * i)}, nullptr);
    }
  }
  source_site created_at;
  try {
    std::rethrow_exception(take_failure(scope, &created_at));
  } catch (int first) {
    EXPECT_EQ(first, 1);
    EXPECT_EQ(created_at.line, 10U);
  }
  EXPECT_EQ(take_failure(scope), nullptr) << "and forgets the others";
}

}  // namespace
}  // namespace anyorder::runtime
