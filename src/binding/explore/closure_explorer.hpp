// ao::explore and ao::replay: a closure in all orders, in its own process.
//
// Contract: there is one per process, never destroyed.
#pragma once

#include <string>

#include "binding/explore/observed_program.hpp"
#include "explore/search.hpp"
#include "runtime/exploration.hpp"

namespace anyorder::binding {

class ClosureExplorer final : public runtime::Explorer {
 public:
  explicit ClosureExplorer(ObservedProgram& program) : program_(program) {}

  exploration explore(void (*function)(void*), void* f, const exploration_bounds& bounds,
                      const std::string& schedule, source_site site) override;

 private:
  [[nodiscard]] exploration answer_to(const exploring::Result& result) const;
  [[nodiscard]] std::string name_of(exploring::TaskNumber task) const;

  ObservedProgram& program_;
};

}  // namespace anyorder::binding
