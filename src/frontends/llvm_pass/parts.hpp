// The way from an object to a part of it, in the words of debug information: members and elements.
//
// Contract: pure; types live as long as the module.
#pragma once

#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <string>

namespace anyorder::llvm_pass {

// An object, or a pointer to one.
struct Named {
  std::string text;
  const llvm::DIType* type;
  bool is_start = false;  // a pointer to the first element of a container
};

// Where an address is, seen from another one.
struct Way {
  std::int64_t offset = 0;
  llvm::SmallVector<std::uint64_t, 4> scales;  // of indexes that are not constant
  std::uint64_t bytes = 0;                     // that are accessed there
};

// Names the part of the object to which the way leads, or the smallest that is known to have it.
[[nodiscard]] Named part_of(Named object, Way way);

// The same from where a pointer or a reference leads. No text: it is neither, or leads to what is not known.
[[nodiscard]] Named part_behind(const Named& pointer, Way way);

// Of the language's implementation: such a name is no word of the user's.
[[nodiscard]] bool is_reserved(llvm::StringRef name);

}  // namespace anyorder::llvm_pass
