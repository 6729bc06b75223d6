// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../model_of.hpp"
#include "../runner.hpp"

#include <sporos/core/replication/experiment.hpp>

#include <Kokkos_Core.hpp>

namespace sporos::apps {

namespace impl {

/// The execution space of this program.
using Space = SPOROS_BACKEND;

template <class Model>
std::vector<Model> models_of(std::span<const ParameterValues> design) {
  std::vector<Model> models;
  for (const auto& values : design) models.push_back(model_of<Model>(values));
  return models;
}

template <class Model>
ExperimentResult simulate_model(std::span<const ParameterValues> design, const Plan& plan, const Watcher& watcher) {
  const auto models = models_of<Model>(design);
  return simulate(Space(), std::span<const Model>(models), plan, watcher);
}

template <class Model>
std::vector<double> replay_model(std::span<const ParameterValues> design, const Plan& plan, std::size_t point,
                                 std::int64_t replication) {
  const auto models = models_of<Model>(design);
  const auto replayed = design_points(std::span<const Model>(models), plan.seed, plan.common_random_numbers).at(point);
  const Mapping mapping = plan.mapping == Mapping::warp ? Mapping::warp : Mapping::thread;
  const Outputs<Space> outputs("sporos::apps::replay", 1, static_cast<std::size_t>(response_count<Model>));
  const Space space;
  replicate(space, Design<Model, Space>(replayed.model, replayed.seed), plan.source, ReplicationRange{replication, 1},
            mapping, outputs);
  space.fence();
  const auto row = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::vector<double> responses;
  for (int response = 0; response < response_count<Model>; ++response) responses.push_back(row(0, response));
  return responses;
}

}  // namespace impl

template <class Model>
Runner runner() {
  return {impl::simulate_model<Model>, impl::replay_model<Model>};
}

}  // namespace sporos::apps
