// Bytes of an object in the words of its type.
#include "report/object_type.hpp"

#include <gtest/gtest.h>
#include <string>

namespace anyorder::report {
namespace {

using Type = std::shared_ptr<const ObjectType>;

Type type(const std::string& name, std::uint64_t size, std::vector<ObjectType::Member> members = {}) {
  return std::make_shared<const ObjectType>(ObjectType{name, size, nullptr, std::move(members)});
}

std::string path(const Type& whole, std::uint64_t offset, std::uint64_t bytes) {
  const ObjectPart part = part_at(*whole, offset, bytes);
  return part.path + " (" + part.type + ")" + (part.is_whole ? "" : " + " + std::to_string(part.offset));
}

const Type kInt = type("int", 4);
const Type kPoint = type("Point", 8, {{"x", 0, kInt}, {"y", 4, kInt}});

TEST(ObjectType, AnArrayOfArraysIsReadFromTheLeft) {
  const Type rows = array_of(array_of(kInt, 12), 24);
  EXPECT_EQ(rows->name, "int[2][3]");
  EXPECT_EQ(path(rows, 20, 4), "[1][2] (int)");
  EXPECT_EQ(path(rows, 12, 12), "[1] (int[3])");
  EXPECT_EQ(path(rows, 12, 8), "[1][0..1] (int)");
  EXPECT_EQ(path(rows, 0, 24), " (int[2][3])");
  EXPECT_EQ(path(array_of(array_of(kInt, 12), 36), 0, 24), "[0..1] (int[3])");
}

TEST(ObjectType, MembersOfElements) {
  const Type points = array_of(kPoint, 80);
  EXPECT_EQ(path(points, 28, 4), "[3].y (int)");
  EXPECT_EQ(path(points, 24, 8), "[3] (Point)");
  EXPECT_EQ(path(points, 29, 1), "[3].y (int) + 1");
}

TEST(ObjectType, BytesThatNoMemberHoldsAreOfTheWhole) {
  EXPECT_EQ(path(kPoint, 2, 4), " (Point) + 2");
  EXPECT_EQ(path(array_of(kInt, 40), 6, 4), " (int[10]) + 6");
}

TEST(ObjectType, BasesAndUnnamedMembersLeaveNoTrace) {
  const Type derived = type("Derived", 12, {{"", 0, kPoint}, {"z", 8, kInt}});
  EXPECT_EQ(path(derived, 4, 4), ".y (int)");
  EXPECT_EQ(path(derived, 8, 4), ".z (int)");
}

TEST(ObjectType, BytesThatNoMemberOfABaseHoldsAreOfTheWhole) {
  const Type derived = type("Derived", 24, {{"", 0, type("Base", 16, {{"x", 0, kInt}})}, {"z", 20, kInt}});
  EXPECT_EQ(path(derived, 8, 4), " (Derived) + 8");
  EXPECT_EQ(path(derived, 0, 16), " (Base)");
  EXPECT_EQ(path(array_of(derived, 48), 32, 4), "[1] (Derived) + 8");
}

TEST(ObjectType, BitFieldsShareBytes) {
  ObjectType flags{"Flags", 8, nullptr, {{"rest", 4, kInt}}, {}};
  flags.bit_fields = {{"a", 0, 3}, {"b", 3, 5}, {"c", 8, 8}, {"d", 17, 1}, {"e", 18, 1}};
  const auto type = std::make_shared<const ObjectType>(flags);
  EXPECT_EQ(path(type, 0, 1), ".{a, b} (bit-fields)");
  EXPECT_EQ(path(type, 1, 1), ".c (bit-field)");
  EXPECT_EQ(path(type, 0, 4), ".{a, b, c, d, …} (bit-fields)");
  EXPECT_EQ(path(type, 4, 4), ".rest (int)");
  EXPECT_EQ(path(type, 0, 8), " (Flags)");
  EXPECT_EQ(path(type, 2, 4), " (Flags) + 2");
  EXPECT_EQ(path(array_of(type, 32), 17, 1), "[2].c (bit-field)");
}

TEST(ObjectType, OfAUnionTheMemberThatFits) {
  const Type either =
      type("Either", 8, {{"bytes", 0, array_of(type("char", 1), 8)}, {"number", 0, type("long", 8)}});
  EXPECT_EQ(path(either, 0, 8), ".number (long)");
  EXPECT_EQ(path(either, 3, 1), ".bytes[3] (char)");
}

TEST(ObjectType, ElementsWithoutASizeAreNotCounted) {
  const Type unknown = array_of(type("Hidden", 0), 16);
  EXPECT_EQ(path(unknown, 8, 4), " (Hidden[0]) + 8");
}

}  // namespace
}  // namespace anyorder::report
