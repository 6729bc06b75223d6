// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

/// Multilevel Monte Carlo: options, result, and how replications are shared among levels.
namespace sporos {

/// What the draws of a level are.
enum class LevelSampling {
  random,  ///< independent
  sobol    ///< of points of Sobol's sequence, scrambled after Owen, in independent randomizations
};

/// Names of the two.
template <>
struct ChoiceNames<LevelSampling> {
  static constexpr std::string_view what = "level sampling";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<LevelSampling>>({{"random", LevelSampling::random}, {"sobol", LevelSampling::sobol}});
};

/// How precise a multilevel estimate has to be, and where it gives up.
struct MultilevelOptions {
  double rmse = 0.01;                      ///< root of the mean square error that is wanted, in units of the response
  std::int64_t pilot_replications = 1000;  ///< of each new level; at least 2
  /// The rate alpha at which theory says that a level's mean falls; 0 where it is to be estimated. Coarse levels may
  /// fall faster than fine ones do: of an estimate, the bias takes 1 at most.
  double alpha = 0;
  int most_levels = 20;                                    ///< at least 3
  std::int64_t most_replications = std::int64_t{1} << 32;  ///< of a level
  double confidence = 0.95;                                ///< of the interval, in (0, 1)
  std::uint64_t seed = 1;                                  ///< names the random numbers
  LevelSampling sampling = LevelSampling::random;          ///< what the draws are
  std::int64_t randomizations = 32;                        ///< of Sobol's points; from 2 to 2^16
  std::int64_t pilot_points = 16;  ///< of each of them on a new level, instead of replications; a power of two
};

/// What came out on a level: of the differences P_l − P_(l−1), for level 0 of P_0.
struct LevelEstimate {
  std::int64_t replications = 0;  ///< of the level; of all randomizations
  double mean = 0;                ///< of the differences
  double variance = 0;            ///< of one difference; of Sobol's points, what makes the mean's by their number
  double fine_mean = 0;           ///< of P_l alone
  double fine_variance = 0;       ///< likewise
  double cost = 0;                ///< of one replication, as the model says
};

/// An estimate over levels.
struct MultilevelResult {
  double mean = 0;        ///< Σ of the levels' means: of P on the finest level, whose bias is left
  double half_width = 0;  ///< of the interval for the mean on ever finer levels: normal, widened for the bias
  double bias = 0;        ///< what the levels that were left out are estimated to add, in magnitude
  /// log2 of the factors by which a level's mean, its variance and its cost change: |mean| ~ 2^(−α l), V ~ 2^(−β l),
  /// cost ~ 2^(γ l).
  double alpha = 0;
  double beta = 0;                    ///< see alpha
  double gamma = 0;                   ///< see alpha
  std::vector<LevelEstimate> levels;  ///< from 0 on
  double cost = 0;                    ///< of all replications
  bool is_rmse_reached = true;        ///< false where launches were asked to end before
};

/// Throws std::invalid_argument for options out of range.
void check(const MultilevelOptions& options);

/// How many independent estimates of a level are made: randomizations, or 1.
std::size_t estimates_of_level(const MultilevelOptions& options);

namespace impl {

/// The moments of a level's differences and of its P_l, of one randomization.
struct LevelMoments {
  MomentsTree differences, fines;
};

/// Adds replications [first, first + count) of a level, or as many points of each randomization.
using LevelRun =
    std::function<void(int level, std::int64_t first, std::int64_t count, std::vector<LevelMoments>& moments)>;

/// The estimate by `run`, where a replication of level l costs cost(l).
MultilevelResult multilevel_result(const LevelRun& run, const std::function<double(int)>& cost,
                                   const MultilevelOptions& options);

}  // namespace impl

}  // namespace sporos
