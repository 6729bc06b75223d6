// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../workload.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/replication/experiment.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <vector>

namespace sporos::bench {

template <class ExecutionSpace, class Model>
Outcome timed_simulation(const ExecutionSpace& space, const Model& model, const Plan& plan) {
  Kokkos::fence();
  const Kokkos::Timer timer;
  const PointResult result = simulate(space, model, plan);  // the result is on the host, so that no fence is needed
  const double seconds = timer.seconds();
  const ResponseEstimate& first = result.responses.front();
  return {seconds, first.mean, std::sqrt(first.variance / static_cast<double>(first.observations)), result.digest};
}

/// Returns a model with data on every backend of this build. `tables_of(space)` copies the data to memory that the
/// kernels can access, and provides the model as `model()`.
template <class TablesOf>
std::vector<Backend> backends_with(const TablesOf& tables_of) {
  std::vector<Backend> backends;
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
    const auto simulate = [space, tables = tables_of(space)](std::int64_t replications, Mapping mapping,
                                                             Engine engine) {
      Plan plan;
      plan.replications = replications;
      plan.mapping = mapping;
      plan.source.engine = engine;
      return timed_simulation(space, tables.model(), plan);
    };
    backends.push_back({std::string(backend_name<ExecutionSpace>()), runs_on_host<ExecutionSpace>, simulate});
  });
  return backends;
}

// Wraps a model without data.
template <class Model>
struct NoTables {
  Model parameters;
  Model model() const { return parameters; }
};

/// Returns `model` on every backend of this build.
template <class Model>
std::vector<Backend> backends_of(const Model& model) {
  return backends_with([=](const auto&) { return NoTables<Model>{model}; });
}

}  // namespace sporos::bench
