#include "explore/wire.hpp"

#include <limits>
#include <stdexcept>

namespace anyorder::exploring {
namespace {

constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

std::uint32_t read_small(ByteReader& in) {
  return static_cast<std::uint32_t>(in.number_below(std::uint64_t{1} << 32U));
}
ByteMask read_mask(ByteReader& in) { return static_cast<ByteMask>(in.number_below(256)); }
bool read_bool(ByteReader& in) { return in.number_below(2) != 0; }

void write(ByteWriter& out, const SeenAccess& access) {
  out.number(access.task);
  out.number(access.write ? 1 : 0);
  out.number(access.site);
}
SeenAccess read_access(ByteReader& in) {
  SeenAccess access;
  access.task = read_small(in);
  access.write = read_bool(in);
  access.site = in.number();
  return access;
}

}  // namespace

// Seven bits to a byte, the lowest first; the eighth says that more follow.
void ByteWriter::number(std::uint64_t n) {
  for (; n >= 0x80; n >>= 7U) bytes += static_cast<char>(0x80U | (n & 0x7fU));
  bytes += static_cast<char>(n);
}

void ByteWriter::text(std::string_view text) {
  number(text.size());
  bytes += text;
}

std::uint64_t ByteReader::number() {
  std::uint64_t n = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) break;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    n |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return n;
  }
  throw std::runtime_error("a number is cut off");
}

std::uint64_t ByteReader::number_below(std::uint64_t end) {
  const std::uint64_t n = number();
  if (end != kAny && n >= end) throw std::runtime_error("a number is too large");
  return n;
}

std::string ByteReader::text() {
  const std::size_t size = count();
  std::string text(rest_.substr(0, size));
  rest_.remove_prefix(size);
  return text;
}

void write(ByteWriter& out, const Digest& digest) {
  out.number(digest.low);
  out.number(digest.high);
}
Digest read_digest(ByteReader& in) {
  Digest digest;
  digest.low = in.number();
  digest.high = in.number();
  return digest;
}

void write(ByteWriter& out, const Schedule& schedule) {
  out.number(schedule.size());
  for (const std::uint32_t choice : schedule) out.number(choice);
}
Schedule read_schedule(ByteReader& in) {
  Schedule schedule;
  for (std::size_t i = in.count(); i != 0; --i) schedule.push_back(read_small(in));
  return schedule;
}

void write(ByteWriter& out, const std::vector<LiveTask>& tasks) {
  out.number(tasks.size());
  for (const LiveTask& task : tasks) {
    out.number(task.number);
    out.number(task.lineage);
    out.number(task.sections);
    out.number(task.turn);
    out.number(task.turns);
    out.number(task.chooses ? 1 : 0);
    out.number(task.waits.size());
    for (const std::size_t other : task.waits) out.number(other);
  }
}
std::vector<LiveTask> read_live_tasks(ByteReader& in) {
  std::vector<LiveTask> tasks;
  for (std::size_t i = in.count(); i != 0; --i) {
    LiveTask task{};
    task.number = read_small(in);
    task.lineage = in.number();
    task.sections = read_small(in);
    task.turn = read_small(in);
    task.turns = read_small(in);
    task.chooses = read_bool(in);
    for (std::size_t j = in.count(); j != 0; --j) task.waits.push_back(in.number());
    tasks.push_back(std::move(task));
  }
  return tasks;
}

void write(ByteWriter& out, const Footprint& footprint) {
  out.number(footprint.size());
  for (const auto& [word, bytes] : footprint) {
    out.number(word);
    out.number(bytes.read);
    out.number(bytes.written);
  }
}
Footprint read_footprint(ByteReader& in) {
  Footprint footprint;
  for (std::size_t i = in.count(); i != 0; --i) {
    BytesTouched& bytes = footprint[in.number()];
    bytes.read = read_mask(in);
    bytes.written = read_mask(in);
  }
  return footprint;
}

void write(ByteWriter& out, const Learnt& learnt) {
  out.number(learnt.size());
  learnt.for_each([&](Lineage lineage, const Touches& touches) {
    out.number(lineage);
    out.number(touches.size());
    for (const auto& [word, touched] : touches) {
      out.number(word);
      out.number(touched.bytes.read);
      out.number(touched.last_read);
      out.number(touched.bytes.written);
      out.number(touched.last_written);
    }
  });
}
void read_learnt(ByteReader& in, Learnt& learnt) {
  for (std::size_t i = in.count(); i != 0; --i) {
    const Lineage lineage = in.number();
    for (std::size_t j = in.count(); j != 0; --j) {
      const Word word = in.number();
      const ByteMask read = read_mask(in);
      const std::uint32_t last_read = read_small(in);
      const ByteMask written = read_mask(in);
      const std::uint32_t last_written = read_small(in);
      learnt.add(lineage, word, read, false, last_read);
      learnt.add(lineage, word, written, true, last_written);
    }
  }
}

void write(ByteWriter& out, const Errand& errand) {
  write(out, errand.choices);
  out.number(errand.last_state ? 1 : 0);
  if (errand.last_state) write(out, *errand.last_state);
}
Errand read_errand(ByteReader& in) {
  Errand errand;
  errand.choices = read_schedule(in);
  if (read_bool(in)) errand.last_state = read_digest(in);
  return errand;
}

void write(ByteWriter& out, const Trail& trail) {
  out.number(static_cast<std::uint64_t>(trail.ending));
  write(out, trail.choices);
  out.number(trail.states.size());
  for (const NewState& found : trail.states) {
    write(out, found.state);
    write(out, found.live);
    out.number(found.turns);
  }
  write(out, trail.known);
  out.number(trail.footprints.size());
  for (const Footprint& footprint : trail.footprints) write(out, footprint);
  out.number(trail.sections);
  out.number(trail.any_choice_made ? 1 : 0);
  out.number(trail.race ? 1 : 0);
  if (trail.race) {
    out.number(trail.race->word);
    out.number(trail.race->bytes);
    write(out, trail.race->first);
    write(out, trail.race->second);
  }
  write(out, trail.stuck);
}
Trail read_trail(ByteReader& in) {
  Trail trail;
  trail.ending = static_cast<Ending>(in.number_below(static_cast<std::uint64_t>(Ending::diverged) + 1));
  trail.choices = read_schedule(in);
  for (std::size_t i = in.count(); i != 0; --i) {
    NewState found;
    found.state = read_digest(in);
    found.live = read_live_tasks(in);
    found.turns = read_small(in);
    trail.states.push_back(std::move(found));
  }
  trail.known = read_digest(in);
  for (std::size_t i = in.count(); i != 0; --i) trail.footprints.push_back(read_footprint(in));
  trail.sections = in.number();
  trail.any_choice_made = read_bool(in);
  if (read_bool(in)) {
    RaceSeen race;
    race.word = in.number();
    race.bytes = read_mask(in);
    race.first = read_access(in);
    race.second = read_access(in);
    trail.race = race;
  }
  trail.stuck = read_live_tasks(in);
  return trail;
}

}  // namespace anyorder::exploring
