// The executable: anyorder, anyorder-c++ and anyorder-cc.
#include <string>
#include <vector>

#include "cli/command.hpp"

int main(int count, char** words) {
  const std::vector<std::string> all(words, words + count);
  const std::string name = all.empty() ? "anyorder" : all.front();
  return anyorder::cli::run_command(name, std::span(all).subspan(all.empty() ? 0 : 1));
}
