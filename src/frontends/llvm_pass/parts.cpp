#include "frontends/llvm_pass/parts.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <utility>

namespace anyorder::llvm_pass {
namespace {

using llvm::DICompositeType;
using llvm::DIDerivedType;
using llvm::DIType;
using llvm::StringRef;

const DIType* without_qualifiers(const DIType* type) {
  while (const auto* const derived = llvm::dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type:
        type = derived->getBaseType();
        break;
      default:
        return type;
    }
  }
  return type;
}

std::uint64_t bytes_of(const DIType* type) {
  type = without_qualifiers(type);
  return type == nullptr ? 0 : type->getSizeInBits() / 8;
}

bool is_lambda(const DIType* type) {
  return type->getTag() == llvm::dwarf::DW_TAG_class_type && type->getName().empty();
}

// Takes those away that choose among things so far apart.
bool take_scales(Way& way, std::uint64_t apart) {
  const auto before = way.scales.size();
  llvm::erase_if(way.scales, [&](std::uint64_t scale) { return scale % apart == 0; });
  return way.scales.size() != before;
}

void add_index(std::string& text, Way& way, std::uint64_t apart) {
  const auto size = static_cast<std::int64_t>(apart);
  if (take_scales(way, apart)) {
    text += "[...]";
  } else {
    text.append("[").append(std::to_string(way.offset / size)).append("]");
  }
  way.offset = (way.offset % size + size) % size;
}

// A base class without data lies where others do.
bool is_empty_base(const DIDerivedType& member) {
  const auto* const base = llvm::dyn_cast_or_null<DICompositeType>(without_qualifiers(member.getBaseType()));
  if (member.getTag() != llvm::dwarf::DW_TAG_inheritance || base == nullptr || bytes_of(base) > 1)
    return false;
  return llvm::none_of(base->getElements(), [](const llvm::DINode* element) {
    return element->getTag() == llvm::dwarf::DW_TAG_member;
  });
}

// Members with data, and base classes.
llvm::SmallVector<const DIDerivedType*, 8> members_of(const DICompositeType& type) {
  llvm::SmallVector<const DIDerivedType*, 8> members;
  for (const llvm::DINode* const element : type.getElements()) {
    const auto* const member = llvm::dyn_cast_or_null<DIDerivedType>(element);
    if (member == nullptr || member->isStaticMember() || is_empty_base(*member)) continue;
    if (member->getTag() == llvm::dwarf::DW_TAG_member ||
        member->getTag() == llvm::dwarf::DW_TAG_inheritance) {
      members.push_back(member);
    }
  }
  return members;
}

// Whether some of its elements are apart as the indexes choose among them.
bool has_elements(const DIType* type, const Way& way) {
  const auto* const whole = llvm::dyn_cast_or_null<DICompositeType>(without_qualifiers(type));
  if (whole == nullptr) return false;
  if (whole->getTag() != llvm::dwarf::DW_TAG_array_type) {
    return llvm::any_of(members_of(*whole), [&](const DIDerivedType* member) {
      return has_elements(member->getBaseType(), way);
    });
  }
  const std::uint64_t apart = bytes_of(whole->getBaseType());
  return (apart != 0 && llvm::any_of(way.scales, [&](auto scale) { return scale % apart == 0; })) ||
         has_elements(whole->getBaseType(), way);
}

// The one member that can be meant; null: none, or several. With an index that is not constant, the offset
// does not say in which member it begins: a[i - 1] begins before a.
const DIDerivedType* member_at(const DICompositeType& type, const Way& way) {
  const DIDerivedType* found = nullptr;
  for (const DIDerivedType* const member : members_of(type)) {
    if (!way.scales.empty()) {
      if (!has_elements(member->getBaseType(), way)) continue;
      if (found != nullptr) return nullptr;
      found = member;
      continue;
    }
    const auto begin = static_cast<std::int64_t>(member->getOffsetInBits() / 8);
    const auto size = static_cast<std::int64_t>(member->isBitField() ? (member->getSizeInBits() + 7) / 8
                                                                     : bytes_of(member->getBaseType()));
    const auto bytes = static_cast<std::int64_t>(way.bytes);
    if (way.offset >= begin + size || way.offset + bytes <= begin) continue;
    if (found != nullptr || way.offset < begin || way.offset + bytes > begin + size) return nullptr;
    found = member;
  }
  return found;
}

// From an object into it, as far as the way leads.
void enter(Named& object, Way& way, StringRef dot) {
  object.type = without_qualifiers(object.type);
  while (const auto* const whole = llvm::dyn_cast_or_null<DICompositeType>(object.type)) {
    if (whole->getTag() == llvm::dwarf::DW_TAG_array_type) {
      std::uint64_t apart = bytes_of(whole);
      for (const llvm::DINode* const element : whole->getElements()) {
        const auto* const range = dyn_cast<llvm::DISubrange>(element);
        const auto* const count =
            range == nullptr ? nullptr : dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
        if (count == nullptr || count->isZero() || apart == 0) return;
        apart /= count->getZExtValue();
        if (apart < way.bytes) return;  // several elements
        add_index(object.text, way, apart);
      }
      object.type = without_qualifiers(whole->getBaseType());
      continue;
    }
    const DIDerivedType* const member = member_at(*whole, way);
    if (member == nullptr) return;
    if (!member->getName().empty() && !is_reserved(member->getName()) &&
        member->getTag() == llvm::dwarf::DW_TAG_member) {
      if (is_lambda(whole)) {
        object.text = member->getName();  // a capture
      } else {
        object.text.append(dot).append(member->getName());
      }
      dot = ".";
    }
    object.is_start = member->getName() == "_M_start";
    way.offset -= static_cast<std::int64_t>(member->getOffsetInBits() / 8);
    object.type = without_qualifiers(member->getBaseType());
  }
}

}  // namespace

bool is_reserved(StringRef name) {
  return name.size() > 1 && name[0] == '_' && (name[1] == '_' || llvm::isUpper(name[1]));
}

Named part_of(Named object, Way way) {
  enter(object, way, ".");
  return object;
}

Named part_behind(const Named& pointer, Way way) {
  const auto* const type = llvm::dyn_cast_or_null<DIDerivedType>(without_qualifiers(pointer.type));
  const unsigned tag = type == nullptr ? unsigned{llvm::dwarf::DW_TAG_null} : unsigned{type->getTag()};
  if (tag == llvm::dwarf::DW_TAG_reference_type || tag == llvm::dwarf::DW_TAG_rvalue_reference_type) {
    return part_of({pointer.text, type->getBaseType()}, std::move(way));
  }
  if (tag != llvm::dwarf::DW_TAG_pointer_type) return {};
  Named object{pointer.text, without_qualifiers(type->getBaseType())};
  const std::uint64_t size = bytes_of(object.type);
  if (size == 0) return {};
  const bool is_first = way.offset >= 0 && static_cast<std::uint64_t>(way.offset) < size;
  const bool is_indexed = !is_first || pointer.is_start ||
                          llvm::any_of(way.scales, [&](auto scale) { return scale % size == 0; });
  if (is_indexed) {
    add_index(object.text, way, size);
    return part_of(std::move(object), std::move(way));
  }
  const auto* const whole = llvm::dyn_cast<DICompositeType>(object.type);
  if (whole != nullptr && whole->getTag() != llvm::dwarf::DW_TAG_array_type) {
    enter(object, way, "->");
    if (object.text == pointer.text) object.text = (llvm::Twine("*") + pointer.text).str();
    return object;
  }
  object.text =
      (whole != nullptr ? "(*" + llvm::Twine(pointer.text) + ")" : "*" + llvm::Twine(pointer.text)).str();
  return part_of(std::move(object), std::move(way));
}

}  // namespace anyorder::llvm_pass
