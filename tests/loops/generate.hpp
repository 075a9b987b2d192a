// Random programs of loop nests, for holding instrumentations against each other: what races in them depends
// on the bounds of loops, on strides, on conditions, and on how a loop ends.
//
// Contract: the same seed gives the same program, to be compiled with harness.hpp included before it. What is
// to be compared are arrays with names that begin with `shared_`; no access is outside of them, and every
// value that is read is used.
#pragma once

#include <cstdint>
#include <string>

namespace anyorder::loops {

// A source file with so many cases, each with arrays of its own.
[[nodiscard]] std::string program(std::uint64_t seed, int cases);

}  // namespace anyorder::loops
