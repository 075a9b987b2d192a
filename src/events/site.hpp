// The place of a check in the source, as frontends/llvm_pass writes it into the object that it instruments.
// Such a check hands over an address in its record where others have a return address: below the hooks, both
// are places in the code. Nothing reads a record while the program runs; reports read it from the file.
//
// This, too, is an interface between objects that were compiled at different times: whoever changes the
// record gives the sections another number.
#pragma once

#include <cstdint>

namespace anyorder::events {

inline constexpr const char* kSiteSection = "anyorder_sites_1";
inline constexpr const char* kSiteTextSection = "anyorder_site_texts_1";  // strings that end with a 0

// Offsets are from where they stand, so that no loader has to change them; 0: none. The number of words is
// odd: tables that places share by the lowest bits of their address use all of their slots.
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

// What is handed over for a record at 0: as a return address, it is behind what it stands for.
inline constexpr std::uintptr_t kBehindSite = 1;

}  // namespace anyorder::events
