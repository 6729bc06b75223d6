// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/mixtures/mixture_prior.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/models/mixtures/observations.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sporos {

/// Method that improves a start.
enum class MixtureMethod {
  em,          ///< expectation and maximization
  nelder_mead  ///< the Nelder–Mead simplex search, followed by EM
};

/// Names of the methods.
template <>
struct ChoiceNames<MixtureMethod> {
  static constexpr std::string_view what = "method";  ///< name of the choice in messages
  /// name and value of each method
  static constexpr auto values = std::to_array<NamedValue<MixtureMethod>>(
      {{"em", MixtureMethod::em}, {"nelder-mead", MixtureMethod::nelder_mead}});
};

/// Criterion that the chosen number of components minimizes. Fits without a component at the floor are preferred. L is
/// the log-likelihood, p the number of parameters and n = Σ w.
enum class MixtureCriterion {
  bic,  ///< −2 L + p ln n (Schwarz 1978)
  aic,  ///< −2 L + 2 p (Akaike 1974)
  icl   ///< BIC − 2 Σ w r ln r, which favours separated components (Biernacki, Celeux, Govaert 2000)
};

/// Names of the criteria.
template <>
struct ChoiceNames<MixtureCriterion> {
  static constexpr std::string_view what = "criterion";  ///< name of the choice in messages
  /// name and value of each criterion
  static constexpr auto values = std::to_array<NamedValue<MixtureCriterion>>(
      {{"bic", MixtureCriterion::bic}, {"aic", MixtureCriterion::aic}, {"icl", MixtureCriterion::icl}});
};

/// Whether the components of a mixture share one deviation.
enum class MixtureDeviations {
  separate,  ///< each component has a separate deviation
  equal      ///< all components have the same deviation
};

/// Names of the values of MixtureDeviations.
template <>
struct ChoiceNames<MixtureDeviations> {
  static constexpr std::string_view what = "deviations";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<MixtureDeviations>>(
      {{"separate", MixtureDeviations::separate}, {"equal", MixtureDeviations::equal}});
};

/// Number of parameters of a mixture: 3 k − 1, or 2 k with equal deviations.
inline std::int64_t mixture_parameters(std::int64_t components, MixtureDeviations deviations) {
  return deviations == MixtureDeviations::equal ? 2 * components : 3 * components - 1;
}

/// Result of one start.
struct MixtureStartResult {
  MixtureMethod method;      ///< method that improved the start
  double log_posterior;      ///< L plus the logarithm of the prior, at the end
  std::int64_t evaluations;  ///< evaluations of the likelihood
  bool has_converged;        ///< false if it used up its evaluations before convergence
  bool is_at_floor;          ///< whether the deviation of a component ended at the floor
};

/// The best fit of k components: the best of the starts that ended above the floor of the deviations. If all ended at
/// the floor, it is the best of these.
struct MixtureSizeFit {
  models::NormalMixture mixture;                               ///< components by increasing mean
  MixtureDeviations deviations = MixtureDeviations::separate;  ///< whether components share a deviation
  /// Standard errors of each component's parameters, from the observed information. NaN for the deviation of a
  /// component at the floor, for all parameters of a component without weight, and for everything if the information is
  /// singular.
  std::vector<models::NormalComponent> standard_errors;
  double log_likelihood = 0;               ///< log-likelihood L
  double log_posterior = 0;                ///< L plus the logarithm of the prior, up to a constant
  double bic = 0;                          ///< see MixtureCriterion
  double aic = 0;                          ///< see MixtureCriterion
  double icl = 0;                          ///< see MixtureCriterion; NaN for binned observations
  std::vector<std::int64_t> at_floor;      ///< indices of components, from 0, whose deviation is the floor
  std::vector<MixtureStartResult> starts;  ///< first the starts of EM, then those of Nelder–Mead
  std::size_t best = 0;                    ///< index of the start that led to the fit before polishing
  std::int64_t reached = 0;                ///< starts on this fit's side of the floor that ended within `reach` of it

  /// Difference of log-posteriors below which two ends count as the same.
  static constexpr double reach = 0.1;

  /// Number of components, k.
  std::int64_t components() const { return static_cast<std::int64_t>(mixture.size()); }
  /// Number of parameters, p.
  std::int64_t parameters() const { return mixture_parameters(components(), deviations); }

  /// Whether the deviation of component c, from 0, is the floor.
  bool is_at_floor(std::size_t c) const {
    return std::find(at_floor.begin(), at_floor.end(), static_cast<std::int64_t>(c)) != at_floor.end();
  }

  /// Number of starts that ended with a deviation at the floor.
  std::int64_t starts_at_floor() const {
    return std::count_if(starts.begin(), starts.end(), [](const auto& start) { return start.is_at_floor; });
  }
  /// The largest log-posterior of a start that ended at the floor, if there is one.
  std::optional<double> best_at_floor() const {
    std::optional<double> largest;
    for (const MixtureStartResult& start : starts) {
      if (start.is_at_floor) largest = std::max(largest.value_or(start.log_posterior), start.log_posterior);
    }
    return largest;
  }

  /// Value of a criterion for this fit.
  double value_of(MixtureCriterion criterion) const {
    return criterion == MixtureCriterion::bic ? bic : criterion == MixtureCriterion::aic ? aic : icl;
  }
};

/// Fits of mixtures with several numbers of components.
struct MixtureFit {
  models::SampleMoments sample = {};                   ///< number, mean and deviation of the observations
  double floor = 0;                                    ///< lower bound of all deviations
  models::MixturePrior prior = {};                     ///< prior; flat for maximum likelihood
  MixtureCriterion criterion = MixtureCriterion::bic;  ///< criterion that chooses a fit
  std::vector<MixtureSizeFit> sizes;                   ///< fits by increasing k
  std::size_t chosen = 0;                              ///< index in `sizes`
  bool is_binned = false;                              ///< whether the sample was a histogram
  bool is_whole = true;                                ///< false if the callback ended it before all had converged
};

}  // namespace sporos
