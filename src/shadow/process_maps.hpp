// What the process has mapped, read from /proc/self/maps.
//
// Contract: any thread. Allocates nothing, so that a tool which interposes malloc may call it. Another thread
// may map memory meanwhile: the list is true of each line at the time when it was read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace anyorder::shadow {

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;  // one past the last byte

  [[nodiscard]] std::size_t bytes() const noexcept { return end - begin; }
};

// One past the highest address that a program has unless it asks for more than 47 bits.
inline constexpr std::uintptr_t kUserSpaceEnd = std::uintptr_t{1} << 47U;

// A line of the list as it is read: a mapping, or what the kernel says about the last one.
struct MapsLine {
  const char* text;  // ends with a zero byte
  bool is_mapping;
  AddressRange mapping;  // of this line, or of the last one that is a mapping
  bool accessible;       // whether that can be read or written
};

// Calls visit(context, line) for the lines of `path`, which is /proc/self/maps or /proc/self/smaps, by
// ascending address, until it returns false. Throws std::system_error if the file cannot be read.
void for_each_maps_line(const char* path, bool (*visit)(void* context, const MapsLine& line), void* context);

// Calls f(AddressRange, bool accessible) for each mapping below kUserSpaceEnd, by ascending address, until it
// returns false.
template <class F>
void for_each_mapping(F f) {
  for_each_maps_line(
      "/proc/self/maps",
      [](void* context, const MapsLine& line) {
        return line.mapping.end > kUserSpaceEnd || (*static_cast<F*>(context))(line.mapping, line.accessible);
      },
      &f);
}

}  // namespace anyorder::shadow
