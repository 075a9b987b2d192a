#include "faults.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace anyorder::sarif {
namespace {

using Json = nlohmann::json;

// A type is "string", "uri", "boolean", "integer", "natural" (from 0), "positive" (from 1), "a|b" (one of
// these words), or the kind of an object. Behind it, "[]" means an array of such, "[!]" one without
// duplicates, "{}" an object with such values.
struct Property {
  std::string_view name;
  std::string_view type;
  bool is_required = false;
};
using Shapes = std::map<std::string_view, std::vector<Property>>;

// Sections 3.13 to 3.52 of the standard.
const Shapes& shapes() {
  static const Shapes kShapes{
      {"log", {{"$schema", "uri"}, {"version", "2.1.0|", true}, {"runs", "run[]", true}}},
      {"run",
       {{"tool", "tool", true},
        {"invocations", "invocation[]"},
        {"originalUriBaseIds", "artifactLocation{}"},
        {"columnKind", "utf16CodeUnits|unicodeCodePoints"},
        {"results", "result[]"}}},
      {"tool", {{"driver", "toolComponent", true}}},
      {"toolComponent",
       {{"name", "string", true},
        {"version", "string"},
        {"informationUri", "uri"},
        {"rules", "reportingDescriptor[!]"}}},
      {"reportingDescriptor",
       {{"id", "string", true},
        {"shortDescription", "message"},
        {"defaultConfiguration", "reportingConfiguration"}}},
      {"reportingConfiguration", {{"level", "none|note|warning|error"}}},
      {"invocation",
       {{"executionSuccessful", "boolean", true},
        {"commandLine", "string"},
        {"exitCode", "integer"},
        {"exitSignalNumber", "integer"}}},
      {"result",
       {{"ruleId", "string"},
        {"ruleIndex", "natural"},
        {"level", "none|note|warning|error"},
        {"message", "message", true},
        {"locations", "location[]"},
        {"relatedLocations", "location[!]"},
        {"stacks", "stack[!]"},
        {"partialFingerprints", "string{}"},
        {"occurrenceCount", "positive"}}},
      {"message", {{"text", "string", true}}},
      {"location",
       {{"id", "natural"},
        {"physicalLocation", "physicalLocation"},
        {"logicalLocations", "logicalLocation[!]"},
        {"message", "message"}}},
      {"physicalLocation", {{"artifactLocation", "artifactLocation", true}, {"region", "region"}}},
      {"artifactLocation", {{"uri", "uri"}, {"uriBaseId", "string"}}},
      {"region", {{"startLine", "positive", true}, {"startColumn", "positive"}}},
      {"logicalLocation", {{"fullyQualifiedName", "string"}, {"kind", "string"}}},
      {"stack", {{"message", "message"}, {"frames", "stackFrame[]", true}}},
      {"stackFrame", {{"location", "location"}}}};
  return kShapes;
}

// By RFC 3986: characters that need no coding, or two digits behind a percent sign.
bool is_uri(std::string_view text) {
  constexpr std::string_view kOthers = "-._~:/?#[]@!$&'()*+,;=";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (text[i] == '%') {
      if (!is_digit(i + 1) || !is_digit(i + 2)) return false;
      continue;
    }
    const bool is_ascii = static_cast<unsigned char>(text[i]) < 0x80;
    const bool is_plain = is_ascii && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    if (!is_plain && kOthers.find(text[i]) == std::string_view::npos) return false;
  }
  return true;
}

bool is_one_of(std::string_view words, std::string_view value) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('|'));
    if (word == value) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

class Check {
 public:
  void log(const Json& log) {
    value(log, "log", "log");
    if (!faults_.empty()) return;  // what follows relies on the form
    for (std::size_t i = 0; i < log.at("runs").size(); ++i) {
      run(log.at("runs").at(i), "log.runs[" + std::to_string(i) + ']');
    }
  }
  [[nodiscard]] std::vector<std::string> faults() && { return std::move(faults_); }

 private:
  void fault(const std::string& where, const std::string& what) { faults_.push_back(where + ": " + what); }

  void value(const Json& value, std::string_view type, const std::string& where) {
    if (type.ends_with("[]") || type.ends_with("[!]")) {
      array(value, type, where);
    } else if (type.ends_with("{}")) {
      if (!value.is_object()) return fault(where, "is no object");
      for (const auto& [key, each] : value.items()) {
        this->value(each, type.substr(0, type.size() - 2), where + '.' + key);
      }
    } else if (shapes().contains(type)) {
      object(value, type, where);
    } else {
      plain(value, type, where);
    }
  }

  void array(const Json& value, std::string_view type, const std::string& where) {
    if (!value.is_array()) return fault(where, "is no array");
    std::set<std::string> seen;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string each = where + '[' + std::to_string(i) + ']';
      this->value(value.at(i), type.substr(0, type.find('[')), each);
      if (!seen.insert(value.at(i).dump()).second && type.ends_with("[!]")) {
        fault(each, "is there twice");
      }
    }
  }

  void object(const Json& value, std::string_view kind, const std::string& where) {
    if (!value.is_object()) return fault(where, "is no object");
    const std::vector<Property>& properties = shapes().at(kind);
    for (const Property& property : properties) {
      if (value.contains(property.name)) {
        this->value(value.at(std::string(property.name)), property.type,
                    where + '.' + std::string(property.name));
      } else if (property.is_required) {
        fault(where, "has no " + std::string(property.name));
      }
    }
    for (const auto& [key, each] : value.items()) {
      const bool is_known = std::any_of(properties.begin(), properties.end(),
                                        [&name = key](const Property& known) { return known.name == name; });
      if (!is_known) fault(where, "has a property " + key);
    }
  }

  void plain(const Json& value, std::string_view type, const std::string& where) {
    if (type == "boolean") {
      if (!value.is_boolean()) fault(where, "is neither true nor false");
    } else if (type == "integer" || type == "natural" || type == "positive") {
      const int least = type == "positive" ? 1 : 0;
      if (!value.is_number_integer()) {
        fault(where, "is no whole number");
      } else if (type != "integer" && value.get<std::int64_t>() < least) {
        fault(where, "is less than " + std::to_string(least));
      }
    } else if (!value.is_string()) {
      fault(where, "is no string");
    } else if (type == "uri") {
      if (!is_uri(value.get<std::string>())) fault(where, "is no address: " + value.get<std::string>());
    } else if (type != "string" && !is_one_of(type, value.get<std::string>())) {
      fault(where, value.get<std::string>() + " is none of " + std::string(type));
    }
  }

  void run(const Json& run, const std::string& where) {
    const Json bases = run.value("originalUriBaseIds", Json::object());
    for (const auto& [name, base] : bases.items()) {
      const std::string uri = base.value("uri", "");
      if (!uri.starts_with("file:///") || !uri.ends_with('/')) {
        fault(where, "the base " + name + " is no folder: " + uri);
      }
    }
    const Json rules = run.at("tool").at("driver").value("rules", Json::array());
    std::set<std::string> fingerprints;
    const Json results = run.value("results", Json::array());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string at = where + ".results[" + std::to_string(i) + ']';
      const Json& result = results.at(i);
      const auto rule = result.value("ruleIndex", rules.size());
      if (rule >= rules.size() || rules.at(rule).at("id") != result.value("ruleId", "")) {
        fault(at, "its rule is not that of its index");
      }
      if (result.contains("partialFingerprints") &&
          !fingerprints.insert(result.at("partialFingerprints").dump()).second) {
        fault(at, "has the fingerprint of another result");
      }
      std::set<std::uint64_t> ids;
      for (const Json& related : result.value("relatedLocations", Json::array())) {
        if (!related.contains("id") || !ids.insert(related.at("id").get<std::uint64_t>()).second) {
          fault(at, "a related location has no number of its own");
        }
      }
      addresses(result, bases, at);
    }
  }

  // Of all files that are named below.
  void addresses(const Json& below, const Json& bases, const std::string& where) {
    if (below.is_object() && below.contains("artifactLocation")) {
      const Json& file = below.at("artifactLocation");
      const std::string uri = file.value("uri", "");
      const bool is_relative = file.contains("uriBaseId");
      if (is_relative && !bases.contains(file.at("uriBaseId").get<std::string>())) {
        fault(where, "its base is not defined: " + file.dump());
      }
      if (uri.empty() || uri.starts_with('/') || uri.starts_with("file:///") == is_relative) {
        fault(where, "is neither relative to a base nor a file: " + file.dump());
      }
    }
    if (!below.is_structured()) return;
    for (const Json& part : below) addresses(part, bases, where);
  }

  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> faults(const Json& log) {
  Check check;
  check.log(log);
  return std::move(check).faults();
}

}  // namespace anyorder::sarif
