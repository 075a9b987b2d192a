// A stack overflow in a task ends in a sentence that names the fix, not in a bare SIGSEGV.
#pragma once

namespace anyorder::runtime {

// While it lives, the calling thread can report an overflow of the strand that it runs: it has an alternate
// signal stack (its own, if the program gave it one).
class OverflowMessage {
 public:
  OverflowMessage();
  ~OverflowMessage();
  OverflowMessage(const OverflowMessage&) = delete;
  OverflowMessage& operator=(const OverflowMessage&) = delete;

 private:
  void* stack_ = nullptr;  // null if the thread had an alternate stack already
};

}  // namespace anyorder::runtime
