#include "explore/channel.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <utility>

#include "explore/wire.hpp"

namespace anyorder::exploring {
namespace {

constexpr std::size_t kHead = sizeof(std::uint64_t) + 1;

bool receive_all(int descriptor, char* to, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t got = ::recv(descriptor, to, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

std::uint64_t length_in(const char* head) {
  std::uint64_t length = 0;
  std::memcpy(&length, head, sizeof(length));
  return length;
}

}  // namespace

std::string to_bytes(Message::Kind kind, std::string_view text) {
  const std::uint64_t length = text.size();
  std::string all(reinterpret_cast<const char*>(&length), sizeof(length));
  all += static_cast<char>(kind);
  all += text;
  return all;
}

bool send(int descriptor, std::string_view messages) {
  while (!messages.empty()) {
    const ssize_t sent = ::send(descriptor, messages.data(), messages.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    messages.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::optional<Message> receive(int descriptor) {
  std::array<char, kHead> head{};
  if (!receive_all(descriptor, head.data(), head.size())) return std::nullopt;
  Message message{static_cast<Message::Kind>(head.back()), {}};
  message.text.resize(length_in(head.data()));
  if (!receive_all(descriptor, message.text.data(), message.text.size())) return std::nullopt;
  return message;
}

std::optional<Message> take_message(std::string& stream) {
  if (stream.size() < kHead) return std::nullopt;
  const std::uint64_t length = length_in(stream.data());
  if (stream.size() - kHead < length) return std::nullopt;
  Message message{static_cast<Message::Kind>(stream[kHead - 1]), stream.substr(kHead, length)};
  stream.erase(0, kHead + length);
  return message;
}

std::string to_bytes(const Order& order) {
  ByteWriter out;
  write(out, order.errand);
  out.number(order.most_sections);
  out.number(order.shown ? 1 : 0);
  return std::move(out.bytes);
}
Order order_in(std::string_view bytes) {
  ByteReader in(bytes);
  Order order;
  order.errand = read_errand(in);
  order.most_sections = in.number();
  order.shown = in.number_below(2) != 0;
  return order;
}

std::string to_bytes(const Account& account) {
  ByteWriter out;
  write(out, account.trail);
  for (const std::vector<std::string>* const sentences : {&account.not_covered, &account.notes}) {
    out.number(sentences->size());
    for (const std::string& sentence : *sentences) out.text(sentence);
  }
  out.number(account.sections.size());
  for (const SectionRun& section : account.sections) {
    out.number(section.task);
    out.text(section.file);
    out.number(section.line);
    out.number(section.chosen ? std::uint64_t{*section.chosen} + 1 : 0);
  }
  out.text(account.learnt);
  return std::move(out.bytes);
}
Account account_in(std::string_view bytes) {
  ByteReader in(bytes);
  Account account;
  account.trail = read_trail(in);
  for (std::vector<std::string>* const sentences : {&account.not_covered, &account.notes}) {
    for (std::size_t i = in.count(); i != 0; --i) sentences->push_back(in.text());
  }
  for (std::size_t i = in.count(); i != 0; --i) {
    SectionRun section;
    section.task = static_cast<TaskNumber>(in.number());
    section.file = in.text();
    section.line = static_cast<std::uint32_t>(in.number());
    if (const std::uint64_t chosen = in.number(); chosen != 0) {
      section.chosen = static_cast<TaskNumber>(chosen - 1);
    }
    account.sections.push_back(std::move(section));
  }
  account.learnt = in.text();
  return account;
}

}  // namespace anyorder::exploring
