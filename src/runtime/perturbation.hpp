// Another order of tasks than the usual one, on purpose: for tests of what has to hold in any order.
//
// While it is on, whoever queues something shuffles its own queue a little and, at times, pauses first. So
// the newest task of a worker, which its owner takes, and the oldest, which thieves take, are tasks at
// random, by the seed: with one worker the same order each time. While it is off it costs nothing: it is on
// the path of who wakes a sleeper, and there is always one more sleeper to be counted while it is on.
#pragma once

#include <cstdint>
#include <optional>

namespace anyorder::runtime {

// Nothing: off. While nothing is alive.
void set_perturbation(std::optional<std::uint64_t> seed) noexcept;

// By a thread that is about to wake another, after it has queued something for it.
void perturb_if_on() noexcept;

// What a new worker's random numbers begin with.
[[nodiscard]] std::uint64_t seed_of_worker(unsigned number) noexcept;

}  // namespace anyorder::runtime
