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
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Food is contaminated on its way through five stages of a supply chain (CONTAM of SimOpt; Hu, Hu, Xu, Wang, Cao:
/// Contamination control in food supply chain, WSC 2010). The decision variables are the efforts of prevention. After
/// stage i with effort uᵢ in [0, 1], the contaminated fraction is
///
///     Xᵢ = Cᵢ (1 − uᵢ)(1 − Xᵢ₋₁) + (1 − Rᵢ uᵢ) Xᵢ₋₁.
///
/// X₀, the growth rates C and the restoration rates R are independent. Each has the density b (1 − x)^(b − 1) on (0,
/// 1), a beta distribution with first shape 1, as in all of SimOpt's problems. SimOpt's levels are X₀ to X₄, so that
/// its first effort costs but has no effect; here all five have an effect. X₀ is below the limits of SimOpt's problems
/// for any decision. Other decision variables select the stages that prevent at all.
///
/// Xᵢ is linear in uᵢ and increases with Xᵢ₋₁, so its pathwise derivatives by efforts and shapes are unbiased. `Real`
/// is double, or a Dual (pathwise.hpp).
template <class Real = double>
struct BasicContamination {
  static constexpr std::string_view name = "contamination";  ///< name on the command line
  static constexpr std::string_view title = "contamination along a supply chain with five stages";  ///< title in lists

  Real prevention_1;         ///< u₁, effort at stage 1
  Real prevention_2;         ///< u₂, effort at stage 2
  Real prevention_3;         ///< u₃, effort at stage 3
  Real prevention_4;         ///< u₄, effort at stage 4
  Real prevention_5;         ///< u₅, effort at stage 5
  std::int64_t prevents_1;   ///< 1 if stage 1 prevents; 0 sets its effort to 0
  std::int64_t prevents_2;   ///< 1 if stage 2 prevents; 0 sets its effort to 0
  std::int64_t prevents_3;   ///< 1 if stage 3 prevents; 0 sets its effort to 0
  std::int64_t prevents_4;   ///< 1 if stage 4 prevents; 0 sets its effort to 0
  std::int64_t prevents_5;   ///< 1 if stage 5 prevents; 0 sets its effort to 0
  Real initial_shape;        ///< b of the initial fraction X₀
  Real contamination_shape;  ///< b of the growth rates C
  Real restoration_shape;    ///< b of the restoration rates R

  /// Input variables: `initial` has one draw, the others five.
  enum Input { initial, contamination, restoration, input_count };

  /// Responses: X₁ to X₅.
  static constexpr auto response_names = std::array{"level 1", "level 2", "level 3", "level 4", "level 5"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using C = BasicContamination;
    constexpr auto check_effort = [](std::string_view parameter, double value) {
      sporos::impl::check_parameter(value >= 0 && value <= 1, parameter, value, "a number from 0 to 1");
    };
    const auto effort = [&](std::string_view parameter, Real C::*member) {
      return Parameter<C, Real>{parameter, member, 1.0, "", "prevention effort, from 0 to 1", check_effort};
    };
    constexpr auto check_prevents = [](std::string_view parameter, std::int64_t value) {
      sporos::impl::check_parameter(value == 0 || value == 1, parameter, static_cast<double>(value), "0 or 1");
    };
    const auto prevents = [&](std::string_view parameter, std::int64_t C::*member) {
      return Parameter<C, std::int64_t>{parameter,     member, 1, "", "1 if the stage prevents contamination, 0 if not",
                                        check_prevents};
    };
    const auto shape = [](std::string_view parameter, Real C::*member, double default_value, std::string_view meaning) {
      return Parameter<C, Real>{parameter, member, default_value, "", meaning, check_positive};
    };
    return std::tuple{
        effort("prevention_1", &C::prevention_1),
        effort("prevention_2", &C::prevention_2),
        effort("prevention_3", &C::prevention_3),
        effort("prevention_4", &C::prevention_4),
        effort("prevention_5", &C::prevention_5),
        prevents("prevents_1", &C::prevents_1),
        prevents("prevents_2", &C::prevents_2),
        prevents("prevents_3", &C::prevents_3),
        prevents("prevents_4", &C::prevents_4),
        prevents("prevents_5", &C::prevents_5),
        shape("initial_shape", &C::initial_shape, 30.0, "beta shape b of the initial fraction, mean 1 / (1 + b)"),
        shape("contamination_shape", &C::contamination_shape, 5.67, "beta shape b of the contamination rates"),
        shape("restoration_shape", &C::restoration_shape, 0.429, "beta shape b of the restoration rates")};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    DescribedProblem one{.name = "contam-1",
                         .title = "smallest number of preventing stages that keeps contamination low",
                         .source = "SimOpt, CONTAM-1; its effort without effect is prevents_5 here",
                         .objective = "prevents_1 + prevents_2 + prevents_3 + prevents_4 + prevents_5",
                         .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                                 .value = 4,
                                                 .x = {1, 1, 1, 1, 0},
                                                 .source = "bounds of the distribution of levels at all 32 decisions"}};
    DescribedProblem two{.name = "contam-2",
                         .title = "smallest effort that keeps contamination low at five stages",
                         .source = "SimOpt, CONTAM-2, with all five efforts in effect and 0.05 instead of 0.2",
                         .objective = "prevention_1 + prevention_2 + prevention_3 + prevention_4 + prevention_5",
                         .optimum = KnownOptimum{.kind = OptimumKind::certified,
                                                 .value = 4.07253,
                                                 .x = {0.80387, 0.81542, 0.81737, 0.81787, 0.81800},
                                                 .source = "bounds of the distribution of levels, stage by stage",
                                                 .half_width = 0.001},
                         .is_smooth = true,
                         .has_unbiased_path = true};
    for (const std::string stage : {"1", "2", "3", "4", "5"}) {
      two.decisions.push_back({"prevention_" + stage, 0, 1, 1});
      two.constraints.push_back("P(level " + stage + " > 0.1) <= 0.05");
      one.decisions.push_back({"prevents_" + stage, 0, 1, 1});
      if (stage != "5") one.constraints.push_back("P(level " + stage + " > 0.1) <= 0.2");
    }
    return {one, two};
  }

  /// Throws std::invalid_argument if a parameter is out of range.
  void check() const { check_parameters(*this); }

  /// Range of a response: a fraction.
  ResponseRange response_range(int) const { return {0, 1}; }

  /// Returns the efforts in the order of the stages, 0 for stages that do not prevent.
  KOKKOS_FUNCTION Kokkos::Array<Real, 5> prevention() const {
    const auto where = [](std::int64_t prevents, const Real& effort) { return Real(prevents == 0 ? Real(0) : effort); };
    return {{where(prevents_1, prevention_1), where(prevents_2, prevention_2), where(prevents_3, prevention_3),
             where(prevents_4, prevention_4), where(prevents_5, prevention_5)}};
  }

  /// Returns all exact means, which are known because the rates are independent of the level before.
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

  /// Number of draws: one, five and five.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 3> input_draws() const { return {{{1}, {5}, {5}}}; }

  /// Replications can run in SIMD lanes.
  KOKKOS_FUNCTION bool runs_in_lanes() const { return true; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 5> operator()(Inputs& inputs) const;
};

/// The model with double parameters.
using Contamination = BasicContamination<>;

template <class Real>
template <class Inputs>
KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 5> BasicContamination<Real>::operator()(Inputs& inputs) const {
  using Number = NumberIn<Inputs, Real>;
  // P(1 − X > x) = 1 − x^b, so −ln (1 − X) is exponential with rate b.
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
