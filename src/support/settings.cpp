#include "support/settings.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace anyorder::support {
namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) noexcept {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<unsigned> parse_count(std::string_view text) noexcept { return parse_whole<unsigned>(text); }

std::optional<std::size_t> parse_bytes(std::string_view text) noexcept {
  std::size_t unit = 1;
  if (!text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K':
        unit = std::size_t{1} << 10;
        break;
      case 'm':
      case 'M':
        unit = std::size_t{1} << 20;
        break;
      case 'g':
      case 'G':
        unit = std::size_t{1} << 30;
        break;
      default:
        break;
    }
    if (unit != 1) text.remove_suffix(1);
  }
  const auto count = parse_whole<std::size_t>(text);
  if (!count || *count > std::numeric_limits<std::size_t>::max() / unit) return std::nullopt;
  return *count * unit;
}

std::optional<std::string_view> value_of(const Setting& setting) noexcept {
  const char* text = std::getenv(setting.name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return text;
}

void reject(const Setting& setting, std::string_view value) noexcept {
  std::fprintf(stderr, "anyorder: %s=%.*s is not understood (%s; default: %s)\n", setting.name,
               static_cast<int>(value.size()), value.data(), setting.help, setting.fallback);
  std::_Exit(kUsageExit);
}

}  // namespace anyorder::support
