// Names of functions and variables, as a programmer would write them.
//
// Contract: pure functions; no thread affinity beyond that of the DIEs they are given.
#pragma once

#include <elfutils/libdw.h>
#include <optional>
#include <string>
#include <string_view>

namespace anyorder::report {

[[nodiscard]] bool is_mangled(std::string_view name);

// `name` itself if it is no mangled C++ name. That a compiler made a copy of a function is left out.
[[nodiscard]] std::string demangled(const char* name);

// The demangled linkage name of a function (ordinary, or an inlined copy of one); empty: it has none, which
// in g++'s debug information means that no other unit can call it, or that it is no C++ function.
[[nodiscard]] std::string linkage_name(Dwarf_Die* function);

// Whether a demangled linkage name is no name for a reader: the demangler gives up on names of thousands of
// characters.
[[nodiscard]] bool says_too_little(std::string_view name);

// The name with the namespaces, classes and functions around its declaration, without parameters; empty: the
// DIE has no name.
[[nodiscard]] std::string qualified_name(Dwarf_Die* die);

// The DIE at which the name was declared: a definition refers to its declaration, an inlined copy to its
// original.
[[nodiscard]] Dwarf_Die declaration_of(Dwarf_Die die);

// What a declaration stands in: a class, a namespace, a function…
[[nodiscard]] std::optional<Dwarf_Die> scope_around(Dwarf_Die* declaration);

// A type's or function's name without what templates of the standard library add by themselves: allocators,
// comparisons and the like.
[[nodiscard]] std::string readable(std::string_view name);

// The name of a function in a sentence: a lambda is one in the function that a programmer wrote around it.
[[nodiscard]] std::string in_words(std::string_view function);

}  // namespace anyorder::report
