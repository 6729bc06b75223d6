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

/// How many replications a system is to have in all, by its variance S² in the first stage:
/// max(fixed + batches · ⌈of_deviation · S⌉, ⌈of_variance · S²⌉). It is a double, for it may be larger than any number
/// of replications that can be made.
struct SampleSize {
  std::int64_t fixed = 0;    ///< of every system
  std::int64_t batches = 0;  ///< how many batches, as large as S is
  double of_deviation = 0;   ///< for the size of a batch
  double of_variance = 0;    ///< for a sample as large as S² asks for

  /// That of a system.
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

/// The screening of GSP: i drops out against j where (X̄ⱼ − X̄ᵢ) t > η √((n₁ − 1) t'), t = 1 / (S²ᵢ/nᵢ + S²ⱼ/nⱼ), and t'
/// the same with the sample sizes after the last round.
struct GoodSelectionScreening {
  double factor;    ///< η √(n₁ − 1)
  SampleSize last;  ///< after the last round
};

/// The screening of KN: i drops out against j where Σ (Xⱼ − Xᵢ) > max(0, h² S²ᵢⱼ / (2δ) − δ n / 2), S²ᵢⱼ the variance
/// of the differences of the responses that are kept, and S²ᵢ + S²ⱼ where none are. Of two whose sums are the same
/// where the bound is 0 the latter drops out.
struct KimNelsonScreening {
  double h_squared;                  ///< h²
  double delta;                      ///< the difference worth detecting
  bool is_within_matches;            ///< whether only systems of the same match are compared
  bool is_against_feasible = false;  ///< whether systems drop out against those alone that were found feasible
};

/// The check of constraints, each by itself: with z the sum of what it is exceeded by and b = max(0, h² S²/(2ε) − ε
/// n/2), system i is found to meet it where z < −b or, where b is 0, z = 0, and drops out where z > b. A system that is
/// found to meet all is feasible; what was found is not asked again.
struct FeasibilityScreening {
  double h_squared;                ///< h²
  std::vector<double> tolerances;  ///< ε of each constraint
};

/// The screening of bi-PASS: i drops out where n (X̄ᵢ − μ) < −S √((c + ln(1 + n/n₀)) (n + n₀)), μ the standard.
struct StandardScreening {
  double c;                  ///< the constant
  std::int64_t first_stage;  ///< n₀
  double standard;           ///< μ
};

/// The screening of a subset: i drops out against j where X̄ⱼ − X̄ᵢ > t √(S²ᵢⱼ / n), S²ᵢⱼ being that of KN.
struct SubsetScreening {
  double quantile;  ///< t
};

/// Of the systems of a match all drop out but that with the largest mean; of equal ones the first system stays.
struct MatchWinners {};

/// The comparison with a known standard μ₀: with z = n (X̄ᵢ − μ₀ − δ/2) and b = max(0, h² S²ᵢ / δ − δ n / 4), i is
/// better where z > b, and drops out where z < −b or, where b is 0, z = 0.
struct KnownStandardScreening {
  double h_squared;  ///< h²
  double delta;      ///< the difference worth detecting
  double standard;   ///< μ₀
};

/// The screening of BIZ. With n and λ², the variance of all replications so far, of each survivor, β = Σ n / Σ λ² over
/// them, and q proportional to exp(δ β X̄), of sum 1: where the largest q is P at least, all but that system drop out;
/// otherwise all with q ≤ c (1 − s) do, s being the sum of the q that are c at most.
struct PosteriorScreening {
  double delta;   ///< the difference worth detecting
  double c;       ///< the share at which a system drops out
  double wanted;  ///< P
};

/// Replications of systems, a row each, that a launch makes: a number, and behind it one for each constraint. Pointers
/// are to memory that its kernels reach.
struct SystemRows {
  const std::int64_t* systems;  ///< numbers of those that make replications
  const std::int64_t* ends;     ///< of each the row behind its last, among all rows; none has a row before row 0
  const std::int64_t* made;     ///< of each system, by its number: the replications before its first row
  std::int64_t count;           ///< of systems
  std::int64_t first;           ///< row of this launch
  std::int64_t end;             ///< behind its last row
  double* responses;            ///< of row `first` and those behind it, and by how much they exceed each constraint
};

/// A system without a result: it makes no model, or some of its replications have no response, and it counts as worse
/// than every other system; or its variance is unknown, since all its numbers are equal, and it is not compared.
struct FailedSystem {
  std::int64_t system;        ///< its number
  std::int64_t failures;      ///< replications without a response
  std::int64_t replications;  ///< replications that were made; 0 where it makes no model
  std::string reason;         ///< why the first failure happened, why it makes no model, or which numbers are equal

  /// Whether it has results, whose variance is unknown.
  bool has_equal_numbers() const { return failures == 0 && replications > 0; }
};

/// Makes replications of the systems of a family, whatever its model.
class SystemLauncher {
 public:
  virtual ~SystemLauncher() = default;
  /// Writes the response of each row of `rows`; waits for it.
  virtual void launch(const SystemRows& rows) = 0;
  /// Whether replication r of all systems has the same random numbers.
  virtual bool has_common_random_numbers() const = 0;
  /// How many constraints a row has numbers for.
  virtual int constraints() const { return 0; }
  /// Names of the stations at which entities can be, for messages; empty where the model names none.
  virtual std::vector<std::string> station_names() const { return {}; }
  /// Whether the response of each system is known, so that it is the same in all of its replications and has the
  /// variance 0. Otherwise a system whose replications are all the same is left out.
  virtual bool has_known_responses() const { return false; }
  /// The systems that make no model, in their order. They get no replications.
  virtual std::vector<FailedSystem> impossible() const { return {}; }
};

/// A constraint on the mean responses of a system: E[Σ weight · response] is at most the limit.
struct ResponseConstraint {
  std::vector<double> weights;  ///< of each response of the model; those of weight 0 are not looked at
  double limit;                 ///< at most
};

/// Which response of a model systems are compared by, and with which random numbers.
struct SystemResponse {
  int response;                ///< its number
  bool is_smallest_best;       ///< whether it changes its sign, so that the best is the largest
  std::uint64_t seed;          ///< of the random numbers, which philox gives
  bool common_random_numbers;  ///< the same ones for all systems; otherwise system i has those of design point i
  std::vector<ResponseConstraint> constraints = {};  ///< that systems are to meet
  /// Where it is not empty, systems are compared by a sum of responses instead: for each system a weight of each
  /// response, then a number that is added.
  std::vector<double> sums = {};
};

/// How systems are replicated.
struct ReplicationOptions {
  std::function<bool()> is_enough = {};  ///< asked between launches, whether the selection is to end; collective
  Processes& processes = alone;          ///< who share the replications, and all get the same selection
};

/// What is known of a system. Means have the sign that makes the best of them the largest.
struct SystemEstimate {
  std::int64_t system;        ///< its number
  std::int64_t replications;  ///< of which the mean is
  /// Mean of its response, with the other sign where the smallest is best (SystemResponse::is_smallest_best).
  double mean;
  double variance;  ///< of single replications, estimated by all of them
};

/// A system that was found not to meet a constraint.
struct InfeasibleSystem {
  std::int64_t constraint;  ///< its number, from 0
  SystemEstimate excess;    ///< by how much it is exceeded
};

/// Sums of numbers that survivors have, in the order of their list.
struct SumState {
  std::vector<std::int64_t> count;  ///< of what the sums are of
  std::vector<double> reference;    ///< the first of it
  std::vector<double> sum;          ///< of the differences from it
  std::vector<double> squares;      ///< of their squares
  std::vector<double> variance;     ///< S² of the first stage
};

/// What is known of a constraint of survivors.
struct ConstraintState {
  SumState excess;                   ///< by how much it is exceeded
  std::vector<std::int64_t> is_met;  ///< 1 where a system was found to meet it, otherwise 0
};

/// What is known of the survivors, for their replications to go on from: numbers of each, in the order of their list,
/// by which the responses that are kept can be made again.
struct SurvivorState {
  std::int64_t replications = 0;                       ///< of all systems so far
  std::int64_t forgotten = 0;                          ///< of each survivor, those that its sums are not of any more
  std::int64_t kept = 0;                               ///< responses that are kept of each
  std::vector<std::int64_t> system;                    ///< its number
  std::vector<std::int64_t> match;                     ///< that it plays; without matches no numbers
  SumState response;                                   ///< by which systems are compared
  std::vector<ConstraintState> constraints;            ///< each
  std::optional<InfeasibleSystem> nearest_infeasible;  ///< as the systems' own
  double least_excess = 0;                             ///< by that system, in units of the tolerance
  std::vector<FailedSystem> failed = {};               ///< as the systems' own
};

/// Thrown where a selection is asked to end before it has come to its guarantee.
struct SelectionInterrupted {};

/// Thrown where a system fails after others have dropped out, perhaps against it: the selection begins again without
/// it.
struct SystemFailedLate {};

/// Systems in replications, of which some survive: what a procedure for ranking and selection works with. A procedure
/// decides how many replications survivors get and by what rule they drop out; a family of systems carries it out.
/// Replication r of system i depends on (seed, i, r) alone.
class ReplicatedSystems {
 public:
  virtual ~ReplicatedSystems() = default;

  /// How many systems there are.
  virtual std::int64_t count() const = 0;
  /// How many of them are left.
  virtual std::int64_t survivors() const = 0;
  /// Systems without a result, in their order. They are no survivors.
  virtual const std::vector<FailedSystem>& failed() const = 0;
  /// Forgets all replications: every system but the failed ones is a survivor again.
  virtual void begin_again() = 0;
  /// Whether replication r of all systems has the same random numbers.
  virtual bool has_common_random_numbers() const = 0;
  /// How many constraints they are to meet.
  virtual int constraints() const = 0;
  /// Replications that all of them have made.
  virtual std::int64_t replications() const = 0;
  /// Seconds in which they were computed.
  virtual double seconds_in_replications() const = 0;
  /// Replications that the call of replicate under way has still to make; 0 outside.
  virtual std::int64_t missing() const = 0;

  /// Where they stand, also between launches of a replicate.
  virtual SurvivorState state() = 0;
  /// Makes them stand there, before anything else is called: whatever was called last is to be called again where it
  /// was replicate, and others come after it. Responses that are kept are computed again.
  virtual void restore(const SurvivorState& state) = 0;

  /// Makes replications of every survivor until it has so many; within matches, of those that are not alone in theirs.
  /// A system with a response or constraint that is not a finite number fails, and is no survivor any more.
  /// @throws std::invalid_argument where the replications are more than most_counted in all, SystemFailedLate,
  /// std::runtime_error where all systems have failed, and SelectionInterrupted.
  virtual void replicate(const SampleSize& size) = 0;
  /// Makes replications of survivors, by OCBA, until all of them have `total` in sum at most: less by fewer than there
  /// are survivors. With b the survivor with the largest mean, d the others' distances from it and S² of the first
  /// stage, sizes are in proportion to w = S²/d², w_b = S_b √(Σ w²/S²), but no smaller than they are. Distances are at
  /// least a thousandth of their standard error, so that ties do not take all.
  virtual void replicate_by_ratios(std::int64_t total) = 0;
  /// Takes the variances of what was replicated so far as S² of the first stage; called again, it takes those of all
  /// that was replicated by then. A system where one is 0, of the response or a constraint, is among the failed ones
  /// and no survivor any more. @throws SystemFailedLate, and std::runtime_error where no system is left.
  virtual void end_first_stage() = 0;
  /// Keeps the first `count` single responses of each survivor, those that it has and those to come.
  virtual void keep_responses(std::int64_t count) = 0;
  /// The mean of S over the survivors.
  virtual double mean_deviation() = 0;
  /// The mean of the survivors' means.
  virtual double mean_of_means() = 0;

  /// Drops survivors out by all pairs among neighbours and by the best of each such group against all.
  virtual void screen(const GoodSelectionScreening& rule) = 0;
  /// The same.
  virtual void screen(const KimNelsonScreening& rule) = 0;
  /// Drops survivors out against a standard.
  virtual void screen(const StandardScreening& rule) = 0;
  /// Drops survivors out by pairs, as GSP's screening does.
  virtual void screen(const SubsetScreening& rule) = 0;
  /// Leaves one system of each match.
  virtual void screen(const MatchWinners& rule) = 0;
  /// Drops survivors out that are not better than a known standard, and returns how many are better.
  virtual std::int64_t screen(const KnownStandardScreening& rule) = 0;
  /// Drops survivors out that do not meet a constraint, and returns how many of those that are left are feasible.
  /// @throws std::invalid_argument where there is no constraint, or not a tolerance for each.
  virtual std::int64_t screen(const FeasibilityScreening& rule) = 0;
  /// Drops survivors out by their shares q, and returns P / (sum of the q of those that are left).
  virtual double screen(const PosteriorScreening& rule) = 0;
  /// The least n' / λ² over all survivors, n' being n grown by this factor, by one replication at least, and λ² the
  /// variance S² of the first stage.
  virtual double next_size_by_variance(double growth) = 0;

  /// Deals survivors out to as few matches as have at most `size` systems each, and forgets what their replications
  /// gave: those to come are others, from the same number on in all systems.
  virtual void begin_matches(std::int64_t size) = 0;
  /// The same for matches of two, the best by its mean against the worst, the second against the last but one. Of an
  /// odd number the best is alone. One that has no replications counts as the best.
  virtual void begin_seeded_matches() = 0;
  /// Survivors that are not alone in their match.
  virtual std::int64_t in_matches() = 0;

  /// The survivors with the best means, at most `most` of them, the best first; of equal ones the first system first.
  /// Those whose replications were all forgotten are left out. Empty where no system meets the constraints, or where
  /// all have failed: see whether it is before `front()`.
  virtual std::vector<SystemEstimate> best(std::size_t most) = 0;
  /// By how much each of these systems exceeds a constraint on average, less than 0 where it meets it. Of systems that
  /// have dropped out only as long as nothing was restored.
  virtual std::vector<SystemEstimate> excesses(int constraint, std::span<const std::int64_t> systems) = 0;
  /// Of the systems that were found infeasible that whose greatest excess is least, in units of the constraints'
  /// tolerances; of equal ones the first. Nothing where none was.
  virtual std::optional<InfeasibleSystem> nearest_infeasible() const = 0;
  /// 1 − Σ Φ̄(d / √(S²_b/n_b + S²/n)) over all survivors but b, that with the largest mean, d being their distances from
  /// it; at least 0. An estimate: by Bonferroni's inequality the mean of b is the largest with that probability at
  /// least, if S² are the variances and means are normally distributed around those observed (APCS-B, Chen and others
  /// 2000).
  virtual double estimated_correct_selection() = 0;
};

}  // namespace sporos
