// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Likelihood-ratio derivatives of a model's mean responses by its parameters, from the model's own text
/// (pathwise.hpp), also where responses jump (Glynn: Likelihood ratio gradient estimation for stochastic systems, Comm.
/// ACM 33, 1990): with S(θ) = Σ ln f(x; θ) over the variates x that a replication draws,
///
///     ∂E[Y]/∂θ = E[Y ∂S/∂θ + ∂Y/∂θ],
///
/// where ∂Y/∂θ is at fixed variates. The more variates, the larger is the variance of ∂S/∂θ: this is for short runs.
///
/// A draw that goes into a distribution, `exponential(inputs(service), rate)`, adds to S. One that the text keeps as a
/// number, `const double u = inputs(service)`, does not: what is computed of it and of parameters, `exponential(u,
/// rate)` too, has its derivative along the path, in ∂Y/∂θ; of a comparison `u < probability` no derivative is known,
/// and the mean of the estimate is wrong.
namespace sporos {

/// A pending draw and the score to which its variate adds.
template <class Draw, class DualReal>
class LikelihoodDraw {
 public:
  using Real = DualReal;                               ///< of log densities
  using Score = decltype(std::declval<Real>().slope);  ///< ∂S along each direction

  /// Of `draw`, adding to `score`.
  KOKKOS_FORCEINLINE_FUNCTION LikelihoodDraw(const Draw& draw, Score& score) : m_draw(draw), m_score(score) {}

  /// Draws a uniform in the open interval (0, 1), which has no score.
  KOKKOS_FORCEINLINE_FUNCTION operator double() && { return static_cast<Draw&&>(m_draw); }

  /// Does not compile, as of any draw.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;

  /// Draws a variate of standard form `Form`, which has no score.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    return static_cast<Draw&&>(m_draw).template as<Form>();
  }

  /// Adds the derivatives of the variate's log density.
  KOKKOS_FORCEINLINE_FUNCTION void add_score(const Real& log_density) const {
    for (int j = 0; j < static_cast<int>(m_score.size()); ++j) m_score[j] += log_density.slope[j];
  }

 private:
  Draw m_draw;
  Score& m_score;
};

/// The inputs of a replication, and the score of what is drawn from them.
template <class Inputs, class Real>
class LikelihoodInputs {
 public:
  using Draw = LikelihoodDraw<decltype(std::declval<Inputs&>()(0)), Real>;  ///< of each input

  /// Draws from `inputs`.
  KOKKOS_FORCEINLINE_FUNCTION explicit LikelihoodInputs(Inputs& inputs) : m_inputs(inputs), m_score(Real(0).slope) {}

  LikelihoodInputs(const LikelihoodInputs&) = delete;
  LikelihoodInputs& operator=(const LikelihoodInputs&) = delete;

  /// The next draw of `input`.
  KOKKOS_FORCEINLINE_FUNCTION Draw operator()(int input) { return {m_inputs(input), m_score}; }

  /// ∂S along each direction.
  KOKKOS_FORCEINLINE_FUNCTION const typename Draw::Score& score() const { return m_score; }

 private:
  Inputs& m_inputs;
  typename Draw::Score m_score;
};

namespace impl {

template <class Model>
struct RealOf;
template <template <class> class Model, class Real>
struct RealOf<Model<Real>> {
  using type = Real;
};

}  // namespace impl

/// Derivatives by likelihood ratios, of a model in duals.
struct LikelihoodRatioEstimator {
  static constexpr bool takes_packs = false;  ///< replications run one by one
  static constexpr bool has_scores = true;    ///< it says what the derivative of the constant 1 is: ∂S/∂θ

  /// Responses of one replication, their values with the bits of the model in plain numbers, with Y ∂S/∂θ + ∂Y/∂θ as
  /// slopes.
  template <class DualModel, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION static auto responses(const DualModel& model, Inputs& inputs) {
    LikelihoodInputs<Inputs, typename impl::RealOf<DualModel>::type> scored(inputs);
    auto found = model(scored);
    for (int r = 0; r < static_cast<int>(found.size()); ++r) add_score(found[r], scored.score());
    return found;
  }

  /// The same, the first of `found`, and behind them a 1 with the slopes ∂S/∂θ.
  template <class DualModel, class Inputs, class Found>
  KOKKOS_FORCEINLINE_FUNCTION static void responses_and_one(const DualModel& model, Inputs& inputs, Found& found) {
    LikelihoodInputs<Inputs, typename impl::RealOf<DualModel>::type> scored(inputs);
    const auto responses = model(scored);
    const int count = static_cast<int>(responses.size());
    for (int r = 0; r < count; ++r) found[r] = responses[r];
    found[count] = 1;
    for (int r = 0; r <= count; ++r) add_score(found[r], scored.score());
  }

 private:
  template <class Real, class Score>
  KOKKOS_FORCEINLINE_FUNCTION static void add_score(Real& response, const Score& score) {
    for (int j = 0; j < static_cast<int>(score.size()); ++j) response.slope[j] += response.value * score[j];
  }
};

/// A model of which it is known by which parameters likelihood ratios are right for all responses: those that enter the
/// densities of its draws, and all else smoothly.
///
///     static constexpr auto scored_parameters = std::array{"arrival_rate", "service_rate"};
///
/// Where a draw is used as a plain uniform, or where a response jumps with a parameter at fixed variates, as the sales
/// of a newsvendor may do with the quantity, it is none of them.
template <class Model>
concept ScoredModel = DifferentiableModel<Model> && requires {
  {std::string_view(Model::scored_parameters[0])};
};

/// Names of the parameters by which likelihood ratios of `Model` are right; none where it states none.
template <class Model>
std::vector<std::string> scored_parameters() {
  if constexpr (ScoredModel<Model>) {
    return {Model::scored_parameters.begin(), Model::scored_parameters.end()};
  } else {
    return {};
  }
}

/// A model's responses and the derivatives of their means by likelihood ratios: response r + responses · j is that of
/// response r by the j-th parameter, j from 1.
template <class Model, int directions>
using LikelihoodRatio = WithDerivatives<LikelihoodRatioEstimator, Model, directions>;

}  // namespace sporos
