#include "report/types.hpp"

#include <cstddef>
#include <dwarf.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/names.hpp"

namespace anyorder::report {
namespace {

// Stands in for trust in the file: real types are not nested as deep.
constexpr int kMostNested = 64;

bool is_qualifier(int tag) {
  switch (tag) {
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_atomic_type:
    case DW_TAG_restrict_type:
      return true;
    default:
      return false;
  }
}
bool is_record(int tag) {
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

// As g++ writes them, and as programmers do.
constexpr std::pair<std::string_view, std::string_view> kBaseNames[] = {
    {"long int", "long"},           {"long unsigned int", "unsigned long"},
    {"long long int", "long long"}, {"long long unsigned int", "unsigned long long"},
    {"short int", "short"},         {"short unsigned int", "unsigned short"},
    {"unsigned int", "unsigned"}};

std::string name_of(Dwarf_Die type, int depth);

std::string name_of_target(Dwarf_Die* type, int depth) {
  Dwarf_Die target;
  return type_of(type, &target) ? name_of(target, depth + 1) : "void";
}

// `what` stands where a function's name would.
std::string name_of_function(Dwarf_Die type, std::string_view what, int depth) {
  std::string parameters;
  Dwarf_Die child;
  for (int more = dwarf_child(&type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
    parameters += (parameters.empty() ? "" : ", ") + name_of_target(&child, depth);
  }
  return name_of_target(&type, depth) + ' ' + std::string(what) + '(' + parameters + ')';
}

std::string name_of(Dwarf_Die type, int depth) {
  if (depth > kMostNested) return "…";
  switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type: {
      Dwarf_Die target;
      const bool is_function = type_of(&type, &target) && dwarf_tag(&target) == DW_TAG_subroutine_type;
      return is_function ? name_of_function(target, "(*)", depth) : name_of_target(&type, depth) + '*';
    }
    case DW_TAG_reference_type:
      return name_of_target(&type, depth) + '&';
    case DW_TAG_rvalue_reference_type:
      return name_of_target(&type, depth) + "&&";
    case DW_TAG_const_type:
      return "const " + name_of_target(&type, depth);
    case DW_TAG_volatile_type:
      return "volatile " + name_of_target(&type, depth);
    case DW_TAG_atomic_type:
    case DW_TAG_restrict_type:
      return name_of_target(&type, depth);
    case DW_TAG_subroutine_type:
      return name_of_function(type, "", depth);
    case DW_TAG_ptr_to_member_type:
      return name_of_target(&type, depth) + " (member)";
    default: {
      const std::string name = qualified_name(&type);
      for (const auto& [written, usual] : kBaseNames) {
        if (name == written) return std::string(usual);
      }
      return name.empty() ? "(unnamed)" : readable(name);
    }
  }
}

// Whose insides are not the user's: all of the standard library, but for what is nothing but its members.
bool is_library_type(std::string_view name) {
  for (const std::string_view open : {"std::array<", "std::pair<"}) {
    if (name.starts_with(open)) return false;
  }
  for (const std::string_view open : {"std::", "__gnu_cxx::", "anyorder::detail::", "anyorder::future<"}) {
    if (name.starts_with(open)) return true;
  }
  return false;
}

std::optional<std::uint64_t> number_in(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

// The number of elements in each dimension, from the left; empty: not known.
std::vector<std::uint64_t> dimensions_of(Dwarf_Die* array) {
  std::vector<std::uint64_t> dimensions;
  Dwarf_Die child;
  for (int more = dwarf_child(array, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = number_in(&child, DW_AT_count)) {
      dimensions.push_back(*count);
    } else if (const auto last = number_in(&child, DW_AT_upper_bound)) {
      dimensions.push_back(*last + 1);
    } else {
      return {};
    }
  }
  return dimensions;
}

bool is_lambda(Dwarf_Die* record) {
  if (dwarf_diename(record) != nullptr) return false;
  Dwarf_Die child;
  for (int more = dwarf_child(record, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const char* const name = dwarf_diename(&child);
    if (dwarf_tag(&child) == DW_TAG_subprogram && name != nullptr && std::string_view(name) == "operator()") {
      return true;
    }
  }
  return false;
}

// Nothing if it has no name or its place is not known.
std::optional<ObjectType::BitField> bit_field(Dwarf_Die* member) {
  constexpr std::uint64_t kBits = 8;
  const char* const name = dwarf_diename(member);
  const auto bits = number_in(member, DW_AT_bit_size);
  if (name == nullptr || !bits) return std::nullopt;
  if (const auto first = number_in(member, DW_AT_data_bit_offset)) return {{name, *first, *bits}};
  // Before DWARF 4: counted from the highest bit of a unit of the declared type.
  Dwarf_Die type;
  const auto unit = number_in(member, DW_AT_data_member_location);
  const auto behind = number_in(member, DW_AT_bit_offset);
  const std::uint64_t size = type_of(member, &type) ? size_of_type(&type) : 0;
  if (!unit || !behind || size * kBits < *behind + *bits) return std::nullopt;
  return {{name, *unit * kBits + size * kBits - *behind - *bits, *bits}};
}

}  // namespace

bool type_of(Dwarf_Die* typed, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(typed, DW_AT_type, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, type) != nullptr;
}

std::uint64_t size_of_type(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(type, &size) == 0) return size;
  Dwarf_Die plain;
  if (dwarf_peel_type(type, &plain) != 0) return 0;
  switch (dwarf_tag(&plain)) {  // clang leaves their size to the reader
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      return sizeof(void*);
    default:
      return 0;
  }
}

bool is_destroyed_trivially(Dwarf_Die type) {
  std::vector<Dwarf_Die> pending{type};
  for (int seen = 0; !pending.empty(); ++seen) {
    if (seen == 16 * kMostNested) return false;
    Dwarf_Die plain;
    if (dwarf_peel_type(&pending.back(), &plain) != 0) return false;
    pending.pop_back();
    Dwarf_Die element;
    if (dwarf_tag(&plain) == DW_TAG_array_type && type_of(&plain, &element)) pending.push_back(element);
    if (!is_record(dwarf_tag(&plain))) continue;
    if (dwarf_hasattr(&plain, DW_AT_declaration) != 0) return false;
    Dwarf_Die child;
    for (int more = dwarf_child(&plain, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      const char* const name = dwarf_diename(&child);
      if (tag == DW_TAG_subprogram && name != nullptr && name[0] == '~') return false;
      if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(&child, DW_AT_external) != 0) {
        continue;
      }
      Dwarf_Die its_type;
      if (!type_of(&child, &its_type)) return false;
      pending.push_back(its_type);
    }
  }
  return true;
}

std::shared_ptr<const ObjectType> Types::of(Dwarf_Die* typed) {
  Dwarf_Die type;
  return type_of(typed, &type) ? made(type, 0) : nullptr;
}

std::shared_ptr<const ObjectType> Types::made(Dwarf_Die type, int depth) {
  const void* const key = type.addr;
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (depth > kMostNested) return nullptr;

  ObjectType result;
  result.name = name_of(type, depth);
  result.size = size_of_type(&type);
  Dwarf_Die plain = type;
  // Aliases keep their own name; what they are made of is that of the type behind them.
  for (int step = 0; step < kMostNested; ++step) {
    const int tag = dwarf_tag(&plain);
    Dwarf_Die target;
    if ((tag != DW_TAG_typedef && !is_qualifier(tag)) || !type_of(&plain, &target)) break;
    plain = target;
  }
  std::shared_ptr<const ObjectType> whole;
  if (dwarf_tag(&plain) == DW_TAG_array_type) {
    const std::vector<std::uint64_t> dimensions = dimensions_of(&plain);
    Dwarf_Die element;
    if (!dimensions.empty() && type_of(&plain, &element)) whole = made(element, depth + 1);
    for (auto count = dimensions.rbegin(); whole && count != dimensions.rend(); ++count) {
      whole = array_of(whole, *count * whole->size);
    }
  } else if (is_record(dwarf_tag(&plain)) && !is_library_type(name_of(plain, depth))) {
    add_members(result, &plain, depth);
  }
  if (!whole) whole = std::make_shared<const ObjectType>(std::move(result));
  return known_.emplace(key, std::move(whole)).first->second;
}

void Types::add_members(ObjectType& type, Dwarf_Die* record, int depth) {
  const bool is_array = std::string_view(name_of(*record, depth)).starts_with("std::array<");
  const bool is_closure = is_lambda(record);
  Dwarf_Die child;
  for (int more = dwarf_child(record, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    if (dwarf_hasattr(&child, DW_AT_external) != 0) continue;  // a static member
    if (dwarf_hasattr(&child, DW_AT_bit_size) != 0) {
      if (auto field = bit_field(&child)) type.bit_fields.push_back(*std::move(field));
      continue;
    }
    const auto offset = number_in(&child, DW_AT_data_member_location);
    if (!offset && dwarf_tag(record) != DW_TAG_union_type) continue;
    Dwarf_Die its_type;
    if (!type_of(&child, &its_type)) continue;
    auto made_type = made(its_type, depth + 1);
    if (!made_type || made_type->size == 0) continue;
    const char* name = is_array || tag == DW_TAG_inheritance ? nullptr : dwarf_diename(&child);
    std::string_view shown = name == nullptr ? "" : name;
    if (is_closure && shown.starts_with("__")) shown.remove_prefix(2);  // g++ names captures so
    type.members.push_back({std::string(shown), offset.value_or(0), std::move(made_type)});
  }
}

}  // namespace anyorder::report
