// IDEA encryption with futures: one task per block of 8 bytes, all handles in an array, and a get for each.
// By futures alone it is all the same, but then there are 8192 tasks for each way.
#include <algorithm>

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

void transform_in_groups(const std::uint8_t* from, std::uint8_t* to, const idea::KeySchedule& schedule,
                         std::size_t blocks) {
  constexpr std::size_t kGroups = 8192;
  const std::size_t of_group = (blocks + kGroups - 1) / kGroups;
  std::vector<ao::future<void>> handles;
  for (std::size_t block = 0; block < blocks; block += of_group) {
    const std::size_t begin = block * idea::kBlockBytes;
    const std::size_t count = std::min(of_group, blocks - block);
    handles.push_back(ao::async_future([from, to, &schedule, begin, count] {
      bench::crypt::transform_serially(from + begin, to + begin, schedule, count);
    }));
  }
  for (const ao::future<void>& handle : handles) handle.get();
}

}  // namespace

int main(int argc, char** argv) {
  return bench::crypt::run("crypt_futures", argc, argv, transform_in_tasks, transform_in_groups);
}
