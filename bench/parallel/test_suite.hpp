// Measurements that tests are about: one program, a serial and a parallel detector, one round.
#pragma once

#include "parallel/suite.hpp"

namespace bench::parallel {

inline const anyorder::events::DetectorTraits kSerialDetector{
    "in_order", anyorder::events::Construct::async_finish, anyorder::events::Execution::serial_depth_first,
    anyorder::events::Guarantee::all_schedules_of_this_input};
inline const anyorder::events::DetectorTraits kParallelDetector{
    "at_once", anyorder::events::Construct::async_finish, anyorder::events::Execution::parallel,
    anyorder::events::Guarantee::all_schedules_of_this_input};

inline Series runs_of(double seconds, double bytes) { return {{Sample{seconds, 2 * seconds, bytes}}, ""}; }

// plain/1, plain/2, in_order, at_once/1, at_once/2, tbb/1, tsan/1, tbb/2, tsan/2
inline Suite suite_of_one() {
  Suite suite;
  suite.workers = {1, 2};
  suite.all.columns = columns({suite.workers, {kSerialDetector, kParallelDetector}, true});
  ProgramResults program{
      "sor",
      60,
      {runs_of(2, 10e6), runs_of(1, 12e6), runs_of(16, 20e6), runs_of(6, 30e6), runs_of(4, 36e6),
       runs_of(2.5, 10e6), runs_of(25, 50e6), runs_of(1.25, 10e6), runs_of(20, 60e6)}};
  program.counters.emplace();
  program.counters->tasks = 77;
  program.counters->reads = 100;
  program.counters->writes = 23;
  suite.all.programs = {program};
  return suite;
}

}  // namespace bench::parallel
