// What of the pass can be switched off, for measurements and to find out which part is to blame:
// -mllvm -anyorder-no-<name>. README.md of this folder says what each does, and why it keeps the verdict.
#pragma once

#include <llvm/Support/CommandLine.h>

namespace anyorder::llvm_pass {

extern llvm::cl::opt<bool>
    no_private_memory;                      // also memory that cannot be shared, or is constant, is checked
extern llvm::cl::opt<bool> no_until_known;  // memory is checked also before others can know of it
extern llvm::cl::opt<bool> no_covered;      // a check stays if another one of its step covers it
extern llvm::cl::opt<bool> no_invariants;   // a check of one address stays in its loop
extern llvm::cl::opt<bool> no_ranges;       // a check of a row of addresses stays in its loop
extern llvm::cl::opt<bool> no_exceptions;   // a check that one iteration leaves out stays in its loop
extern llvm::cl::opt<bool> no_neighbours;   // ranges beside each other stay apart
extern llvm::cl::opt<bool> no_groups;  // accesses on several lines that fill a word have checks of their own
extern llvm::cl::opt<bool> no_summaries;      // any call of a function may end a step
extern llvm::cl::opt<bool> no_inline_copies;  // copies of a few bytes are calls
extern llvm::cl::opt<bool> no_sites;          // the place of a check is its return address

}  // namespace anyorder::llvm_pass
