// What an access is to, in the words of the source: "grid[...]", "this->scores", "*next".
//
// Contract: pure. Only what debug information says is in a name: variables, members, elements. An index that
// is not a constant is "[...]". Members whose names are reserved, as those of std::vector, are left out:
// "scores[...]".
#pragma once

#include <cstdint>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Value.h>
#include <string>

namespace anyorder::llvm_pass {

// For an access of so many bytes, made at the place; empty: not known.
[[nodiscard]] std::string expression_of(llvm::Value& address, std::uint64_t bytes, const llvm::DILocation* at,
                                        const llvm::DataLayout& layout);

}  // namespace anyorder::llvm_pass
