// What a block of the heap holds, by what took it: containers of the standard library say so in the type of
// their allocator; for a new-expression the source line has the name, and debug information the type of that
// name. Where that leaves a doubt nothing is said, nor of `malloc`.
//
// Contract: not thread-safe; uses the image it was given as long as it lives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "findings/source.hpp"
#include "report/image.hpp"
#include "report/named_types.hpp"
#include "report/new_expression.hpp"
#include "report/source_files.hpp"
#include "report/symbolizer.hpp"
#include "report/types.hpp"

namespace anyorder::report {

class Allocations {
 public:
  Allocations(Image& image, Types& types, Symbolizer& symbolizer, SourceFiles files)
      : image_(image), types_(types), symbolizer_(symbolizer), files_(std::move(files)) {}

  // Of a block of so many bytes that was allocated there, a stack of addresses; null: not known. A block with
  // room for several is an array.
  [[nodiscard]] std::shared_ptr<const ObjectType> type_of(const findings::Trace& allocated_at,
                                                          std::uint64_t bytes);

 private:
  [[nodiscard]] std::shared_ptr<const ObjectType> element_at(std::uintptr_t pc);
  // By the new-expression there.
  [[nodiscard]] std::shared_ptr<const ObjectType> type_of_new(std::uintptr_t pc, std::uint64_t bytes);
  // Of so many bytes, or for an array that has so many; the expression is in that file.
  [[nodiscard]] std::shared_ptr<const ObjectType> named_type(const NewExpression& expression,
                                                             std::uintptr_t pc, std::uint64_t bytes,
                                                             const std::string& file);
  [[nodiscard]] std::optional<Dwarf_Die> function_at(const Unit& unit, std::uintptr_t pc);

  Image& image_;
  Types& types_;
  Symbolizer& symbolizer_;
  SourceFiles files_;
  NamedTypes named_types_;
  std::map<std::uintptr_t, std::shared_ptr<const ObjectType>> elements_;  // by pc
};

}  // namespace anyorder::report
