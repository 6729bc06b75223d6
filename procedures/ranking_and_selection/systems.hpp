// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/processes.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// Rule for the total number of replications of a system, from its variance S² in the first stage: max(fixed + batches
/// · ⌈of_deviation · S⌉, ⌈of_variance · S²⌉). The result is a double because it may exceed any number of replications
/// that can be made.
struct SampleSize {
  std::int64_t fixed = 0;    ///< replications of every system
  std::int64_t batches = 0;  ///< number of batches whose size is proportional to S
  double of_deviation = 0;   ///< factor of S in the size of a batch
  double of_variance = 0;    ///< factor of S² in the size of the whole sample

  /// Number of replications of a system with this variance.
  KOKKOS_FUNCTION double operator()(double variance) const {
    auto size = static_cast<double>(fixed);
    if (batches > 0) size += static_cast<double>(batches) * std::ceil(of_deviation * std::sqrt(variance));
    if (of_variance > 0) {
      const double wanted = std::ceil(of_variance * variance);
      size = wanted > size ? wanted : size;
    }
    return size;
  }
};

/// Screening of GSP: j eliminates i if (X̄ⱼ − X̄ᵢ) t > η √((n₁ − 1) t'). Here t = 1 / (S²ᵢ/nᵢ + S²ⱼ/nⱼ), and t' is t
/// for the sample sizes after the last round.
struct GoodSelectionScreening {
  double factor;    ///< η √(n₁ − 1)
  SampleSize last;  ///< sample size after the last round
};

/// Screening of KN: j eliminates i if Σ (Xⱼ − Xᵢ) > max(0, h² S²ᵢⱼ / (2δ) − δ n / 2). S²ᵢⱼ is the variance of the
/// differences of the kept responses, or S²ᵢ + S²ⱼ if none are kept. If the bound is 0 and the sums are equal, the
/// system with the larger index is eliminated.
struct KimNelsonScreening {
  double h_squared;                  ///< h²
  double delta;                      ///< smallest difference worth detecting
  bool is_within_matches;            ///< whether only systems of the same match are compared
  bool is_against_feasible = false;  ///< whether only systems that were found feasible can eliminate others
};

/// Feasibility check of each constraint. With the sum z of its excesses and b = max(0, h² S²/(2ε) − ε n/2), system i
/// satisfies the constraint if z < −b or b = z = 0, and is eliminated if z > b. A system that satisfies all constraints
/// is feasible. Decisions are final.
struct FeasibilityScreening {
  double h_squared;                ///< h²
  std::vector<double> tolerances;  ///< tolerance ε of each constraint
};

/// Screening of bi-PASS: i is eliminated if n (X̄ᵢ − μ) < −S √((c + ln(1 + n/n₀)) (n + n₀)), where μ is the standard.
struct StandardScreening {
  double c;                  ///< constant c
  std::int64_t first_stage;  ///< n₀
  double standard;           ///< μ
};

/// Screening of subset selection: j eliminates i if X̄ⱼ − X̄ᵢ > t √(S²ᵢⱼ / n), with S²ᵢⱼ as in KN.
struct SubsetScreening {
  double quantile;  ///< t
};

/// Rule for matches: all systems except the one with the largest mean are eliminated. On a tie the first system stays.
struct MatchWinners {};

/// Comparison with a known standard μ₀. With z = n (X̄ᵢ − μ₀ − δ/2) and b = max(0, h² S²ᵢ / δ − δ n / 4), i is better
/// if z > b, and is eliminated if z < −b or b = z = 0.
struct KnownStandardScreening {
  double h_squared;  ///< h²
  double delta;      ///< smallest difference worth detecting
  double standard;   ///< μ₀
};

/// Screening of BIZ. n and λ² are size and variance of all replications so far of a survivor, β = Σ n / Σ λ² over the
/// survivors, and q is proportional to exp(δ β X̄), with sum 1. If the largest q is at least P, all other systems are
/// eliminated. Otherwise all with q ≤ c (1 − s) are, where s is the sum of the q that are at most c.
struct PosteriorScreening {
  double delta;   ///< smallest difference worth detecting
  double c;       ///< share at which a system is eliminated
  double wanted;  ///< probability P at which a system is selected
};

/// Replications that a launch makes, one row each: the response, then the excess over each constraint. Pointers refer
/// to memory that the launch's kernels can access.
struct SystemRows {
  const std::int64_t* systems;  ///< indices of the systems that make replications
  const std::int64_t* ends;     ///< for each of them, the row after its last, among all rows; rows begin at 0
  const std::int64_t* made;     ///< for each system by index, the replications before its first row
  std::int64_t count;           ///< number of systems
  std::int64_t first;           ///< first row of this launch
  std::int64_t end;             ///< row after its last one
  double* responses;            ///< responses, and excesses over the constraints, starting at index `first`
};

/// A system without a result. Either the model rejects it or some of its replications have no response, and it counts
/// as worse than every other system. Or its variance is unknown because all its numbers are equal, and it is not
/// compared.
struct FailedSystem {
  std::int64_t system;        ///< its index
  std::int64_t failures;      ///< replications without a response
  std::int64_t replications;  ///< replications that were made; 0 if the model rejects it
  std::string reason;         ///< why the first failure happened or the model rejects it, or which numbers are equal

  /// Whether it has results, with unknown variance.
  bool has_equal_numbers() const { return failures == 0 && replications > 0; }
};

/// Makes replications of a family of systems, independently of the model.
class SystemLauncher {
 public:
  virtual ~SystemLauncher() = default;
  /// Writes the response of each row of `rows`. Blocks until it is done.
  virtual void launch(const SystemRows& rows) = 0;
  /// Whether replication r of all systems uses the same random numbers.
  virtual bool has_common_random_numbers() const = 0;
  /// Number of constraints whose excesses a row contains.
  virtual int constraints() const { return 0; }
  /// Names of the stations at which entities can be, for messages; empty if the model names none.
  virtual std::vector<std::string> station_names() const { return {}; }
  /// Whether the response of each system is known. Then it is equal in all of its replications and has variance 0.
  /// Otherwise a system whose replications are all equal is left out.
  virtual bool has_known_responses() const { return false; }
  /// Systems that the model rejects, in ascending order. They get no replications.
  virtual std::vector<FailedSystem> impossible() const { return {}; }
};

/// A constraint on the mean responses of a system: E[Σ weight · response] ≤ limit.
struct ResponseConstraint {
  std::vector<double> weights;  ///< weight of each response of the model; those with weight 0 are ignored
  double limit;                 ///< upper bound
};

/// Response by which systems are compared, its constraints and its random numbers.
struct SystemResponse {
  int response;                ///< index of the response
  bool is_smallest_best;       ///< whether the response's sign is changed, so that the best is the largest
  std::uint64_t seed;          ///< seed of the random numbers, from Philox
  bool common_random_numbers;  ///< whether systems share them; otherwise system i has those of design point i
  std::vector<ResponseConstraint> constraints = {};  ///< constraints on the systems
  /// If not empty, systems are compared by a weighted sum of responses instead: for each system a weight of each
  /// response, then a constant that is added.
  std::vector<double> sums = {};
};

/// Options of the replications of systems.
struct ReplicationOptions {
  std::function<bool()> is_enough = {};   ///< called between launches; returns whether to end the selection; collective
  Processes& processes = single_process;  ///< processes that share the replications and all get the same selection
};

/// Estimates for a system. Means have the sign that makes the largest the best.
struct SystemEstimate {
  std::int64_t system;        ///< its index
  std::int64_t replications;  ///< number of replications in the mean
  /// Mean of its response, with opposite sign if the smallest is best (SystemResponse::is_smallest_best).
  double mean;
  double variance;  ///< variance of single replications, estimated from all of them
};

/// A system that was found to violate a constraint.
struct InfeasibleSystem {
  std::int64_t constraint;  ///< index of the constraint, from 0
  SystemEstimate excess;    ///< estimates of the excess over the constraint
};

/// Sums of numbers of the survivors, in the order of their list.
struct SumState {
  std::vector<std::int64_t> count;  ///< how many numbers are in the sums
  std::vector<double> reference;    ///< first of these numbers
  std::vector<double> sum;          ///< sums of the differences from it
  std::vector<double> squares;      ///< sums of the squared differences
  std::vector<double> variance;     ///< S² of the first stage
};

/// State of a constraint for the survivors.
struct ConstraintState {
  SumState excess;                   ///< excess over the constraint
  std::vector<std::int64_t> is_met;  ///< 1 if a system was found to satisfy it, otherwise 0
};

/// State of the survivors from which replications can be resumed: numbers of each survivor in the order of their list.
/// Kept responses are computed again from it.
struct SurvivorState {
  std::int64_t replications = 0;                       ///< replications of all systems so far
  std::int64_t forgotten = 0;                          ///< replications of each survivor that are no longer in its sums
  std::int64_t kept = 0;                               ///< responses kept for each survivor
  std::vector<std::int64_t> system;                    ///< index of each survivor
  std::vector<std::int64_t> match;                     ///< match of each survivor; empty without matches
  SumState response;                                   ///< response by which systems are compared
  std::vector<ConstraintState> constraints;            ///< state of each constraint
  std::optional<InfeasibleSystem> nearest_infeasible;  ///< as in ReplicatedSystems
  double min_excess = 0;                               ///< excess of that system in units of the tolerance
  std::vector<FailedSystem> failed = {};               ///< as in ReplicatedSystems
};

/// Thrown if the selection is requested to end before its guarantee holds.
struct SelectionInterrupted {};

/// Thrown if a system fails after others have been eliminated, perhaps by it. The selection begins again without the
/// failed system.
struct SystemFailedLate {};

/// Replicated systems, some of which survive: the interface of ranking and selection procedures. A procedure decides
/// how many replications survivors get and which rule eliminates them; a family of systems implements it. Replication r
/// of system i depends only on (seed, i, r).
class ReplicatedSystems {
 public:
  virtual ~ReplicatedSystems() = default;

  /// Number of systems.
  virtual std::int64_t count() const = 0;
  /// Number of surviving systems.
  virtual std::int64_t survivors() const = 0;
  /// Systems without a result, in ascending order. They are not survivors.
  virtual const std::vector<FailedSystem>& failed() const = 0;
  /// Discards all replications: every system except the failed ones is a survivor again.
  virtual void begin_again() = 0;
  /// Whether replication r of all systems uses the same random numbers.
  virtual bool has_common_random_numbers() const = 0;
  /// Number of constraints on the systems.
  virtual int constraints() const = 0;
  /// Number of replications that all systems together have made.
  virtual std::int64_t replications() const = 0;
  /// Time in seconds that these replications took.
  virtual double seconds_in_replications() const = 0;
  /// Replications that the current call of `replicate` still has to make; 0 outside.
  virtual std::int64_t missing() const = 0;

  /// Current state, also between launches of a `replicate`.
  virtual SurvivorState state() = 0;
  /// Restores a state, before any other call. If the last call before the state was taken is `replicate`, call it again
  /// first. Kept responses are computed again.
  virtual void restore(const SurvivorState& state) = 0;

  /// Makes replications of every survivor up to `size`; within matches, only for survivors that have an opponent. A
  /// system with a response or constraint that is not finite fails and is no longer a survivor. @throws
  /// std::invalid_argument if there would be more than max_counted replications in all, SystemFailedLate,
  /// std::runtime_error if all systems have failed, and SelectionInterrupted.
  virtual void replicate(const SampleSize& size) = 0;
  /// Makes replications of survivors, allocated by OCBA, until they have at most `total` together: less by fewer than
  /// there are survivors. b is the survivor with the largest mean, d the distances of the others from it and S² the
  /// variance of the first stage. Sizes are in proportion to w = S²/d² and w_b = S_b √(Σ w²/S²), but never fall.
  /// Distances are at least a thousandth of their standard error, so that ties do not take all.
  virtual void replicate_by_ratios(std::int64_t total) = 0;
  /// Takes the variances of all replications so far as S² of the first stage; each later call updates them. A system
  /// whose response or constraint has variance 0 becomes a failed one and is no longer a survivor. @throws
  /// SystemFailedLate, and std::runtime_error if no system is left.
  virtual void end_first_stage() = 0;
  /// Keeps the first `count` single responses of each survivor, existing and future ones.
  virtual void keep_responses(std::int64_t count) = 0;
  /// Mean of S over the survivors.
  virtual double mean_deviation() = 0;
  /// Mean of the survivors' means.
  virtual double mean_of_means() = 0;

  /// Eliminates survivors by all pairs within groups of neighbours, and by the best of each group against all.
  virtual void screen(const GoodSelectionScreening& rule) = 0;
  /// Eliminates survivors by the same pairs, or within matches.
  virtual void screen(const KimNelsonScreening& rule) = 0;
  /// Eliminates survivors by comparison with a standard.
  virtual void screen(const StandardScreening& rule) = 0;
  /// Eliminates survivors by the pairs of GSP.
  virtual void screen(const SubsetScreening& rule) = 0;
  /// Eliminates all systems of each match except the winner.
  virtual void screen(const MatchWinners& rule) = 0;
  /// Eliminates survivors that are not better than a known standard, and returns how many are better.
  virtual std::int64_t screen(const KnownStandardScreening& rule) = 0;
  /// Eliminates survivors that violate a constraint, and returns how many of the rest are feasible. @throws
  /// std::invalid_argument if there is no constraint, or not one tolerance for each.
  virtual std::int64_t screen(const FeasibilityScreening& rule) = 0;
  /// Eliminates survivors by their shares q, and returns P / (sum of the q of those that are left).
  virtual double screen(const PosteriorScreening& rule) = 0;
  /// Smallest n' / λ² over all survivors. n' is n multiplied by `growth`, but at least n + 1, and λ² is the variance S²
  /// of the first stage.
  virtual double next_size_by_variance(double growth) = 0;

  /// Deals survivors out to the smallest number of matches of at most `size` systems, and discards their replications.
  /// New replications differ from these, and begin at the same number in all systems.
  virtual void begin_matches(std::int64_t size) = 0;
  /// Pairs survivors in matches by their means: the best meets the worst, the second the last but one, and so on. If
  /// their number is odd, the best has no opponent. A system without replications counts as the best.
  virtual void begin_seeded_matches() = 0;
  /// Number of survivors that have an opponent in their match.
  virtual std::int64_t in_matches() = 0;

  /// Returns the survivors with the best means, at most `most` of them, the best first; ties are in the order of
  /// systems. Those whose replications were all discarded are left out. If no system satisfies the constraints or all
  /// have failed, the result is empty; check this before you call `front()`.
  virtual std::vector<SystemEstimate> best(std::size_t most) = 0;
  /// Mean excess of each of these systems over a constraint, below 0 if it satisfies the constraint. Eliminated systems
  /// may be included only if no state was restored.
  virtual std::vector<SystemEstimate> excesses(int constraint, std::span<const std::int64_t> systems) = 0;
  /// Infeasible system whose largest excess is smallest, in units of the constraints' tolerances; the first one on a
  /// tie. No value if no system was found infeasible.
  virtual std::optional<InfeasibleSystem> nearest_infeasible() const = 0;
  /// Estimated lower bound of the probability of a correct selection: 1 − Σ Φ̄(d / √(S²_b/n_b + S²/n)), at least 0,
  /// over all survivors but b, the one with the largest mean; d are their distances from it. By Bonferroni's
  /// inequality, the mean of b is the largest with at least this probability if S² are the variances and means are
  /// normally distributed around those observed (APCS-B, Chen and others 2000).
  virtual double estimated_correct_selection() = 0;
};

}  // namespace sporos
