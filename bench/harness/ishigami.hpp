// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/math/trigonometric.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/procedures/sensitivity/pick_freeze.hpp>
#include <sporos/procedures/sensitivity/sobol_indices.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

namespace sporos::bench {

/// Ishigami function sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1 of three angles, plus normal noise (Ishigami and Homma 1990,
/// An importance quantification technique in uncertainty analysis for computer models).
struct Ishigami {
  double x1, x2, x3;  ///< the three angles
  double deviation;   ///< standard deviation of the noise

  /// Input variables.
  enum Input { noise, input_count };
  static constexpr auto response_names = std::array{"f"};  ///< value of the function with noise

  /// Simulates one replication.
  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const double f = math::sin(x1) + 7 * math::sin(x2) * math::sin(x2) + 0.1 * x3 * x3 * x3 * x3 * math::sin(x1);
    return {{f + normal(inputs(noise), 0.0, deviation)}};
  }
};

/// Sobol' indices of the three angles, which are uniform in (−π, π).
struct IshigamiIndices {
  std::array<double, 3> first, total;  ///< first-order indices, and total indices, which include all interactions
};

/// Exact indices of the function without noise.
inline IshigamiIndices ishigami_indices() {
  const double p4 = std::pow(std::numbers::pi, 4), p8 = p4 * p4;
  const double v1 = 0.5 * (1 + p4 / 50) * (1 + p4 / 50), v2 = 49.0 / 8, v13 = 8 * 0.01 * p8 / 225, v = v1 + v2 + v13;
  return {{v1 / v, v2 / v, 0}, {(v1 + v13) / v, v2 / v, v13 / v}};
}

/// Estimates these indices with Sporos, from `replications` at each design point, with intervals at level `confidence`.
inline SobolIndices estimated_ishigami_indices(const BasePlan& base, std::int64_t replications, double deviation,
                                               double confidence) {
  const PickFreeze design{3, static_cast<std::size_t>(base.rows)};
  const auto uniforms = base_uniforms(base, design.inputs);
  std::vector<Ishigami> models;
  for (std::size_t point = 0; point < design.point_count(); ++point) {
    const auto angle = [&](std::size_t input) {
      return (2 * uniforms[design.base_of(point, input) * design.inputs + input] - 1) * std::numbers::pi;
    };
    models.push_back({angle(0), angle(1), angle(2), deviation});
  }
  Plan plan;
  plan.replications = replications;
  plan.seed = base.seed;
  plan.common_random_numbers = false;
  const auto means = point_means(simulate(Kokkos::DefaultHostExecutionSpace(), models, plan), 0);
  return sobol_indices(design, means, base.groups(), confidence);
}

}  // namespace sporos::bench
