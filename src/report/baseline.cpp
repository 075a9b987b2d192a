#include "report/baseline.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/fingerprint.hpp"
#include "report/report.hpp"

namespace anyorder::report {

Baseline Baseline::parse(std::string_view text) {
  using Parsed = nlohmann::json;
  const Parsed json = Parsed::parse(text, nullptr, false);
  Baseline baseline;
  try {
    if (json.contains("runs")) {
      for (const Parsed& run : json.at("runs")) {
        for (const Parsed& result : run.at("results")) {
          if (result.at("ruleId") != "race") continue;
          baseline.races.emplace(result.at("partialFingerprints").at("anyorderRace/v1").get<std::string>(),
                                 result.at("message").at("text").get<std::string>());
        }
      }
    } else {
      for (const Parsed& race : json.at("fingerprints")) {
        baseline.races.emplace(race.at("fingerprint").get<std::string>(), race.at("text").get<std::string>());
      }
    }
  } catch (const Parsed::exception&) {
    throw std::runtime_error("it is no report that anyorder wrote with --json or --sarif");
  }
  return baseline;
}

void compare_with(Report& report, const Baseline& baseline, const std::string& name) {
  BaselineResult result;
  result.name = name;
  std::map<std::string, std::string> gone = baseline.races;
  for (const Fingerprint& fingerprint : fingerprints_of(report)) {
    const bool is_known = gone.erase(fingerprint.value) > 0;
    result.is_known.push_back(is_known);
    if (is_known) ++result.known;
  }
  for (auto& [value, text] : gone) result.gone.push_back(text);
  report.baseline = std::move(result);
}

bool has_news(const Report& report) {
  if (!report.baseline) return true;
  const findings::Findings& found = report.findings;
  if (!found.deadlocks.empty() || found.any_unknown_join(false)) return true;
  return found.races.size() > report.baseline->known;
}

}  // namespace anyorder::report
