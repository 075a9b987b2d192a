// Data addresses of this very program: globals by symbol, locals by debug information.
#include <array>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "report/allocations.hpp"
#include "report/globals.hpp"
#include "report/locals.hpp"
#include "report/types.hpp"
#include "this_process.hpp"

namespace anyorder::report {

// Aligned so that AddressSanitizer leaves them as they are: it makes others larger.
alignas(64) int global_number = 1;
alignas(64) std::array<long, 5> global_list{1, 2, 3, 4, 5};
extern "C" {
alignas(64) int global_of_c = 1;
}

struct Inner {
  short first = 0;
  std::array<std::array<int, 3>, 2> table{};
};
struct Outer : Inner {
  Inner inner;
  const char* text = nullptr;
  union {
    long number = 0;
    char letter;
  };
};
// Named like that of libstdc++, whose own functions have no place to be called from here.
template <class T>
struct new_allocator {
  [[gnu::noinline]] static std::uintptr_t place() {
    std::uintptr_t result = here();
    asm volatile("" : "+r"(result));  // it has to come back here
    return result;
  }
};
using Outers = Outer[4];
alignas(64) Outers global_structures;  // NOLINT(*-avoid-c-arrays)
alignas(64) std::vector<int> global_vector;

[[gnu::noinline]] int* static_local() {
  alignas(64) static int kept = 7;
  return &kept;
}

// What a function says of its own frame, while it runs.
struct FrameSeen {
  std::uintptr_t pc = 0;
  std::uintptr_t cfa = 0;
  std::uintptr_t number = 0;
  std::uintptr_t list = 0;
  std::uintptr_t parameter = 0;
  std::uintptr_t from_registers = 0;
  std::uintptr_t in_block = 0;
  std::uintptr_t pc_in_block = 0;
  std::uintptr_t inlined = 0;
  std::uintptr_t pc_in_inlined = 0;
};

struct Point {
  double x = 0;
  double y = 0;
};

struct Large {
  std::array<long, 6> numbers{};
};

[[gnu::always_inline]] inline void with_local_of_inlined(FrameSeen& seen) {
  short local_of_inlined = 1;
  asm volatile("" : : "r"(&local_of_inlined) : "memory");
  seen.inlined = address_of(&local_of_inlined);
  seen.pc_in_inlined = here();
  asm volatile("" : : "r"(&local_of_inlined) : "memory");
}

// AddressSanitizer would move the variables elsewhere.
__attribute__((noinline, no_sanitize("address"))) void with_locals(FrameSeen& seen, Large parameter,
                                                                   Point from_registers) {
  volatile int number = 1;
  const std::array<long, 4> list{1, 2, 3, 4};
  seen.cfa = address_of(__builtin_dwarf_cfa());
  seen.number = reinterpret_cast<std::uintptr_t>(&number);
  seen.list = address_of(&list);
  seen.parameter = address_of(&parameter);
  seen.from_registers = address_of(&from_registers);
  asm volatile("" : : "r"(&number), "r"(&list), "r"(&parameter), "r"(&from_registers) : "memory");
  seen.pc = here();
  for (int i = 0; i < number; ++i) {
    Point in_block{1.0 * i, 2};
    asm volatile("" : : "r"(&in_block) : "memory");
    seen.in_block = address_of(&in_block);
    seen.pc_in_block = here();
    asm volatile("" : : "r"(&in_block) : "memory");
  }
  with_local_of_inlined(seen);
  asm volatile("" : : "r"(&number), "r"(&list), "r"(&parameter), "r"(&from_registers) : "memory");
}

namespace {

alignas(64) int hidden_number = 2;

class MemoryTest : public testing::Test {
 protected:
  Image image_{these_modules(), this_program()};
  Types types_;
  Globals globals_{image_, types_};
  Locals locals_{image_, types_};
  Symbolizer symbolizer_{image_};
  Allocations allocations_{image_, types_, symbolizer_, SourceFiles(std::nullopt)};
};

void expect_object(const Extent& extent, const std::string& name, std::uintptr_t base, std::uintptr_t size) {
  EXPECT_EQ(extent.name, name);
  EXPECT_EQ(extent.base, base);
  EXPECT_EQ(extent.end, base + size);
}

TEST_F(MemoryTest, GlobalsAreFoundBySymbol) {
  const auto number = address_of(&global_number);
  expect_object(globals_.at(number, number + 100), "anyorder::report::global_number", number, 4);
  expect_object(globals_.at(number + 3, number + 100), "anyorder::report::global_number", number, 4);
  const auto list = address_of(&global_list);
  expect_object(globals_.at(list + 12, list + 100), "anyorder::report::global_list", list, 40);
  EXPECT_EQ(globals_.at(list + 12, list + 16).end, list + 16);
  const auto of_c = address_of(&global_of_c);
  expect_object(globals_.at(of_c, of_c + 100), "global_of_c", of_c, 4);
}

TEST_F(MemoryTest, SoAreStaticsThatNoOtherFileSees) {
  asm volatile("" : : "r"(&hidden_number) : "memory");
  const auto hidden = address_of(&hidden_number);
  expect_object(globals_.at(hidden, hidden + 100), "anyorder::report::(anonymous namespace)::hidden_number",
                hidden, 4);
  const auto kept = address_of(static_local());
  expect_object(globals_.at(kept, kept + 100), "anyorder::report::static_local()::kept", kept, 4);
}

std::string part_of(const Extent& extent, std::uintptr_t address, std::uint64_t bytes) {
  if (!extent.type) return "no type";
  const ObjectPart part = part_at(*extent.type, address - extent.base, bytes);
  return part.path + " (" + part.type + ")";
}

TEST_F(MemoryTest, GlobalsHaveTypes) {
  const auto part = [&](const void* place, std::uint64_t bytes) {
    const auto address = address_of(place);
    return part_of(globals_.at(address, address + bytes), address, bytes);
  };
  EXPECT_EQ(part(&global_number, 4), " (int)");
  EXPECT_EQ(part(&global_list[3], 8), "[3] (long)");
  EXPECT_EQ(part(&global_structures[2].table[1][2], 4), "[2].table[1][2] (int)");
  EXPECT_EQ(part(&global_structures[1].inner.first, 2), "[1].inner.first (short)");
  EXPECT_EQ(part(&global_structures[1].text, 8), "[1].text (const char*)");
  EXPECT_EQ(part(&global_structures[1].number, 8), "[1].number (long)");
  EXPECT_EQ(part(&global_structures[1].letter, 1), "[1].letter (char)");
  EXPECT_EQ(part(&global_vector, 8), " (std::vector<int>)");
  EXPECT_EQ(part(static_local(), 4), " (int)");
}

TEST_F(MemoryTest, ContainersTellWhatTheirBlocksHold) {
  const findings::Trace allocated({findings::Frame{new_allocator<Inner>::place(), {}}});
  const auto one = allocations_.type_of(allocated, sizeof(Inner));
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->name, "anyorder::report::Inner");
  EXPECT_EQ(allocations_.type_of(allocated, 3 * sizeof(Inner))->name, "anyorder::report::Inner[3]");
  EXPECT_EQ(allocations_.type_of(allocated, 1), nullptr);
  EXPECT_EQ(allocations_.type_of(findings::Trace({findings::Frame{here(), {}}}), 64), nullptr);
  EXPECT_EQ(allocations_.type_of({}, 64), nullptr);
}

TEST_F(MemoryTest, WhatIsNoGlobalHasNoName) {
  int local = 0;
  const auto address = address_of(&local);
  const Extent extent = globals_.at(address, address + 4);
  EXPECT_EQ(extent.name, "");
  EXPECT_EQ(extent.end, address + 4);
  // Code is no data.
  EXPECT_EQ(globals_.at(here(), here() + 1).name, "");
}

TEST_F(MemoryTest, LocalsAreFoundInTheirFrame) {
  FrameSeen seen;
  with_locals(seen, {}, {1, 2});
  const auto at = [&](std::uintptr_t pc, std::uintptr_t address) {
    return locals_.at(pc, seen.cfa, address, address + 100);
  };
  expect_object(at(seen.pc, seen.number), "number", seen.number, 4);
  expect_object(at(seen.pc, seen.number + 3), "number", seen.number, 4);
  expect_object(at(seen.pc, seen.list + 31), "list", seen.list, 32);
  EXPECT_EQ(part_of(at(seen.pc, seen.list + 8), seen.list + 8, 8), "[1] (long)");
  EXPECT_EQ(part_of(at(seen.pc, seen.number), seen.number, 4), " (volatile int)");
  expect_object(at(seen.pc, seen.parameter + 40), "parameter", seen.parameter, 48);
  // g++ -O2 describes it in two parts, and with other options places a part by a register: that is not found.
  for (const std::uintptr_t offset : {0, 7, 8, 15}) {
    const Extent extent = at(seen.pc, seen.from_registers + offset);
    if (extent.name.empty()) continue;
    EXPECT_EQ(extent.name, "from_registers");
    EXPECT_EQ(extent.base, seen.from_registers);
  }
  expect_object(at(seen.pc_in_block, seen.in_block + 8), "in_block", seen.in_block, 16);
  expect_object(at(seen.pc_in_inlined, seen.inlined), "local_of_inlined", seen.inlined, 2);
  if (seen.inlined == seen.in_block) {  // which of the two it was cannot be told from outside of both
    EXPECT_EQ(at(seen.pc, seen.inlined).name, "");
  }
  EXPECT_EQ(locals_.at(seen.pc, seen.cfa, seen.list + 8, seen.list + 16).end, seen.list + 16);
}

TEST_F(MemoryTest, WithoutFrameAddressOrCodeThereIsNoVariable) {
  FrameSeen seen;
  with_locals(seen, {}, {1, 2});
  EXPECT_EQ(locals_.at(seen.pc, 0, seen.number, seen.number + 4).name, "");
  EXPECT_EQ(locals_.at(0, seen.cfa, seen.number, seen.number + 4).name, "");
  // The return address.
  EXPECT_EQ(locals_.at(seen.pc, seen.cfa, seen.cfa - 8, seen.cfa).name, "");
}

TEST_F(MemoryTest, EveryPlaceInAFunctionHasTheSameEntry) {
  FrameSeen seen;
  with_locals(seen, {}, {1, 2});
  EXPECT_EQ(locals_.entry_of(seen.pc), locals_.entry_of(seen.pc_in_block));
  EXPECT_EQ(locals_.entry_of(seen.pc), reinterpret_cast<std::uintptr_t>(&with_locals));
  EXPECT_EQ(locals_.entry_of(0x10), 0x10U);
}

}  // namespace
}  // namespace anyorder::report
