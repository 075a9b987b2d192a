// IDEA encryption with futures: one task per block of 8 bytes, all handles in an array, and a get for each.
#include "crypt.hpp"

namespace ao = anyorder;
namespace idea = bench::idea;

namespace {

void transform_in_tasks(const std::uint8_t* from, std::uint8_t* to, const idea::KeySchedule& schedule,
                        std::size_t blocks) {
  std::vector<ao::future<void>> handles(blocks);
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * idea::kBlockBytes;
    handles[block] = ao::async_future(
        [from, to, &schedule, begin] { idea::transform(from + begin, to + begin, schedule); });
  }
  for (const ao::future<void>& handle : handles) handle.get();
}

}  // namespace

int main(int argc, char** argv) { return bench::crypt::run("crypt_futures", argc, argv, transform_in_tasks); }
