// A walk over a binary tree that collects the largest value in a variable of all.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Node {
  int value = 0;
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
};

std::unique_ptr<Node> build(int depth, int value) {
  auto node = std::make_unique<Node>();
  node->value = value;
  if (depth > 0) {
    node->left = build(depth - 1, 2 * value);
    node->right = build(depth - 1, 2 * value + 1);
  }
  return node;
}

int largest = 0;

void walk(const Node& node) {
  const int seen = largest;                     // RACE(a): read
  if (node.value > seen) largest = node.value;  // RACE(a): write RACE(b): write write
  if (node.left) ao::async([&] { walk(*node.left); });
  if (node.right) ao::async([&] { walk(*node.right); });
}

int main() {
  const auto root = build(3, 1);
  ao::finish([&] { walk(*root); });
}
