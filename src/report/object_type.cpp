#include "report/object_type.hpp"

#include <utility>

namespace anyorder::report {
namespace {

// Of the members that hold the bytes, one that is just as large counts first, and no array: a union has
// several.
const ObjectType::Member* member_at(const ObjectType& type, std::uint64_t offset, std::uint64_t bytes) {
  const ObjectType::Member* found = nullptr;
  for (const ObjectType::Member& member : type.members) {
    if (offset < member.offset || offset + bytes > member.offset + member.type->size) continue;
    const bool is_exact = member.offset == offset && member.type->size == bytes;
    if (is_exact && member.type->element == nullptr) return &member;
    if (found == nullptr) found = &member;
  }
  return found;
}

// The bit-fields that have some of the bytes, if those are less than all and of no other member; empty: none.
std::string bit_fields_at(const ObjectType& type, std::uint64_t offset, std::uint64_t bytes) {
  if (type.size == bytes) return {};
  for (const ObjectType::Member& member : type.members) {
    if (member.offset < offset + bytes && offset < member.offset + member.type->size) return {};
  }
  constexpr std::uint64_t kBits = 8;
  constexpr std::size_t kMostShown = 4;
  std::string names;
  std::size_t count = 0;
  for (const ObjectType::BitField& field : type.bit_fields) {
    if (field.first_bit >= (offset + bytes) * kBits || field.first_bit + field.bits <= offset * kBits)
      continue;
    if (++count <= kMostShown) names += (count == 1 ? "" : ", ") + field.name;
  }
  if (count > kMostShown) names += ", …";
  return count > 1 ? '{' + names + '}' : names;
}

}  // namespace

std::shared_ptr<const ObjectType> array_of(std::shared_ptr<const ObjectType> element, std::uint64_t bytes) {
  ObjectType array;
  const std::uint64_t count = element->size == 0 ? 0 : bytes / element->size;
  // The dimensions of an array of arrays are read from the left.
  const auto dimensions = element->element == nullptr ? std::string::npos : element->name.find('[');
  array.name = element->name.substr(0, dimensions) + '[' + std::to_string(count) + ']';
  if (dimensions != std::string::npos) array.name += element->name.substr(dimensions);
  array.size = bytes;
  array.element = std::move(element);
  return std::make_shared<const ObjectType>(std::move(array));
}

ObjectPart part_at(const ObjectType& type, std::uint64_t offset, std::uint64_t bytes) {
  ObjectPart part;
  const ObjectType* at = &type;
  // The last one that is no base class: virtual bases of a base are somewhere else in the whole.
  const ObjectType* whole = at;
  std::uint64_t offset_in_whole = offset;
  for (;;) {
    if (at->element != nullptr && at->element->size != 0) {
      const std::uint64_t size = at->element->size;
      const std::uint64_t first = offset / size;
      const std::uint64_t last = (offset + bytes - 1) / size;
      if (first != last) {
        const bool is_all = offset == 0 && bytes == at->size;
        if (is_all || offset % size != 0 || bytes % size != 0) break;
        part.path += '[' + std::to_string(first) + ".." + std::to_string(last) + ']';
        part.type = at->element->name;
        return part;
      }
      part.path += '[' + std::to_string(first) + ']';
      offset -= first * size;
      at = at->element.get();
      whole = at;
      offset_in_whole = offset;
    } else if (const ObjectType::Member* member = member_at(*at, offset, bytes)) {
      offset -= member->offset;
      at = member->type.get();
      if (member->name.empty()) continue;
      part.path += '.' + member->name;
      whole = at;
      offset_in_whole = offset;
    } else {
      break;
    }
  }
  if (const std::string fields = bit_fields_at(*at, offset, bytes); !fields.empty()) {
    part.path += '.' + fields;
    part.type = fields.starts_with('{') ? "bit-fields" : "bit-field";
    return part;
  }
  if (offset != 0 || at->size != bytes) {
    at = whole;
    offset = offset_in_whole;
  }
  part.type = at->name;
  part.offset = offset;
  part.is_whole = offset == 0 && (at->size == bytes || at->size == 0);
  return part;
}

}  // namespace anyorder::report
