// The type of an object, as far as it tells which part of the object some of its bytes are.
//
// Contract: immutable values, shared; no thread affinity.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace anyorder::report {

struct ObjectType {
  struct Member {
    std::string name;  // empty: a base class, or an unnamed structure
    std::uint64_t offset;
    std::shared_ptr<const ObjectType> type;
  };
  struct BitField {
    std::string name;
    std::uint64_t first_bit;  // from the beginning of the object
    std::uint64_t bits;
  };

  std::string name;
  std::uint64_t size = 0;                     // in bytes; 0: not known
  std::shared_ptr<const ObjectType> element;  // null: no array
  std::vector<Member> members;                // empty: no class, or one whose parts are nobody's business
  std::vector<BitField> bit_fields = {};      // several may share a byte
};

// An array, or what is used as one.
[[nodiscard]] std::shared_ptr<const ObjectType> array_of(std::shared_ptr<const ObjectType> element,
                                                         std::uint64_t bytes);

// Bytes of an object in the words of its type.
struct ObjectPart {
  // Behind the object's name: "[3].next", "[0..9]", ".{a, b}" (bit-fields); empty: the object itself.
  std::string path;
  std::string type;          // of that part, or of each; empty: not known
  std::uint64_t offset = 0;  // of the bytes in it
  bool is_whole = true;      // the bytes are all of it
};

// The smallest part that holds all of [offset, offset + bytes).
[[nodiscard]] ObjectPart part_at(const ObjectType& type, std::uint64_t offset, std::uint64_t bytes);

}  // namespace anyorder::report
