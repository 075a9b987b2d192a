#include "shared.hpp"

namespace library {

struct Named {
  int number = 0;
};
Named* named = new Named;

}  // namespace library

void from_library() {
  twice([] {
    library::named->number = 1;  // SITE a lambda in from_library(): named->number
  });
}
