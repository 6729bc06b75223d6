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

/// A model of a given size on one backend, run as users run it.
struct Backend {
  std::string name;  ///< "serial", "openmp", "cuda" …
  bool on_host;
  /// Runs and times the replications, with fences. Returns statistics of the first response.
  std::function<Outcome(std::int64_t replications, Mapping, Engine)> run;

  /// Calls `run`, with Philox as the default engine.
  Outcome simulate(std::int64_t replications, Mapping mapping, Engine engine = Engine::philox4x32) const {
    return run(replications, mapping, engine);
  }
};

/// A model of a given size: run by Sporos on each backend of this build, and by a handwritten loop.
struct Workload {
  std::string model;  ///< name of the model
  std::string unit;   ///< unit of work: "points", "events" …
  double work;        ///< average number of units in a replication
  double exact;       ///< expectation of the first response
  std::vector<Backend> backends;
  std::function<Outcome(std::int64_t replications)> hand_written;
  std::int64_t scale = 1;  ///< factor on the number of replications, for models with short replications
};

/// Four models: π with `draws` points, M/M/1 at load ½ and M/M/3/5 with λ = 4, μ = 1 and `customers` customers, and the
/// random walk with `steps` steps. Each has a separate source file, because compiling takes long.
Workload pi(std::int64_t draws);
Workload mm1(std::int64_t customers);
Workload mmck(std::int64_t customers);
Workload random_walk(std::int64_t steps);

/// The PERT network of eight activities. Its replications are short; the goal is 10^6 per second on two cores.
Workload pert();

}  // namespace sporos::bench
