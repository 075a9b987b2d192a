// What a block of the heap holds, by the allocator that took it: containers of the standard library say so in
// the type of their allocator. Of plain `new` and `malloc` debug information does not tell.
//
// Contract: not thread-safe; uses the image it was given as long as it lives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "findings/source.hpp"
#include "report/image.hpp"
#include "report/types.hpp"

namespace anyorder::report {

class Allocations {
 public:
  Allocations(Image& image, Types& types) : image_(image), types_(types) {}

  // Of a block of so many bytes that was allocated there, a stack of addresses; null: not known. A block with
  // room for several is an array.
  [[nodiscard]] std::shared_ptr<const ObjectType> type_of(const findings::Trace& allocated_at,
                                                          std::uint64_t bytes);

 private:
  [[nodiscard]] std::shared_ptr<const ObjectType> element_at(std::uintptr_t pc);

  Image& image_;
  Types& types_;
  std::map<std::uintptr_t, std::shared_ptr<const ObjectType>> elements_;  // by pc
};

}  // namespace anyorder::report
