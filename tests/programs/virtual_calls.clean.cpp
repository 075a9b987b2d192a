// Virtual calls on shared objects that do not change.
#include <memory>
#include <vector>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Node {
  virtual ~Node() = default;
  virtual int value() const = 0;
};
struct One final : Node {
  int value() const override { return 1; }
};
struct Stored final : Node {
  explicit Stored(int v) : stored(v) {}
  int value() const override { return stored; }
  int stored;
};

int out[6];

int main() {
  std::vector<std::unique_ptr<Node>> nodes;
  for (int i = 0; i < 3; ++i) {
    nodes.push_back(std::make_unique<One>());
    nodes.push_back(std::make_unique<Stored>(i));
  }
  ao::forall(0, 6, [&](int i) {
    for (const auto& node : nodes) out[i] += node->value();
  });
  return out[5] == 6 ? 0 : 1;
}
