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

/// Floating-point type in which densities are computed.
enum class FitPrecision {
  real64,  ///< double
  real32   ///< float
};

struct FitOutcome;

/// Task of fitting mixtures to a sample.
struct FitTask {
  const models::Observations& sample;
  MixtureFitOptions options;
  FitPrecision precision;
  std::optional<MixtureBootstrapOptions> bootstrap;  ///< options of the bootstrap, if one is requested
  MixtureFitCallback callback;
  MixtureFitJournal* journal;  ///< journal of completed work, or null
  Processes& processes;        ///< processes that share the work

  /// Function that carries out the task. Throws std::invalid_argument if fit_mixtures or bootstrap_mixtures does.
  using Runner = FitOutcome(const FitTask&);
};

/// Result of a FitTask.
struct FitOutcome {
  MixtureFit fit;
  std::optional<MixtureBootstrap> bootstrap;  ///< missing if none was requested or it was stopped
};

}  // namespace sporos::runtime

/// Names of the values of FitPrecision.
template <>
struct sporos::ChoiceNames<sporos::runtime::FitPrecision> {
  using Precision = runtime::FitPrecision;               ///< type of the choices
  static constexpr std::string_view what = "precision";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<Precision>>({{"double", Precision::real64}, {"single", Precision::real32}});
};
