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

/// Multilevel Monte Carlo: options, result, and allocation of replications to levels.
namespace sporos {

/// Kind of a level's draws.
enum class LevelSampling {
  random,  ///< independent draws
  sobol    ///< points of Sobol's sequence, Owen-scrambled in independent randomizations
};

/// Names of the values of LevelSampling.
template <>
struct ChoiceNames<LevelSampling> {
  static constexpr std::string_view what = "level sampling";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<LevelSampling>>({{"random", LevelSampling::random}, {"sobol", LevelSampling::sobol}});
};

/// Largest number of levels: level 30 has 2^30 steps.
inline constexpr int max_multilevel_levels = 31;

/// Options of a multilevel estimate: its precision and its limits.
struct MultilevelOptions {
  double rmse = 0.01;                      ///< required root mean square error, in units of the response
  std::int64_t pilot_replications = 1000;  ///< replications of each new level; at least 2
  /// Theoretical rate alpha at which the means of levels fall; 0 to estimate it. Coarse levels may fall faster than
  /// fine ones, so that the bias uses at most 1 of an estimated rate.
  double alpha = 0;
  int max_levels = 20;                                    ///< maximum number of levels, from 3 to max_multilevel_levels
  std::int64_t max_replications = std::int64_t{1} << 32;  ///< maximum number of replications of a level
  double confidence = 0.95;                               ///< confidence of the interval, in (0, 1)
  std::uint64_t seed = 1;                                 ///< seed of the random numbers
  LevelSampling sampling = LevelSampling::random;         ///< kind of draws
  /// Number of randomizations of Sobol's points; from 2 to 2^16.
  std::int64_t randomizations = 32;
  /// Points of each randomization on a new level, instead of replications; a power of two.
  std::int64_t pilot_points = 16;
};

/// Estimates for a level: of the differences P_l − P_(l−1), or of P_0 on level 0.
struct LevelEstimate {
  std::int64_t replications = 0;  ///< replications of the level, in all randomizations
  double mean = 0;                ///< mean of the differences
  /// Variance of one difference. With Sobol's points, the variance of the mean times `replications`.
  double variance = 0;
  double fine_mean = 0;      ///< mean of P_l itself
  double fine_variance = 0;  ///< variance of P_l itself, as in `variance`
  double cost = 0;           ///< cost of one replication, from the model
};

/// A multilevel estimate.
struct MultilevelResult {
  double mean = 0;        ///< sum of the levels' means: mean of P on the finest level, with its bias
  double half_width = 0;  ///< half-width of the interval for the limit of finer levels: normal, widened for the bias
  double bias = 0;        ///< estimated magnitude of what the omitted levels would add
  /// Rates of the levels' means, variances V and costs: |mean| ~ 2^(−α l), V ~ 2^(−β l), cost ~ 2^(γ l).
  double alpha = 0;
  double beta = 0;                    ///< see alpha
  double gamma = 0;                   ///< see alpha
  std::vector<LevelEstimate> levels;  ///< estimates by level, starting with 0
  double cost = 0;                    ///< cost of all replications
  bool is_rmse_reached = true;        ///< false if a launch stop was requested before the rmse was reached
};

/// Throws std::invalid_argument if an option is out of range.
void check(const MultilevelOptions& options);

/// Number of independent estimates of a level: the number of randomizations, or 1 without them.
std::size_t estimates_of_level(const MultilevelOptions& options);

namespace impl {

/// Moments of a level's differences and of its P_l, for one randomization.
struct LevelMoments {
  MomentsTree differences, fines;
};

/// Function that adds replications [first, first + count) of a level, or this many points of each randomization.
using LevelRun =
    std::function<void(int level, std::int64_t first, std::int64_t count, std::vector<LevelMoments>& moments)>;

/// Computes the estimate by `run`, where a replication of level l costs cost(l).
MultilevelResult multilevel_result(const LevelRun& run, const std::function<double(int)>& cost,
                                   const MultilevelOptions& options);

}  // namespace impl

}  // namespace sporos
