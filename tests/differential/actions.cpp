#include "actions.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include <anyorder/anyorder.hpp>

namespace anyorder::differential {

namespace ao = anyorder;

// What every future of a program returns: a handle of another one, or an empty one.
struct Value {
  ao::future<Value> handle;
};
struct Handle {
  ao::future<Value> future;
};
static_assert(sizeof(Handle) == kHandleSize);

namespace {

template <class T>
struct [[gnu::packed]] Unaligned {
  T value;
};

using Bytes16 = long long __attribute__((vector_size(16)));

// The value is used, so that the access is made.
template <class T>
[[gnu::noinline]] void read_as(const void* at) {
  const T value = *static_cast<const T*>(at);
  asm volatile("" : : "m"(value));
}
template <class T>
[[gnu::noinline]] void write_as(void* at) {
  T value{};
  asm volatile("" : "=m"(value));
  *static_cast<T*>(at) = value;
}

bool is_aligned(const void* at, std::size_t bytes) {
  return reinterpret_cast<std::uintptr_t>(at) % bytes == 0;
}

template <class T>
void read_of(const void* at) {
  is_aligned(at, sizeof(T)) ? read_as<T>(at) : read_as<Unaligned<T>>(at);
}
template <class T>
void write_of(void* at) {
  is_aligned(at, sizeof(T)) ? write_as<T>(at) : write_as<Unaligned<T>>(at);
}

constexpr int kLongestRange = 64;

[[gnu::noinline]] void read_range(const void* at, std::size_t bytes) {
  std::array<char, kLongestRange> copy;  // NOLINT(*-member-init): only as much as is read
  std::memcpy(copy.data(), at, bytes);
  asm volatile("" : : "r"(copy.data()) : "memory");
}
[[gnu::noinline]] void write_range(void* at, std::size_t bytes) {
  std::memset(at, 1, bytes);
  asm volatile("" : : : "memory");
}

Handle captured(const Handle* from) { return from == nullptr ? Handle{} : *from; }

// Calls make(closure) with a closure that has exactly the captured handles in it; the closure runs
// body(first, second, index...).
template <class Make, class Body>
void with_captures(Captures captures, Make make, Body body) {
  switch (captures.count) {
    case 0:
      make([body](auto... index) { return body(nullptr, nullptr, index...); });
      break;
    case 1:
      make([body, first = captured(captures.first)](auto... index) {
        return body(const_cast<Handle*>(&first), nullptr, index...);
      });
      break;
    default:
      make([body, first = captured(captures.first), second = captured(captures.second)](auto... index) {
        return body(const_cast<Handle*>(&first), const_cast<Handle*>(&second), index...);
      });
      break;
  }
}

}  // namespace

void read_bytes(const void* at, int size) {
  switch (size) {
    case 1:
      return read_as<std::uint8_t>(at);
    case 2:
      return read_of<std::uint16_t>(at);
    case 4:
      return read_of<std::uint32_t>(at);
    case 8:
      return read_of<std::uint64_t>(at);
    case 16:
      return read_of<Bytes16>(at);
    default:
      return read_range(at, static_cast<std::size_t>(size));
  }
}
void write_bytes(void* at, int size) {
  switch (size) {
    case 1:
      return write_as<std::uint8_t>(at);
    case 2:
      return write_of<std::uint16_t>(at);
    case 4:
      return write_of<std::uint32_t>(at);
    case 8:
      return write_of<std::uint64_t>(at);
    case 16:
      return write_of<Bytes16>(at);
    default:
      return write_range(at, static_cast<std::size_t>(size));
  }
}

void construct_handle(void* at) { ::new (at) Handle; }
void destroy_handle(Handle& handle) { handle.~Handle(); }
void copy_handle(Handle& target, const Handle& source) { target.future = source.future; }
void move_handle(Handle& target, Handle& source) { target.future = std::move(source.future); }

void make_async(const Frame& frame, Captures captures) {
  with_captures(
      captures, [](auto closure) { ao::async(std::move(closure)); },
      [&frame](Handle* first, Handle* second) { run_task(frame, first, second, kSameIndex); });
}

void make_future(const Frame& frame, Captures captures) {
  with_captures(
      captures,
      [&frame](auto closure) {
        ao::future<Value> made = ao::async_future(std::move(closure));
        if (Handle* const target = find_target(frame)) target->future = std::move(made);
      },
      [&frame](Handle* first, Handle* second) {
        run_task(frame, first, second, kSameIndex);
        Value value;
        if (const Handle* const result = find_result(frame, first, second)) value.handle = result->future;
        return value;
      });
}

void get_future(const Frame& frame, const Handle& source) {
  const Value& value = source.future.get();
  if (Handle* const target = find_target(frame)) target->future = value.handle;
}

void make_finish(const Frame& frame) {
  ao::finish([&frame] { run_here(frame); });
}

void make_region(const Frame& frame) {
  ao::region made;
  run_in_region(frame, made);
}

void make_post(const Frame& frame, Captures captures, region& in, bool handled) {
  with_captures(
      captures,
      [&](auto closure) {
        if (handled) {
          in.post(std::move(closure), [&frame](const Value& /*value*/) { run_handler(frame); });
        } else {
          in.post(std::move(closure));
        }
      },
      [&frame](Handle* first, Handle* second) {
        run_task(frame, first, second, kSameIndex);
        return Value{};
      });
}

void await_region(region& of) { of.await(); }

void run_in_finish(const Frame& frame) {
  ao::finish([&frame] { make_async(frame, {0, nullptr, nullptr}); });
}

void make_forall(const Frame& frame, Captures captures, int count) {
  with_captures(
      captures, [count](auto closure) { ao::forall(0, count, std::move(closure)); },
      [&frame](Handle* first, Handle* second, int index) { run_task(frame, first, second, index); });
}
void make_forasync(const Frame& frame, Captures captures, int count) {
  with_captures(
      captures, [count](auto closure) { ao::forasync(0, count, std::move(closure)); },
      [&frame](Handle* first, Handle* second, int index) { run_task(frame, first, second, index); });
}

void make_isolated(const Frame& frame, int count, const void* first, const void* second, const void* third) {
  const auto body = [&frame] { run_here(frame); };
  switch (count) {
    case 0:
      return ao::isolated(body);
    case 1:
      return ao::isolated(first, body);
    case 2:
      return ao::isolated(first, second, body);
    default:
      return ao::isolated(first, second, third, body);
  }
}

void* allocate_block(int slot, int bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  return slot % 2 == 0 ? std::malloc(size) : ::operator new(size);
}
void free_block(int slot, void* block) { slot % 2 == 0 ? std::free(block) : ::operator delete(block); }

namespace {
using Box = std::array<Handle, 2>;
}
void* allocate_box() { return new Box{}; }
void free_box(void* box) { delete static_cast<Box*>(box); }

}  // namespace anyorder::differential
