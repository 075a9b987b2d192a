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
  log.highest = readers.front().task;
  const std::uint32_t number = add(std::move(log));
  for (auto reader = readers.begin() + 1; reader != readers.end(); ++reader) append(number, *reader);
  logs_[number].compact_from = std::max<std::uint32_t>(2 * kFewRuns, 2 * logs_[number].length);
  return {number, readers.back().task};
}

LogPrefix ReaderLogs::with(LogPrefix readers, Reader reader) {
  if (extend(readers, reader)) return readers;
  const std::uint32_t length = count_of(readers);
  const LogPrefix after{readers.log, reader.task};
  if (logs_[readers.log].length == length) {
    append(readers.log, reader);
    return after;
  }
  if (at(readers.log, length) == reader) return after;
  const std::uint32_t known = logs_[readers.log].fork;
  if (known != kNoLog && logs_[known].parent == readers.log && logs_[known].inherited == length &&
      at(known, length) == reader) {
    return {known, reader.task};
  }
  // Others have gone on otherwise.
  const Log& from = logs_[readers.log];
  Log fork;
  fork.length = length + 1;
  fork.last = {length, reader.task, reader.site};
  fork.before_last = readers.newest;
  fork.highest = std::max(from.highest, reader.task);
  fork.parent = readers.log;
  fork.inherited = length;
  fork.run_count = from.run_count + 1;
  fork.compact_from = from.compact_from;
  const std::uint32_t number = add(std::move(fork));
  logs_[readers.log].fork = number;
  return {number, reader.task};
}

void ReaderLogs::append(std::uint32_t number, Reader reader) {
  Log& log = logs_[number];
  const std::uint32_t position = log.length++;
  log.highest = std::max(log.highest, reader.task);
  if (reader.task == log.last.first + (position - log.last.position) && reader.site == log.last.site) return;
  log.before_last = log.last.first + (position - 1 - log.last.position);
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

std::uint32_t ReaderLogs::position_of(std::uint32_t number, TaskId task) const noexcept {
  std::uint32_t limit = kNowhere;  // of positions
  for (const Log* log = &logs_[number];; log = &logs_[log->parent]) {
    std::uint32_t end = std::min(limit, log->length);
    const auto in = [&](const Run& run) {
      return task >= run.first && run.position < end && task - run.first < end - run.position;
    };
    if (in(log->last)) return log->last.position + (task - log->last.first);
    end = std::min(end, log->last.position);
    for (std::size_t i = log->runs.size(); i-- > 0;) {
      const Run& run = log->runs[i];
      if (in(run)) return run.position + (task - run.first);
      end = std::min(end, run.position);
    }
    if (log->parent == kNoLog) return kNowhere;
    limit = std::min(limit, log->inherited);
  }
}

std::uint32_t ReaderLogs::add(Log log) {
  ++made_;
  if (!free_.empty()) {
    const std::uint32_t number = free_.back();
    free_.pop_back();
    logs_[number] = std::move(log);
    return number;
  }
  ANYORDER_CHECK(logs_.size() < Accessors::kMostLogs, "more sets of readers than 23 bits can number");
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
