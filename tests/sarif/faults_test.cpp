// The rules find what breaks them.
#include "faults.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace anyorder::sarif {
namespace {

using nlohmann::json;

json valid() {
  return json::parse(R"({
    "version": "2.1.0",
    "runs": [{
      "tool": {"driver": {"name": "anyorder", "rules": [{"id": "race"}, {"id": "deadlock"}]}},
      "originalUriBaseIds": {"PWD": {"uri": "file:///app/"}},
      "invocations": [{"executionSuccessful": true, "exitCode": -1}],
      "results": [{
        "ruleId": "deadlock", "ruleIndex": 1, "level": "error", "message": {"text": "x"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b.cpp", "uriBaseId": "PWD"},
                                            "region": {"startLine": 1, "startColumn": 1}}}],
        "relatedLocations": [{"id": 0}, {"id": 1}],
        "stacks": [{"frames": [{"location": {}}, {"location": {}}]}],
        "partialFingerprints": {"f/v1": "a"}, "occurrenceCount": 1}]}]})");
}

TEST(SarifFaults, AValidLogHasNone) { EXPECT_EQ(faults(valid()), std::vector<std::string>{}); }

// The same log with another value at one place (null: nothing there).
struct Broken {
  const char* place;
  const char* value;
};
class BrokenLogs : public testing::TestWithParam<Broken> {};

TEST_P(BrokenLogs, AreFound) {
  json log = valid();
  const json::json_pointer place(GetParam().place);
  if (GetParam().value == nullptr) {
    log[place.parent_pointer()].erase(place.back());
  } else {
    log[place] = json::parse(GetParam().value);
  }
  EXPECT_EQ(faults(log).size(), 1U) << log.dump(1);
}

INSTANTIATE_TEST_SUITE_P(
    SarifFaults, BrokenLogs,
    testing::Values(
        Broken{"/version", R"("2.0.0")"}, Broken{"/runs", nullptr}, Broken{"/runs", "{}"},
        Broken{"/runs/0/tool/driver/name", nullptr}, Broken{"/runs/0/tool/driver/nickname", R"("a")"},
        Broken{"/runs/0/tool/driver/rules/1/id", R"("race")"},
        Broken{"/runs/0/invocations/0/executionSuccessful", nullptr},
        Broken{"/runs/0/invocations/0/executionSuccessful", "1"},
        Broken{"/runs/0/invocations/0/exitCode", "0.5"},
        Broken{"/runs/0/originalUriBaseIds/PWD/uri", R"("file:///app")"},
        Broken{"/runs/0/originalUriBaseIds", "{}"}, Broken{"/runs/0/results/0/message", nullptr},
        Broken{"/runs/0/results/0/message/text", "1"}, Broken{"/runs/0/results/0/level", R"("fatal")"},
        Broken{"/runs/0/results/0/ruleIndex", "0"}, Broken{"/runs/0/results/0/ruleIndex", "2"},
        Broken{"/runs/0/results/0/ruleIndex", "-2"}, Broken{"/runs/0/results/0/occurrenceCount", "0"},
        Broken{"/runs/0/results/0/relatedLocations/1/id", nullptr},
        Broken{"/runs/0/results/0/relatedLocations/1", R"({"id": 0, "message": {"text": "x"}})"},
        Broken{"/runs/0/results/0/relatedLocations/1/id", "0"},
        Broken{"/runs/0/results/0/stacks/0/frames", nullptr},
        Broken{"/runs/0/results/0/partialFingerprints/f", "1"},
        Broken{"/runs/0/results/0/locations/0/physicalLocation/region/startLine", "0"},
        Broken{"/runs/0/results/0/locations/0/physicalLocation/artifactLocation", nullptr},
        Broken{"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("a b.cpp")"},
        Broken{"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("a%2.cpp")"},
        Broken{"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("/app/a.cpp")"},
        Broken{"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uriBaseId", R"("SRC")"}));

TEST(SarifFaults, OneFingerprintIsOfOneResult) {
  json log = valid();
  json& results = log["runs"][0]["results"];
  results.push_back(results[0]);
  EXPECT_EQ(faults(log).size(), 1U);
  results[1]["partialFingerprints"]["f/v1"] = "b";
  EXPECT_TRUE(faults(log).empty());
}

}  // namespace
}  // namespace anyorder::sarif
