// A tree that is built in parallel, linked by the parents, and freed by main.
#include <memory>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Node {
  std::unique_ptr<Node> child[2];
};

int count(const Node& node) {
  int nodes = 1;
  for (const auto& child : node.child) nodes += child ? count(*child) : 0;
  return nodes;
}

void grow(Node& node, int depth) {
  if (depth == 0) return;
  for (auto& child : node.child) {
    ao::async([&child, depth] {
      child = std::make_unique<Node>();
      grow(*child, depth - 1);
    });
  }
}

int main() {
  Node root;
  ao::finish([&] { grow(root, 4); });
  return count(root) == 31 ? 0 : 1;
}
