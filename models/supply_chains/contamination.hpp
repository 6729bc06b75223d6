// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Food is contaminated on its way through five stages of a supply chain, and prevention at each stage is to be chosen:
/// CONTAM of SimOpt (Hu, Hu, Xu, Wang, Cao: Contamination control in food supply chain, WSC 2010). The fraction that is
/// contaminated behind stage i is, with effort uᵢ in [0, 1],
///
///     Xᵢ = Cᵢ (1 − uᵢ)(1 − Xᵢ₋₁) + (1 − Rᵢ uᵢ) Xᵢ₋₁,
///
/// X₀, the rates of growth C and of restoration R independent, each of density b (1 − x)^(b − 1) on (0, 1): beta
/// distributions whose first shape is 1 as in all of SimOpt's. SimOpt's levels are X₀ to X₄: there the first effort is
/// paid and without effect; here all five act.
///
/// Xᵢ is linear in uᵢ and grows with Xᵢ₋₁, so that its pathwise derivatives by efforts and shapes are those of its
/// mean. `Real` is double, or a Dual (pathwise.hpp).
template <class Real = double>
struct BasicContamination {
  static constexpr std::string_view name = "contamination";  ///< on the command line
  static constexpr std::string_view title =
      "contamination along a supply chain, five stages of prevention";  ///< in lists

  Real prevention_1;         ///< u₁, effort at stage 1
  Real prevention_2;         ///< at stage 2
  Real prevention_3;         ///< at stage 3
  Real prevention_4;         ///< at stage 4
  Real prevention_5;         ///< at stage 5
  Real initial_shape;        ///< b of X₀
  Real contamination_shape;  ///< b of C
  Real restoration_shape;    ///< b of R

  /// Input variables. Draws: one of the first, five of the others.
  enum Input { initial, contamination, restoration, input_count };

  /// X₁ to X₅.
  static constexpr auto response_names = std::array{"level 1", "level 2", "level 3", "level 4", "level 5"};

  /// The parameters, described.
  static constexpr auto parameters() {
    using C = BasicContamination;
    constexpr auto check_effort = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1, parameter, value, "a number from 0 to 1");
    };
    const auto effort = [&](std::string_view parameter, Real C::*member) {
      return Parameter<C, Real>{parameter, member, 1.0, "", "effort of prevention, from 0 to 1", check_effort};
    };
    const auto shape = [](std::string_view parameter, Real C::*member, double usual, std::string_view meaning) {
      return Parameter<C, Real>{parameter, member, usual, "", meaning, check_positive};
    };
    return std::tuple{
        effort("prevention_1", &C::prevention_1),
        effort("prevention_2", &C::prevention_2),
        effort("prevention_3", &C::prevention_3),
        effort("prevention_4", &C::prevention_4),
        effort("prevention_5", &C::prevention_5),
        shape("initial_shape", &C::initial_shape, 30.0, "b of the fraction at first, of mean 1 / (1 + b)"),
        shape("contamination_shape", &C::contamination_shape, 5.67, "b of the rates of contamination"),
        shape("restoration_shape", &C::restoration_shape, 0.429, "b of the rates of restoration")};
  }

  /// What is optimized over it.
  static std::vector<DescribedProblem> problems() {
    DescribedProblem two{.name = "contam-2",
                         .title = "the least effort that keeps contamination low at five stages",
                         .source = "SimOpt, CONTAM-2, where all five efforts act, with probabilities of 0.05 for 0.2",
                         .objective = "prevention_1 + prevention_2 + prevention_3 + prevention_4 + prevention_5",
                         .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                                 .value = 4.07253,
                                                 .x = {0.80387, 0.81542, 0.81737, 0.81787, 0.81800},
                                                 .source = "bounds of the levels' distribution, stage by stage",
                                                 .half_width = 0.001},
                         .is_smooth = true,
                         .has_unbiased_path = true};
    for (const std::string stage : {"1", "2", "3", "4", "5"}) {
      two.decisions.push_back({"prevention_" + stage, 0, 1, 1});
      two.constraints.push_back("P(level " + stage + " > 0.1) <= 0.05");
    }
    return {two};
  }

  /// Throws std::invalid_argument for parameters out of range.
  void check() const { check_parameters(*this); }

  /// Fractions.
  ResponseRange response_range(int) const { return {0, 1}; }

  /// The efforts, in the order of the stages.
  KOKKOS_FUNCTION Kokkos::Array<Real, 5> prevention() const {
    return {{prevention_1, prevention_2, prevention_3, prevention_4, prevention_5}};
  }

  /// All: rates are independent of the level before.
  ExactMeans<BasicContamination> exact_means() const {
    const double first = 1 / (1 + initial_shape), growth = 1 / (1 + contamination_shape),
                 restored = 1 / (1 + restoration_shape);
    ExactMeans<BasicContamination> means;
    const auto efforts = prevention();
    double level = first;
    for (int i = 0; i < 5; ++i) {
      level = growth * (1 - efforts[i]) * (1 - level) + (1 - restored * efforts[i]) * level;
      means[static_cast<std::size_t>(i)] = level;
    }
    return means;
  }

  /// One, five and five.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 3> input_draws() const { return {{{1}, {5}, {5}}}; }

  /// In lanes, too.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// One replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 5> operator()(Inputs& inputs) const;
};

/// The chain in plain numbers.
using Contamination = BasicContamination<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 5> BasicContamination<Real>::operator()(Inputs& inputs) const {
  using Number = NumberIn<Inputs, Real>;
  // P(1 − X > x) = 1 − x^b: −ln (1 − X) is exponential of rate b.
  const auto fraction = [](const Number& logarithm) { return Number(-math::expm1(-logarithm)); };
  const auto efforts = prevention();
  Number level = fraction(exponential(inputs(initial), initial_shape));
  Kokkos::Array<Number, 5> levels;
  for (int i = 0; i < 5; ++i) {
    const Number growth = fraction(exponential(inputs(contamination), contamination_shape));
    const Number restored = fraction(exponential(inputs(restoration), restoration_shape));
    level = growth * (1.0 - efforts[i]) * (1.0 - level) + (1.0 - restored * efforts[i]) * level;
    levels[i] = level;
  }
  return levels;
}

}  // namespace sporos::models
