// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/model.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>

/// A cost C(x, ξ) that a simulation finds, given d decision variables x. It is a functor for kernels that runs one
/// replication: it returns the cost, and on its way says which derivatives by x the replication has (infinitesimal
/// perturbation analysis). What it draws from are the inputs of a model (see core/replication/model.hpp), here two:
///
///     struct Kiosk {
///       enum Input { demand, weather, input_count };          // input variables, then their count
///       double price;                                         // parameters: numbers, pointers, Views
///       KOKKOS_FUNCTION std::int64_t dimension() const;       // d, at least 1; for the host too
///       template <class Inputs, class Derivatives>
///       KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, Derivatives& derivatives) const {
///         double cost = 0;
///         for (std::int64_t j = 0; j < dimension(); ++j) {
///           const double spoiled = … normal(inputs(demand), …) …;
///           cost += …;
///           derivatives.first(j, …);       // to be added to ∂C/∂x_j
///           derivatives.second(j, j, …);   // to be added to ∂²C/∂x_j²
///         }
///         return cost;
///       }
///     };
///
/// Derivatives that are not named are 0; what is named twice is added up. A cost that is piecewise linear in x has no
/// second ones. `derivatives.second(i, j, value)` with i ≠ j stands for ∂²C/∂x_i∂x_j and ∂²C/∂x_j∂x_i.
///
/// A cost that knows how often a replication draws from its inputs may say so, as a model does, by `input_draws()`;
/// then no more numbers are computed ahead.
namespace sporos::models {

/// Takes no notice of derivatives: where the cost alone is wanted.
struct NoDerivatives {
  /// Nothing.
  KOKKOS_FORCEINLINE_FUNCTION void first(std::int64_t, double) const {}
  /// Nothing.
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
