#include "cli/options.hpp"

#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "cli/exit_code.hpp"

namespace anyorder::cli {
namespace {

class WithUsage : public CLI::Formatter {
 public:
  explicit WithUsage(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
    return "\nusage: " + usage_ + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace

void set_usage(CLI::App& app, const std::string& usage) { app.formatter(std::make_shared<WithUsage>(usage)); }

std::optional<int> parse(CLI::App& app, std::span<const std::string> arguments) {
  try {
    // CLI11 takes them from the end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return kExitSuccess;
  } catch (const CLI::ParseError& error) {
    throw UsageError(app.get_name() + ": " + error.what() + " (see " + app.get_name() + " --help)");
  }
  return std::nullopt;
}

}  // namespace anyorder::cli
