// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/models/mixtures/observation_file.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Everything that `sporos fit` is told.
struct FitOptions {
  std::string data;                   ///< the file
  OptionTable table;                  ///< of data, fit and run
  std::vector<std::string> pictures;  ///< files to draw
  bool is_bayesian = false;           ///< whether there is a prior
  bool shows_progress = true;         ///< on a terminal
};

/// All options of a fit that have a value.
std::vector<OptionEntry> fit_entries();

/// Reads the arguments behind `sporos fit`. Throws Help where that is asked for, std::invalid_argument for what is no
/// option and where no file is named; values are looked at later.
FitOptions parse_fit_options(std::span<const std::string> arguments);

/// Where the observations stand in the file. Throws std::invalid_argument, naming the option, for those that are none.
models::ObservationReading observation_reading(const OptionTable& options);

/// The options of the fit. Throws std::invalid_argument, naming the option, for those that are none.
MixtureFitOptions mixture_fit_options(const FitOptions& options);

/// The options of the bootstrap, where one is wanted; it has the fit's seed. Throws as mixture_fit_options does.
std::optional<MixtureBootstrapOptions> mixture_bootstrap_options(const FitOptions& options);

}  // namespace sporos::runtime
