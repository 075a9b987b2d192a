// The place of a check in the source, as frontends/llvm_pass writes it into the object that it instruments.
// Each check has an entry in a table, and hands over the address of its entry where others have a return
// address: below the hooks, both are places in the code. Nothing reads the table while the program runs;
// reports read it from the file.
//
// This, too, is an interface between objects that were compiled at different times: whoever changes a type
// below gives the sections another number.
#pragma once

#include <cstdint>

namespace anyorder::events {

inline constexpr const char* kSiteSection = "anyorder_sites_1";               // SiteEntry
inline constexpr const char* kSiteRecordSection = "anyorder_site_records_1";  // SiteRecord
inline constexpr const char* kSiteTextSection = "anyorder_site_texts_1";      // strings that end with a 0

// Where the record of the place is. Offsets are from where they stand, so that no loader has to change them.
// Entries are that small for the tables that places share by the lowest bits of their address
// (events/quick.hpp): 256 of them, one behind the other, have 256 different slots.
using SiteEntry = std::int32_t;

// Offsets as above; 0: none.
struct SiteRecord {
  std::int32_t function;    // its name for the linker, or else that of a C function
  std::int32_t declared;    // its name as declared, qualified: not all linkage names can be demangled
  std::int32_t file;        // with its folder
  std::uint32_t line;       // from 1
  std::uint32_t column;     // 0: not known
  std::int32_t caller;      // the record of the call by which the function was inlined
  std::int32_t expression;  // what is accessed, as far as it is known
};
static_assert(sizeof(SiteRecord) == 28 && alignof(SiteRecord) == 4);

// What is handed over for an entry at 0: as a return address, it is behind what it stands for.
inline constexpr std::uintptr_t kBehindSite = 1;

}  // namespace anyorder::events
