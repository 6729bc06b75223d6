// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

/// Scores of variates: the derivatives ∂ ln f(x; θ)/∂θ of a variate's log density, or log probability, with respect to
/// the distribution's parameters at the drawn x. A ScoredDraw collects them; see likelihood_ratio.hpp.
namespace sporos {

/// Compiler message for scores with respect to the ends of a distribution.
#define SPOROS_ENDS_HAVE_NO_SCORE                                                                                     \
  "Sporos: likelihood ratios have no derivatives with respect to the ends of a distribution: give the ends as plain " \
  "numbers, or pass a uniform (const double u = inputs(service)) for pathwise derivatives"

/// Compiler message for pathwise derivatives of counts.
#define SPOROS_COUNTS_HAVE_NO_PATH                                                                            \
  "Sporos: a count is a step function of its parameter and has no pathwise derivative: use LikelihoodRatio, " \
  "or give the parameter as a plain number"

/// Pending draw that collects scores. Its variate has the value for the parameters' values and no derivatives. Its log
/// density varies with the parameters instead; the draw adds the derivatives of the log density to a sum.
template <class Draw>
concept ScoredDraw = PendingDraw<std::remove_cvref_t<Draw>> &&
    requires(const Draw& draw, const typename std::remove_cvref_t<Draw>::Real& log_density) {
  draw.add_score(log_density);
};

namespace impl {

// A draw that is not scored. Its variates have pathwise derivatives.
template <class Draw>
concept UnscoredDraw = !ScoredDraw<Draw>;

// At least one of two numbers is a dual.
template <class Number, class Other>
concept DualWith = DualNumber<NumberOf<Number, Other>>;

}  // namespace impl

/// Returns the variate `x` of `draw`. If the draw collects scores and parameters are duals, it adds the score and
/// returns x without derivatives. `Family` has a static function log_density(x, parameters…). Each variate function of
/// this library ends with this call, and your own variate functions can do the same.
template <class Family, class Draw, class Number, class... Parameters>
KOKKOS_FORCEINLINE_FUNCTION Number scored([[maybe_unused]] const Draw& draw, const Number& x,
                                          [[maybe_unused]] const Parameters&... parameters) {
  if constexpr (ScoredDraw<Draw> && DualNumber<NumberOf<Parameters...>>) {
    draw.add_score(Family::log_density(value_of(x), parameters...));
    return value_of(x);
  } else {
    return x;
  }
}

}  // namespace sporos
