// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/execution/processes.hpp>
#include <sporos/models/mixtures/observations.hpp>
#include <sporos/procedures/mixture_bootstrap_result.hpp>
#include <sporos/procedures/mixture_fit_journal.hpp>
#include <sporos/procedures/mixture_fit_options.hpp>
#include <sporos/procedures/mixture_fit_result.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace sporos::runtime {

/// The type in which densities are formed.
enum class FitPrecision {
  real64,  ///< double
  real32   ///< float
};

struct FitOutcome;

/// A sample to which mixtures are to be fitted.
struct FitTask {
  const models::Observations& sample;
  MixtureFitOptions options;
  FitPrecision precision;
  std::optional<MixtureBootstrapOptions> bootstrap;  ///< of the fit, where it is wanted
  MixtureFitCallback callback;
  MixtureFitJournal* journal;  ///< of what is done; or none
  Processes& processes;        ///< that share the work

  /// Fits them. Throws std::invalid_argument where fit_mixtures and bootstrap_mixtures do.
  using Runner = FitOutcome(const FitTask&);
};

/// Mixtures that were fitted.
struct FitOutcome {
  MixtureFit fit;
  std::optional<MixtureBootstrap> bootstrap;  ///< missing where none was wanted or it was stopped
};

}  // namespace sporos::runtime

/// Names of the types.
template <>
struct sporos::ChoiceNames<sporos::runtime::FitPrecision> {
  using Precision = runtime::FitPrecision;               ///< what there is
  static constexpr std::string_view what = "precision";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<Precision>>({{"double", Precision::real64}, {"single", Precision::real32}});
};
