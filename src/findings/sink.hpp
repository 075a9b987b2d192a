// Where detectors and join policies put what they find.
//
// Contract: every member may be called from any thread at any time. The same finding may come more than once.
#pragma once

#include "findings/deadlock.hpp"
#include "findings/race.hpp"
#include "findings/unsupported.hpp"

namespace anyorder::findings {

class Sink {
 public:
  virtual ~Sink() = default;

  virtual void add(const Race& race) = 0;
  virtual void add(const Deadlock& deadlock) = 0;
  virtual void add(const Unsupported& unsupported) = 0;
};

}  // namespace anyorder::findings
