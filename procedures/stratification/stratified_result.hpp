// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>
#include <sporos/core/replication/replication_range.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Stratified sampling: options, result, and how replications are shared among strata.
namespace sporos {

/// How replications are stratified.
struct StratifiedOptions {
  int input = 0;                        ///< whose first draw is stratified
  std::int64_t strata = 16;             ///< equally likely ones, from 2 to 2^20
  std::int64_t replications = 100'000;  ///< of all strata, at least 2 for each
  /// The response for which replications are shared best, as its deviations in the strata are (Neyman); none where all
  /// strata have the same number.
  std::optional<std::size_t> shared_for = {};
  std::int64_t pilot_replications = 64;  ///< of each stratum, to estimate its deviation; not counted; at least 2
  double confidence = 0.95;              ///< of the intervals, in (0, 1)
  std::uint64_t seed = 1;                ///< names the random numbers
};

/// The mean of a response from strata.
struct StratifiedMean {
  double mean = 0;                ///< average of the strata's means, without bias
  double half_width = 0;          ///< of its interval; infinite where the response varied within no stratum
  double degrees_of_freedom = 0;  ///< Satterthwaite's of that
  double variance_ratio = 0;      ///< estimated, of plain replications, as many, to this; infinite where this is 0
  std::vector<double> means_of_strata;       ///< of each stratum
  std::vector<double> deviations_of_strata;  ///< of a replication in each stratum
};

/// What came out.
struct StratifiedResult {
  std::vector<StratifiedMean> means;       ///< of each response
  std::vector<std::int64_t> replications;  ///< of each stratum
  bool is_complete = true;                 ///< false where launches were asked to end before all replications were done
};

/// Throws std::invalid_argument for options out of range, of a model with so many inputs and responses.
void check(const StratifiedOptions& options, int inputs, std::size_t responses);

namespace impl {

/// The responses of replications `range` of strata [begin, end), response by response, stratum by stratum.
using StrataRows = std::function<std::vector<double>(std::uint64_t seed, std::size_t begin, std::size_t end,
                                                     const ReplicationRange& range)>;

/// The estimate by replications of `rows`, which several processes share. Collective.
StratifiedResult stratified_result(const StrataRows& rows, std::size_t responses, const StratifiedOptions& options,
                                   Processes& processes);

}  // namespace impl

}  // namespace sporos
