// Crypt, Series and Strassen: the work is that of bench/programs, with the paper's number of tasks.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <anyorder/anyorder.hpp>

#include "../programs/crypt.hpp"
#include "../programs/series.hpp"
#include "../programs/strassen.hpp"
#include "small_programs.hpp"

namespace bench::explore {
namespace {

namespace ao = anyorder;

constexpr Column kTimedOut{"-", "-", "-"};

enum class Join { finish, futures };

// `tasks` tasks, each for a part of [0, size).
template <class Body>
void in_tasks(Join join, std::size_t size, std::size_t tasks, const Body& body) {
  const auto part = [&](std::size_t i) {
    return [&body, begin = i * size / tasks, end = (i + 1) * size / tasks] { body(begin, end); };
  };
  if (join == Join::finish) {
    ao::finish([&] {
      for (std::size_t i = 0; i != tasks; ++i) ao::async(part(i));
    });
    return;
  }
  std::vector<ao::future<void>> handles;
  for (std::size_t i = 0; i != tasks; ++i) handles.push_back(ao::async_future(part(i)));
  for (const ao::future<void>& handle : handles) handle.get();
}

Program crypt_by(const char* name, Join join, int tasks, Column graphs) {
  constexpr std::size_t kBytes = 4096;
  const auto job = std::make_shared<crypt::Job>(kBytes);
  const auto run = [job, join, tasks] {
    // An odd number of tasks: one more for the way there.
    std::size_t of_this_way = static_cast<std::size_t>(tasks + 1) / 2;
    crypt::encrypt_and_decrypt(*job, [&](const std::uint8_t* from, std::uint8_t* to,
                                         const idea::KeySchedule& key, std::size_t blocks) {
      in_tasks(join, blocks, of_this_way, [=, &key](std::size_t begin, std::size_t end) {
        crypt::transform_serially(from + begin * idea::kBlockBytes, to + begin * idea::kBlockBytes, key,
                                  end - begin);
      });
      of_this_way = static_cast<std::size_t>(tasks) / 2;
    });
  };
  const auto right = [job] {
    return same(job->decrypted, job->plain) &&
           fingerprint(job->encrypted) == crypt::expected_fingerprint(kBytes);
  };
  return {name, tasks, false, graphs, kTimedOut, kTimedOut, run, right};
}

Program series_by(const char* name, Join join, int tasks, Column graphs) {
  const auto count = static_cast<std::size_t>(tasks) + 1;
  const auto coefficients = std::make_shared<series::Coefficients>(series::room_for(count));
  const auto run = [coefficients, join, tasks] {
    series::Coefficients& all = *coefficients;
    series::compute_first(all);
    in_tasks(join, static_cast<std::size_t>(tasks), static_cast<std::size_t>(tasks),
             [&all](std::size_t begin, std::size_t /*end*/) { series::compute(all, begin + 1); });
  };
  const auto right = [coefficients] { return series::begins_as_known(*coefficients); };
  return {name, tasks, false, graphs, kTimedOut, kTimedOut, run, right};
}

// The paper's has three tasks: they share the seven products of the first level.
Program strassen_in_three() {
  constexpr std::size_t kRows = 64;
  struct Matrices {
    strassen::Matrix a = strassen::matrix_of(kRows, 1);
    strassen::Matrix b = strassen::matrix_of(kRows, 5);
    strassen::Matrix product{kRows};
  };
  const auto matrices = std::make_shared<Matrices>();
  const auto run = [matrices] {
    strassen::Level level(matrices->a.read(), matrices->b.read(), matrices->product.write());
    in_tasks(Join::finish, strassen::kProducts, 3, [&level](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i != end; ++i) level.compute_product(i, strassen::multiply_serially);
    });
    for (std::size_t i = 0; i != strassen::kQuadrants; ++i) level.compute_quadrant(i);
  };
  const auto right = [matrices] {
    return strassen::is_product(matrices->a, matrices->b, matrices->product, kRows);
  };
  return {"Strassen", 3, false, {"7", "00:57", "N"}, kTimedOut, kTimedOut, run, right};
}

}  // namespace

std::vector<Program> large_programs() {
  std::vector<Program> all;
  all.push_back(crypt_by("Crypt-af", Join::finish, 259, {"260", "00:17", "N"}));
  all.push_back(crypt_by("Crypt-f", Join::futures, 387, {"775", "00:46", "N"}));
  all.push_back(series_by("Series-af", Join::finish, 329, {"750", "00:36", "N"}));
  all.push_back(series_by("Series-f", Join::futures, 354, {"630", "00:51", "N"}));
  all.push_back(strassen_in_three());
  return all;
}

}  // namespace bench::explore
