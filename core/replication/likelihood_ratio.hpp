// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/dual.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/execution/replication_storage.hpp>
#include <sporos/core/replication/pathwise.hpp>
#include <sporos/core/sampling/inputs.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Likelihood-ratio derivatives of a model's mean responses with respect to its parameters, from the model's own source
/// code (pathwise.hpp). They are also valid for responses that jump (Glynn (1990), Likelihood ratio gradient estimation
/// for stochastic systems, Comm. ACM 33). With S(θ) = Σ ln f(x; θ) over the variates x that a replication draws,
///
///     ∂E[Y]/∂θ = E[Y ∂S/∂θ + ∂Y/∂θ],
///
/// where ∂Y/∂θ is the derivative at fixed variates. The variance of ∂S/∂θ grows with the number of variates: use this
/// estimator for short replications.
///
/// A draw that is passed to a distribution, as in `exponential(inputs(service), rate)`, contributes to S. A draw that
/// the model keeps as a number, as in `const double u = inputs(service)`, does not. Values that the model computes from
/// such a number and from parameters, including `exponential(u, rate)`, contribute their pathwise derivative to ∂Y/∂θ.
/// A comparison `u < probability` contributes no derivative, so that the estimate is biased.
namespace sporos {

/// A pending draw and the score to which its variate contributes.
template <class Draw, class DualReal>
class LikelihoodDraw {
 public:
  using Real = DualReal;                               ///< number type of log densities
  using Score = decltype(std::declval<Real>().slope);  ///< ∂S along each direction

  /// Wraps `draw`; its variate contributes to `score`.
  KOKKOS_FORCEINLINE_FUNCTION LikelihoodDraw(const Draw& draw, Score& score) : m_draw(draw), m_score(score) {}

  /// Draws a uniform in the open interval (0, 1), which has no score.
  KOKKOS_FORCEINLINE_FUNCTION operator double() && { return static_cast<Draw&&>(m_draw); }

  /// Does not compile: a stored draw that is used twice would give two different numbers under one name.
  SPOROS_UNAVAILABLE(SPOROS_KEPT_DRAW) KOKKOS_FUNCTION operator double() const&;

  /// Draws a variate of standard form `Form`, which has no score.
  template <class Form>
  KOKKOS_FORCEINLINE_FUNCTION double as() && {
    return static_cast<Draw&&>(m_draw).template as<Form>();
  }

  /// Adds the derivatives of the variate's log density to the score.
  KOKKOS_FORCEINLINE_FUNCTION void add_score(const Real& log_density) const {
    for (int j = 0; j < static_cast<int>(m_score.size()); ++j) m_score[j] += log_density.slope[j];
  }

 private:
  Draw m_draw;
  Score& m_score;
};

/// The inputs of a replication, and the score of the variates drawn from them.
template <class Inputs, class Real>
class LikelihoodInputs : public DrawsOfEntities<LikelihoodInputs<Inputs, Real>> {
 public:
  using Draw = LikelihoodDraw<decltype(std::declval<Inputs&>()(0)), Real>;  ///< type of a pending draw

  /// Wraps `inputs`, with a score of 0.
  KOKKOS_FORCEINLINE_FUNCTION explicit LikelihoodInputs(Inputs& inputs) : m_inputs(inputs), m_score(Real(0).slope) {}

  LikelihoodInputs(const LikelihoodInputs&) = delete;
  LikelihoodInputs& operator=(const LikelihoodInputs&) = delete;

  /// The next draw of `input`.
  KOKKOS_FORCEINLINE_FUNCTION Draw operator()(int input) { return {m_inputs(input), m_score}; }
  /// Memory of the replication; see HoldsStorage.
  KOKKOS_FORCEINLINE_FUNCTION ReplicationStorage storage() const requires(HoldsStorage<Inputs>) {
    return m_inputs.storage();
  }
  /// Draws that belong to an entity; see Inputs.
  KOKKOS_FORCEINLINE_FUNCTION DrawPair<LikelihoodDraw<EntityDraw, Real>> pair_of(std::uint64_t entity, int input,
                                                                                 std::uint64_t pair) {
    const auto draws = m_inputs.pair_of(entity, input, pair);
    return {{EntityDraw(draws.first()), m_score}, {EntityDraw(draws.second()), m_score}};
  }

  /// The score: ∂S along each direction, for the draws so far.
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

/// Estimator of likelihood-ratio derivatives, for a model in dual numbers.
struct LikelihoodRatioEstimator {
  static constexpr bool takes_packs = false;  ///< whether replications run in packs
  static constexpr bool has_scores = true;    ///< whether the constant 1 has a derivative, which is ∂S/∂θ

  /// Returns the responses of one replication with Y ∂S/∂θ + ∂Y/∂θ as slopes. The values have the same bits as those of
  /// the model in plain numbers.
  template <class DualModel, class Inputs>
  KOKKOS_FORCEINLINE_FUNCTION static auto responses(const DualModel& model, Inputs& inputs) {
    LikelihoodInputs<Inputs, typename impl::RealOf<DualModel>::type> scored(inputs);
    auto found = model(scored);
    for (int r = 0; r < static_cast<int>(found.size()); ++r) add_score(found[r], scored.score());
    return found;
  }

  /// Writes the responses of one replication, with the same slopes, to `found`, followed by a 1 with the slopes ∂S/∂θ.
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

/// A model that lists the parameters for which likelihood-ratio derivatives are valid for all responses. Such a
/// parameter enters the densities of the model's draws, and everything else smoothly.
///
///     static constexpr auto scored_parameters = std::array{"arrival_rate", "service_rate"};
///
/// The list must not contain a parameter that acts on a draw used as a plain uniform. Neither must it contain a
/// parameter with which a response jumps at fixed variates, as the sales of a newsvendor may do with the quantity.
template <class Model>
concept ScoredModel = DifferentiableModel<Model> && requires {
  {std::string_view(Model::scored_parameters[0])};
};

/// Names of the parameters for which likelihood-ratio derivatives of `Model` are valid; empty if it lists none.
template <class Model>
std::vector<std::string> scored_parameters() {
  if constexpr (ScoredModel<Model>) {
    return {Model::scored_parameters.begin(), Model::scored_parameters.end()};
  } else {
    return {};
  }
}

/// A model's responses and the likelihood-ratio derivatives of their means. Response r + responses · j is the
/// derivative of response r with respect to the j-th parameter, where j counts from 1.
template <class Model, int directions>
using LikelihoodRatio = WithDerivatives<LikelihoodRatioEstimator, Model, directions>;

}  // namespace sporos
