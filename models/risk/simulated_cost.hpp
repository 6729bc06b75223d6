// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/model.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>

/// A cost C(x, ξ) estimated by simulation for d decision variables x. It is a functor for kernels that runs one
/// replication: it returns the cost and reports the derivatives of the replication with respect to x (infinitesimal
/// perturbation analysis). It draws from input variables like a model (see core/replication/model.hpp); this example
/// has two:
///
///     struct Kiosk {
///       enum Input { demand, weather, input_count };          // input variables, then their count
///       double price;                                         // parameters: numbers, pointers, Views
///       KOKKOS_FUNCTION std::int64_t dimension() const;       // d, at least 1; also called on the host
///       template <class Inputs, class Derivatives>
///       KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
///         double cost = 0;
///         for (std::int64_t j = 0; j < dimension(); ++j) {
///           const double spoiled = … normal(inputs(demand), …) …;
///           cost += …;
///           derivatives.first(j, …);       // adds to ∂C/∂x_j
///           derivatives.second(j, j, …);   // adds to ∂²C/∂x_j²
///         }
///         return cost;
///       }
///     };
///
/// Derivatives that are not reported are 0; repeated ones are added. A cost that is piecewise linear in x has no second
/// derivatives. `derivatives.second(i, j, value)` with i ≠ j stands for ∂²C/∂x_i∂x_j and ∂²C/∂x_j∂x_i.
///
/// A cost may state the number of draws per replication by `input_draws()`, as a model does. Then no further random
/// numbers are pre-generated.
namespace sporos::models {

/// Ignores derivatives; for computing only the cost.
struct NoDerivatives {
  /// Does nothing.
  KOKKOS_FORCEINLINE_FUNCTION void first(std::int64_t, double) const {}
  /// Does nothing.
  KOKKOS_FORCEINLINE_FUNCTION void second(std::int64_t, std::int64_t, double) const {}
};

/// A cost that can be simulated.
template <class Cost>
concept SimulatedCost = std::copy_constructible<Cost> && sporos::impl::NamesInputs<Cost> &&
    requires(const Cost& cost, const double* x, sporos::impl::AnyInputs& inputs, NoDerivatives& derivatives) {
  { cost.dimension() } -> std::convertible_to<std::int64_t>;
  { cost(x, inputs, derivatives) } -> std::same_as<double>;
};

}  // namespace sporos::models
