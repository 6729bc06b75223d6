// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/sampling/sampling.hpp>
#include <sporos/models/risk/smooth_positive_part.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace sporos::test {

// Loss of a portfolio of normal returns whose weights add up to 1; the last weight is the remainder.
struct PortfolioLoss {
  enum Input { returns, input_count };
  static constexpr int assets = 4;
  Kokkos::Array<double, assets> means, deviations;

  KOKKOS_FUNCTION std::int64_t dimension() const { return assets - 1; }
  KOKKOS_FUNCTION Kokkos::Array<InputDraws, input_count> input_draws() const { return {{{assets}}}; }

  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
    double gains[assets], last = 1, loss = 0;
    for (std::size_t j = 0; j < assets; ++j) gains[j] = normal(inputs(returns), means[j], deviations[j]);
    for (std::size_t j = 0; j + 1 < assets; ++j) {
      loss -= x[j] * gains[j];
      last -= x[j];
      derivatives.first(static_cast<std::int64_t>(j), gains[assets - 1] - gains[j]);
    }
    return loss - last * gains[assets - 1];
  }
};

// A newsvendor's cost of holding surplus and of unmet demand; demands are normal.
struct NewsvendorCost {
  enum Input { demand, input_count };
  std::int64_t products;
  models::SmoothPositivePart positive_part;
  double holding, missing;

  KOKKOS_FUNCTION std::int64_t dimension() const { return products; }
  KOKKOS_FUNCTION double mean(std::int64_t j) const { return 10.0 + static_cast<double>(j); }
  KOKKOS_FUNCTION double deviation(std::int64_t j) const { return 1.0 + 0.5 * static_cast<double>(j); }

  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
    double cost = 0;
    for (std::int64_t j = 0; j < products; ++j) {
      const double over = x[j] - normal(inputs(demand), mean(j), deviation(j));
      cost += holding * positive_part.value(over) + missing * positive_part.value(-over);
      derivatives.first(j, holding * positive_part.slope(over) - missing * positive_part.slope(-over));
      derivatives.second(j, j, (holding + missing) * positive_part.curvature(over));
    }
    return cost;
  }
};

// The cost ¼ u⁴ with u = Σ_j 2^j x_j − Z, whose derivatives are multiplied by `first_share` and `second_share`.
struct Quartic {
  enum Input { shift, input_count };
  double first_share = 1, second_share = 1;

  KOKKOS_FUNCTION std::int64_t dimension() const { return 3; }

  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
    const double u = x[0] + 2 * x[1] + 4 * x[2] - normal(inputs(shift), 0, 1);
    for (std::int64_t i = 0; i < 3; ++i) {
      const auto a = static_cast<double>(1 << i);
      derivatives.first(i, first_share * a * u * u * u);
      for (std::int64_t j = i; j < 3; ++j) {
        derivatives.second(i, j, second_share * 3 * a * static_cast<double>(1 << j) * u * u);
      }
    }
    return 0.25 * u * u * u * u;
  }
};

// The constant cost 1 / divisor, without randomness.
struct ConstantCost {
  enum Input { input_count };
  std::int64_t variables;
  double divisor;

  KOKKOS_FUNCTION std::int64_t dimension() const { return variables; }
  template <class Inputs, class Derivatives>
  KOKKOS_FUNCTION double operator()(const double*, Inputs&, Derivatives&) const {
    return 1 / divisor;
  }
};

}  // namespace sporos::test
