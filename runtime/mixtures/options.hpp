// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <sporos/models/mixtures/observation_file.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>

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

}  // namespace sporos::runtime
