// A value that knows how many of its kind are alive, in the counter that it was given.
#pragma once

#include <atomic>
#include <utility>

class Counted {
 public:
  explicit Counted(std::atomic<int>& alive, int value = 0) : alive_(&alive), value_(value) { ++*alive_; }
  Counted(const Counted& other) : alive_(other.alive_), value_(other.value_) { ++*alive_; }
  Counted(Counted&& other) noexcept : alive_(other.alive_), value_(std::exchange(other.value_, -1)) {
    ++*alive_;
  }
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --*alive_; }

  int value() const { return value_; }

 private:
  std::atomic<int>* alive_;
  int value_;
};
