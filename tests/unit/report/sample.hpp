// Findings as a detector leaves them, with lines in them: for tests that need no symbols.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "findings/finding_set.hpp"
#include "findings/race.hpp"
#include "record/run.hpp"

namespace anyorder::report {

inline findings::Frame line(std::string file, std::uint32_t number, std::string function) {
  return {0, {std::move(file), number, 0, std::move(function)}};
}

inline findings::Race race_on(std::uintptr_t address, std::uint64_t size, findings::Memory memory) {
  findings::Race race;
  race.address = address;
  race.size = size;
  race.memory = std::move(memory);
  race.first = {findings::AccessKind::write, 3, findings::Trace({line("/app/app.cpp", 12, "work(int)")}),
                findings::Trace({line("/app/app.cpp", 11, "main")}), findings::Parting{0, 1}};
  race.second = {findings::AccessKind::write, 5, findings::Trace({line("/app/app.cpp", 15, "rest()")}),
                 findings::Trace({line("/app/app.cpp", 14, "main")}), findings::Parting{0, 1}};
  return race;
}

inline findings::Race race_on_counter() {
  return race_on(0x1000, 4, {0x1000, findings::GlobalMemory{"counter"}});
}

// A process that ended as it should and in which nothing was found.
inline record::Process clean_process() {
  record::Process process;
  process.program = "/nowhere/app";
  process.detector = "graph";
  process.instrumented = true;
  process.ending = record::Ending::complete;
  return process;
}

inline record::Process process_with(const std::vector<findings::Race>& races) {
  record::Process process = clean_process();
  findings::FindingSet set;
  for (const findings::Race& race : races) set.add(race);
  process.findings = set.snapshot();
  return process;
}

}  // namespace anyorder::report
