// Errands, trails and what was learnt as bytes, for other processes and for files.
//
// Contract: values; no thread affinity. Readers throw std::runtime_error on what no writer has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "explore/errand.hpp"

namespace anyorder::exploring {

class ByteWriter {
 public:
  void number(std::uint64_t n);
  void text(std::string_view text);

  std::string bytes;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number();
  // Less than `end`.
  [[nodiscard]] std::uint64_t number_below(std::uint64_t end);
  // Of things that follow, at least a byte each.
  [[nodiscard]] std::size_t count() { return number_below(rest_.size() + 1); }
  [[nodiscard]] std::string text();
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

void write(ByteWriter& out, const Digest& digest);
void write(ByteWriter& out, const Schedule& schedule);
void write(ByteWriter& out, const std::vector<LiveTask>& tasks);
void write(ByteWriter& out, const Footprint& footprint);
void write(ByteWriter& out, const Learnt& learnt);
void write(ByteWriter& out, const Errand& errand);
void write(ByteWriter& out, const Trail& trail);

[[nodiscard]] Digest read_digest(ByteReader& in);
[[nodiscard]] Schedule read_schedule(ByteReader& in);
[[nodiscard]] std::vector<LiveTask> read_live_tasks(ByteReader& in);
[[nodiscard]] Footprint read_footprint(ByteReader& in);
// Adds to what is there.
void read_learnt(ByteReader& in, Learnt& learnt);
[[nodiscard]] Errand read_errand(ByteReader& in);
[[nodiscard]] Trail read_trail(ByteReader& in);

}  // namespace anyorder::exploring
