#include "report/new_expression.hpp"

#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace anyorder::report {
namespace {

// "name*[]" of the expression at a column; empty: none.
std::string at(std::string_view line, std::size_t column) {
  const auto found = new_expression_at(line, static_cast<std::uint32_t>(column));
  return found ? found->name + found->pointers + (found->is_array ? "[]" : "") : "";
}
// Of the only one in the line, as clang and g++ note it.
std::string only(std::string_view line) { return at(line, line.find("new") + 1); }

TEST(NewExpression, IsFoundByItsBeginningAndItsEnd) {
  constexpr std::string_view kLine = "  head = new Node{1, f(\")\")};";
  EXPECT_EQ(at(kLine, 10), "Node");
  EXPECT_EQ(at(kLine, kLine.size() - 1), "Node");
  EXPECT_EQ(at(kLine, 14), "Node");  // the type
  EXPECT_EQ(at(kLine, 3), "");
  EXPECT_EQ(at(kLine, 18), "");
  EXPECT_EQ(at(kLine, 0), "");
  EXPECT_EQ(at("f(new A, new B);", 3), "A");
  EXPECT_EQ(at("f(new A, new B);", 10), "B");
}

TEST(NewExpression, OfWhichTheEndIsOnAnotherLineHasNone) {
  EXPECT_EQ(at("x = new B(1,", 5), "B");
  EXPECT_EQ(at("x = new B(1,", 12), "");
  EXPECT_EQ(at("    new A{1, 2});", 16), "");  // the end of what began above
  EXPECT_EQ(at("    new A{1, 2});", 15), "A");
  EXPECT_EQ(at("    new A{1, 2});", 14), "");
}

TEST(NewExpression, HasTheTypeAsItIsWritten) {
  EXPECT_EQ(only("new ns::Node"), "ns::Node");
  EXPECT_EQ(only("new ::ns::Node()"), "ns::Node");
  EXPECT_EQ(only("new struct Node;"), "Node");
  EXPECT_EQ(only("new const  Node(1)"), "Node");
  EXPECT_EQ(only("new unsigned  long [n]"), "unsigned long[]");
  EXPECT_EQ(only("new int;"), "int");
  EXPECT_EQ(only("new std::pair<int, std::vector<long> >(p)"), "std::pair<int,std::vector<long>>");
  EXPECT_EQ(only("new Node *[n]()"), "Node*[]");
  EXPECT_EQ(only("new Node**"), "Node**");
  EXPECT_EQ(only("new (std::nothrow) Node[3]"), "Node[]");
  EXPECT_EQ(only("newer(1); new Node"), "");  // not there
  EXPECT_EQ(at("newer(1); new Node", 11), "Node");
}

TEST(NewExpression, OfAnotherFormIsNotUnderstood) {
  EXPECT_EQ(only("new auto(1)"), "");
  EXPECT_EQ(only("new decltype(x)(1)"), "");
  EXPECT_EQ(only("new int[n][4]"), "");
  EXPECT_EQ(only("new (Node)"), "");
  EXPECT_EQ(only("new"), "");
  EXPECT_EQ(only("new (a"), "");
  EXPECT_EQ(only("new Node<"), "");
}

TEST(Declarations, AreCountedByTheLastPartOfTheName) {
  const std::vector<std::string> lines{
      "struct Node;",     "struct Node {",          "class Node final : X {",
      "Node* node;",      "struct NodeList {",      "using Node = Other;",
      "typedef X Node;",  "using NodeList = Node;", "enum class Node : int {",
      "struct Node x{1};"};
  const Declarations found = declarations_of(lines, "ns::Node");
  EXPECT_EQ(found.types, 3U);
  EXPECT_EQ(found.aliases, 2U);
  EXPECT_EQ(declarations_of(lines, "Another").types, 0U);
}

TEST(Builtins, HaveTheirSizes) {
  EXPECT_EQ(size_of_builtin("unsigned long"), sizeof(long));
  EXPECT_EQ(size_of_builtin("std::uint16_t"), 2U);
  EXPECT_EQ(size_of_builtin("size_t"), sizeof(std::size_t));
  EXPECT_EQ(size_of_builtin("Node"), 0U);
}

}  // namespace
}  // namespace anyorder::report
