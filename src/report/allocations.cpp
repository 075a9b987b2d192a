#include "report/allocations.hpp"

#include <algorithm>
#include <dwarf.h>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/names.hpp"

namespace anyorder::report {
namespace {

// The class that a function is a member of, if it is an allocator.
std::optional<Dwarf_Die> allocator_of(Dwarf_Die* function) {
  Dwarf_Die declaration = declaration_of(*function);
  std::optional<Dwarf_Die> scope = scope_around(&declaration);
  if (!scope) return std::nullopt;
  const char* name = dwarf_diename(&*scope);
  if (name == nullptr) return std::nullopt;
  for (const std::string_view open : {"__new_allocator<", "new_allocator<", "allocator<"}) {
    if (std::string_view(name).starts_with(open)) return scope;
  }
  return std::nullopt;
}

std::shared_ptr<const ObjectType> with_pointers(std::shared_ptr<const ObjectType> type,
                                                const std::string& pointers) {
  if (!type || pointers.empty()) return type;
  ObjectType pointer;
  pointer.name = type->name + pointers;
  pointer.size = sizeof(void*);
  return std::make_shared<const ObjectType>(std::move(pointer));
}

// dwarf_decl_file would do, if it knew that the files of DWARF 5 begin at 0.
bool is_declared_in(const Unit& unit, Dwarf_Die type, const std::string& file) {
  Dwarf_Die code = unit.code;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_getsrcfiles(&code, &files, &count) != 0 ||
      dwarf_attr(&type, DW_AT_decl_file, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &number) != 0 || number >= count) {
    return false;
  }
  const char* const declared_in = dwarf_filesrc(files, number, nullptr, nullptr);
  return declared_in != nullptr &&
         std::filesystem::path(declared_in).filename() == std::filesystem::path(file).filename();
}

// A member by its name, also of a base class.
struct FoundMember {
  Dwarf_Die type;
  std::uint64_t offset;
};
std::optional<FoundMember> member_of(Dwarf_Die record, std::string_view name) {
  constexpr int kMostBases = 32;  // of all generations: stands in for trust in the file
  std::vector<FoundMember> pending{{record, 0}};
  for (int seen = 0; !pending.empty() && seen < kMostBases; ++seen) {
    FoundMember at = pending.back();
    pending.pop_back();
    Dwarf_Die child;
    for (int more = dwarf_child(&at.type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      const bool is_base = dwarf_tag(&child) == DW_TAG_inheritance;
      const char* const its_name = dwarf_diename(&child);
      const bool is_it = dwarf_tag(&child) == DW_TAG_member && its_name != nullptr && its_name == name;
      Dwarf_Attribute attribute;
      Dwarf_Word location = 0;
      Dwarf_Die type;
      if ((!is_base && !is_it) || dwarf_attr(&child, DW_AT_data_member_location, &attribute) == nullptr ||
          dwarf_formudata(&attribute, &location) != 0 || !type_of(&child, &type)) {
        continue;
      }
      if (is_it) return FoundMember{type, at.offset + location};
      pending.push_back({type, at.offset + location});
    }
  }
  return std::nullopt;
}

// Types of the library that hold an object of the user's, as bytes, beside what is the library's.
struct Holder {
  std::string_view opening;
  std::vector<std::string_view> way;  // from member to member, to the bytes
  std::string_view held;              // the template's parameter
  std::string_view words;             // in front of the name of the user's type
};
const std::vector<Holder>& holders() {
  static const std::vector<Holder> kHolders{
      {"std::_Sp_counted_ptr_inplace<", {"_M_impl", "_M_storage"}, "_Tp", "shared "},
      {"std::_Rb_tree_node<", {"_M_storage"}, "_Val", "tree node of "},
      {"std::_List_node<", {"_M_storage"}, "_Tp", "list node of "},
      {"std::_Fwd_list_node<", {"_M_storage"}, "_Tp", "list node of "},
      {"std::__detail::_Hash_node<", {"_M_storage"}, "_Value", "hash node of "}};
  return kHolders;
}

// Such a type with the members of the user's object for its own.
std::shared_ptr<const ObjectType> held_object(Types& types, Dwarf_Die holder,
                                              const std::shared_ptr<const ObjectType>& whole) {
  if (!whole) return whole;
  const auto kind = std::find_if(holders().begin(), holders().end(),
                                 [&](const Holder& known) { return whole->name.starts_with(known.opening); });
  if (kind == holders().end()) return whole;
  FoundMember at{holder, 0};
  for (const std::string_view name : kind->way) {
    const std::optional<FoundMember> member = member_of(at.type, name);
    if (!member) return whole;
    at = {member->type, at.offset + member->offset};
  }
  const std::optional<Dwarf_Die> held = NamedTypes::template_argument(holder, std::string(kind->held));
  const std::shared_ptr<const ObjectType> object = held ? types.made(*held) : nullptr;
  if (!object || object->size == 0 || at.offset + object->size > whole->size) return whole;
  ObjectType shown;
  shown.name = std::string(kind->words) + object->name;
  shown.size = whole->size;
  shown.members.push_back({"", at.offset, object});
  return std::make_shared<const ObjectType>(std::move(shown));
}

// The type that a function has for a template's parameter; of std::make_unique for an array, of its elements.
std::optional<Dwarf_Die> argument_in(Dwarf_Die function, std::string_view name) {
  constexpr std::string_view kElement = "remove_extent_t<";
  if (!name.starts_with(kElement)) return NamedTypes::template_argument(function, name);
  name.remove_prefix(kElement.size());
  std::optional<Dwarf_Die> array = NamedTypes::template_argument(function, name.substr(0, name.find('>')));
  Dwarf_Die element;
  if (!array || dwarf_tag(&*array) != DW_TAG_array_type || !type_of(&*array, &element)) return std::nullopt;
  return element;
}

}  // namespace

std::shared_ptr<const ObjectType> Allocations::element_at(std::uintptr_t pc) {
  const auto [entry, is_new] = elements_.try_emplace(pc);
  if (!is_new) return entry->second;
  const std::optional<Unit> unit = image_.unit_at(pc);
  if (!unit) return nullptr;
  for (Dwarf_Die& scope : image_.scopes_at(*unit, pc)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    std::optional<Dwarf_Die> allocator = allocator_of(&scope);
    if (!allocator) continue;
    Dwarf_Die child;
    for (int more = dwarf_child(&*allocator, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      if (dwarf_tag(&child) != DW_TAG_template_type_parameter) continue;
      Dwarf_Die element;
      if (!report::type_of(&child, &element)) return nullptr;
      return entry->second = held_object(types_, element, types_.made(element));
    }
  }
  return nullptr;
}

std::shared_ptr<const ObjectType> Allocations::type_of(const findings::Trace& allocated_at,
                                                       std::uint64_t bytes) {
  // The allocator is near: what called its container is not asked.
  constexpr int kMostFrames = 3;
  int seen = 0;
  for (const findings::Frame& frame : allocated_at) {
    if (frame.pc == 0 || ++seen > kMostFrames) break;
    std::shared_ptr<const ObjectType> element = element_at(frame.pc);
    if (!element || element->size == 0) continue;
    if (bytes == element->size) return element;
    return bytes > element->size ? array_of(element, bytes) : nullptr;
  }
  const std::uintptr_t pc = allocated_at.innermost().pc;
  return pc == 0 ? nullptr : type_of_new(pc, bytes);
}

std::shared_ptr<const ObjectType> Allocations::type_of_new(std::uintptr_t pc, std::uint64_t bytes) {
  const findings::SourceLine source = symbolizer_.frames_at(pc).front().source;
  if (!source.known() || files_.has_changed(source.file)) return nullptr;
  const std::string* const line = files_.line(source.file, source.line);
  if (line == nullptr) return nullptr;
  const std::optional<NewExpression> expression = new_expression_at(*line, source.column);
  if (!expression || bytes == 0) return nullptr;
  std::shared_ptr<const ObjectType> element = named_type(*expression, pc, bytes, source.file);
  if (!element || element->size == 0) return nullptr;
  if (expression->is_array) return bytes % element->size == 0 ? array_of(element, bytes) : nullptr;
  return bytes == element->size ? element : nullptr;
}

std::shared_ptr<const ObjectType> Allocations::named_type(const NewExpression& expression, std::uintptr_t pc,
                                                          std::uint64_t bytes, const std::string& file) {
  if (const std::uint64_t size = size_of_builtin(expression.name); size != 0) {
    ObjectType builtin;
    builtin.name = expression.name == "unsigned int" ? "unsigned" : expression.name;
    builtin.size = size;
    return with_pointers(std::make_shared<const ObjectType>(std::move(builtin)), expression.pointers);
  }
  const std::optional<Unit> unit = image_.unit_at(pc);
  const std::optional<Dwarf_Die> function = unit ? function_at(*unit, pc) : std::nullopt;
  if (!function) return nullptr;
  const auto fits = [&](Dwarf_Die candidate) {
    if (!expression.pointers.empty()) return true;
    const std::uint64_t size = size_of_type(&candidate);
    if (!expression.is_array) return size == bytes;
    // The number of elements that have to be destroyed would be in front of them.
    return size != 0 && bytes % size == 0 && is_destroyed_trivially(candidate);
  };
  std::optional<Dwarf_Die> type = argument_in(*function, expression.name);
  if (type) {
    if (!fits(*type)) return nullptr;
  } else {
    // Debug information leaves out types and aliases that no variable has.
    const Declarations declared = declarations_of(files_.lines(file), expression.name);
    if (declared.aliases != 0 || declared.types > 1) return nullptr;
    type = named_types_.find(*unit, *function, expression.name, fits);
    if (type && declared.types == 1 && !is_declared_in(*unit, *type, file)) return nullptr;
  }
  return type ? with_pointers(types_.made(*type), expression.pointers) : nullptr;
}

std::optional<Dwarf_Die> Allocations::function_at(const Unit& unit, std::uintptr_t pc) {
  for (Dwarf_Die& scope : image_.scopes_at(unit, pc)) {
    const int tag = dwarf_tag(&scope);
    if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) return scope;
  }
  return std::nullopt;
}

}  // namespace anyorder::report
