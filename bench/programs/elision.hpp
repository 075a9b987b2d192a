// Programs whose serial version is the serial elision of the one with tasks: the same code over Serially
// instead of InTasks, and the main function that both have in common.
#pragma once

#include <cstdint>
#include <utility>

#include "measured.hpp"

namespace bench {

struct InTasks {
  template <class F>
  static void finish(F&& f) {
    anyorder::finish(std::forward<F>(f));
  }
  template <class F>
  static void async(F&& f) {
    anyorder::async(std::forward<F>(f));
  }
  template <class Index, class Body>
  static void forasync(Index begin, Index end, Body&& body) {
    anyorder::forasync(begin, end, std::forward<Body>(body));
  }
  template <class Index, class Body>
  static void forall(Index begin, Index end, Body&& body) {
    anyorder::forall(begin, end, std::forward<Body>(body));
  }
};

struct Serially {
  template <class F>
  static void finish(F&& f) {
    std::forward<F>(f)();
  }
  template <class F>
  static void async(F&& f) {
    std::forward<F>(f)();
  }
  template <class Index, class Body>
  static void forasync(Index begin, Index end, Body&& body) {
    for (Index i = begin; i < end; ++i) body(i);
  }
  template <class Index, class Body>
  static void forall(Index begin, Index end, Body&& body) {
    forasync(begin, end, std::forward<Body>(body));
  }
};

// The main function. A Problem has
//
//   explicit Problem(long size)            makes the input
//   template <class Tasks> void solve()    the work, over the functions of InTasks
//   std::uint64_t fingerprint() const      of all of the result
//   bool is_plausible() const              whether the result is right by other means than the serial version
template <class Problem>
int run(const char* name, int argc, char** argv, const SizeRange& sizes) {
  const Arguments given = arguments(argc, argv, sizes);
  const auto expected = [&] {
    Problem reference(given.size);
    reference.template solve<Serially>();
    return reference.fingerprint();
  }();
  Problem problem(given.size);
  return measure(
      name, given.size,
      [&] {
        if (given.version == Version::serial) {
          problem.template solve<Serially>();
        } else {
          problem.template solve<InTasks>();
        }
      },
      [&] { return problem.fingerprint() == expected && problem.is_plausible(); });
}

}  // namespace bench
