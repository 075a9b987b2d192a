#include "detect/dtrg/reader_logs.hpp"

#include <algorithm>
#include <utility>

#include "support/check.hpp"

namespace anyorder::detect::dtrg {

LogPrefix ReaderLogs::of(const std::vector<Reader>& readers) {
  Log log;
  log.length = 1;
  log.run_count = 1;
  log.last = {0, readers.front().task, readers.front().site};
  const std::uint32_t number = add(std::move(log));
  for (auto reader = readers.begin() + 1; reader != readers.end(); ++reader) append(number, *reader);
  compacted({number, logs_[number].length});
  return {number, logs_[number].length};
}

LogPrefix ReaderLogs::with(LogPrefix readers, Reader reader) {
  if (extend(readers, reader)) return readers;
  if (logs_[readers.log].length == readers.length) {
    append(readers.log, reader);
    return {readers.log, readers.length + 1};
  }
  if (at(readers.log, readers.length) == reader) return {readers.log, readers.length + 1};
  const std::uint32_t known = logs_[readers.log].fork;
  if (known != kNoLog && logs_[known].parent == readers.log && logs_[known].inherited == readers.length &&
      at(known, readers.length) == reader) {
    return {known, readers.length + 1};
  }
  // Others have gone on otherwise.
  const Log& from = logs_[readers.log];
  Log fork;
  fork.length = readers.length + 1;
  fork.last = {readers.length, reader.task, reader.site};
  fork.parent = readers.log;
  fork.inherited = readers.length;
  fork.run_count = from.run_count + 1;
  fork.compact_from = from.compact_from;
  const std::uint32_t number = add(std::move(fork));
  logs_[readers.log].fork = number;
  return {number, readers.length + 1};
}

void ReaderLogs::append(std::uint32_t number, Reader reader) {
  Log& log = logs_[number];
  ANYORDER_CHECK(log.length < Accessors::kLongestLog, "more parallel readers than 29 bits can count");
  const std::uint32_t position = log.length++;
  if (reader.task == log.last.first + (position - log.last.position) && reader.site == log.last.site) return;
  log.runs.push_back(log.last);
  log.last = {position, reader.task, reader.site};
  ++log.run_count;
}

Reader ReaderLogs::at(std::uint32_t number, std::uint32_t position) const noexcept {
  const Log* log = &logs_[number];
  while (position < log->inherited) log = &logs_[log->parent];
  const Run* run = &log->last;
  if (position < run->position) {
    run =
        &*std::prev(std::upper_bound(log->runs.begin(), log->runs.end(), position,
                                     [](std::uint32_t at, const Run& other) { return at < other.position; }));
  }
  return {run->first + (position - run->position), run->site};
}

void ReaderLogs::compacted(LogPrefix readers) noexcept {
  logs_[readers.log].compact_from = std::max<std::uint32_t>(2 * kFewRuns, 2 * readers.length);
}

std::uint32_t ReaderLogs::add(Log log) {
  ++made_;
  if (!free_.empty()) {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    logs_[number] = std::move(log);
    return number;
  }
  ANYORDER_CHECK(logs_.size() < Accessors::kMostLogs, "more sets of readers than 26 bits can number");
  logs_.push_back(std::move(log));
  return static_cast<std::uint32_t>(logs_.size() - 1);
}

void ReaderLogs::begin_collection() { kept_.assign(logs_.size(), false); }

void ReaderLogs::keep(LogPrefix readers) {
  for (std::uint32_t log = readers.log; log != kNoLog && !kept_[log]; log = logs_[log].parent)
    kept_[log] = true;
}

void ReaderLogs::end_collection() {
  left_ = made_ = 0;
  free_.clear();
  for (std::uint32_t log = 0; log != logs_.size(); ++log) {
    if (kept_[log]) {
      ++left_;
      if (const std::uint32_t fork = logs_[log].fork; fork != kNoLog && !kept_[fork])
        logs_[log].fork = kNoLog;
    } else {
      logs_[log] = {};
      free_.push_back(log);
    }
  }
  kept_ = {};
}

}  // namespace anyorder::detect::dtrg
