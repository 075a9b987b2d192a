// The variant of libanyorder that `anyorder run` loads: no detector, but what the join policy finds is
// recorded.

#include <memory>
#include <string>

#include "binding/joins/to_findings.hpp"
#include "findings/finding_set.hpp"
#include "record/writer.hpp"
#include "runtime/isolation.hpp"
#include "runtime/tool.hpp"
#include "support/settings.hpp"

namespace anyorder::binding {
namespace {

class RunSession final : public deadlock::JoinListener {
 public:
  explicit RunSession(const std::string& folder) : writer_(folder, "none") {}

  [[nodiscard]] bool usable() const { return writer_.usable(); }

  void policy_in_force() override { writer_.instrumented(); }
  void deadlock_avoided(const deadlock::Cycle& cycle) override { writer_.add(to_finding(cycle)); }
  void unknown_join(const deadlock::UnknownJoin& join) override {
    const findings::UnknownJoin found = to_finding(join, runtime::any_isolated());
    if (found_.insert(found)) writer_.add(found);
  }

 private:
  record::Writer writer_;
  findings::FindingSet found_;
};

// Before every constructor of the program: the library is loaded before it. Never destroyed.
[[gnu::constructor(101)]] void begin_run() {
  const auto folder = support::value_of(support::kRecord);
  const auto policy =
      deadlock::policy_named(support::value_of(support::kJoins).value_or(support::kJoins.fallback));
  if (!folder || !policy) return;
  auto session = std::make_unique<RunSession>(std::string(*folder));
  if (!session->usable()) return;
  runtime::attached_join_listener = session.release();
  runtime::required_join_policy = policy;
}

}  // namespace
}  // namespace anyorder::binding
