// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <sporos/core/execution/mapping.hpp>
#include <sporos/core/random/engine.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sporos::bench {

/// A model at one size on one backend, as a user runs it.
struct Backend {
  std::string name;  ///< "serial", "openmp", "cuda" …
  bool on_host;
  std::function<Outcome(std::int64_t replications, Mapping, Engine)> run;  ///< timed, with fences; first response

  /// Calls `run`; the default engine is philox.
  Outcome simulate(std::int64_t replications, Mapping mapping, Engine engine = Engine::philox4x32) const {
    return run(replications, mapping, engine);
  }
};

/// A model at one size: run by Sporos on each backend of this build, and by a loop written by hand.
struct Workload {
  std::string model;  ///< its name
  std::string unit;   ///< what a replication's work is counted in: "points", "events" …
  double work;        ///< that many in a replication, on average
  double exact;       ///< expectation of the first response
  std::vector<Backend> backends;
  std::function<Outcome(std::int64_t replications)> hand_written;
  std::int64_t scale = 1;  ///< how many times as many replications as of others, where they are short
};

/// Four models: π in `draws` points, M/M/1 at load ½ and M/M/3/5 with λ = 4, μ = 1 in `customers`, the random walk
/// in `steps`. Each is a file of its own, for the sake of the time it takes to compile.
Workload pi(std::int64_t draws);
Workload mm1(std::int64_t customers);
Workload mmck(std::int64_t customers);
Workload random_walk(std::int64_t steps);

/// The PERT network of eight activities: short replications, of which 10^6 a second is the goal on two cores.
Workload pert();

}  // namespace sporos::bench
