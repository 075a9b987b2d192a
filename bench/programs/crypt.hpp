// The work of crypt and crypt_futures: a text is encrypted and decrypted again by IDEA, as the Java Grande
// benchmark Crypt has it. A task transforms one block of 8 bytes and reads all 52 numbers of the key
// schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "idea.hpp"
#include "measured.hpp"
#include "verification.hpp"

namespace bench::crypt {

using Text = std::vector<std::uint8_t>;

// What is shared by all tasks.
struct Job {
  // `bytes` are rounded up to whole blocks.
  explicit Job(std::size_t bytes)
      : blocks((bytes + idea::kBlockBytes - 1) / idea::kBlockBytes),
        plain(blocks * idea::kBlockBytes),
        encrypted(plain.size()),
        decrypted(plain.size()) {
    std::mt19937 random(136506717);
    idea::UserKey user_key{};
    for (std::uint16_t& word : user_key) word = static_cast<std::uint16_t>(random());
    encryption = idea::encryption_schedule(user_key);
    decryption = idea::decryption_schedule(encryption);
    for (std::uint8_t& byte : plain) byte = static_cast<std::uint8_t>(random());
  }

  std::size_t blocks;
  idea::KeySchedule encryption{};
  idea::KeySchedule decryption{};
  Text plain;
  Text encrypted;
  Text decrypted;
};

inline void transform_serially(const std::uint8_t* from, std::uint8_t* to, const idea::KeySchedule& schedule,
                               std::size_t blocks) {
  for (std::size_t block = 0; block < blocks; ++block) {
    idea::transform(from + block * idea::kBlockBytes, to + block * idea::kBlockBytes, schedule);
  }
}

// Both ways; `transform` has the parameters of transform_serially.
template <class Transform>
void encrypt_and_decrypt(Job& job, const Transform& transform) {
  transform(job.plain.data(), job.encrypted.data(), job.encryption, job.blocks);
  transform(job.encrypted.data(), job.decrypted.data(), job.decryption, job.blocks);
}

inline std::uint64_t expected_fingerprint(std::size_t bytes) {
  Job job(bytes);
  encrypt_and_decrypt(job, transform_serially);
  return fingerprint(job.encrypted);
}

// The main function: `transform_in_tasks`, as transform_serially, is what the versions differ in.
template <class Transform, class ByFutures = Transform>
int run(const char* name, int argc, char** argv, const Transform& transform_in_tasks,
        const ByFutures& transform_by_futures) {
  const Arguments given = arguments(argc, argv, {"number of bytes", 1, 1L << 30});
  const auto bytes = static_cast<std::size_t>(given.size);
  const std::uint64_t expected = expected_fingerprint(bytes);
  Job job(bytes);
  return measure(
      name, given.size,
      [&] {
        if (given.version == Version::serial) {
          encrypt_and_decrypt(job, transform_serially);
        } else if (given.version == Version::futures) {
          encrypt_and_decrypt(job, transform_by_futures);
        } else {
          encrypt_and_decrypt(job, transform_in_tasks);
        }
      },
      [&] { return fingerprint(job.encrypted) == expected && same(job.decrypted, job.plain); });
}

template <class Transform>
int run(const char* name, int argc, char** argv, const Transform& transform_in_tasks) {
  return run(name, argc, argv, transform_in_tasks, transform_in_tasks);
}

}  // namespace bench::crypt
