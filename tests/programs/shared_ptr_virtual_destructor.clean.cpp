// The last drop destroys an object through its virtual destructor, after virtual calls by the other tasks.
#include <memory>
#include <string>

#include <anyorder/anyorder.hpp>

namespace ao = anyorder;

struct Shape {
  virtual ~Shape() { name.clear(); }
  virtual int area() const = 0;
  std::string name = "a name that is too long for the small buffer";
};

struct Square final : Shape {
  explicit Square(int s) : side(s) {}
  ~Square() override { side = 0; }
  int area() const override { return side * side; }
  int side;
};

int out[5];

int main() {
  ao::finish([] {
    std::shared_ptr<const Shape> shape(new Square(3));
    for (int i = 0; i < 5; ++i) {
      ao::async([shape, i] { out[i] = shape->area() + static_cast<int>(shape->name.size()); });
    }
    shape.reset();
  });
  return out[0] == 53 && out[4] == 53 ? 0 : 1;
}
