// IDEA encryption with async and finish: one task per block of 8 bytes, very little work in each.
#include "crypt.hpp"

namespace ao = anyorder;
namespace idea = bench::idea;

namespace {

void transform_in_tasks(const std::uint8_t* from, std::uint8_t* to, const idea::KeySchedule& schedule,
                        std::size_t blocks) {
  ao::finish([from, to, &schedule, blocks] {
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t begin = block * idea::kBlockBytes;
      ao::async([from, to, &schedule, begin] { idea::transform(from + begin, to + begin, schedule); });
    }
  });
}

}  // namespace

int main(int argc, char** argv) { return bench::crypt::run("crypt", argc, argv, transform_in_tasks); }
