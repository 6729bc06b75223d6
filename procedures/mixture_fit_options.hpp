// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/mixtures/normal_mixture.hpp>
#include <sporos/models/mixtures/observations.hpp>
#include <sporos/optimizers/nelder_mead/options.hpp>
#include <sporos/optimizers/stopping.hpp>
#include <sporos/procedures/mixture_fit_result.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace sporos {

/// All options of a fit.
struct MixtureFitOptions {
  std::int64_t min_components = 1;   ///< number of components k of the smallest mixture
  std::int64_t max_components = 10;  ///< number of components k of the largest mixture
  /// Number of starts of EM for each k: one by quantiles, the others by k-means++.
  std::int64_t starts = 20;
  /// Number of starts of Nelder–Mead for each k, from 0 to 100 000: the first starts of the same sequence as EM's.
  std::int64_t nelder_mead_starts = 2;
  std::uint64_t seed = 1;  ///< seed of the starts
  /// Smallest deviation of a component, above 0 and below the sample's; without a value, 1/100 of the sample's.
  std::optional<double> floor = {};
  MixtureDeviations deviations = MixtureDeviations::separate;  ///< whether components share a deviation
  /// Whether to maximize the posterior density, under the prior of MixturePrior::of_sample, instead of the likelihood.
  bool is_bayesian = false;
  MixtureCriterion criterion = MixtureCriterion::bic;     ///< criterion that chooses a fit
  std::int64_t em_iterations = 2000;                      ///< maximum number of iterations from a start
  double em_tolerance = 1e-10;                            ///< see EmOptions; the best fit of each k is polished further
  NelderMeadOptions nelder_mead = default_nelder_mead();  ///< for each simplex, in MixtureCoordinates and −L/n

  /// Default options that bring a simplex near enough to a maximum for EM to finish.
  static NelderMeadOptions default_nelder_mead() {
    NelderMeadOptions options;
    options.coefficients = NelderMeadCoefficients::adaptive;
    options.size_tolerance = 1e-4;
    options.value_tolerance = 1e-9;
    options.evaluations = 20'000;
    return options;
  }
};

/// Progress of a fit.
struct MixtureFitProgress {
  std::string_view stage;  ///< "EM", "Nelder-Mead" or "polishing"
  std::int64_t done;       ///< number of iterations done
  std::int64_t open;       ///< number of fits not finished
};

/// Function that is called from time to time with the progress of a fit.
using MixtureFitCallback = std::function<Continuation(const MixtureFitProgress&)>;

/// Throws std::invalid_argument, naming the option, if an option is out of range.
inline void check(const MixtureFitOptions& options) {
  const auto check_count = [](std::string_view name, std::int64_t value, std::int64_t least, std::int64_t most) {
    impl::check_parameter(least <= value && value <= most, name, static_cast<double>(value),
                          fmt::format("a number from {} to {}", least, most));
  };
  constexpr std::int64_t max_starts = 100'000;
  check_count("smallest number of components", options.min_components, 1, models::max_components);
  check_count("largest number of components", options.max_components, options.min_components, models::max_components);
  check_count("number of starts", options.starts, 0, max_starts);
  impl::check_parameter(options.em_iterations >= 0, "number of iterations of EM",
                        static_cast<double>(options.em_iterations), "at least 0");
  check_non_negative("tolerance of EM", options.em_tolerance);
  check_count("number of starts of Nelder-Mead", options.nelder_mead_starts, 0, max_starts);
  if (options.starts + options.nelder_mead_starts == 0) {
    throw std::invalid_argument("numbers of starts of EM and of Nelder-Mead are 0, expected one of them positive");
  }
}

namespace impl {

/// Returns the floor. Throws std::invalid_argument if doubles cannot distinguish it from 0 next to the observations.
inline double checked_floor(const MixtureFitOptions& options, const models::Observations& points, double deviation) {
  const auto [least, most] = std::minmax_element(points.values.begin(), points.values.end());
  const double farthest = std::max(std::abs(*least), std::abs(*most));
  const double distinguishable = 16 * std::numeric_limits<double>::epsilon() * farthest;
  if (!std::isfinite(deviation)) {
    throw std::invalid_argument(
        fmt::format("the squares of observations from {} to {} are too large for double precision, expected values "
                    "below 1e150",
                    number_text(*least), number_text(*most)));
  }
  if (!(deviation > distinguishable)) {
    throw std::invalid_argument(
        *least == *most
            ? fmt::format("deviation of the observations is {}, expected a positive number: all of them are {}",
                          number_text(deviation), number_text(*least))
            : fmt::format("observations from {} to {} are too close to each other, or to 0, for double precision to "
                          "compute their deviation",
                          number_text(*least), number_text(*most)));
  }
  const double floor = options.floor.value_or(deviation / 100);
  check_parameter(floor >= std::max(distinguishable, std::numeric_limits<double>::min()) && std::isfinite(floor),
                  "floor of the deviations", floor,
                  fmt::format("a finite number of at least {:.2g}, the resolution of doubles at {:.6g}",
                              distinguishable, farthest));
  check_parameter(floor < deviation, "floor of the deviations", floor,
                  fmt::format("less than the deviation of the sample, {:.6g}", deviation));
  return floor;
}

/// Number of observations with nonzero weight.
inline std::int64_t count_of(const models::Observations& sample) {
  const auto zeros = std::count(sample.weights.begin(), sample.weights.end(), 0.0);
  return static_cast<std::int64_t>(sample.values.size()) - zeros;
}

inline void check_enough(std::string_view what, std::int64_t count, const MixtureFitOptions& options) {
  const std::int64_t max_components = options.max_components;
  const std::int64_t parameters = mixture_parameters(max_components, options.deviations);
  if (count >= parameters) return;
  int possible = 0;
  while (mixture_parameters(possible + 1, options.deviations) <= count) ++possible;
  const std::string remedy =
      possible == 0 ? "" : fmt::format("; with {}, set components to at most {}", count, possible);
  throw std::invalid_argument(
      fmt::format("number of {} is {}, expected at least {}, the number of parameters of {} component{}{}", what, count,
                  parameters, max_components, max_components == 1 ? "" : "s", remedy));
}

}  // namespace impl

/// Throws std::invalid_argument, naming the fault, if fit_mixtures would: if check(Observations) rejects the sample, if
/// its observations are all equal or fewer than the parameters of the largest mixture, and if an option is out of
/// range.
inline void check(const MixtureFitOptions& options, const models::Observations& sample) {
  check(options);
  models::check(sample);
  impl::checked_floor(options, sample, models::moments(sample).deviation);
  impl::check_enough("observations", impl::count_of(sample), options);
}

}  // namespace sporos
