// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// Constants of procedures that select the best of k systems. `first_stage` is the number n₀ of a system's replications
/// from which its variance is estimated, at least 2. Φ̄ = 1 − Φ is the upper tail of the normal distribution; f and F
/// are density and distribution of χ² with n₀ − 1 degrees of freedom. All constants have a relative error below 10⁻⁸
/// for 2 to 10⁹ systems and a confidence up to 1 − 10⁻⁶. For more than 10⁶ degrees of freedom, the constant is that of
/// 10⁶, which is larger by less than a millionth. @throws std::invalid_argument for fewer than 2 systems, fewer than 2
/// replications, and a confidence that is not in (1/k, 1).
namespace sporos {

/// Rinott's h for a good selection with probability `confidence` (On two-stage selection procedures and related
/// probability-inequalities, Commun. Stat. A7, 1978): with ν = n₀ − 1,
/// ∫ [∫ Φ(h / √(ν (1/x + 1/y))) f(x) dx]^(k−1) f(y) dy = confidence.
double rinott_constant(std::int64_t systems, std::int64_t first_stage, double confidence);

/// η of the screening in GSP, with which the best system survives with probability `confidence` (Ni, Ciocan, Henderson,
/// Hunter: Efficient ranking and selection in parallel computing environments, Oper. Res. 65, 2017):
/// ∫ 4 Φ̄(η √x) f(x) (1 − F(x)) dx = 1 − confidence^(1/(k−1)).
double gsp_screening_constant(std::int64_t systems, std::int64_t first_stage, double confidence);

/// h² of KN, for systems with common random numbers or independent ones (Kim, Nelson: A fully sequential procedure for
/// indifference-zone selection in simulation, ACM TOMACS 11, 2001): (n₀ − 1) [(2 α / (k − 1))^(−2/(n₀ − 1)) − 1] with
/// α = 1 − confidence.
double kn_constant(std::int64_t systems, std::int64_t first_stage, double confidence);

/// h² of KN++, the limit of KN's for very many replications in the first stage (Kim, Nelson: On the asymptotic validity
/// of fully sequential selection procedures for steady-state simulation, Oper. Res. 54, 2006): −2 ln(2 α / (k − 1)). A
/// Brownian motion with drift δ then leaves the triangle of KN on the wrong side with probability at most α / (k − 1)
/// (Fabian 1974).
double kn_plus_constant(std::int64_t systems, double confidence);

/// h² of a comparison whose looks depend on other data. Sums of n normal numbers with a drift of at least δ fall below
/// −max(0, h² S²/(2δ) − δ n/2) at any n ≥ n₀ with probability at most `error`, in (0, 1), where S² is the variance of
/// the first n₀: (n₀ − 1) [error^(−2/(n₀ − 1)) − 1]. KN, whose looks do not depend on data, has 2 error instead of
/// error. Derivation: a Brownian motion with drift b and variance σ² ever reaches −a with probability exp(−2 a b/σ²).
/// Here a = h² S²/(2δ) and, since the bound rises by δ/2, b = δ/2, so that exp(−h² S²/(2σ²)) is averaged over the
/// distribution of S².
double one_sided_constant(std::int64_t first_stage, double error);

/// Quantile t of subset selection (Nelson, Swann, Goldsman, Song: Simple procedures for selecting the best simulated
/// system when the number of alternatives is large, Oper. Res. 49, 2001), from Student's distribution with n₀ − 1
/// degrees of freedom. It is taken at confidence^(1/(k−1)) for independent systems, and at 1 − α / (k − 1) with common
/// random numbers, by Bonferroni's inequality.
double subset_constant(std::int64_t systems, std::int64_t first_stage, double confidence, bool common_random_numbers);

/// c of BIZ: 1 − confidence^(1/(k−1)), the largest value for which k − 1 systems can be eliminated (Frazier 2014).
double biz_constant(std::int64_t systems, double confidence);

/// c of bi-PASS (Pei, Nelson, Hunter: Parallel adaptive survivor selection, Oper. Res. 72, 2024). With it, a Brownian
/// motion without drift ever falls below −√((c + ln(t + 1)) (t + 1)) with probability at most `rate`, in (0, 1/2). A
/// share exp(−c/2) of all paths crosses this bound or its mirror image: there the martingale exp(B²/(2t + 2)) / √(t +
/// 1) exceeds exp(c/2) (Robbins 1970). At most exp(−c) of them cross both. Hence c solves exp(−c/2) + exp(−c) = 2 rate.
/// The customary −2 ln(2 rate) leaves out the second term.
double bi_pass_constant(double rate);

}  // namespace sporos
