// Reads into and writes from the program's buffers.

#include <cstddef>
#include <cstdio>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include "frontends/c_library/intercept.hpp"

using namespace anyorder::frontends::c_library;  // NOLINT(google-build-using-namespace): definitions only
                                                 // follow

namespace {

Hidden<ssize_t(int, void*, std::size_t)> hidden_read("read");
Hidden<ssize_t(int, void*, std::size_t, off_t)> hidden_pread("pread");
Hidden<ssize_t(int, const void*, std::size_t)> hidden_write("write");
Hidden<ssize_t(int, const void*, std::size_t, off_t)> hidden_pwrite("pwrite");
Hidden<ssize_t(int, void*, std::size_t, int)> hidden_recv("recv");
Hidden<ssize_t(int, const void*, std::size_t, int)> hidden_send("send");
Hidden<std::size_t(void*, std::size_t, std::size_t, std::FILE*)> hidden_fread("fread");
Hidden<std::size_t(const void*, std::size_t, std::size_t, std::FILE*)> hidden_fwrite("fwrite");
Hidden<char*(char*, int, std::FILE*)> hidden_fgets("fgets");
Hidden<int(const char*, std::FILE*)> hidden_fputs("fputs");
Hidden<int(const char*)> hidden_puts("puts");
[[gnu::constructor(101)]] void find_input_output() {
  find_ahead(hidden_read, hidden_pread, hidden_write, hidden_pwrite, hidden_recv, hidden_send, hidden_fread,
             hidden_fwrite, hidden_fgets, hidden_fputs, hidden_puts);
}

std::size_t length_of(const char* text) noexcept {
  std::size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}

ssize_t filled(std::uintptr_t caller, const void* buffer, ssize_t bytes) noexcept {
  if (bytes > 0) writes(caller, buffer, static_cast<std::size_t>(bytes));
  return bytes;
}

}  // namespace

ANYORDER_INTERCEPTED ssize_t read(int file, void* buffer, std::size_t bytes) {
  return filled(ANYORDER_CALLER, buffer, hidden_read(file, buffer, bytes));
}
ANYORDER_INTERCEPTED ssize_t pread(int file, void* buffer, std::size_t bytes, off_t offset) {
  return filled(ANYORDER_CALLER, buffer, hidden_pread(file, buffer, bytes, offset));
}
ANYORDER_INTERCEPTED ssize_t recv(int socket, void* buffer, std::size_t bytes, int flags) {
  return filled(ANYORDER_CALLER, buffer, hidden_recv(socket, buffer, bytes, flags));
}
ANYORDER_INTERCEPTED std::size_t fread(void* buffer, std::size_t bytes, std::size_t count, std::FILE* file) {
  const std::size_t done = hidden_fread(buffer, bytes, count, file);
  writes(ANYORDER_CALLER, buffer, done * bytes);
  return done;
}
ANYORDER_INTERCEPTED char* fgets(char* buffer, int bytes, std::FILE* file) {
  char* const line = hidden_fgets(buffer, bytes, file);
  if (line != nullptr) writes(ANYORDER_CALLER, line, length_of(line) + 1);
  return line;
}

ANYORDER_INTERCEPTED ssize_t write(int file, const void* buffer, std::size_t bytes) {
  reads(ANYORDER_CALLER, buffer, bytes);
  return hidden_write(file, buffer, bytes);
}
ANYORDER_INTERCEPTED ssize_t pwrite(int file, const void* buffer, std::size_t bytes, off_t offset) {
  reads(ANYORDER_CALLER, buffer, bytes);
  return hidden_pwrite(file, buffer, bytes, offset);
}
ANYORDER_INTERCEPTED ssize_t send(int socket, const void* buffer, std::size_t bytes, int flags) {
  reads(ANYORDER_CALLER, buffer, bytes);
  return hidden_send(socket, buffer, bytes, flags);
}
ANYORDER_INTERCEPTED std::size_t fwrite(const void* buffer, std::size_t bytes, std::size_t count,
                                        std::FILE* file) {
  reads(ANYORDER_CALLER, buffer, bytes * count);
  return hidden_fwrite(buffer, bytes, count, file);
}
ANYORDER_INTERCEPTED int fputs(const char* text, std::FILE* file) {
  reads(ANYORDER_CALLER, text, length_of(text) + 1);
  return hidden_fputs(text, file);
}
ANYORDER_INTERCEPTED int puts(const char* text) {
  reads(ANYORDER_CALLER, text, length_of(text) + 1);
  return hidden_puts(text);
}
