#include "runtime/join_errors.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <utility>

#include "anyorder/errors.hpp"
#include "runtime/misuse.hpp"
#include "runtime/tool.hpp"
#include "support/settings.hpp"

namespace anyorder {

deadlock_error::deadlock_error(const std::string& what, std::vector<waiting_task> tasks)
    : std::runtime_error(what), cycle_(std::make_shared<const std::vector<waiting_task>>(std::move(tasks))) {}
deadlock_error::~deadlock_error() = default;

unknown_join_error::unknown_join_error(const std::string& what, source_site at, source_site created_at)
    : std::runtime_error(what), got_at(at), future_created_at(created_at) {}
unknown_join_error::~unknown_join_error() = default;

namespace runtime {
namespace {

source_site to_api(const events::SourceSite& site) { return {site.file, site.function, site.line}; }

std::terminate_handler handler_before = nullptr;

[[noreturn]] void end_with_report() {
  const auto end = [](const std::exception& error) {
    std::fprintf(stderr, "anyorder: nobody took the exception of a get: %s\n", error.what());
    std::fflush(nullptr);
    std::_Exit(support::kFindingsExit);
  };
  if (const std::exception_ptr error = std::current_exception()) {
    try {
      std::rethrow_exception(error);
    } catch (const deadlock_error& caught) {
      end(caught);
    } catch (const unknown_join_error& caught) {
      end(caught);
    } catch (...) {
    }
  }
  handler_before();
  std::abort();
}

}  // namespace

void throw_deadlock(const source_site& site, const deadlock::Cycle& cycle) {
  if (attached_join_listener != nullptr) attached_join_listener->deadlock_avoided(cycle);
  std::string what =
      text_of(site) + ": this get is part of a deadlock of " + std::to_string(cycle.size()) +
      (cycle.size() == 1 ? " task, which waits for itself" : " tasks that wait for each other");
  std::vector<waiting_task> tasks;
  for (std::size_t i = 0; i != cycle.size(); ++i) {
    const deadlock::WaitingTask& task = cycle[i];
    const waiting_task& shown = tasks.emplace_back(
        waiting_task{task.number, task.at_end_of_finish, to_api(task.waits_at), to_api(task.created_at)});
    what += "\n  task " + std::to_string(shown.task) + ", created at " + text_of(shown.created_at) +
            ", waits for task " + std::to_string(cycle[(i + 1) % cycle.size()].number) +
            (shown.at_end_of_finish ? " at the end of the finish at " : " in the get at ") +
            text_of(shown.waits_at);
  }
  throw deadlock_error(what, std::move(tasks));
}

void throw_unknown_join(const detail::FutureTask& future, const source_site& site) {
  throw unknown_join_error(text_of(site) + ": get of a future that the task does not know (created at " +
                               text_of(future.site) +
                               "): its handle came by a race, or through an isolated section or an atomic",
                           site, future.site);
}

void tell_unknown_join(detail::Task& task, detail::FutureTask& future, const source_site& site) {
  if (attached_join_listener == nullptr) return;
  deadlock::Policy& policy = *join_policy_in_force;
  const bool is_root = task.ops->kind == detail::TaskKind::root;
  deadlock::WaitGraph& graph = policy.graph();
  attached_join_listener->unknown_join({is_root ? 0 : graph.number_of(policy.node(task.joins)),
                                        to_event(site), to_event(task.site),
                                        graph.number_of(policy.node(future.joins)), to_event(future.site)});
}

void report_uncaught_join_errors() {
  static std::once_flag once;
  std::call_once(once, [] { handler_before = std::set_terminate(&end_with_report); });
}

}  // namespace runtime
}  // namespace anyorder
