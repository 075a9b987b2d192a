// A pipeline of futures: blocks of data go through three stages, one task per block and stage.
//
//     make 0 ──► pack 0 ──► seal 0        Blocks are made and packed independently of each other. Sealing
//                             │           has a state that goes from block to block, so that seal i also
//     make 1 ──► pack 1 ──► seal 1        waits for seal i-1: the stage works in order, while the stages
//                             │           before it run ahead.
//     make 2 ──► pack 2 ──► seal 2
//
// A stage holds the handles of what it needs and nothing else. These waits go across the tree of tasks
// (seal 1 did not create pack 1), which async and finish alone cannot express.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "size_argument.hpp"

namespace ao = anyorder;

namespace {

constexpr int kBlockLength = 1000;

// Letters in runs, so that there is something to pack; each block has its own random sequence.
std::string make(int block) {
  std::string text;
  auto state = static_cast<std::uint32_t>(block) + 1;
  while (text.size() < kBlockLength) {
    state = state * 1664525 + 1013904223;
    text.append(1 + (state >> 28), static_cast<char>('a' + (state >> 16) % 26));
  }
  text.resize(kBlockLength);
  return text;
}

// Run lengths: "aaab" becomes "a3b1".
std::string pack(const std::string& text) {
  std::string packed;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find_first_not_of(text[at], at);
    if (end == std::string::npos) end = text.size();
    packed += text[at] + std::to_string(end - at);
    at = end;
  }
  return packed;
}

struct Seal {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a over all blocks so far
  std::size_t bytes = 0;
};

Seal seal(Seal previous, const std::string& packed) {
  for (const char c : packed) {
    previous.hash = (previous.hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  previous.bytes += packed.size();
  return previous;
}

Seal run_pipeline(int blocks) {
  ao::future<Seal> last = ao::async_future([] { return Seal{}; });
  for (int block = 0; block < blocks; ++block) {
    const auto made = ao::async_future([block] { return make(block); });
    const auto packed = ao::async_future([made] { return pack(made.get()); });
    last = ao::async_future([before = last, packed] { return seal(before.get(), packed.get()); });
  }
  return last.get();
}

Seal run_one_after_another(int blocks) {
  Seal last;
  for (int block = 0; block < blocks; ++block) last = seal(last, pack(make(block)));
  return last;
}

}  // namespace

int main(int argc, char** argv) {
  const int blocks = size_argument(
      argc, argv, {"Sends blocks of text through a pipeline of futures.", "blocks", 500, 0, 100'000});

  const Seal sealed = run_pipeline(blocks);
  std::cout << blocks << " blocks packed into " << sealed.bytes << " bytes, seal " << std::hex << sealed.hash
            << '\n';

  const Seal expected = run_one_after_another(blocks);
  if (sealed.hash != expected.hash || sealed.bytes != expected.bytes) {
    std::cerr << "wrong: one block after another gives seal " << std::hex << expected.hash << '\n';
    return 1;
  }
  return 0;
}
