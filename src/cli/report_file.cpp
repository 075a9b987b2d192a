#include "cli/report_file.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <ostream>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/exit_code.hpp"
#include "support/settings.hpp"

namespace anyorder::cli {
namespace {

// The number of the open descriptor that a path means.
std::optional<int> descriptor_in(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    if (const auto number = support::parse_count(path.substr(folder.size())))
      return static_cast<int>(*number);
  }
  return std::nullopt;
}

// What is written to it goes to a descriptor, which it does not own.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
  }

  // That of the first write that failed; 0: none has.
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type next) override {
    if (!write_out()) return traits_type::eof();
    if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
    return sputc(traits_type::to_char_type(next));
  }
  int sync() override { return write_out() ? 0 : -1; }

 private:
  [[nodiscard]] bool write_out() {
    for (const char* at = pbase(); error_ == 0 && at != pptr();) {
      const auto count = ::write(descriptor_, at, static_cast<std::size_t>(pptr() - at));
      if (count >= 0) {
        at += count;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, std::size_t{1} << 16U> bytes_{};
};

// What a new file may be, as open() would make it.
mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

ReportFile::ReportFile(const std::string& path) : name_(path) {
  if (const auto number = descriptor_in(path)) {
    open_descriptor(*number);
    return;
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status)) fail("it is a directory");
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) {
    open_temporary(path);
  } else {
    open_special(path);
  }
}

ReportFile::~ReportFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void ReportFile::open_descriptor(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) fail("it is not open for writing");
  descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (descriptor_ < 0) fail(std::strerror(errno));
}

void ReportFile::open_special(const std::filesystem::path& path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) fail(std::strerror(errno));
}

void ReportFile::open_temporary(const std::filesystem::path& path) {
  std::error_code error;
  // A symbolic link stays one: the file that it leads to is replaced.
  target_ = std::filesystem::weakly_canonical(std::filesystem::absolute(path), error);
  if (error) fail(error.message());
  mode_t mode = mode_of_new_files();
  struct stat old {};
  if (::stat(target_.c_str(), &old) == 0) {
    if (::access(target_.c_str(), W_OK) != 0) fail(std::strerror(errno));
    mode = old.st_mode & 0777U;
  }
  std::string pattern = target_.string() + ".XXXXXX";
  descriptor_ = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(std::strerror(errno));
  temporary_ = pattern;
  ::fchmod(descriptor_, mode);
}

void ReportFile::write(std::string_view text) {
  write([text](std::ostream& out) { out << text; });
}

void ReportFile::write(const std::function<void(std::ostream&)>& writer) {
  const auto fail_now = [this](const char* why) {
    throw EnvironmentError("The report could not be written to " + name_ + ": " + why + ".");
  };
  DescriptorBuffer buffer(descriptor_);
  std::ostream out(&buffer);
  writer(out);
  out.flush();
  if (buffer.error() != 0) fail_now(std::strerror(buffer.error()));
  // Some file systems tell only now that there was no room.
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail_now(std::strerror(errno));
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_now(std::strerror(errno));
  temporary_.clear();
}

void ReportFile::fail(const std::string& why) const {
  throw UsageError("The report cannot be written to " + name_ + ": " + why + ".");
}

}  // namespace anyorder::cli
