// The command line that the examples share: at most one argument, the size of the problem.
//
// `size_argument` returns it, or ends the program: with 0 after --help, with 64 (wrong usage) after a word on
// what would have been right.
#pragma once

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <system_error>

struct SizeArgument {
  std::string_view purpose;  // what the program does, one sentence
  std::string_view name;     // what the size counts
  int preset;
  int low;
  int high;
};

inline int size_argument(int argc, char** argv, const SizeArgument& wanted) {
  const auto wrong = [&](std::string_view what) {
    std::cerr << argv[0] << ": " << what << ". [" << wanted.name << "] is one whole number from "
              << wanted.low << " to " << wanted.high << "; without it, " << wanted.preset << " is used.\n";
    std::exit(64);
  };
  if (argc < 2) return wanted.preset;
  const std::string_view text = argv[1];
  if (text == "--help" || text == "-h") {
    std::cout << wanted.purpose << "\n\nusage: " << argv[0] << " [" << wanted.name << "]\n\n  " << wanted.name
              << "  from " << wanted.low << " to " << wanted.high << ", " << wanted.preset
              << " if not given\n";
    std::exit(0);
  }
  if (argc > 2) wrong("Those are too many arguments");
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error == std::errc::result_out_of_range) wrong("That is out of range");
  if (error != std::errc{} || end != text.data() + text.size()) wrong("That is not a number");
  if (size < wanted.low || size > wanted.high) wrong("That is out of range");
  return size;
}
