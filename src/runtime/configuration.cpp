#include "runtime/configuration.hpp"

#include "runtime/followed.hpp"
#include "runtime/idle.hpp"
#include "runtime/lent_threads.hpp"
#include "runtime/misuse.hpp"
#include "runtime/perturbation.hpp"
#include "runtime/thread_root.hpp"
#include "runtime/tool.hpp"
#include "support/settings.hpp"

namespace anyorder::runtime {

Configuration in_force;

namespace {

// Both lists have the same order.
static_assert(static_cast<int>(join_policy::cycle) == static_cast<int>(deadlock::PolicyName::cycle));

constexpr std::size_t kDefaultSerialStack = std::size_t{1} << 30;

void apply(const options& wanted) {
  in_force.serial = required_executor.value_or(wanted.run) == executor::serial;
  in_force.workers = wanted.workers != 0 ? wanted.workers : threads_of_this_machine();
  in_force.serial_stack = wanted.serial_stack != 0 ? wanted.serial_stack : kDefaultSerialStack;
  const auto policy = required_join_policy.value_or(static_cast<deadlock::PolicyName>(wanted.joins));
  in_force.joins = static_cast<join_policy>(policy);
  set_join_policy(policy);
  resize_pool(in_force.serial ? 0 : in_force.workers - 1);
}

bool allowed_workers(unsigned n) noexcept { return n <= support::kMaxWorkers; }
bool allowed_stack(std::size_t bytes) noexcept {
  return bytes >= support::kMinStack && bytes <= support::kMaxStack;
}

}  // namespace

void apply_environment() {
  options wanted;
  if (const auto text = support::value_of(support::kExecutor)) {
    if (*text == "serial") {
      wanted.run = executor::serial;
    } else if (*text != "parallel") {
      support::reject(support::kExecutor, *text);
    }
  }
  if (const auto text = support::value_of(support::kWorkers)) {
    const auto count = support::parse_count(*text);
    if (!count || *count == 0 || !allowed_workers(*count)) support::reject(support::kWorkers, *text);
    wanted.workers = *count;
  }
  if (const auto text = support::value_of(support::kStack)) {
    const auto bytes = support::parse_bytes(*text);
    if (!bytes || !allowed_stack(*bytes)) support::reject(support::kStack, *text);
    wanted.serial_stack = *bytes;
  }
  if (const auto text = support::value_of(support::kJoins)) {
    const auto policy = deadlock::policy_named(*text);
    if (!policy) support::reject(support::kJoins, *text);
    wanted.joins = static_cast<join_policy>(*policy);
  }
  if (const auto text = support::value_of(support::kPerturb)) {
    const auto seed = support::parse_count(*text);
    if (!seed) support::reject(support::kPerturb, *text);
    set_perturbation(*seed);
  }
  apply(wanted);
}

}  // namespace anyorder::runtime

namespace anyorder {

void configure(const options& wanted, source_site site) {
  if (!runtime::at_rest()) {
    runtime::throw_misuse(site, "configure inside a task or a finish, or while a task is alive");
  }
  if (!runtime::allowed_workers(wanted.workers)) {
    runtime::throw_misuse(site, "configure with more than 1024 workers");
  }
  if (wanted.serial_stack != 0 && !runtime::allowed_stack(wanted.serial_stack)) {
    runtime::throw_misuse(site, "configure with a serial stack below 64 KiB or above 64 TiB");
  }
  // A run that is explored has the executor that it has.
  if (runtime::this_worker()->controlled != nullptr) return;
  runtime::this_worker()->serial.reset();
  runtime::apply(wanted);
}

options configuration() {
  runtime::enter();
  const runtime::Configuration& now = runtime::in_force;
  return {now.serial ? executor::serial : executor::parallel, now.workers, now.serial_stack, now.joins};
}

}  // namespace anyorder
