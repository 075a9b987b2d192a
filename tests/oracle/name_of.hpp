// Names a suite of typed tests by its detector.
#pragma once

#include <string>

namespace anyorder::detect {

struct NameOf {
  template <class Detector>
  static std::string GetName(int) {
    return Detector::kTraits.name;
  }
};

}  // namespace anyorder::detect
