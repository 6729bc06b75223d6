// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/models/mixtures/observation_file.hpp>

#include <cstdint>
#include <optional>

namespace sporos::runtime {

/// Report on fitted mixtures.
struct FitReport {
  const models::ObservationFile& data;
  const MixtureFitOptions& options;
  FitPrecision precision;
  const std::optional<MixtureBootstrapOptions>& asked_bootstrap;
  const FitOutcome& outcome;
  double seconds;
  Machine machine;
};

/// Returns a digest of the values and weights of a sample.
std::uint64_t digest_of(const models::Observations& sample);

/// Whether the fit, and the bootstrap if one was requested, are complete.
bool is_whole(const FitOutcome& outcome, const std::optional<MixtureBootstrapOptions>& asked_bootstrap);

/// Returns the result as data: the criteria for each number of components, the chosen mixture, and the results of the
/// bootstrap.
ResultDocument document_of(const FitReport& report);

}  // namespace sporos::runtime
