// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/derivatives/functions.hpp>
#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>
#include <sporos/core/sampling/standard_variates.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <string_view>
#include <tuple>
#include <vector>

namespace sporos::models {

/// Amounts of three assets and cash over one period. Returns above that of cash are Rᵢ = mᵢ + bᵢ F + sᵢ Zᵢ with
/// independent standard normals F and Zᵢ, F common to all assets. The gain G = Σ aᵢ Rᵢ is normal with mean mᵀa and
/// variance aᵀΣa, Σ = b bᵀ + diag(s²), so that with κ = φ(z_β) / (1 − β)
///
///     CVaR_β(−G) = −mᵀa + κ √(aᵀΣa).
///
/// Let r² = mᵀΣ⁻¹m. If no amount is at its bound, the largest mean with CVaR_β(−G) <= c is c r / (κ − r), at a = c Σ⁻¹m
/// / (r (κ − r)). This follows from the Cauchy–Schwarz inequality (Rockafellar and Uryasev: J. Risk 2, 2000). `Real` is
/// double or a Dual (pathwise.hpp).
template <class Real = double>
struct BasicAssetMix {
  static constexpr std::string_view name = "asset-mix";  ///< model name on the command line
  static constexpr std::string_view title =
      "three assets and cash; normal returns with a common factor";  ///< one-line description for lists

  Real amount_1;       ///< a₁, money in asset 1
  Real amount_2;       ///< a₂, money in asset 2
  Real amount_3;       ///< a₃, money in asset 3
  double mean_1;       ///< m₁, mean return of a unit of asset 1 above cash
  double mean_2;       ///< m₂
  double mean_3;       ///< m₃
  double exposure_1;   ///< b₁, exposure to the common factor
  double exposure_2;   ///< b₂
  double exposure_3;   ///< b₃
  double deviation_1;  ///< s₁ >= 0, idiosyncratic standard deviation
  double deviation_2;  ///< s₂ >= 0
  double deviation_3;  ///< s₃ >= 0

  /// The only input variable; its draws are F, Z₁, Z₂ and Z₃.
  enum Input { normals, input_count };

  /// Names of the responses, G and −G.
  static constexpr auto response_names = std::array{"gain", "loss"};

  /// Descriptions of the parameters.
  static constexpr auto parameters() {
    using A = BasicAssetMix;
    const auto amount = [](std::string_view parameter, Real A::*member) {
      return Parameter<A, Real>{parameter, member, 0.5, "money", "amount invested in the asset", check_finite};
    };
    const auto number = [](std::string_view parameter, double A::*member, double default_value,
                           std::string_view meaning, void (*check)(std::string_view, double)) {
      return Parameter<A, double>{parameter, member, default_value, "", meaning, check};
    };
    constexpr std::string_view mean = "mean excess return over cash", exposure = "exposure to the common factor",
                               deviation = "idiosyncratic standard deviation";
    return std::tuple{amount("amount_1", &A::amount_1),
                      amount("amount_2", &A::amount_2),
                      amount("amount_3", &A::amount_3),
                      number("mean_1", &A::mean_1, 0.5, mean, check_finite),
                      number("mean_2", &A::mean_2, 0.3, mean, check_finite),
                      number("mean_3", &A::mean_3, 0.4, mean, check_finite),
                      number("exposure_1", &A::exposure_1, 0.5, exposure, check_finite),
                      number("exposure_2", &A::exposure_2, 0.2, exposure, check_finite),
                      number("exposure_3", &A::exposure_3, 0.3, exposure, check_finite),
                      number("deviation_1", &A::deviation_1, 1.0, deviation, check_non_negative),
                      number("deviation_2", &A::deviation_2, 0.8, deviation, check_non_negative),
                      number("deviation_3", &A::deviation_3, 0.9, deviation, check_non_negative)};
  }

  /// Optimization problems over this model.
  static std::vector<DescribedProblem> problems() {
    return {{.name = "assets",
             .title = "largest mean gain of three assets with bounded CVaR of the loss",
             .source = "Rockafellar and Uryasev, J. Risk 2, 2000",
             .decisions = {{"amount_1", 0, 5, 0.5}, {"amount_2", 0, 5, 0.5}, {"amount_3", 0, 5, 0.5}},
             .objective = "gain",
             .is_maximized = true,
             .constraints = {"CVaR_0.95(loss) <= 1"},
             .optimum = KnownOptimum{.kind = OptimumKind::exact,
                                     .value = 0.456681180212,
                                     .x = {0.357354410761, 0.393977688883, 0.399526670416},
                                     .source = "second-order cone, Cauchy-Schwarz inequality"},
             .is_smooth = true,
             .is_convex = true,
             .has_unbiased_path = true}};
  }

  /// Throws std::invalid_argument if a number is not finite or a deviation is negative.
  void check() const { check_parameters(*this); }

  /// Responses are unbounded.
  ResponseRange response_range(int) const { return {}; }

  /// Exact expectations of both responses.
  ExactMeans<BasicAssetMix> exact_means() const {
    const double mean = value_of(amount_1) * mean_1 + value_of(amount_2) * mean_2 + value_of(amount_3) * mean_3;
    return {mean, -mean};
  }

  /// The input variable has four draws.
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, 1> input_draws() const { return {{{1, 4}}}; }

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<NumberIn<Inputs, Real>, 2> operator()(Inputs& inputs) const {
    using Number = NumberIn<Inputs, Real>;
    const auto normal = [&] { return standard_variate<StandardNormal>(inputs(normals)); };
    const double common = normal();
    Number gain = amount_1 * (mean_1 + exposure_1 * common + deviation_1 * normal());
    gain += amount_2 * (mean_2 + exposure_2 * common + deviation_2 * normal());
    gain += amount_3 * (mean_3 + exposure_3 * common + deviation_3 * normal());
    return {{gain, Number(-gain)}};
  }
};

/// The mix with plain doubles.
using AssetMix = BasicAssetMix<>;

}  // namespace sporos::models
