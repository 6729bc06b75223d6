// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sporos {

/// The number d of values to remove at the front of a series as its warm-up, by the marginal standard error rule (White
/// (1997), An effective truncation heuristic for bias reduction in simulation output, Simulation 69). d minimizes
/// Σ_{i ≥ d} (xᵢ − x̄_d)² / (n − d)², where x̄_d is the average of the remaining values. Applied to averages of five
/// observations each, the rule is MSER-5 (Spratt 1998; White, Cobb and Spratt 2000).
///
/// Two rules come from Hoad, Robinson and Davies (2010), Automating warm-up length estimation, J. Oper. Res. Soc. 61.
/// The last five values are not candidates, because a few values that happen to be similar make the criterion small. A
/// cut in the second half means that the series is too short for a decision, and the function returns nothing. It also
/// returns nothing for fewer than ten values.
///
/// Assumes that the bias fades in one direction and well within the first half. A series of one run with rare, long
/// excursions, such as a queue near saturation, may be cut after an excursion: it then uses fewer values than possible,
/// but is biased by no more than one value. The rule fails on series that start in steady state and do not end in it.
std::optional<std::int64_t> mser(std::span<const double> averages);

/// Averages of as many groups of `size` consecutive values as possible. A remainder at the end is left out.
std::vector<double> averages_of(std::span<const double> values, std::size_t size);

}  // namespace sporos
