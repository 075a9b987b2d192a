// What the API accepts and refuses at compile time. Nothing here runs: the static_asserts are the tests.

#include <gtest/gtest.h>
#include <memory>
#include <type_traits>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace {

namespace ao = anyorder;

template <class F>
concept CanAsync = requires(F&& f) {
  ao::async(std::forward<F>(f));
};
template <class F>
concept CanAsyncFuture = requires(F&& f) {
  ao::async_future(std::forward<F>(f));
};
template <class F>
concept CanIsolate = requires(F&& f) {
  ao::isolated(std::forward<F>(f));
};
template <class F>
concept CanFinish = requires(F&& f) {
  ao::finish(std::forward<F>(f));
};
template <class Begin, class End, class Body>
concept CanLoop = requires(Begin b, End e, Body&& body) {
  ao::forasync(b, e, std::forward<Body>(body));
  ao::forall(b, e, std::forward<Body>(body));
};

struct Constant {
  void operator()() const;
  void operator()(int) const;
};
struct Mutable {
  void operator()();
  void operator()(int);
};
struct OnlyAsLvalue {
  void operator()() &;
};
struct OnlyAsRvalue {
  void operator()() &&;
};
struct NeedsAnArgument {
  void operator()(int) const;
};
struct MoveOnly {
  std::unique_ptr<int> p;
  void operator()() const;
  void operator()(int) const;
};
struct TakesAPointer {
  void operator()(int*) const;
};

// A task calls its own copy of the closure, once, as an rvalue.
static_assert(CanAsync<Constant> && CanAsyncFuture<Constant>);
static_assert(CanAsync<Mutable> && CanAsyncFuture<Mutable>);
static_assert(CanAsync<OnlyAsRvalue> && CanAsyncFuture<OnlyAsRvalue>);
static_assert(CanAsync<OnlyAsRvalue&>, "the copy is an rvalue");
static_assert(!CanAsync<OnlyAsLvalue> && !CanAsyncFuture<OnlyAsLvalue>);
static_assert(!CanAsync<OnlyAsLvalue&>, "it is not the lvalue that is called");
static_assert(CanAsync<void (&)()> && CanAsync<void (*)()>);
static_assert(!CanAsync<NeedsAnArgument> && !CanAsyncFuture<NeedsAnArgument>);
static_assert(!CanAsync<int> && !CanAsyncFuture<int> && !CanAsync<int*>);
static_assert(!CanIsolate<NeedsAnArgument> && !CanIsolate<int>);
static_assert(!CanFinish<NeedsAnArgument> && !CanFinish<int>);

static_assert(CanAsync<MoveOnly> && CanAsyncFuture<MoveOnly>);

// Loops share one body, as const.
static_assert(CanLoop<int, int, Constant>);
static_assert(CanLoop<int, int, MoveOnly>);
static_assert(CanLoop<int, unsigned long, Constant>);
static_assert(!CanLoop<int, int, Mutable>);
static_assert(!CanLoop<int, int, Mutable&>);
static_assert(!CanLoop<int, int, TakesAPointer>);
static_assert(!CanLoop<double, double, Constant>);
static_assert(!CanLoop<int*, int*, TakesAPointer>);
static_assert(!CanLoop<int, double, Constant>);

// Handles.
template <class F>
using Handle = decltype(ao::async_future(std::declval<F>()));
static_assert(std::is_same_v<Handle<int (*)()>, ao::future<int>>);
static_assert(std::is_same_v<Handle<const MoveOnly (*)()>, ao::future<MoveOnly>>);
static_assert(std::is_same_v<Handle<int& (*)()>, ao::future<int&>>);
static_assert(std::is_same_v<Handle<const int& (*)()>, ao::future<const int&>>);
static_assert(std::is_same_v<Handle<void (*)()>, ao::future<void>>);
static_assert(std::is_same_v<decltype(std::declval<const ao::future<int>&>().get()), const int&>);
static_assert(std::is_same_v<decltype(std::declval<const ao::future<int&>&>().get()), int&>);
static_assert(std::is_same_v<decltype(std::declval<const ao::future<std::unique_ptr<int>>&>().get()),
                             const std::unique_ptr<int>&>,
              "several tasks may get a result: none may take it away");
static_assert(std::is_void_v<decltype(std::declval<const ao::future<void>&>().get())>);
static_assert(std::is_copy_constructible_v<ao::future<std::unique_ptr<int>>>);
static_assert(std::is_default_constructible_v<ao::future<Handle<int (*)()>>>);
static_assert(!std::is_convertible_v<ao::future<int>, ao::future<long>>);
static_assert(!std::is_convertible_v<int, ao::future<int>>);
static_assert(sizeof(ao::future<int>) == sizeof(void*));

static_assert(std::is_base_of_v<std::logic_error, ao::usage_error>);

// A handle of a type that is not complete yet may be a member of that type.
struct ListNode {
  int value = 0;
  ao::future<ListNode> next;
};

TEST(CompileTime, HoldsAHandleOfAnIncompleteType) { EXPECT_FALSE(ListNode().next.valid()); }

}  // namespace
