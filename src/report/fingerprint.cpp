#include "report/fingerprint.hpp"

#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>
#include <variant>

#include "findings/own_code.hpp"
#include "report/hexadecimal.hpp"
#include "report/page.hpp"
#include "report/race_text.hpp"

namespace anyorder::report {

namespace {

// FNV-1a: the same for all time and everywhere.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);
  }
  [[nodiscard]] std::string digits() const {
    const std::string text = hexadecimal(value_).substr(2);
    return std::string(16 - text.size(), '0') + text;
  }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100'0000'01b3U; }
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325U;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// One access, without its line's number if its text is known.
std::string description(const findings::Access& access, SourceFiles& files) {
  const findings::SourceLine& site = access.site().source;
  std::string text(findings::to_string(access.kind));
  const std::string_view file = site.file;
  text.append(1, '\n').append(file.substr(file.find_last_of('/') + 1)).append(1, '\n').append(site.function);
  const std::string* line = files.line(site.file, site.line);
  text.append(1, '\n').append(line == nullptr ? std::to_string(site.line) : std::string(trimmed(*line)));
  return text;
}

std::string variable_of(const findings::Race& race) {
  const auto& object = race.memory.object;
  if (const auto* global = std::get_if<findings::GlobalMemory>(&object)) return global->symbol;
  if (const auto* local = std::get_if<findings::LocalMemory>(&object)) return local->variable;
  return {};
}

}  // namespace

std::vector<Fingerprint> fingerprints_of(const Report& report) {
  std::vector<Fingerprint> fingerprints;
  SourceFiles files(std::nullopt);
  std::ostringstream nowhere;
  const TextStyle style;
  const Page page(nowhere, style, SourceFiles(std::nullopt));
  std::map<std::string, unsigned> seen;
  for (const findings::RaceGroup& group : report.findings.races) {
    const findings::Race& race = representative(group);
    std::string one = description(race.first, files);
    std::string other = description(race.second, files);
    if (other < one) std::swap(one, other);
    Hash hash;
    for (const std::string& part : {one, other, variable_of(race)}) hash.add(part);
    std::string value = hash.digits();
    // Lines that look alike, in one function.
    if (const unsigned before = seen[value]++; before > 0) value += '-' + std::to_string(before + 1);
    fingerprints.push_back({std::move(value), std::string(findings::to_string(race.kind())) + " race on " +
                                                  object_of(page, report, race) + ": " +
                                                  page.place(race.first.site()) + " and " +
                                                  page.place(race.second.site())});
  }
  return fingerprints;
}

}  // namespace anyorder::report
