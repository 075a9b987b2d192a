// What the event seam costs in the serial executor: fib with no tool attached, with a listener that does
// nothing, and as plain calls.

#include <benchmark/benchmark.h>

#include <anyorder/anyorder.hpp>

#include "comparison/comparison.hpp"
#include "runtime/tool.hpp"

namespace {

namespace ao = anyorder;
namespace events = anyorder::events;
using bench::Comparison;
using bench::Runs;
using std::uint64_t;

class DoesNothing final : public events::Listener {
 public:
  void root_begun(events::Slot, events::Slot) override {}
  void root_ended(events::Slot, events::Slot) override {}
  void task_created(events::Slot, events::Slot, events::Slot, events::TaskKind, events::SourceSite) override {
  }
  void task_begun(events::Slot) override {}
  void task_ended(events::Slot) override {}
  void task_resumed(events::Slot) override {}
  void task_forgotten(events::Slot) override {}
  void finish_begun(events::Slot, events::Slot, events::SourceSite) override {}
  void finish_ended(events::Slot, events::Slot) override {}
  void get_begun(events::Slot, events::Slot, events::SourceSite) override {}
  void get_ended(events::Slot, events::Slot, events::SourceSite) override {}
  void isolated_entered(events::Slot, std::span<const void* const>, events::SourceSite) override {}
  void isolated_left(events::Slot, std::span<const void* const>) override {}
};

template <class F>
uint64_t with_listener(F f) {
  static DoesNothing listener;
  anyorder::runtime::attach(&listener);
  const uint64_t result = f();
  anyorder::runtime::attach(nullptr);
  return result;
}

uint64_t fib_async(unsigned n) {
  if (n < 2) return n;
  uint64_t a = 0;
  uint64_t b = 0;
  ao::finish([&] {
    ao::async([&] { a = fib_async(n - 1); });
    b = fib_async(n - 2);
  });
  return a + b;
}

uint64_t fib_future(unsigned n) {
  if (n < 2) return n;
  const ao::future<uint64_t> a = ao::async_future([=] { return fib_future(n - 1); });
  const uint64_t b = fib_future(n - 2);
  return a.get() + b;
}

uint64_t fib_calls(unsigned n) {
  if (n < 2) return n;
  benchmark::DoNotOptimize(n);
  return fib_calls(n - 1) + fib_calls(n - 2);
}

std::vector<Comparison> comparisons(bench::Sizes sizes) {
  const unsigned n = sizes.pick(25U, 12U);
  uint64_t value = 0;
  uint64_t next = 1;
  for (unsigned i = 0; i != n; ++i) value = std::exchange(next, value + next);
  const auto tasks = static_cast<double>(next - 1);
  const bench::Side async{"async and finish", Runs::on_anyorder_serially, [n] { return fib_async(n); }};
  const bench::Side future{"async_future and get", Runs::on_anyorder_serially, [n] { return fib_future(n); }};
  std::vector<Comparison> all;
  const auto add = [&](const char* name, const bench::Side& measured, const bench::Side& reference) {
    all.push_back({.name = name,
                   .unit = "task",
                   .units = tasks,
                   .result = value,
                   .measured = measured,
                   .reference = reference});
  };
  add("serial/async_over_calls", async, {"plain calls", Runs::on_neither, [n] { return fib_calls(n); }});
  add("serial/async/listener_over_none",
      {"a listener that does nothing", Runs::on_anyorder_serially,
       [n] { return with_listener([n] { return fib_async(n); }); }},
      async);
  add("serial/future/listener_over_none",
      {"a listener that does nothing", Runs::on_anyorder_serially,
       [n] { return with_listener([n] { return fib_future(n); }); }},
      future);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run(
      argc, argv, [](bench::Sizes) { return std::vector<bench::Figure>{}; }, &comparisons);
}
