// Address space for a native stack, backed as it is touched, with a guard page at its low end.
#pragma once

#include <cstddef>

namespace anyorder::support {

class StackMemory {
 public:
  StackMemory() noexcept = default;
  // Throws std::system_error, naming the size, if the address space cannot be had.
  // It lies at `wanted`, the address of its guard page, if nothing else does; who says where keeps what is
  // below free, so that nothing need be mapped to guard it.
  explicit StackMemory(std::size_t bytes, void* wanted = nullptr);
  StackMemory(StackMemory&& other) noexcept;
  StackMemory& operator=(StackMemory&& other) noexcept;
  ~StackMemory();

  char* low() const noexcept { return low_; }  // the lowest usable byte
  char* high() const noexcept { return low_ + bytes_; }
  std::size_t bytes() const noexcept { return bytes_; }
  // Gives all but the uppermost bytes back to the system; they read as zero afterwards.
  void discard_below(std::size_t uppermost) noexcept;
  // What stands on it is left there for good: to a leak check, what it points to is in use.
  void leave_for_good() const noexcept;
  // Whether an access to this address means that the stack has overflowed.
  bool guards(const void* address) const noexcept;

 private:
  char* low_ = nullptr;
  std::size_t bytes_ = 0;
};

// The bounds of the calling thread's own stack.
struct StackBounds {
  char* low;
  std::size_t bytes;
};
StackBounds own_stack() noexcept;

}  // namespace anyorder::support
