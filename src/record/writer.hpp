// The process's side of the record: appends what is found, as it is found.
//
// Contract: every member may be called from any thread. Nothing throws: what cannot be written is lost, and
// the reader sees that the record is not complete.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "record/codec.hpp"
#include "record/files.hpp"

namespace anyorder::record {

class Writer {
 public:
  // Begins the record of this process in a folder that exists. False from usable(): it could not be made.
  Writer(const std::string& folder, const std::string& detector);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer();

  [[nodiscard]] bool usable() const { return file_ >= 0 && counters_ != nullptr; }

  void instrumented();
  void add(const findings::Race& race);
  void add(const findings::Deadlock& deadlock);
  void add(const findings::UnknownJoin& join);
  void add(const findings::Unsupported& unsupported);
  void add(const findings::Remedy& remedy);
  void add(const ExpectedRace& expected);
  void note(const std::string& sentence);  // each once
  void ended(Ending how, findings::Coverage coverage,
             const std::vector<std::pair<std::string, double>>& statistics);

  // The calling thread's; never null if usable.
  [[nodiscard]] CounterSlot& counters_of_this_thread();
  // Reads and writes so far, of all threads, and the readers that they found where the detector was not
  // asked.
  [[nodiscard]] std::uint64_t accesses() const;
  [[nodiscard]] std::uint64_t readers_found() const;

 private:
  void append(const char* key, const Json& value);
  // Modules that were loaded since the last call.
  void append_new_modules();

  std::mutex mutex_;  // guards all below
  int file_ = -1;
  SharedCounters* counters_ = nullptr;
  std::atomic<std::size_t> next_slot_{0};
  std::vector<std::uintptr_t> modules_written_;
  std::vector<std::string> notes_written_;
};

}  // namespace anyorder::record
