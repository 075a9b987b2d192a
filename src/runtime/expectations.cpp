#include "runtime/expectations.hpp"

#include "anyorder/expect_race.hpp"
#include "runtime/tool.hpp"

namespace anyorder::detail {

void expect_race(const void* object, std::size_t bytes, const char* why, source_site site) {
  if (runtime::attached_expectation_listener == nullptr) return;
  runtime::attached_expectation_listener->race_expected(object, bytes, why, runtime::to_event(site));
}

}  // namespace anyorder::detail
