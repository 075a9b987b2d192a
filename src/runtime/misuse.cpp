#include "runtime/misuse.hpp"

#include "anyorder/errors.hpp"

namespace anyorder {

usage_error::~usage_error() = default;

namespace runtime {

std::string text_of(const source_site& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

void throw_misuse(const source_site& site, const std::string& what) {
  throw usage_error(text_of(site) + ": " + what);
}

void throw_inside_isolated(const source_site& site, const char* operation,
                           const detail::IsolatedSection& section) {
  throw_misuse(site, std::string(operation) + " inside an isolated section (entered at " +
                         text_of(section.site) + "): a section may not create or wait for tasks, or nest");
}

}  // namespace runtime
}  // namespace anyorder
