// Where something happened in the program's code: lines, frames and traces of frames.
//
// Contract: values; no thread affinity. A Frame may know only its code address: names are filled in
// by the report, which symbolizes. A Trace is immutable and cheap to copy, so that many findings can
// share one; it compares by content.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace anyorder::findings {

struct SourceLine {
  std::string file;          // as the compiler recorded it; empty: not known
  std::uint32_t line = 0;    // from 1; 0: not known
  std::uint32_t column = 0;  // from 1; 0: not known
  std::string function;      // demangled; empty: not known

  [[nodiscard]] bool known() const { return !file.empty() && line != 0; }

  friend std::strong_ordering operator<=>(const SourceLine&, const SourceLine&) = default;
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

// Frames that are not listed.
struct Skipped {
  std::uint64_t calls = 0;   // so many
  std::uint64_t period = 0;  // they are the last so many listed ones, again and again; 0: others

  friend std::strong_ordering operator<=>(const Skipped&, const Skipped&) = default;
  friend bool operator==(const Skipped&, const Skipped&) = default;
};

struct Frame {
  std::uintptr_t pc = 0;  // the code address as the process saw it (not a return address); 0: none
  SourceLine source;      // from the API or from the symbolizer
  // The file that the code was loaded from, where the symbolizer found no line; empty: not known.
  std::string module = {};
  Skipped skipped = {};         // between this one and the next, which is further out
  std::string expression = {};  // what is accessed there, in the words of the source; empty: not known

  friend std::strong_ordering operator<=>(const Frame&, const Frame&) = default;
  friend bool operator==(const Frame&, const Frame&) = default;
};

// What makes two frames "the same place" to a reader: the source line if it is known, else the code
// address. Findings are grouped by it, so adding them again after symbolizing groups them by line.
struct Site {
  std::string file;        // empty iff the line is not known
  std::uint32_t line = 0;  // 0 iff the line is not known
  std::uintptr_t pc = 0;   // 0 iff the line is known, or nothing is

  friend std::strong_ordering operator<=>(const Site&, const Site&) = default;
  friend bool operator==(const Site&, const Site&) = default;
};

[[nodiscard]] inline Site site_of(const Frame& frame) {
  if (frame.source.known()) return {frame.source.file, frame.source.line, 0};
  return {{}, 0, frame.pc};
}

// A list of frames, innermost first: a call stack, or the places where a task, its parent, its
// grandparent… were created.
class Trace {
 public:
  using Frames = std::vector<Frame>;

  Trace() = default;
  explicit Trace(Frames frames)
      : frames_(frames.empty() ? nullptr : std::make_shared<const Frames>(std::move(frames))) {}

  [[nodiscard]] bool empty() const { return frames_ == nullptr; }
  [[nodiscard]] std::size_t size() const { return frames().size(); }
  [[nodiscard]] Frames::const_iterator begin() const { return frames().begin(); }
  [[nodiscard]] Frames::const_iterator end() const { return frames().end(); }

  // The place itself, without the way to it; a frame that knows nothing if the trace is empty.
  [[nodiscard]] const Frame& innermost() const {
    static const Frame kNowhere;
    return empty() ? kNowhere : frames_->front();
  }

  [[nodiscard]] bool shares_frames_with(const Trace& other) const { return frames_ == other.frames_; }

  // True if no other Trace shares these frames. Exact only while nobody else copies this object.
  [[nodiscard]] bool is_sole_owner() const { return frames_.use_count() == 1; }

  friend std::strong_ordering operator<=>(const Trace& a, const Trace& b) {
    if (a.frames_ == b.frames_) return std::strong_ordering::equal;
    return a.frames() <=> b.frames();
  }
  friend bool operator==(const Trace& a, const Trace& b) { return (a <=> b) == 0; }

 private:
  [[nodiscard]] const Frames& frames() const {
    static const Frames kNone;
    return frames_ ? *frames_ : kNone;
  }

  std::shared_ptr<const Frames> frames_;  // null iff empty, so that the empty trace costs nothing
};

}  // namespace anyorder::findings
