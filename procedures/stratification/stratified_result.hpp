// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

/// Stratified sampling: options, result, and allocation of replications to strata.
namespace sporos {

/// Options of stratified sampling.
struct StratifiedOptions {
  int input = 0;                        ///< index of the input whose first draw is stratified
  std::int64_t strata = 16;             ///< number of equally likely strata, from 2 to 2^20
  std::int64_t replications = 100'000;  ///< replications of all strata, at least 2 for each
  /// Index of the response for which the allocation is optimal: in proportion to its deviations in the strata (Neyman).
  /// Without a value, all strata have the same number of replications.
  std::optional<std::size_t> shared_for = {};
  std::int64_t pilot_replications = 64;  ///< per stratum, to estimate its deviation; not counted; at least 2
  double confidence = 0.95;              ///< confidence of the intervals, in (0, 1)
  std::uint64_t seed = 1;                ///< seed of the random numbers
};

/// Mean of a response from strata.
struct StratifiedMean {
  double mean = 0;                ///< average of the strata's means, unbiased
  double half_width = 0;          ///< half-width of its interval; infinite if the response varied within no stratum
  double degrees_of_freedom = 0;  ///< Satterthwaite's degrees of freedom of the interval
  /// Estimated variance of as many plain replications, divided by this one; infinite if this one is 0.
  double variance_ratio = 0;
  std::vector<double> means_of_strata;       ///< mean in each stratum
  std::vector<double> deviations_of_strata;  ///< standard deviation of a replication in each stratum
};

/// Result of stratified sampling.
struct StratifiedResult {
  std::vector<StratifiedMean> means;       ///< mean of each response
  std::vector<std::int64_t> replications;  ///< replications in each stratum
  bool is_complete = true;                 ///< false if a launch stop was requested before all replications were done
};

/// Throws std::invalid_argument if an option is out of range for a model with `inputs` inputs and `responses`
/// responses.
void check(const StratifiedOptions& options, int inputs, std::size_t responses);

/// Throws std::invalid_argument for a model whose draws belong to entities.
[[noreturn]] void refuse_draws_by_entity();

namespace impl {

/// Function that returns the responses of replications `range` of strata [begin, end), response by response, stratum by
/// stratum.
using StrataRows = std::function<std::vector<double>(std::uint64_t seed, std::size_t begin, std::size_t end,
                                                     const ReplicationRange& range)>;

/// Computes the estimates from replications of `rows`, which the processes share. Collective.
StratifiedResult stratified_result(const StrataRows& rows, std::size_t responses, const StratifiedOptions& options,
                                   Processes& processes);

}  // namespace impl

}  // namespace sporos
