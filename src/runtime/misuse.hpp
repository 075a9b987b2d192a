// Answers to wrong use of the API: usage_error, with the source line first.
#pragma once

#include <string>

#include "anyorder/isolated.hpp"
#include "anyorder/source_site.hpp"

namespace anyorder::runtime {

// As messages have it: file:line.
[[nodiscard]] std::string text_of(const source_site& site);

[[noreturn]] void throw_misuse(const source_site& site, const std::string& what);
// An operation that is not legal inside an isolated section was called there.
[[noreturn]] void throw_inside_isolated(const source_site& site, const char* operation,
                                        const detail::IsolatedSection& section);

}  // namespace anyorder::runtime
