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

/// How a start is improved.
enum class MixtureMethod {
  em,          ///< expectation and maximization
  nelder_mead  ///< the simplex search of Nelder and Mead, and EM from where it ends
};

/// Names of the methods.
template <>
struct ChoiceNames<MixtureMethod> {
  static constexpr std::string_view what = "method";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<MixtureMethod>>(
      {{"em", MixtureMethod::em}, {"nelder-mead", MixtureMethod::nelder_mead}});
};

/// What is least at the number of components that is chosen, among fits without a component at the floor where there
/// are some; p parameters, Σ w = n.
enum class MixtureCriterion {
  bic,  ///< −2 L + p ln n (Schwarz 1978)
  aic,  ///< −2 L + 2 p (Akaike 1974)
  icl   ///< BIC − 2 Σ w r ln r, which wants components that lie apart (Biernacki, Celeux, Govaert 2000)
};

/// Names of the criteria.
template <>
struct ChoiceNames<MixtureCriterion> {
  static constexpr std::string_view what = "criterion";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<MixtureCriterion>>(
      {{"bic", MixtureCriterion::bic}, {"aic", MixtureCriterion::aic}, {"icl", MixtureCriterion::icl}});
};

/// The position of the deviations of a mixture's components relative to the floor.
enum class MixtureDeviations {
  separate,  ///< each component has its own
  equal      ///< all components have the same
};

/// Names of them.
template <>
struct ChoiceNames<MixtureDeviations> {
  static constexpr std::string_view what = "deviations";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<MixtureDeviations>>(
      {{"separate", MixtureDeviations::separate}, {"equal", MixtureDeviations::equal}});
};

/// Number of parameters of a mixture: 3 k − 1, or 2 k with equal deviations.
inline std::int64_t mixture_parameters(std::int64_t components, MixtureDeviations deviations) {
  return deviations == MixtureDeviations::equal ? 2 * components : 3 * components - 1;
}

/// Where one start led.
struct MixtureStartResult {
  MixtureMethod method;      ///< how
  double log_posterior;      ///< L, and ln of the prior, at the end
  std::int64_t evaluations;  ///< of the likelihood
  bool has_converged;        ///< or its evaluations were used up
  bool is_at_floor;          ///< whether the deviation of a component ended at the floor
};

/// The best fit of k components: the best of the starts that ended above the floor of the deviations, or, if all ended
/// at it, the best of these.
struct MixtureSizeFit {
  models::NormalMixture mixture;                               ///< by increasing mean
  MixtureDeviations deviations = MixtureDeviations::separate;  ///< of its components
  /// Standard errors of the numbers of each component, from the observed information; NaN for those that have none: the
  /// deviation of a component at the floor, everything of one without weight, and all where the information is
  /// singular.
  std::vector<models::NormalComponent> standard_errors;
  double log_likelihood = 0;               ///< L
  double log_posterior = 0;                ///< L and ln of the prior, but for a constant
  double bic = 0;                          ///< see MixtureCriterion
  double aic = 0;                          ///< see MixtureCriterion
  double icl = 0;                          ///< see MixtureCriterion; NaN for binned observations
  std::vector<std::int64_t> at_floor;      ///< components, from 0, whose deviation is the floor
  std::vector<MixtureStartResult> starts;  ///< first those of EM, then those of Nelder–Mead
  std::size_t best = 0;                    ///< the start that led here, which has then been polished
  std::int64_t reached = 0;                ///< starts on its side of the floor that ended within `reach` of it

  /// How near in L is the same.
  static constexpr double reach = 0.1;

  /// k.
  std::int64_t components() const { return static_cast<std::int64_t>(mixture.size()); }
  /// p.
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

  /// The criterion's value.
  double value_of(MixtureCriterion criterion) const {
    return criterion == MixtureCriterion::bic ? bic : criterion == MixtureCriterion::aic ? aic : icl;
  }
};

/// Fits of mixtures of several numbers of components.
struct MixtureFit {
  models::SampleMoments sample = {};                   ///< number of observations, mean and deviation
  double floor = 0;                                    ///< below no deviation
  models::MixturePrior prior = {};                     ///< flat where the likelihood alone counts
  MixtureCriterion criterion = MixtureCriterion::bic;  ///< by which one is chosen
  std::vector<MixtureSizeFit> sizes;                   ///< by increasing k
  std::size_t chosen = 0;                              ///< place in `sizes`
  bool is_binned = false;                              ///< whether the sample was a histogram
  bool is_whole = true;                                ///< or the callback has ended it before all had converged
};

}  // namespace sporos
