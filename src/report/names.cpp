#include "report/names.hpp"

#include <algorithm>
#include <cxxabi.h>
#include <dwarf.h>
#include <string_view>
#include <utility>

#include "report/entries.hpp"
#include "report/malloced.hpp"

namespace anyorder::report {

namespace {

bool is_named_scope(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
      return true;
    default:
      return false;
  }
}

// `inside`: the qualified name so far, which begins with what the scope holds.
std::string scope_name(Dwarf_Die* scope, std::string_view inside) {
  const char* name = dwarf_diename(scope);
  if (name != nullptr) return name;
  if (dwarf_tag(scope) == DW_TAG_namespace) return "(anonymous namespace)";
  return inside.starts_with("operator()") ? "{lambda}" : "(unnamed)";
}

// Behind the '<' at `open`: where its '>' is; npos: there is none.
std::size_t end_of_arguments(std::string_view name, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < name.size(); ++at) {
    if (name[at] == '<') ++depth;
    if (name[at] == '>' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

// Where the template argument begins in whose middle the text ends; 0: in none.
std::size_t begin_of_argument(std::string_view text) {
  int depth = 0;
  for (std::size_t at = text.size(); at > 0; --at) {
    const char c = text[at - 1];
    if (c == '>' || c == ')') ++depth;
    if (depth == 0 && c == '<') return at;
    if (depth == 0 && c == ',') return at + 1;
    if (c == '<' || c == '(') --depth;
  }
  return 0;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = 0; (at = text.find(from, done)) != std::string::npos; done = at + from.size()) {
    result.append(text, done, at - done).append(to);
  }
  result.append(text, done);
  text = std::move(result);
}

// Removes every `opening…>`, with the brackets in it.
void remove_arguments(std::string& text, std::string_view opening) {
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos;) {
    const std::size_t end = end_of_arguments(text, at + opening.size() - 1);
    if (end == std::string::npos) return;
    text.erase(at, end - at);
  }
}

}  // namespace

bool is_mangled(std::string_view name) { return name.starts_with("_Z"); }

std::string demangled(const char* name) {
  // A C function called "f" would pass for the mangled name of float.
  if (!is_mangled(name)) return name;
  int status = 0;
  Malloced<char> text(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  if (!text) {  // a part of a variable that clang has split: _ZL5state.0
    const std::string_view parted = name;
    const std::string whole(parted.substr(0, parted.find('.')));
    text.reset(abi::__cxa_demangle(whole.c_str(), nullptr, nullptr, &status));
  }
  if (status != 0 || !text) return name;
  const std::string_view whole = text.get();
  std::string result(whole.substr(0, whole.find(" [clone ")));
  // For linkers alone.
  for (std::size_t at = 0; (at = result.find("[abi:")) != std::string::npos;) {
    result.erase(at, result.find(']', at) - at + 1);
  }
  return result;
}

std::string linkage_name(Dwarf_Die* function) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute) == nullptr &&
      dwarf_attr_integrate(function, DW_AT_MIPS_linkage_name, &attribute) == nullptr) {
    return {};
  }
  const char* name = dwarf_formstring(&attribute);
  return name == nullptr ? std::string() : demangled(name);
}

bool says_too_little(std::string_view name) { return name.empty() || is_mangled(name); }

std::string qualified_name(Dwarf_Die* die) {
  const char* own = dwarf_diename(die);
  if (own == nullptr) return {};
  std::string name = own;
  Dwarf_Die declaration = declaration_of(*die);
  Dwarf_Die* list = nullptr;  // the declaration and all around it
  const int count = dwarf_getscopes_die(&declaration, &list);
  const Malloced<Dwarf_Die> scopes(count > 0 ? list : nullptr);
  for (int i = 1; i < count; ++i) {
    if (is_named_scope(dwarf_tag(list + i))) name.insert(0, scope_name(list + i, name) + "::");
  }
  return name;
}

Dwarf_Die declaration_of(Dwarf_Die die) {
  Dwarf_Die last = die;
  for_each_origin(die, [&](Dwarf_Die origin) { last = origin; });
  return last;
}

std::optional<Dwarf_Die> scope_around(Dwarf_Die* declaration) {
  Dwarf_Die* list = nullptr;
  const int count = dwarf_getscopes_die(declaration, &list);
  const Malloced<Dwarf_Die> scopes(count > 0 ? list : nullptr);
  if (count < 2) return std::nullopt;
  return list[1];
}

std::string readable(std::string_view name) {
  std::string text(name);
  replace_all(text, "std::__cxx11::", "std::");
  replace_all(text, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  replace_all(text, "std::basic_string<char>", "std::string");
  for (const std::string_view added : {", std::allocator<", ", std::less<", ", std::hash<",
                                       ", std::equal_to<", ", std::char_traits<", ", std::default_delete<"}) {
    remove_arguments(text, added);
  }
  replace_all(text, " >", ">");
  for (std::size_t at = 0; (at = text.find("UL", at)) != std::string::npos; ++at) {  // clang's numbers
    const bool is_number = at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
    const bool is_at_end = at + 2 < text.size() && (text[at + 2] == '>' || text[at + 2] == ',');
    if (is_number && is_at_end) text.erase(at, 2);
  }
  return text;
}

std::string in_words(std::string_view function) {
  // As g++ and clang name them. The library's functions have the user's lambda as an argument. Of lambdas in
  // each other it is the function around all of them.
  const std::size_t lambda = std::min(function.find("::{lambda"), function.find("::$_"));
  if (lambda != std::string_view::npos) {
    const std::string_view around = function.substr(0, lambda);
    return "a lambda in " + readable(around.substr(begin_of_argument(around)));
  }
  for (const std::string_view made_up :
       {"__cxx_global_var_init", "__static_initialization_and_destruction_", "_GLOBAL__sub_I_"}) {
    if (function.starts_with(made_up)) return "the initialisation of globals";
  }
  // A coroutine is what g++ calls with its frame: f(f()::_Z1fv.Frame*).
  if (const std::size_t open = function.find('('); function.ends_with(".Frame*)")) {
    const std::string_view frame = function.substr(open + 1);
    return readable(frame.substr(0, frame.rfind("::_Z")));
  }
  // All that a call of the API knows of a lambda.
  if (function == "operator()") return {};
  return readable(function);
}

}  // namespace anyorder::report
