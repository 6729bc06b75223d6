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
  double growth = 1.1;            ///< KN, KT, bi-PASS: samples grow by this factor from one screening to the next
  std::int64_t match_size = 2;    ///< KT: systems in a match, at least 2
  std::int64_t most = 2000;       ///< bi-PASS: replications of a system, at most
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

/// A procedure, for people to choose by its name.
struct SelectionProcedure {
  std::string_view name;              ///< gsp, …
  std::string_view title;             ///< one phrase
  bool allows_common_random_numbers;  ///< whether its guarantee does
  bool has_delta;                     ///< whether it detects differences of δ
  std::int64_t usual_first_stage;     ///< n₀
  /// What is guaranteed, with numbers.
  std::string (*guarantee)(const SelectionOptions& options, std::int64_t systems);
  /// Carries it out. @throws what check_selection throws, and as ReplicatedSystems does.
  void (*run)(ReplicatedSystems& systems, const SelectionOptions& options, const SelectionObserver& observer);
};

/// All procedures.
std::span<const SelectionProcedure> selection_procedures();

/// Throws std::invalid_argument where `procedure` cannot do with `options` for so many systems, or forbids the common
/// random numbers that these have.
void check_selection(const SelectionProcedure& procedure, const SelectionOptions& options, std::int64_t systems,
                     bool common_random_numbers);

}  // namespace sporos
