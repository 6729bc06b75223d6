// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sporos {

/// The number d of values to leave out at the front of a series as its warm-up, by the marginal standard error rule
/// (White, An effective truncation heuristic for bias reduction in simulation output, Simulation 69, 1997): the d that
/// makes Σ_{i ≥ d} (xᵢ − x̄_d)² / (n − d)² least, x̄_d being the average of what is left. With averages of five
/// observations each it is MSER-5 (Spratt 1998; White, Cobb and Spratt 2000).
///
/// By the rules of Hoad, Robinson and Davies (Automating warm-up length estimation, J. Oper. Res. Soc. 61, 2010), the
/// last five values are no candidates, as few values that happen to be alike make the criterion small; and a cut in the
/// second half says that the series is too short for a verdict: nothing is returned. So for fewer than ten values.
///
/// It assumes that the bias fades in one direction and well within the first half. A series of one run with rare, long
/// excursions, such as a queue near saturation, may be cut behind an excursion: it then uses less than it could, but is
/// not biased by more than one value. It fails on series whose start is in steady state and whose end is not.
std::optional<std::int64_t> mser(std::span<const double> averages);

/// The averages of as many groups of `size` neighbouring values as there are; a remainder at the end is left out.
std::vector<double> averages_of(std::span<const double> values, std::size_t size);

}  // namespace sporos
