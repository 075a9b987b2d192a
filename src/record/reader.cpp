#include "record/reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "record/codec.hpp"
#include "record/files.hpp"

namespace anyorder::record {
namespace {

namespace fs = std::filesystem;

void take_line(const std::string& line, Process& process, findings::FindingSet& found) {
  const Json json = Json::parse(line);
  const auto item = json.begin();
  const std::string& key = item.key();
  const Json& value = item.value();
  if (key == "race") {
    found.add(decode_race(value));
  } else if (key == "deadlock") {
    found.add(decode_deadlock(value));
  } else if (key == "unknown_join") {
    found.add(decode_unknown_join(value));
  } else if (key == "unsupported") {
    found.add(decode_unsupported(value));
  } else if (key == "remedy") {
    process.remedies.push_back(decode_remedy(value));
  } else if (key == "expected") {
    process.expected.push_back(decode_expected(value));
  } else if (key == "module") {
    process.modules.push_back(decode_module(value));
  } else if (key == "note") {
    process.notes.push_back(value.get<std::string>());
  } else if (key == "instrumented") {
    process.instrumented = true;
  } else if (key == "process") {
    process.program = value.at("program").get<std::string>();
    process.detector = value.at("detector").get<std::string>();
  } else if (key == "end") {
    process.ending = static_cast<Ending>(value.at("how").get<int>());
    process.coverage = value.at("one_order").get<bool>() ? findings::Coverage::one_isolated_order
                                                         : findings::Coverage::all_schedules;
    process.statistics = value.at("statistics").get<std::vector<std::pair<std::string, double>>>();
  } else {
    throw std::runtime_error("a line of an unknown kind: " + key);
  }
}

Counters read_counters(const fs::path& path) {
  auto shared = std::make_unique<SharedCounters>();
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(shared.get()), sizeof(SharedCounters))) return {};
  return shared->sum();
}

Process read_process(const fs::path& path) {
  Process process;
  process.pid = std::atoll(path.stem().c_str());
  process.counters = read_counters(fs::path(path).replace_extension(kCountersSuffix));
  findings::FindingSet found;
  std::ifstream file(path);
  std::string line;
  bool ended = false;
  while (std::getline(file, line)) {
    if (file.eof()) break;  // no newline: the process was stopped in the middle of it
    try {
      take_line(line, process, found);
    } catch (const std::exception& error) {
      throw std::runtime_error("the record of process " + path.stem().string() +
                               " is damaged: " + error.what());
    }
    ended = line.starts_with(R"({"end")");
  }
  // Without a word at the end nobody said whether the order of the sections mattered.
  if (!ended && process.counters.isolated > 1) process.coverage = findings::Coverage::one_isolated_order;
  process.findings = found.snapshot();
  std::sort(process.modules.begin(), process.modules.end(),
            [](const Module& a, const Module& b) { return a.begin < b.begin; });
  return process;
}

}  // namespace

std::vector<Process> read_all(const std::string& folder) {
  std::vector<Process> processes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == kFindingsSuffix) processes.push_back(read_process(entry.path()));
  }
  std::sort(processes.begin(), processes.end(),
            [](const Process& a, const Process& b) { return a.pid < b.pid; });
  return processes;
}

}  // namespace anyorder::record
