// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

/// Scores of variates: the derivatives ∂ ln f(x; θ)/∂θ of a variate's log density, or log probability, by the
/// distribution's parameters at the x that was drawn. A ScoredDraw collects them: likelihood_ratio.hpp.
namespace sporos {

/// What compilers say of scores by the ends of a distribution.
#define SPOROS_ENDS_HAVE_NO_SCORE                                                                                      \
  "Sporos: where a distribution ends is no parameter that likelihood ratios know: give the ends as plain numbers, or " \
  "give a uniform (const double u = inputs(service)), whose variate has pathwise derivatives"

/// What compilers say of pathwise derivatives of counts.
#define SPOROS_COUNTS_HAVE_NO_PATH                                                                                   \
  "Sporos: a count jumps where its parameter changes, so that it has no pathwise derivative: take LikelihoodRatio, " \
  "or give the parameter as a plain number"

/// A pending draw that collects scores. Its variate has the value that the parameters' values give, and does not vary
/// with them; what varies is its log density, whose derivatives are added to a sum that the draw knows.
template <class Draw>
concept ScoredDraw = PendingDraw<std::remove_cvref_t<Draw>> &&
    requires(const Draw& draw, const typename std::remove_cvref_t<Draw>::Real& log_density) {
  draw.add_score(log_density);
};

namespace impl {

// Any other draw, whose variates have derivatives along the path.
template <class Draw>
concept UnscoredDraw = !ScoredDraw<Draw>;

// Of two numbers, one at least is a dual.
template <class Number, class Other>
concept DualWith = DualNumber<NumberOf<Number, Other>>;

}  // namespace impl

/// `x`, the variate that `draw` has given, after its score by parameters in duals is added where the draw collects
/// scores: then x without derivatives. `Family` has a static function log_density(x, parameters…). Each variate of this
/// library ends with it, and so may one of a model's own.
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
