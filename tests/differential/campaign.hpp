// Many programs with many detectors: shares them out, shows how far it is, shrinks and keeps what disagrees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "detectors.hpp"

namespace anyorder::differential {

struct CampaignOptions {
  std::size_t programs = 400;  // per detector and family
  std::uint64_t seed = 1;      // of the first one
  std::size_t batch = 50;
  unsigned jobs = 0;       // 0: one per core
  std::size_t most = 3;    // stop after so many disagreements
  std::string keep = ".";  // the folder for what disagrees
  Flaw flaw = Flaw::none;
  std::string compiler;              // not empty: programs are printed and compiled with it, not interpreted
  std::vector<std::string> flags{};  // of the compiler
  std::vector<DetectorChoice> detectors;
  std::vector<Family> families;
  std::vector<Program> replay;  // if not empty, these and no random ones
};

// Whether all agreed. SIGINT ends it early, with a summary of what was done.
[[nodiscard]] bool run_campaign(const CampaignOptions& options);

}  // namespace anyorder::differential
