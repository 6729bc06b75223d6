// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>

#include <sporos/core/replication/checkpoints.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/replication/result.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/core/statistics/kept_quantile.hpp>
#include <sporos/core/statistics/quantile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Quantiles of the responses of single replications.
struct QuantileReport {
  std::vector<double> probabilities;  ///< probabilities of the quantiles
  /// Quantiles by design point, response and probability.
  std::vector<std::vector<std::vector<QuantileEstimate>>> estimates;
  std::vector<std::int64_t> needed;  ///< replications needed for an interval, by probability
  /// Steps of the estimates, by the same indices, at the first design points; empty if they were not recorded.
  std::vector<std::vector<std::vector<std::vector<EstimateStep>>>> steps = {};
};

/// Parses the value of the option --quantiles. Throws std::invalid_argument unless it lists distinct numbers between 0
/// and 1.
std::vector<double> parse_probabilities(const std::string& text);

/// Largest half-width of the intervals of quantiles that is requested.
struct QuantilePrecision {
  double half_width = 0;           ///< half-width; 0 if it is not requested
  double relative_half_width = 0;  ///< half-width as a share of the quantile's absolute value; 0 if not requested

  /// Whether a precision is requested.
  bool is_set() const { return half_width > 0 || relative_half_width > 0; }
};

/// The quantile that is furthest from its precision.
struct WidestQuantile {
  /// Half of the interval's width divided by the requested half-width; infinite if there is no interval.
  double excess = 0;
  std::size_t point = 0, response = 0, place = 0;  ///< indices of design point, response and probability
};

/// Throws std::invalid_argument if replications of the plan depend on each other, because the results of `option` then
/// have no intervals.
void check_independence(const std::string& option, const Plan& plan);

/// Estimates quantiles of the responses of all replications, with distribution-free intervals. Memory grows with the
/// square root of their number (KeptQuantile).
class ResponseQuantiles {
 public:
  /// Throws the same exceptions as check_independence, and OutOfMemory if memory does not suffice.
  ResponseQuantiles(std::vector<double> probabilities, const Plan& plan, std::size_t points, std::size_t responses);

  /// Records the steps of the estimates from now on, as Looks schedules them, at the first `points` design points.
  void keep_steps(std::size_t points) { m_looked_at = std::min(points, m_kept.size()); }

  /// Adds the responses of some replications.
  void add(const ReplicationRows& rows);

  /// Returns the quantile that is furthest from the precision.
  WidestQuantile widest(const QuantilePrecision& precision) const;

  /// Returns the quantiles of the replications added.
  QuantileReport report() const;

 private:
  struct Kept {
    KeptQuantile quantile;
    Looks looks = {};
    std::vector<EstimateStep> steps = {};
  };

  EstimateStep step_of(const Kept& kept) const;

  std::vector<double> m_probabilities;
  double m_confidence;
  std::vector<std::vector<std::vector<Kept>>> m_kept;  // by design point, response and probability
  std::vector<bool> m_has_failed;                      // by design point
  std::size_t m_looked_at = 0;                         // number of recorded design points
};

/// Default limit on the replications of a design point if a precision of quantiles is requested.
inline constexpr std::int64_t default_quantile_ceiling = 1'000'000;

/// Throws std::invalid_argument if a precision is requested without quantiles, or together with an option that
/// determines the number of replications in another way or uses the replications of one round. `has` returns whether an
/// option, named without dashes, is given.
void check_quantile_precision(const QuantilePrecision& precision, bool has_quantiles,
                              const std::function<bool(const std::string& option)>& has);

/// Returns the checked precision that the options of `sporos simulate` request.
QuantilePrecision quantile_precision(const OptionTable& options);

/// Rounds of an experiment, until all intervals of quantiles are as narrow as requested, or the plan's replications are
/// used up. Without a requested precision there is one round. The rounds depend only on the replications, so that the
/// experiment stops at the same replication everywhere.
class QuantileRounds {
 public:
  /// Plans the first round. A round adds its replications to `quantiles`, which only the first process has. At the end,
  /// `plan` has the replications of all rounds together. Both must outlive this object.
  QuantileRounds(Plan& plan, const std::optional<ResponseQuantiles>& quantiles, const QuantilePrecision& precision);

  /// The plan of the next round.
  const Plan& plan() const { return m_round; }

  /// Takes the result of a round, and completes it if it is the last one. Otherwise plans another round, which
  /// continues from `start`, and returns true. Collective.
  bool needs_another(ExperimentResult& result, std::optional<ExperimentState>& start);

 private:
  Plan& m_plan;
  const std::optional<ResponseQuantiles>& m_quantiles;
  QuantilePrecision m_precision;
  Plan m_round;
  double m_seconds = 0;  // seconds of all rounds
};

}  // namespace sporos::runtime
