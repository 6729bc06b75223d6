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

/// Ranking and selection: procedures that select the best of many systems, the one with the largest mean, with a
/// statistical guarantee.
///
/// Notation and assumptions. There are k systems. Their replications are independent and normally distributed, with
/// means μ and unknown, unequal variances. α = 1 − confidence. δ is the smallest difference worth detecting. Each
/// system gets n₀ replications in a first stage, with sample variance S². Constants are those of constants.hpp. If
/// replications are not normal but nearly so, such as means over many customers, the guarantees are approximate.
namespace sporos {

/// Options of all procedures. Each procedure uses those it needs.
struct SelectionOptions {
  double delta = 0;               ///< δ > 0
  double confidence = 0.95;       ///< 1 − α, in (1/k, 1)
  std::int64_t first_stage = 50;  ///< n₀, at least 2
  std::int64_t rounds = 10;       ///< GSP: number of screenings after that of the first stage
  double batch = 100;             ///< GSP: average number of replications of a system in a round
  /// KN, KN++, KT, BIZ, bi-PASS, standard, constrained-kn: factor by which samples grow from screening to screening.
  double growth = 1.1;
  std::int64_t match_size = 2;  ///< KT: systems in a match, at least 2
  std::int64_t most = 2000;     ///< bi-PASS: maximum number of replications of a system
  std::int64_t budget = 0;      ///< OCBA, FBKT: maximum number of replications of all systems
  /// OCBA: number of times that the budget after the first stage is divided, at least 1.
  std::int64_t allocations = 50;
  double phi = 3;  ///< FBKT: φ, at least 2; larger values give late rounds more of the budget
  /// Mean μ₀ of a known standard, with the sign that makes the largest mean the best.
  double standard = 0;
  std::vector<double> tolerances = {};  ///< constrained-kn: ε > 0 of each constraint
};

/// Progress of a selection.
struct SelectionStep {
  std::string_view stage;     ///< stage just finished
  std::int64_t survivors;     ///< number of surviving systems
  std::int64_t replications;  ///< replications of all systems so far
};

/// Function that is called after each step.
using SelectionObserver = std::function<void(const SelectionStep&)>;

/// Rinott's two-stage procedure (On two-stage selection procedures and related probability-inequalities, Commun. Stat.
/// A7, 1978). System i gets max(n₀, ⌈(h Sᵢ/δ)²⌉ ) replications, and the system with the largest mean is selected.
///
/// Guarantee: a good selection, P(μ_best − μ_selected ≤ δ) ≥ 1 − α, for any means (Nelson, Matejcik 1995). Systems are
/// independent: no common random numbers.
void select_by_rinott(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// GSP, the good selection procedure (Ni, Ciocan, Henderson, Hunter: Efficient ranking and selection in parallel
/// computing environments, Oper. Res. 65, 2017), with half of α each for screening and second stage.
///
/// 1. Make n₁ = n₀ replications of each system. Batches are bᵢ = ⌈batch · Sᵢ / mean of S⌉.
/// 2. Screen now and after each of `rounds` batches: j eliminates i if (X̄ⱼ − X̄ᵢ) / (S²ᵢ/nᵢ + S²ⱼ/nⱼ) > η √((n₁ − 1) /
///    (S²ᵢ/Nᵢ + S²ⱼ/Nⱼ)), N = n₁ + rounds · b. The pairs are all pairs within groups of neighbours in the list of
///    survivors, and the best of each group against all systems. The theorem bounds the probability that any pair
///    eliminates the best system.
/// 3. If several systems survive, they get max(N, ⌈(h Sᵢ/δ)²⌉) replications, with Rinott's h for all k systems. The
///    system with the largest mean is selected.
///
/// Guarantee: a good selection, P(μ_best − μ_selected ≤ δ) ≥ 1 − α, for any means; the best survives the screening with
/// probability 1 − α/2. Systems are independent: no common random numbers.
void select_by_gsp(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// KN, a fully sequential procedure (Kim, Nelson: A fully sequential procedure for indifference-zone selection in
/// simulation, ACM TOMACS 11, 2001). After n replications of each survivor, j eliminates i if Σ (Xⱼ − Xᵢ) > max(0, h²
/// S²ᵢⱼ/(2δ) − δ n/2), where S²ᵢⱼ is the variance of the differences in the first stage. The procedure ends when one
/// system is left. n grows by a factor and not by 1: skipped looks can only let the best survive. Pairs are those of
/// GSP.
///
/// Guarantee: a correct selection with probability 1 − α if the best mean exceeds every other by at least δ. Common
/// random numbers are allowed, and save replications if they make responses positively correlated.
void select_by_kn(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// KN++, KN with variances that are updated repeatedly (Kim, Nelson: On the asymptotic validity of fully sequential
/// selection procedures for steady-state simulation, Oper. Res. 54, 2006). S²ᵢⱼ is that of all replications so far (S²ᵢ
/// + S²ⱼ for independent systems), and h² is the smaller value that holds after a long first stage.
///
/// Guarantee: that of KN as δ goes to 0, so that the first stage becomes a small part of all replications. If the first
/// stage decides much, the guarantee is only approximate. Common random numbers are allowed; then all responses are
/// kept for the variances of pairs, 8 bytes for each replication of each system.
void select_by_kn_plus(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// BIZ, the Bayes-inspired indifference zone (Frazier: A fully sequential elimination procedure for indifference-zone
/// ranking and selection with tight bounds on probability of correct selection, Oper. Res. 62, 2014), in its version
/// for unknown, unequal variances. q is the posterior probability that a survivor is the best, if the best is better by
/// δ than the others, which are all equal. A system with q ≤ c = 1 − (1 − α)^(1/(k−1)) is eliminated. P begins at 1 − α
/// and is divided by the sum of the remaining q; a system with q ≥ P is selected. Sizes n stay in proportion to the
/// variances λ² of all replications so far; the smallest n grows by a factor. A look eliminates those systems that
/// would be eliminated even after all others with q ≤ c.
///
/// Guarantee: a correct selection with probability 1 − α if the best mean exceeds every other by at least δ. The bound
/// is tight if all others are just δ below. It is proved for known variances that are multiples of one number, and for
/// all known variances as δ goes to 0 (Toscano-Palmerin, Frazier 2015). With estimated variances it is approximate, and
/// improves with the length of the first stage. Systems are independent: no common random numbers.
void select_by_biz(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// KT, a knockout tournament (Zhong, Hong: Knockout-tournament procedures for large-scale ranking and selection in
/// parallel computing environments, Oper. Res. 70, 2022). In round r, survivors are dealt out to matches. KN decides
/// each match with α/2^r and separate replications. Since fewer and fewer systems play, replications grow in proportion
/// to k, not to k log k.
///
/// Guarantee and common random numbers: as for KN, since the probabilities of losing a match add up to at most α.
void select_by_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                          const SelectionObserver& observer);

/// bi-PASS (Pei, Nelson, Hunter: Parallel adaptive survivor selection, Oper. Res. 72, 2024). After n replications, i is
/// eliminated if n (X̄ᵢ − μ) < −Sᵢ √((c + ln(1 + n/n₀)) (n + n₀)), where the standard μ is the mean of the survivors'
/// means. The procedure ends when one system is left or survivors have `most` replications. (In the paper the bound
/// contains S² instead of n₀, so that it depends on the response's unit.)
///
/// Guarantee: a system whose mean is at least the standard's is ever eliminated with probability at most α, as n₀
/// grows. On average at most the share α of such systems is lost, however many systems there are. δ is not used. Common
/// random numbers are allowed. The survivors form a set; its best system is reported without a separate guarantee.
void select_by_bi_pass(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// Subset selection, Gupta's procedure for unknown, unequal variances (Gupta 1965; Nelson, Swann, Goldsman, Song:
/// Simple procedures for selecting the best simulated system when the number of alternatives is large, Oper. Res. 49,
/// 2001). After n₀ replications, i stays if X̄ᵢ ≥ X̄ⱼ − t √((S²ᵢ + S²ⱼ)/n₀) for all j. Pairs are those of GSP; pairs
/// that are left out can only let more systems stay.
///
/// Guarantee: the best system is in the subset with probability 1 − α, for any means. Common random numbers are
/// allowed: then S²ᵢⱼ, the variance of the differences, replaces S²ᵢ + S²ⱼ, and t is that of Bonferroni's inequality. δ
/// is not used. There is no second stage.
void select_subset(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// Comparison with a known standard, fully sequential (Kim: Comparison with a standard via fully sequential procedures,
/// ACM TOMACS 15, 2005). The systems are compared by KN with α/k for each comparison, and so with h² of k + 1 systems.
/// Each system is also compared with the standard by Zᵣ = Xᵣ − μ₀ − δ/2. The mean of Z is at most −δ/2 if the system is
/// no better than μ₀, and at least δ/2 if it is better by δ. With z = Σ Z and b = max(0, h² S²/δ − δ n/4), the system
/// is eliminated if z < −b, and the standard if z > b. The rest is selected: a system, or no system, in which case the
/// standard is retained.
///
/// Guarantee: with probability 1 − α, the standard is retained if no mean is larger than μ₀, and the best system is
/// selected if its mean exceeds μ₀ and every other mean by at least δ. In the first case the standard errs against each
/// of k systems with probability at most α/k, by KN's lemma for a drift of δ/2. In the second case the best system errs
/// against the standard and k − 1 others. Common random numbers are allowed.
void compare_with_standard(ReplicatedSystems& systems, const SelectionOptions& options,
                           const SelectionObserver& observer);

/// KN under m constraints on mean responses; feasibility and objective are checked together (Andradóttir, Kim: Fully
/// sequential procedures for comparing constrained systems via simulation, Nav. Res. Logist. 57, 2010; several
/// constraints: Batur, Kim: Finding feasible systems in the presence of constraints on multiple performance measures,
/// ACM TOMACS 20, 2010). Yⱼ is the excess of a replication over constraint j; its mean must be at most 0. After n
/// replications of each survivor:
/// 1. Each undecided constraint of a system is checked. With z = Σ Yⱼ, the variance S² of Yⱼ in the first stage and b =
///    max(0, h₁² S²/(2εⱼ) − εⱼ n/2), the system is eliminated if z > b and satisfies the constraint if z < −b.
/// 2. A survivor that satisfies all constraints can eliminate others as in KN, with h₂² instead of h².
/// The procedure ends when one system is left that satisfies all constraints, or none. With β = α / (k + m − 1), h₁² is
/// KN's for one comparison with error β. h₂² is that of one_sided_constant, because the outcome of the constraints
/// decides which systems are compared and when. (The authors store which system was better before; that takes a number
/// for each pair of systems.) n grows by a factor.
///
/// Guarantee. A system is desirable if it has slack in each constraint, E[Yⱼ] ≤ −εⱼ, unacceptable if it violates one,
/// E[Yⱼ] ≥ εⱼ, and acceptable otherwise. With probability 1 − α
/// - the best desirable system b is selected, if its mean exceeds by at least δ those of all other systems that are not
///   unacceptable;
/// - all systems are eliminated, if all are unacceptable.
/// In the first case, b errs with probability at most β against each of m constraints and each of k − 1 others. An
/// unacceptable system causes an error by being found feasible, an acceptable one by eliminating b. If there is no
/// error, b is left. In the second case each of k systems errs with probability at most β. Common random numbers are
/// allowed, and objective and constraints of a replication may be dependent.
void select_by_constrained_kn(ReplicatedSystems& systems, const SelectionOptions& options,
                              const SelectionObserver& observer);

/// OCBA, optimal computing budget allocation (Chen, Lin, Yücesan, Chick: Simulation budget allocation for further
/// enhancing the efficiency of ordinal optimization, Discrete Event Dyn. Syst. 10, 2000). After n₀ replications of each
/// system, the budget is raised in equal steps. Each time it is divided by the means and variances so far: Nᵢ ∝
/// (σᵢ/δᵢ)², where δᵢ is the distance from the best mean, and N_b = σ_b √(Σ Nᵢ²/σᵢ²). Sizes are rounded down, and no
/// system loses replications that it has made. The sum of the sizes is at most the budget, and less by fewer than there
/// are systems. The system with the largest mean is selected.
///
/// No guarantee: the allocation maximizes a bound of the probability of a correct selection as the budget grows, for
/// known means and variances. That bound is estimated (ReplicatedSystems::estimated_correct_selection). δ and α are not
/// used. Systems are independent: no common random numbers.
void select_by_ocba(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);

/// FBKT, a knockout tournament with a fixed budget (Hong, Jiang, Zhong: Solving large-scale fixed-budget ranking and
/// selection problems, INFORMS J. Comput. 34, 2022). In round r, of ⌈log₂ k⌉, survivors meet in pairs, and the larger
/// mean of that round's replications wins. Round r gets N r/((φ − 1) φ) ((φ − 1)/φ)^r of the budget N, plus what
/// rounding has left over, in equal parts for the systems that have an opponent. The last round gets the rest. With
/// seeding, each system first gets n₀ replications; in each round the best meets the worst, the second best the last
/// but one, and so on, by the means of the previous round. n₀ = 0 means no seeding: pairs are dealt out.
///
/// No numerical guarantee: if the best is better by some δ, the probability of a correct selection has a lower bound
/// that depends only on N/k, δ and the variances. The budget therefore needs to grow only in proportion to k. δ and α
/// are not used. Common random numbers are allowed.
void select_by_fixed_budget_tournament(ReplicatedSystems& systems, const SelectionOptions& options,
                                       const SelectionObserver& observer);

/// A selection procedure with its name, properties and functions.
struct SelectionProcedure {
  std::string_view name;              ///< name, such as gsp
  std::string_view title;             ///< description in one phrase
  bool allows_common_random_numbers;  ///< whether its guarantee allows common random numbers
  bool has_delta;                     ///< whether it detects differences of δ
  bool has_budget;                    ///< whether it ends with a budget and has no guarantee
  bool has_constraints;               ///< whether it requires constraints; otherwise it accepts none
  std::int64_t default_first_stage;   ///< default of n₀
  /// Describes the guarantee, with numbers; procedures with a budget state that there is none.
  std::string (*guarantee)(const SelectionOptions& options, std::int64_t systems);
  /// Runs the procedure once; see select(). @throws the same exceptions as check_selection and ReplicatedSystems.
  void (*run)(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);
  /// Estimates the probability of a correct selection; null if the procedure has no estimate.
  double (*estimate)(ReplicatedSystems& systems) = nullptr;
};

/// Stage that is passed to the observer when a selection begins again.
inline constexpr std::string_view beginning_again = "restarting";

/// Runs `procedure`, and begins again without a system that fails after others have been eliminated.
void select(const SelectionProcedure& procedure, ReplicatedSystems& systems, const SelectionOptions& options,
            const SelectionObserver& observer);

/// All procedures.
std::span<const SelectionProcedure> selection_procedures();

/// Throws std::invalid_argument if `procedure` cannot run with `options` for `systems` systems and `constraints`
/// constraints, or if it forbids common random numbers and the systems have them.
void check_selection(const SelectionProcedure& procedure, const SelectionOptions& options, std::int64_t systems,
                     bool common_random_numbers, std::size_t constraints = 0);

}  // namespace sporos
