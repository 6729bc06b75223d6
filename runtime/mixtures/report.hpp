// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/models/mixtures/observation_file.hpp>

#include <cstdint>
#include <optional>

namespace sporos::runtime {

/// Mixtures that were fitted, and how.
struct FitReport {
  const models::ObservationFile& data;
  const MixtureFitOptions& options;
  FitPrecision precision;
  const std::optional<MixtureBootstrapOptions>& asked_bootstrap;
  const FitOutcome& outcome;
  double seconds;
  Machine machine;
};

/// A digest of the values and weights of a sample.
std::uint64_t digest_of(const models::Observations& sample);

/// Whether the fit, and the bootstrap if there is one, were not stopped early.
bool is_whole(const FitOutcome& outcome, const std::optional<MixtureBootstrapOptions>& asked_bootstrap);

/// The numbers of components with their criteria, the chosen mixture, and the results of the bootstrap.
ResultDocument document_of(const FitReport& report);

}  // namespace sporos::runtime
