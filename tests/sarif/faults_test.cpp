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
const std::vector<Broken>& broken_logs() {
  static const std::vector<Broken> kAll{
      {"/version", R"("2.0.0")"},
      {"/runs", nullptr},
      {"/runs", "{}"},
      {"/runs/0/tool/driver/name", nullptr},
      {"/runs/0/tool/driver/nickname", R"("a")"},
      {"/runs/0/tool/driver/rules/1/id", R"("race")"},
      {"/runs/0/invocations/0/executionSuccessful", nullptr},
      {"/runs/0/invocations/0/executionSuccessful", "1"},
      {"/runs/0/invocations/0/exitCode", "0.5"},
      {"/runs/0/originalUriBaseIds/PWD/uri", R"("file:///app")"},
      {"/runs/0/originalUriBaseIds", "{}"},
      {"/runs/0/results/0/message", nullptr},
      {"/runs/0/results/0/message/text", "1"},
      {"/runs/0/results/0/level", R"("fatal")"},
      {"/runs/0/results/0/ruleIndex", "0"},
      {"/runs/0/results/0/ruleIndex", "2"},
      {"/runs/0/results/0/ruleIndex", "-2"},
      {"/runs/0/results/0/occurrenceCount", "0"},
      {"/runs/0/results/0/relatedLocations/1/id", nullptr},
      {"/runs/0/results/0/relatedLocations/1", R"({"id": 0, "message": {"text": "x"}})"},
      {"/runs/0/results/0/relatedLocations/1/id", "0"},
      {"/runs/0/results/0/stacks/0/frames", nullptr},
      {"/runs/0/results/0/partialFingerprints/f", "1"},
      {"/runs/0/results/0/locations/0/physicalLocation/region/startLine", "0"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation", nullptr},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("a b.cpp")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("a%2.cpp")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", R"("/app/a.cpp")"},
      {"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uriBaseId", R"("SRC")"}};
  return kAll;
}

TEST(SarifFaults, EachIsFound) {
  for (const Broken& broken : broken_logs()) {
    json log = valid();
    const json::json_pointer place(broken.place);
    if (broken.value == nullptr) {
      log[place.parent_pointer()].erase(place.back());
    } else {
      log[place] = json::parse(broken.value);
    }
    EXPECT_EQ(faults(log).size(), 1U)
        << broken.place << ": " << (broken.value != nullptr ? broken.value : "none");
  }
}

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
