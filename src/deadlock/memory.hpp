// Blocks for the records of tasks and joins, from wherever the executor has them at hand.
//
// Contract: any thread. The two functions are replaced while nothing is alive, and fit together: what one
// gave is given back to the other, perhaps by another thread.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace anyorder::deadlock {

struct Memory {
  void* (*take)(std::size_t bytes);
  void (*give_back)(void* block, std::size_t bytes);
};

inline void* take_from_heap(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
inline void give_back_to_heap(void* block, std::size_t /*bytes*/) { std::free(block); }

inline constinit Memory memory{&take_from_heap, &give_back_to_heap};

template <class T, class... Args>
[[nodiscard]] T* make(Args&&... args) {
  return ::new (memory.take(sizeof(T))) T{std::forward<Args>(args)...};
}
template <class T>
void destroy(T* object) noexcept {
  object->~T();
  memory.give_back(object, sizeof(T));
}

}  // namespace anyorder::deadlock
