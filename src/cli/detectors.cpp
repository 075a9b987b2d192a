#include "cli/detectors.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "detect/registered.hpp"

namespace anyorder::cli {
namespace {

#define ANYORDER_TRAITS_OF(name, type) type::kTraits,
constexpr auto kDetectors =
    std::to_array<events::DetectorTraits>({ANYORDER_FOR_EACH_DETECTOR(ANYORDER_TRAITS_OF)});
#undef ANYORDER_TRAITS_OF

constexpr bool has_default() {
  return std::any_of(kDetectors.begin(), kDetectors.end(),
                     [](const auto& traits) { return traits.name == kDefaultDetector; });
}
static_assert(has_default(), "the default detector is not registered");

constexpr std::array<std::pair<events::Construct, std::string_view>, 4> kConstructs{{
    {events::Construct::async_finish, "async-finish"},
    {events::Construct::fork_join, "fork-join"},
    {events::Construct::futures, "futures"},
    {events::Construct::isolated, "isolated"},
}};

std::vector<std::string_view> words_for(events::Constructs accepted) {
  std::vector<std::string_view> words;
  for (const auto& [construct, word] : kConstructs) {
    if (accepted.contains(construct)) words.push_back(word);
  }
  return words;
}

std::string_view word_for(events::Execution execution) {
  switch (execution) {
    case events::Execution::serial_depth_first:
      return "serial";
    case events::Execution::parallel:
      return "parallel";
    case events::Execution::controlled:
      return "controlled";
  }
  return {};
}

std::string_view words_for(events::Guarantee guarantee) {
  return guarantee == events::Guarantee::all_schedules_of_this_input ? "all schedules of this input"
                                                                     : "one order of isolated sections";
}

std::string joined(const std::vector<std::string_view>& words, std::string_view between,
                   std::string_view around) {
  std::string text;
  for (const auto word : words) {
    if (!text.empty()) text += between;
    text.append(around).append(word).append(around);
  }
  return text;
}

// No string here needs escapes: they are names and words of ours.
void print_json(std::ostream& out) {
  out << "[";
  const char* between = "\n";
  for (const auto& traits : kDetectors) {
    out << std::exchange(between, ",\n") << R"(  { "name": ")" << traits.name << R"(", "constructs": [)"
        << joined(words_for(traits.accepts), ", ", "\"") << R"(], "executor": ")" << word_for(traits.needs)
        << R"(", "covers": ")" << words_for(traits.guarantee) << R"(", "default": )"
        << (traits.name == kDefaultDetector ? "true" : "false") << " }";
  }
  out << "\n]\n";
}

void print_table(std::ostream& out) {
  std::vector<std::array<std::string, 4>> rows{
      {"detector", "constructs", "executor", "a clean verdict covers"}};
  for (const auto& traits : kDetectors) {
    std::string name = traits.name;
    if (name == kDefaultDetector) name += " (default)";
    rows.push_back({std::move(name), joined(words_for(traits.accepts), ", ", ""),
                    std::string(word_for(traits.needs)), std::string(words_for(traits.guarantee))});
  }
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::ostringstream line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      line << std::left << std::setw(static_cast<int>(widths[i]) + 2) << row[i];
    }
    out << line.str() << row.back() << '\n';
  }
}

}  // namespace

std::span<const events::DetectorTraits> known_detectors() { return kDetectors; }

bool is_known_detector(std::string_view name) {
  return std::any_of(kDetectors.begin(), kDetectors.end(),
                     [&](const auto& traits) { return traits.name == name; });
}

std::string names_of_detectors() {
  std::vector<std::string_view> names;
  names.reserve(kDetectors.size());
  for (const auto& traits : kDetectors) names.emplace_back(traits.name);
  return joined(names, ", ", "");
}

int detectors(std::span<const std::string> arguments) {
  CLI::App app(
      "Lists the detectors: what each accepts, how it runs the program, and what its verdict covers.",
      "anyorder detectors");
  bool json = false;
  set_usage(app, "anyorder detectors [--json]");
  app.add_flag("--json", json, "as JSON");
  if (const auto code = parse(app, arguments)) return *code;
  if (json) {
    print_json(std::cout);
  } else {
    print_table(std::cout);
  }
  return kExitSuccess;
}

}  // namespace anyorder::cli
