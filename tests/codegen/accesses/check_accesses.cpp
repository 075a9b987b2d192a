// check_accesses <file>: whether every load and store in LLVM's assembly language has its hook, of
// ThreadSanitizer or of our pass.
//
// Of a file that clang made with -S -emit-llvm -fsanitize=thread it prints the accesses that no hook in their
// function tells of: those without one, those whose hook has another size, and intrinsics that access memory
// by masks or through vectors of pointers. Exit code 0 if there is none, 1 if there are some, 2 if the file
// has no hooks at all or cannot be read. Understands what kernels.cpp next to it leads to, in which no
// variable is local: not all of the language.
#include <cstdio>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Access {
  bool writes;
  std::string type;
  std::string address;
  std::string line;
};

// The parts of "T* %a, align 4": commas within types do not count.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '<' || c == '{' || c == '[' || c == '(') ++depth;
    if (c == '>' || c == '}' || c == ']' || c == ')') --depth;
    if (c == ',' && depth == 0) {
      parts.emplace_back();
    } else if (c != ' ' || !parts.back().empty()) {
      parts.back() += c;
    }
  }
  return parts;
}

// "T" of "T %a".
std::string type_of(const std::string& operand) {
  const auto end = operand.front() == '<' ? operand.find('>') + 1 : operand.find(' ');
  return operand.substr(0, end);
}
std::string name_of(const std::string& operand) { return operand.substr(operand.rfind(' ') + 1); }

// 0 for what is not understood, which no hook matches.
unsigned bits_of(const std::string& type) {
  if (type == "float") return 32;
  if (type == "double" || type == "ptr" || type.back() == '*') return 64;
  std::smatch match;
  if (std::regex_match(type, match, std::regex("i([0-9]+)")))
    return static_cast<unsigned>(std::stoul(match[1]));
  if (std::regex_match(type, match, std::regex("<([0-9]+) x (.*)>"))) {
    return static_cast<unsigned>(std::stoul(match[1])) * bits_of(match[2]);
  }
  return 0;
}

class Function {
 public:
  void read(const std::string& line) {
    static const std::regex kCast(R"(^ +(%\S+) = bitcast \S+ (%\S+) to [^ ]*\*(,|$))");
    static const std::regex kHook(
        R"(call void @(?:__tsan_|__tsan_unaligned_|anyorder_)(read|write)([0-9]+)(?:_at_1)?\((.*)\))");
    static const std::regex kLoad(R"(^ +%\S+ = load (?:volatile )?(.*)$)");
    static const std::regex kStore(R"(^ +store (?:volatile )?(.*)$)");
    static const std::regex kMasked(R"(call .*@llvm\.(masked|vp|experimental\.vp)\.)");
    std::smatch match;
    if (std::regex_search(line, match, kCast)) {
      same_[match[1]] = match[2];
    } else if (std::regex_search(line, match, kHook)) {
      hooks_.emplace(name_of(split(match[3].str()).front()), match[1] == "write",
                     8 * static_cast<unsigned>(std::stoul(match[2])));
    } else if (std::regex_search(line, match, kLoad)) {
      const auto parts = split(match[1].str());
      accesses_.push_back({false, parts.at(0), name_of(parts.at(1)), line});
    } else if (std::regex_search(line, match, kStore)) {
      const auto parts = split(match[1].str());
      accesses_.push_back({true, type_of(parts.at(0)), name_of(parts.at(1)), line});
    } else if (std::regex_search(line, match, kMasked)) {
      accesses_.push_back({true, "masked", "", line});
    }
  }

  // The lines of accesses that no hook tells of.
  [[nodiscard]] std::vector<std::string> unseen() const {
    std::set<std::tuple<std::string, bool, unsigned>> hooks;
    for (const auto& [address, writes, bits] : hooks_) hooks.emplace(origin(address), writes, bits);
    std::vector<std::string> lines;
    for (const Access& access : accesses_) {
      const unsigned bits = (bits_of(access.type) + 7) / 8 * 8;
      const auto address = origin(access.address);
      // For a read, a write's hook of the same size does.
      const bool seen =
          hooks.contains({address, true, bits}) || (!access.writes && hooks.contains({address, false, bits}));
      if (!seen) lines.push_back(access.line);
    }
    return lines;
  }

  [[nodiscard]] std::size_t hooks() const { return hooks_.size(); }

 private:
  // Before version 15 pointers have types, and an address several names.
  [[nodiscard]] std::string origin(std::string name) const {
    for (auto at = same_.find(name); at != same_.end(); at = same_.find(name)) name = at->second;
    return name;
  }

  std::map<std::string, std::string> same_;
  std::set<std::tuple<std::string, bool, unsigned>> hooks_;
  std::vector<Access> accesses_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  std::string line;
  std::string name;
  Function function;
  bool inside = false;
  std::size_t hooks = 0;
  std::size_t unseen = 0;
  while (std::getline(file, line)) {
    if (line.starts_with("define ")) {
      const auto at = line.find('@');
      name = line.substr(at + 1, line.find('(', at) - at - 1);
      function = {};
      inside = true;
    } else if (line == "}") {
      inside = false;
      for (const auto& access : function.unseen()) {
        std::printf("%s:%s\n", name.c_str(), access.c_str());
        ++unseen;
      }
      hooks += function.hooks();
    } else if (inside) {
      function.read(line);
    }
  }
  std::printf("%zu addresses with hooks, %zu accesses without\n", hooks, unseen);
  if (hooks == 0) return 2;
  return unseen == 0 ? 0 : 1;
}
