// Who is told of the races that a program expects.
#pragma once

#include <cstddef>

#include "events/listener.hpp"

namespace anyorder::runtime {

// Contract: called on any thread, at any time. `why` lives as long as the program.
class ExpectationListener {
 public:
  virtual ~ExpectationListener() = default;
  virtual void race_expected(const void* object, std::size_t bytes, const char* why,
                             events::SourceSite at) = 0;
};

// Null: nobody. Set before the program's first constructor.
inline constinit ExpectationListener* attached_expectation_listener = nullptr;

}  // namespace anyorder::runtime
