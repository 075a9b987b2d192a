#include "shadow/process_maps.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace anyorder::shadow {
namespace {

// "55a178116000-55a178118000 r--p …"; anything else, such as "Rss:  8 kB", is no mapping.
bool parse_mapping(const char* line, AddressRange& range, bool& accessible) {
  char* end = nullptr;
  const std::uintptr_t low = std::strtoull(line, &end, 16);
  if (end == line || *end != '-') return false;
  const char* const second = end + 1;
  const std::uintptr_t high = std::strtoull(second, &end, 16);
  if (end == second || *end != ' ') return false;
  range = {low, high};
  accessible = end[1] == 'r' || end[2] == 'w';
  return true;
}

class OpenFile {
 public:
  explicit OpenFile(const char* path) : descriptor_(open(path, O_RDONLY | O_CLOEXEC)), path_(path) {
    if (descriptor_ < 0) fail();
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(descriptor_); }

  std::size_t read_some(char* to, std::size_t room) {
    for (;;) {
      const ssize_t got = read(descriptor_, to, room);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail();
    }
  }

 private:
  [[noreturn]] void fail() const {
    throw std::system_error(errno, std::generic_category(),
                            std::string("anyorder: cannot read ") + path_ + " (is /proc mounted?)");
  }

  int descriptor_;
  const char* path_;
};

}  // namespace

void for_each_maps_line(const char* path, bool (*visit)(void* context, const MapsLine& line), void* context) {
  OpenFile file(path);
  std::array<char, 8192> buffer;  // longer than any line: a file's path is at most 4096 bytes
  std::size_t held = 0;
  AddressRange mapping;
  bool accessible = false;
  for (;;) {
    const std::size_t got = file.read_some(buffer.data() + held, buffer.size() - held);
    if (got == 0) return;
    held += got;
    char* line = buffer.data();
    char* const end = line + held;
    while (char* const newline = static_cast<char*>(std::memchr(line, '\n', end - line))) {
      *newline = '\0';
      const bool is_mapping = parse_mapping(line, mapping, accessible);
      if (!visit(context, {line, is_mapping, mapping, accessible})) return;
      line = newline + 1;
    }
    held = end - line;
    if (held == buffer.size()) held = 0;  // a file's name of several kilobytes with escapes: not needed
    std::memmove(buffer.data(), line, held);
  }
}

}  // namespace anyorder::shadow
