// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/models/radiation/photon_plan.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <vector>

namespace sporos::runtime {

/// Photons to be followed, as models::traced takes them.
struct RadiationTask {
  const models::RadiationCase& radiation;
  std::vector<double> weights;  ///< of the sources
  models::PhotonPlan plan;
  bool by_source;         ///< whether counts are kept for each source
  models::PhotonRun run;  ///< what it goes on from, and who watches it
  Processes& processes;   ///< that share the photons

  /// Follows them. Throws as models::traced does.
  using Runner = models::PhotonCounts(const RadiationTask&);
};

}  // namespace sporos::runtime
