#include "frontends/llvm_pass/switches.hpp"

namespace anyorder::llvm_pass {

using llvm::cl::desc;
using llvm::cl::Hidden;
using llvm::cl::init;
using llvm::cl::opt;

opt<bool> no_private_memory("anyorder-no-private-memory", init(false), Hidden,
                            desc("Check memory that cannot be shared, too"));
opt<bool> no_until_known("anyorder-no-until-known", init(false), Hidden,
                         desc("Check memory before others can know of it, too"));
opt<bool> no_covered("anyorder-no-covered", init(false), Hidden,
                     desc("Keep checks that others of the same step cover"));
opt<bool> no_invariants("anyorder-no-invariants", init(false), Hidden,
                        desc("Keep checks of one address in their loops"));
opt<bool> no_ranges("anyorder-no-ranges", init(false), Hidden,
                    desc("Keep checks of rows of addresses in their loops"));
opt<bool> no_exceptions("anyorder-no-exceptions", init(false), Hidden,
                        desc("Keep checks in their loops that one iteration leaves out"));
opt<bool> no_neighbours("anyorder-no-neighbours", init(false), Hidden,
                        desc("Keep ranges apart that lie beside each other"));
opt<bool> no_groups("anyorder-no-groups", init(false), Hidden,
                    desc("Keep checks apart that together fill a word"));
opt<bool> no_summaries("anyorder-no-summaries", init(false), Hidden,
                       desc("Take any call for one that may be a task operation"));
opt<bool> no_inline_copies("anyorder-no-inline-copies", init(false), Hidden,
                           desc("Make calls of all copies"));
opt<bool> no_sites("anyorder-no-sites", init(false), Hidden,
                   desc("Write no records of the places of checks"));

}  // namespace anyorder::llvm_pass
