// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/procedures/ranking_and_selection/systems.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Procedures that select the best of many systems, the one with the largest mean, and say how sure that is.
///
/// They share: k systems, whose replications are independent and normally distributed, with means μ and variances that
/// are neither known nor equal; α = 1 − confidence; δ, the least difference worth detecting; n₀ replications of each
/// system in a first stage, of which S² is the variance. Constants are those of constants.hpp. Replications that are
/// not normal, as means over many customers nearly are, make the guarantees approximate.
namespace sporos {

/// What the procedures are told. Each takes what it needs.
struct SelectionOptions {
  double delta = 0;               ///< δ > 0
  double confidence = 0.95;       ///< 1 − α, in (1/k, 1)
  std::int64_t first_stage = 50;  ///< n₀ at least 2
  std::int64_t rounds = 10;       ///< GSP: screenings after that of the first stage
  double batch = 100;             ///< GSP: replications of a system in a round, on average over all systems
  double growth =
      1.1;  ///< KN, KN++, KT, BIZ, bi-PASS, standard, constrained-kn: growth of samples from screening to screening
  std::int64_t match_size = 2;          ///< KT: systems in a match, at least 2
  std::int64_t most = 2000;             ///< bi-PASS: replications of a system, at most
  std::int64_t budget = 0;              ///< OCBA, FBKT: replications of all systems, at most
  std::int64_t allocations = 50;        ///< OCBA: times that the budget behind the first stage is divided, at least 1
  double phi = 3;                       ///< FBKT: φ, at least 2; the larger, the more of the budget have late rounds
  double standard = 0;                  ///< μ₀ of a known standard, with the sign that makes the largest the best
  std::vector<double> tolerances = {};  ///< constrained-kn: ε > 0 of each constraint
};

/// How far a selection has come.
struct SelectionStep {
  std::string_view stage;     ///< what was done
  std::int64_t survivors;     ///< systems that are left
  std::int64_t replications;  ///< of all systems so far
};

/// Is told each step.
using SelectionObserver = std::function<void(const SelectionStep&)>;

/// Rinott's two stages (On two-stage selection procedures and related probability-inequalities, Commun. Stat. A7,
/// 1978). System i gets max(n₀, ⌈(h Sᵢ/δ)²⌉ ) replications, and that with the largest mean is selected.
///
/// Guarantee: a good selection, P(μ_best − μ_selected ≤ δ) ≥ 1 − α, whatever the means (Nelson, Matejcik 1995). Systems
/// are independent: no common random numbers.
void select_by_rinott(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// GSP, the good selection procedure (Ni, Ciocan, Henderson, Hunter: Efficient ranking and selection in parallel
/// computing environments, Oper. Res. 65, 2017), with α halved between screening and second stage.
///
/// 1. n₁ = n₀ replications of each system. Batches are bᵢ = ⌈batch · Sᵢ / mean of S⌉.
/// 2. Screening, and again after each of `rounds` batches: i drops out against j where
///    (X̄ⱼ − X̄ᵢ) / (S²ᵢ/nᵢ + S²ⱼ/nⱼ) > η √((n₁ − 1) / (S²ᵢ/Nᵢ + S²ⱼ/Nⱼ)), N = n₁ + rounds · b. Pairs are all among
///    neighbours in the list of survivors, and the best of each such group against all: the theorem bounds what the
///    best system loses to any pairs.
/// 3. Survivors, if several, get max(N, ⌈(h Sᵢ/δ)²⌉) replications, h being Rinott's for all k systems; that with the
///    largest mean is selected.
///
/// Guarantee: a good selection, P(μ_best − μ_selected ≤ δ) ≥ 1 − α, whatever the means: the best survives the screening
/// with probability 1 − α/2. Systems are independent: no common random numbers.
void select_by_gsp(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// KN, fully sequential (Kim, Nelson: A fully sequential procedure for indifference-zone selection in simulation, ACM
/// TOMACS 11, 2001). After n replications of each survivor i drops out against j where
/// Σ (Xⱼ − Xᵢ) > max(0, h² S²ᵢⱼ/(2δ) − δ n/2), S²ᵢⱼ being the variance of the differences in the first stage, until one
/// is left. n grows by a factor and not by 1: looks that are left out can only let the best survive. Pairs are those of
/// GSP.
///
/// Guarantee: a correct selection with probability 1 − α where the best mean is larger than each other by δ at least.
/// Common random numbers are allowed, and spare replications where they make responses positively correlated.
void select_by_kn(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// KN++, KN with variances that are estimated again and again (Kim, Nelson: On the asymptotic validity of fully
/// sequential selection procedures for steady-state simulation, Oper. Res. 54, 2006): S²ᵢⱼ is of all replications so
/// far, of independent systems S²ᵢ + S²ⱼ, and h² as after a long first stage, which is smaller.
///
/// Guarantee: that of KN as δ goes to 0, so that the first stage becomes a small part of all replications; with a first
/// stage that decides much it is only approximate. Common random numbers are allowed; then all responses are kept, 8
/// bytes for each replication of each system, for the variances of pairs.
void select_by_kn_plus(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// BIZ, the Bayes-inspired indifference zone (Frazier: A fully sequential elimination procedure for indifference-zone
/// ranking and selection with tight bounds on probability of correct selection, Oper. Res. 62, 2014), its algorithm for
/// unknown, unequal variances. q is the posterior probability that a survivor is the best, if the best is better than
/// the others, all alike, by δ. A system drops out where q ≤ c = 1 − (1 − α)^(1/(k−1)), and P, first 1 − α, is divided
/// by the q that are left; one whose q is P at least is selected. Sizes n stay in proportion to the variances λ² of all
/// replications so far; the least n grows by a factor. At a look those drop out that would even if all with q ≤ c had
/// done so before.
///
/// Guarantee: a correct selection with probability 1 − α where the best mean is larger than each other by δ at least;
/// the bound is tight where all others lie just δ below. Proved for known variances that are multiples of one, and for
/// all known variances as δ goes to 0 (Toscano-Palmerin, Frazier 2015); with estimated ones it is approximate, the
/// better the longer the first stage. Systems are independent: no common random numbers.
void select_by_biz(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// KT, a knockout tournament (Zhong, Hong: Knockout-tournament procedures for large-scale ranking and selection in
/// parallel computing environments, Oper. Res. 70, 2022). In round r survivors are dealt out to matches, each of which
/// KN decides with α/2^r and replications of its own. Fewer and fewer systems play: replications grow in
/// proportion to k, not to k log k.
///
/// Guarantee and common random numbers: as KN, for the chances to lose a match add up to at most α.
void select_by_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                          const SelectionObserver& observer);

/// bi-PASS (Pei, Nelson, Hunter: Parallel adaptive survivor selection, Oper. Res. 72, 2024). After n replications i
/// drops out where n (X̄ᵢ − μ) < −Sᵢ √((c + ln(1 + n/n₀)) (n + n₀)), the standard μ being the mean of the survivors'
/// means; until one is left, or they have `most` replications. (The paper has S² in the place of n₀ within the bound,
/// which then depends on the response's unit.)
///
/// Guarantee: a system whose mean is at least the standard's ever drops out with probability at most α, as n₀ grows: of
/// such systems at most the share α is lost on average, however many systems there are. δ is not used. Common random
/// numbers are allowed. What survives is a set; the best of it is reported without a guarantee of its own.
void select_by_bi_pass(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// Subset selection, Gupta's with unknown, unequal variances (Gupta 1965; Nelson, Swann, Goldsman, Song: Simple
/// procedures for selecting the best simulated system when the number of alternatives is large, Oper. Res. 49, 2001).
/// After n₀ replications i stays where X̄ᵢ ≥ X̄ⱼ − t √((S²ᵢ + S²ⱼ)/n₀) for all j. Pairs are those of GSP: pairs that are
/// left out can only let more systems stay.
///
/// Guarantee: the best system is among those who stay with probability 1 − α, whatever the means. Common random numbers
/// are allowed: then S²ᵢⱼ, the variance of the differences, takes the place of S²ᵢ + S²ⱼ, and t is that of Bonferroni's
/// inequality. δ is not used. There is no second stage.
void select_subset(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// Comparison with a known standard, fully sequential (Kim: Comparison with a standard via fully sequential procedures,
/// ACM TOMACS 15, 2005). KN among the systems, with α/k for each comparison and so h² of k + 1 systems; and each is
/// compared with the standard by Zᵣ = Xᵣ − μ₀ − δ/2, whose mean is −δ/2 at most where it is no better than μ₀, and δ/2
/// at least where it is by δ: for z = Σ Z and b = max(0, h² S²/δ − δ n/4) it drops out where z < −b, and the standard
/// does where z > b. What is left is selected: a system, or none and the standard is retained.
///
/// Guarantee: with probability 1 − α the standard is retained where no mean is larger than μ₀, and the best system is
/// selected where its mean is larger than μ₀ and each other by δ at least. In the first case the standard errs against
/// each of k systems with probability α/k at most, by KN's lemma for a drift of δ/2; in the second the best errs
/// against the standard and k − 1 others. Common random numbers are allowed.
void compare_with_standard(ReplicatedSystems& systems, const SelectionOptions& options,
                           const SelectionObserver& observer);

/// KN under m constraints on mean responses, feasibility and objective side by side (Andradóttir, Kim: Fully sequential
/// procedures for comparing constrained systems via simulation, Nav. Res. Logist. 57, 2010; several constraints: Batur,
/// Kim: Finding feasible systems in the presence of constraints on multiple performance measures, ACM TOMACS 20, 2010).
/// Yⱼ is by how much a replication exceeds constraint j, whose mean is to be 0 at most. After n replications of each
/// survivor
/// 1. each constraint that is not decided for a system is looked at: with z = Σ Yⱼ and b = max(0, h₁² S²/(2εⱼ) − εⱼ
/// n/2),
///    S² being the variance of Yⱼ in the first stage, the system drops out where z > b and meets it where z < −b;
/// 2. a survivor drops out against one that meets all constraints as in KN, with h₂² in the place of h²;
/// until one is left and meets all, or none is. With β = α / (k + m − 1) h₁² is KN's for one comparison of error β, and
/// h₂² that of one_sided_constant: who is compared with whom, and when, depends on what the constraints come to. (The
/// authors keep in mind who was better before; that takes a number for each pair of systems.) n grows by a factor.
///
/// Guarantee. A system is desirable where each constraint has room, E[Yⱼ] ≤ −εⱼ, unacceptable where one is exceeded,
/// E[Yⱼ] ≥ εⱼ, and acceptable otherwise. With probability 1 − α
/// - the best desirable system b is selected, where its mean is larger by δ at least than those of all other systems
///   that are not unacceptable;
/// - all drop out, where all are unacceptable.
/// In the first case b errs against each of m constraints with probability β at most, and each of k − 1 others, by
/// being found to meet what it exceeds if it is unacceptable, by beating b if it is not; if none errs b is left. In the
/// second case each of k systems errs with probability β at most. Common random numbers are allowed, and objective and
/// constraints of a replication may depend on each other.
void select_by_constrained_kn(ReplicatedSystems& systems, const SelectionOptions& options,
                              const SelectionObserver& observer);

/// OCBA, optimal computing budget allocation (Chen, Lin, Yücesan, Chick: Simulation budget allocation for further
/// enhancing the efficiency of ordinal optimization, Discrete Event Dyn. Syst. 10, 2000). After n₀ replications of each
/// system the budget is raised in equal steps, and divided each time by the means and variances so far: Nᵢ ∝ (σᵢ/δᵢ)²,
/// δᵢ being the distance from the best mean, N_b = σ_b √(Σ Nᵢ²/σᵢ²). Sizes are rounded down, what a system has made it
/// keeps, and all together make the budget at most, less by fewer than there are systems. That with the largest mean is
/// selected.
///
/// No guarantee: the allocation maximizes a bound of the probability of a correct selection as the budget grows, for
/// known means and variances. That bound is estimated (ReplicatedSystems::estimated_correct_selection). δ and α are not
/// used. Systems are independent: no common random numbers.
void select_by_ocba(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// FBKT, a knockout tournament with a fixed budget (Hong, Jiang, Zhong: Solving large-scale fixed-budget ranking and
/// selection problems, INFORMS J. Comput. 34, 2022). In round r, of ⌈log₂ k⌉, survivors meet in pairs, and the larger
/// mean of replications of that round wins. Of the budget N the round has N r/((φ − 1) φ) ((φ − 1)/φ)^r, in equal parts
/// for those who are not alone, and what rounding has left over before; the last round has the rest. With seeding n₀
/// replications of each system come before: the best so far meets the worst, the second the last but one, in each round
/// by the means of the round before. No seeding with n₀ = 0: pairs are dealt out.
///
/// No guarantee with numbers: where the best is better by some δ the probability of a correct selection has a lower
/// bound that depends on N/k, δ and the variances alone, so that the budget need only grow in proportion to k. δ and α
/// are not used. Common random numbers are allowed.
void select_by_fixed_budget_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                                       const SelectionObserver& observer);

/// A procedure, for people to choose by its name.
struct SelectionProcedure {
  std::string_view name;              ///< gsp, …
  std::string_view title;             ///< one phrase
  bool allows_common_random_numbers;  ///< whether its guarantee does
  bool has_delta;                     ///< whether it detects differences of δ
  bool has_budget;                    ///< whether it ends with a budget, and guarantees nothing
  bool has_constraints;               ///< whether systems are to meet constraints; without any it cannot be
  std::int64_t usual_first_stage;     ///< n₀
  /// What is guaranteed, with numbers; with a budget, that it is nothing.
  std::string (*guarantee)(const SelectionOptions& options, std::int64_t systems);
  /// Carries it out, once: see select(). @throws what check_selection throws, and as ReplicatedSystems does.
  void (*run)(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);
  /// An estimate of the probability of a correct selection, where it has one.
  double (*estimate)(ReplicatedSystems& systems) = nullptr;
};

/// The stage that an observer is shown where a selection begins again.
inline constexpr std::string_view beginning_again = "beginning again";

/// Carries `procedure` out, and begins again without a system that fails after others have dropped out.
void select(const SelectionProcedure& procedure, ReplicatedSystems& systems, const SelectionOptions& options,
            const SelectionObserver& observer);

/// All procedures.
std::span<const SelectionProcedure> selection_procedures();

/// Throws std::invalid_argument where `procedure` cannot do with `options` for so many systems with so many
/// constraints, or forbids the common random numbers that these have.
void check_selection(const SelectionProcedure& procedure, const SelectionOptions& options, std::int64_t systems,
                     bool common_random_numbers, std::size_t constraints = 0);

}  // namespace sporos
