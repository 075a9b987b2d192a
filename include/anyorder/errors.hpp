// What the library throws about the use of its own API. Exceptions of the user's tasks pass unchanged.
#pragma once

#include <stdexcept>

#include "anyorder/detail/export.hpp"

namespace anyorder {

// The program asked for something the model does not have: a get on an empty handle, a task operation
// inside an isolated section, a second configuration while tasks are alive. The message starts with the
// file and line of the operation.
class ANYORDER_API usage_error : public std::logic_error {
 public:
  using std::logic_error::logic_error;
  usage_error(const usage_error&) = default;
  ~usage_error() override;
};

}  // namespace anyorder
