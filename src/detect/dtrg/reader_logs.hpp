// Two or more readers of a location, in the order in which they came.
//
// A log only grows, no task is in it twice, and a location has its readers up to one of them: an array that
// the same tasks read is one log, although each of its words is some readers behind while a task goes through
// it. Tasks with numbers in sequence that read at the same site are one run: a million futures that read a
// table take no memory.
//
// Contract: one thread. A log is valid until a collection that does not keep it. Cells come and go without a
// word, so who holds prefixes says at a collection which ones they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "detect/dtrg/ids.hpp"
#include "detect/history/cell.hpp"

namespace anyorder::detect::dtrg {

using history::Accessors;
using history::ByteMask;
using history::Cell;
using history::LogPrefix;
using history::Reader;

class ReaderLogs {
 public:
  // Two readers or more, oldest first.
  [[nodiscard]] LogPrefix of(const std::vector<Reader>& readers);

  // The readers with one more behind them, if that is simple: the log goes on with it already, or it belongs
  // to the last run: how many there were before it. Nothing: nothing was done.
  [[nodiscard, gnu::always_inline]] inline std::optional<std::uint32_t> extend(LogPrefix& readers,
                                                                               Reader reader) noexcept {
    Log& log = logs_[readers.log];
    if (reader.site != log.last.site) return std::nullopt;
    std::uint32_t position = log.last.position;
    if (reader.task == readers.newest + 1 && readers.newest >= log.last.first) {
      position += reader.task - log.last.first;
      if (position > log.length) return std::nullopt;
      if (position == log.length) {
        ++log.length;
        log.highest = std::max(log.highest, reader.task);
      }
    } else if (reader.task != log.last.first || readers.newest != log.before_last) {
      return std::nullopt;
    }
    readers.newest = reader.task;
    return position;
  }
  // The same for any reader that is not among them.
  [[nodiscard]] LogPrefix with(LogPrefix readers, Reader reader);

  [[nodiscard]] bool contains(LogPrefix readers, TaskId task) const noexcept {
    if (task > logs_[readers.log].highest) return false;
    const std::uint32_t position = position_of(readers.log, task);
    return position != kNowhere && position <= position_of(readers.log, readers.newest);
  }
  [[nodiscard]] std::uint32_t count_of(LogPrefix readers) const noexcept {
    return position_of(readers.log, readers.newest) + 1;
  }

  // Calls f(Reader), oldest first.
  template <class F>
  void for_each(LogPrefix readers, F f) const {
    path_.clear();
    for (Part part{readers.log, count_of(readers)}; part.log != kNoLog;) {
      path_.push_back(part);
      const Log& log = logs_[part.log];
      part = {log.parent, std::min(part.length, log.inherited)};
    }
    for (std::size_t last = path_.size(); last-- > 0;) {
      const Part part = path_[last];
      const Log& log = logs_[part.log];
      for (std::size_t i = 0; i <= log.runs.size(); ++i) {
        const Run& run = i == log.runs.size() ? log.last : log.runs[i];
        const std::uint32_t end = i + 1 < log.runs.size()    ? log.runs[i + 1].position
                                  : i + 1 == log.runs.size() ? log.last.position
                                                             : log.length;
        for (std::uint32_t at = run.position; at < end && at < part.length; ++at) {
          f(Reader{run.first + (at - run.position), run.site});
        }
      }
    }
  }

  // It is worth looking for readers that are not needed any more: they take memory, and there are twice as
  // many as at the last look.
  [[nodiscard]] bool should_compact(LogPrefix readers) const noexcept {
    const Log& log = logs_[readers.log];
    return log.run_count >= kFewRuns && log.length >= log.compact_from;
  }

  // Memory is worth collecting: as many logs are new as were left by the last collection, and `at_least`.
  [[nodiscard]] bool should_collect(std::size_t at_least) const noexcept {
    return made_ >= left_ && made_ >= at_least;
  }
  // keep() is called for each prefix in use between the two.
  void begin_collection();
  void keep(LogPrefix readers);
  void end_collection();

  [[nodiscard]] std::size_t count() const noexcept { return left_ + made_; }

 private:
  static constexpr std::uint32_t kNoLog = ~std::uint32_t{0};
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  static constexpr std::uint32_t kFewRuns = 8;

  struct Part {
    std::uint32_t log;
    std::uint32_t length;
  };

  struct Run {
    std::uint32_t position;  // of its first reader in the log
    TaskId first;
    SiteId site;
  };
  // Its readers are the first `inherited` ones of the parent, then those of the runs.
  struct Log {
    std::uint32_t length = 0;
    Run last{};
    TaskId before_last = kNoTask;  // the reader before the last run
    TaskId highest = 0;            // of all readers
    std::uint32_t parent = kNoLog;
    std::uint32_t inherited = 0;
    std::uint32_t fork = kNoLog;     // a log made from a beginning of this one, to be found again
    std::uint32_t run_count = 0;     // the parent's included
    std::uint32_t compact_from = 0;  // length
    std::vector<Run> runs;           // before the last
  };

  [[nodiscard]] Reader at(std::uint32_t number, std::uint32_t position) const noexcept;
  // Of the task in the log, the parent's part included.
  [[nodiscard]] std::uint32_t position_of(std::uint32_t number, TaskId task) const noexcept;
  [[nodiscard]] std::uint32_t add(Log log);
  void append(std::uint32_t number, Reader reader);

  std::vector<Log> logs_;
  std::vector<std::uint32_t> free_;
  std::vector<bool> kept_;          // during a collection
  std::size_t left_ = 0;            // logs that the last collection left
  std::size_t made_ = 0;            // logs since
  mutable std::vector<Part> path_;  // room to work in
};

}  // namespace anyorder::detect::dtrg
