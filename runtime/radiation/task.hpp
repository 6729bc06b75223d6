// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/models/radiation/photon_plan.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <vector>

namespace sporos::runtime {

/// Task of tracing photons: the arguments of models::traced.
struct RadiationTask {
  const models::RadiationCase& radiation;
  std::vector<double> weights;  ///< weights of the sources
  models::PhotonPlan plan;
  bool by_source;         ///< whether counts are kept for each source
  models::PhotonRun run;  ///< counts from which the run continues, and its callback
  Processes& processes;   ///< processes that share the photons

  /// Function that carries out the task. Throws the same exceptions as models::traced.
  using Runner = models::PhotonCounts(const RadiationTask&);
};

}  // namespace sporos::runtime
