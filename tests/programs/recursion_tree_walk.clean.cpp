// A walk over a binary tree: each task has its subtree and adds up its children's sums behind their join.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Node {
  int value = 1;
  int sum = 0;
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
};

std::unique_ptr<Node> build(int depth) {
  auto node = std::make_unique<Node>();
  if (depth > 0) {
    node->left = build(depth - 1);
    node->right = build(depth - 1);
  }
  return node;
}

void walk(Node& node) {
  ao::finish([&] {
    if (node.left) ao::async([&] { walk(*node.left); });
    if (node.right) ao::async([&] { walk(*node.right); });
  });
  node.sum = node.value + (node.left ? node.left->sum : 0) + (node.right ? node.right->sum : 0);
}

int main() {
  const auto root = build(4);
  walk(*root);
  return root->sum == 31 ? 0 : 1;
}
