#include "detect/esp_bags/esp_bags.hpp"

#include "detect/history/serial_findings.hpp"

namespace anyorder::detect {

template class history::AccessHistory<esp_bags::Bags, history::OneReader>;
template class history::SerialDetector<esp_bags::Bags, history::OneReader>;

}  // namespace anyorder::detect

namespace anyorder::detect::esp_bags {

static_assert(events::QuickDetector<EspBags>);

std::vector<std::pair<std::string, double>> EspBags::statistics(std::uint64_t accesses,
                                                                std::uint64_t readers) const {
  return {{"average_readers", average_readers(accesses, readers)},
          {"shadow_bytes", static_cast<double>(history().shadow_bytes())}};
}

}  // namespace anyorder::detect::esp_bags
