// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <sporos/models/mixtures/observation_file.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>

#include <optional>
#include <vector>

namespace sporos::runtime {

/// All options of a fit.
std::vector<OptionEntry> fit_entries();

/// `sporos fit`.
Usage fit_usage();

/// Where the observations stand in the file. Throws std::invalid_argument, naming the option, for those that are none.
models::ObservationReading observation_reading(const OptionTable& options);

/// The options of the fit. Throws std::invalid_argument, naming the option, for those that are none.
MixtureFitOptions mixture_fit_options(const OptionTable& table);

/// The options of the bootstrap, where one is wanted; it has the fit's seed. Throws as mixture_fit_options does.
std::optional<MixtureBootstrapOptions> mixture_bootstrap_options(const OptionTable& table);

}  // namespace sporos::runtime
