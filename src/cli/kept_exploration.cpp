#include "cli/kept_exploration.hpp"

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/words.hpp"
#include "explore/wire.hpp"

namespace anyorder::cli {
namespace {

namespace fs = std::filesystem;

// What the file begins with.
constexpr std::string_view kMark = "anyorder explore --resume";

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(path.string() + " cannot be read.");
  return {std::istreambuf_iterator<char>(file), {}};
}

// The names of those that one environment has and the other has not, or not with that value.
std::string difference(const ExploredInput& one, const ExploredInput& other) {
  std::set<std::string> names;
  const auto look_for = [&](const ExploredInput& these, const ExploredInput& those) {
    for (const auto& [name, value] : these.environment) {
      const auto found = those.environment.find(name);
      if (found == those.environment.end() || found->second != value) names.insert(name);
    }
  };
  look_for(one, other);
  look_for(other, one);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

ExploredInput read_input(exploring::ByteReader& in) {
  ExploredInput input;
  input.command = in.text();
  input.program = exploring::read_digest(in);
  input.library = exploring::read_digest(in);
  for (std::size_t i = in.count(); i != 0; --i) {
    std::string name = in.text();
    input.environment[std::move(name)] = exploring::read_digest(in);
  }
  return input;
}

void refuse_other(const std::string& file, const ExploredInput& input, const ExploredInput& other) {
  const std::string begin = "The exploration in " + file + " is one of another ";
  if (input.command != other.command) {
    throw UsageError(begin + "command: " + other.command + ". Name another file.");
  }
  if (input.program != other.program) {
    throw UsageError(begin + "program: it was built anew since. Name another file, or remove it.");
  }
  if (input.library != other.library) {
    throw UsageError(begin + "version of anyorder. Name another file, or remove it.");
  }
  if (const std::string names = difference(input, other); !names.empty()) {
    throw UsageError(begin + "environment (" + names + "). Set it as it was, or name another file.");
  }
}

}  // namespace

ExploredInput input_of(const std::vector<std::string>& command, const fs::path& program,
                       const fs::path& library, std::span<const std::string> environment) {
  ExploredInput input{quoted_for_shell(command),
                      exploring::digest_of(content_of(program)),
                      exploring::digest_of(content_of(library)),
                      {}};
  for (const std::string& entry : environment) {
    const std::size_t end = entry.find('=');
    input.environment[entry.substr(0, end)] = exploring::digest_of(std::string_view(entry).substr(end + 1));
  }
  return input;
}

std::string kept(const ExploredInput& input, const exploring::StateSpace& states) {
  exploring::ByteWriter content;
  content.text(input.command);
  write(content, input.program);
  write(content, input.library);
  content.number(input.environment.size());
  for (const auto& [name, value] : input.environment) {
    content.text(name);
    write(content, value);
  }
  content.text(states.saved());

  exploring::ByteWriter out;
  out.text(kMark);
  write(out, exploring::digest_of(content.bytes));
  out.text(content.bytes);
  return std::move(out.bytes);
}

void restore(const std::string& file, const ExploredInput& input, exploring::StateSpace& states) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) return;
  try {
    if (!fs::is_regular_file(status)) throw std::runtime_error("it is no file");
    const std::string bytes = content_of(file);
    exploring::ByteReader in(bytes);
    if (in.text() != kMark) throw std::runtime_error("it is another file");
    const exploring::Digest digest = exploring::read_digest(in);
    const std::string content = in.text();
    if (!in.at_end() || exploring::digest_of(content) != digest) {
      throw std::runtime_error("it is damaged");
    }
    exploring::ByteReader inside(content);
    refuse_other(file, input, read_input(inside));
    states.restore(inside.text());
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& why) {
    throw UsageError(file + " cannot be resumed: " + why.what() + ". Name another file, or remove it.");
  }
}

}  // namespace anyorder::cli
