// Names of functions and variables, as a programmer would write them.
//
// Contract: pure functions; no thread affinity beyond that of the DIEs they are given.
#pragma once

#include <elfutils/libdw.h>
#include <string>

namespace anyorder::report {

// `name` itself if it is no mangled C++ name. That a compiler made a copy of a function is left out.
[[nodiscard]] std::string demangled(const char* name);

// The demangled linkage name of a function (ordinary, or an inlined copy of one); empty: it has none, which
// in g++'s debug information means that no other unit can call it, or that it is no C++ function.
[[nodiscard]] std::string linkage_name(Dwarf_Die* function);

// The name with the namespaces, classes and functions around its declaration, without parameters; empty: the
// DIE has no name.
[[nodiscard]] std::string qualified_name(Dwarf_Die* die);

}  // namespace anyorder::report
