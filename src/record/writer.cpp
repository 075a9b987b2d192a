#include "record/writer.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include "record/modules.hpp"

namespace anyorder::record {
namespace {

SharedCounters* map_counters(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  // Without the room behind it, an access to the mapping would end the program by a signal.
  if (posix_fallocate(file, 0, sizeof(SharedCounters)) == 0) {
    memory = mmap(nullptr, sizeof(SharedCounters), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  return memory == MAP_FAILED ? nullptr : ::new (memory) SharedCounters;
}

}  // namespace

Counters SharedCounters::sum() const {
  Counters sum;
  for (const CounterSlot& slot : slots) {
    sum.asyncs += slot.asyncs.load(std::memory_order_relaxed);
    sum.futures += slot.futures.load(std::memory_order_relaxed);
    sum.finishes += slot.finishes.load(std::memory_order_relaxed);
    sum.gets += slot.gets.load(std::memory_order_relaxed);
    sum.isolated += slot.isolated.load(std::memory_order_relaxed);
    for (const std::uint64_t& reads : slot.plain.reads)
      sum.reads += __atomic_load_n(&reads, __ATOMIC_RELAXED);
    for (const std::uint64_t& writes : slot.plain.writes)
      sum.writes += __atomic_load_n(&writes, __ATOMIC_RELAXED);
    sum.atomics += slot.atomics.load(std::memory_order_relaxed);
  }
  sum.tasks = sum.asyncs + sum.futures;
  return sum;
}

Writer::Writer(const std::string& folder, const std::string& detector) {
  const std::string stem = folder + "/" + std::to_string(getpid());
  counters_ = map_counters(stem + kCountersSuffix);
  file_ = open((stem + kFindingsSuffix).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (usable()) append("process", {{"program", path_of_executable()}, {"detector", detector}});
}

Writer::~Writer() {
  if (file_ >= 0) close(file_);
  if (counters_ != nullptr) munmap(counters_, sizeof(SharedCounters));
}

void Writer::append(const char* key, const Json& value) {
  std::string line = Json::object({{key, value}}).dump(-1, ' ', false, Json::error_handler_t::replace);
  line += '\n';
  // One call per line: a line is there whole, or not at all, unless the disk is full.
  const char* at = line.data();
  std::size_t left = line.size();
  while (left > 0) {
    const ssize_t written = ::write(file_, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += written;
    left -= static_cast<std::size_t>(written);
  }
}

void Writer::append_new_modules() {
  for (const Module& module : loaded_modules()) {
    if (std::find(modules_written_.begin(), modules_written_.end(), module.begin) != modules_written_.end()) {
      continue;
    }
    modules_written_.push_back(module.begin);
    append("module", encode(module));
  }
}

void Writer::instrumented() {
  const std::lock_guard lock(mutex_);
  append("instrumented", true);
}

void Writer::add(const findings::Race& race) {
  const std::lock_guard lock(mutex_);
  append_new_modules();
  append("race", encode(race));
}

void Writer::add(const findings::Deadlock& deadlock) {
  const std::lock_guard lock(mutex_);
  append_new_modules();
  append("deadlock", encode(deadlock));
}

void Writer::add(const findings::UnknownJoin& join) {
  const std::lock_guard lock(mutex_);
  append("unknown_join", encode(join));
}

void Writer::add(const findings::Unsupported& unsupported) {
  const std::lock_guard lock(mutex_);
  append_new_modules();
  append("unsupported", encode(unsupported));
}

void Writer::add(const findings::Remedy& remedy) {
  const std::lock_guard lock(mutex_);
  append("remedy", encode(remedy));
}

void Writer::add(const ExpectedRace& expected) {
  const std::lock_guard lock(mutex_);
  append("expected", encode(expected));
}

void Writer::note(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  if (std::find(notes_written_.begin(), notes_written_.end(), sentence) != notes_written_.end()) return;
  notes_written_.push_back(sentence);
  append("note", sentence);
}

void Writer::ended(Ending how, findings::Coverage coverage,
                   const std::vector<std::pair<std::string, double>>& statistics) {
  const std::lock_guard lock(mutex_);
  append("end", {{"how", static_cast<int>(how)},
                 {"one_order", coverage == findings::Coverage::one_isolated_order},
                 {"statistics", statistics}});
}

CounterSlot& Writer::counters_of_this_thread() {
  const std::size_t slot = next_slot_.fetch_add(1, std::memory_order_relaxed) % SharedCounters::kSlots;
  return counters_->slots[slot];
}

std::uint64_t Writer::readers_found() const {
  std::uint64_t sum = 0;
  for (const CounterSlot& slot : counters_->slots)
    sum += __atomic_load_n(&slot.plain.readers, __ATOMIC_RELAXED);
  return sum;
}

std::uint64_t Writer::accesses() const {
  const Counters all = counters_->sum();
  return all.reads + all.writes;
}

}  // namespace anyorder::record
