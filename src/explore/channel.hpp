// What the process that searches and the processes that run the program say to each other.
//
// Each process that starts runs reads from one descriptor and writes to the same: a stream of messages, a
// length and a kind before each. To every errand belong begun, an account unless the run crashed, and ended.
// Accounts come in the order of the errands; begun may come before the errand was given, and that and the
// last run's end after the account.
//
// Contract: for one thread per descriptor and direction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/errand.hpp"
#include "explore/footprint.hpp"

namespace anyorder::exploring {

struct Message {
  enum class Kind : std::uint8_t {
    errand,   // an Order
    begun,    // the number of the process that runs the program, or will
    account,  // an Account
    ended,    // that process, with this status, as wait gives it
  };
  Kind kind = Kind::begun;
  std::string text;
};

// The message as it is sent; several of them may go together.
[[nodiscard]] std::string to_bytes(Message::Kind kind, std::string_view text);
// Whether all of it was sent.
bool send(int descriptor, std::string_view messages);
inline bool send(int descriptor, Message::Kind kind, std::string_view text) {
  return send(descriptor, to_bytes(kind, text));
}
// Waits for one. Nothing: there will be none.
[[nodiscard]] std::optional<Message> receive(int descriptor);
// The first message of a stream, taken out of it; nothing: it is not complete.
[[nodiscard]] std::optional<Message> take_message(std::string& stream);

// What one process is asked for.
struct Order {
  Errand errand;
  std::uint64_t most_sections = 0;
  // It keeps its standard streams, and goes on to its end after its account.
  bool shown = false;
};

// What it tells of its run.
struct Account {
  Trail trail;
  std::vector<std::string> not_covered;
  std::vector<std::string> notes;    // what else the user should know
  std::vector<SectionRun> sections;  // the first ones, if the run found something
  std::string learnt;                // for read_learnt
};

[[nodiscard]] std::string to_bytes(const Order& order);
[[nodiscard]] std::string to_bytes(const Account& account);
// Throw std::runtime_error on other texts.
[[nodiscard]] Order order_in(std::string_view bytes);
[[nodiscard]] Account account_in(std::string_view bytes);

}  // namespace anyorder::exploring
