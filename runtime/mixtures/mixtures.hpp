// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/mixtures/task.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/models/mixtures/observation_file.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace sporos::runtime {

/// Returns all options of a fit.
std::vector<OptionEntry> fit_entries();

/// Returns the usage of `sporos fit`.
Usage fit_usage();

/// Returns how the observations are read from the file. Throws std::invalid_argument, naming the option, if an option
/// is invalid.
models::ObservationReading observation_reading(const OptionTable& options);

/// Returns the options of the fit. Throws std::invalid_argument, naming the option, if an option is invalid.
MixtureFitOptions mixture_fit_options(const OptionTable& table);

/// Returns the options of the bootstrap if one is requested, with the fit's seed. Throws the same exceptions as
/// mixture_fit_options.
std::optional<MixtureBootstrapOptions> mixture_bootstrap_options(const OptionTable& table);

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
