// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/risk/simulated_cost.hpp>
#include <sporos/models/risk/smooth_positive_part.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// What MeanCvar launches. A sample's replications are cut into chunks, whose number depends on that of the
/// replications alone; a thread adds up a chunk's derivatives in a row of its own, and the rows are added up in their
/// order.
namespace sporos::models::impl {

/// F(c, t) = (1 − λ) c + λ t + λ s(c − t) / (1 − α) for one replication's cost c, and its derivatives; u = c − t.
struct MeanCvarTerms {
  double of_cost;       // 1 − λ
  double of_threshold;  // λ
  double of_excess;     // λ / (1 − α)
  SmoothPositivePart positive_part;

  KOKKOS_FUNCTION double value(double cost, double threshold) const {
    return of_cost * cost + (of_threshold * threshold + of_excess * positive_part.value(cost - threshold));
  }
  KOKKOS_FUNCTION double slope_by_cost(double u) const { return of_cost + of_excess * positive_part.slope(u); }
  KOKKOS_FUNCTION double slope_by_threshold(double u) const {
    return of_threshold - of_excess * positive_part.slope(u);
  }
  KOKKOS_FUNCTION double curvature(double u) const { return of_excess * positive_part.curvature(u); }
};

/// A row for each chunk.
template <class ExecutionSpace>
using ChunkRows = Kokkos::View<double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

/// ∇C of one replication, into a row.
template <class ExecutionSpace>
struct FirstDerivatives {
  const ChunkRows<ExecutionSpace>& gradient;
  std::int64_t row;

  KOKKOS_FORCEINLINE_FUNCTION void first(std::int64_t j, double value) const { gradient(row, j) += value; }
  KOKKOS_FORCEINLINE_FUNCTION void second(std::int64_t, std::int64_t, double) const {}
};

/// The same, and ∇²C v into another.
template <class ExecutionSpace>
struct SecondDerivatives : FirstDerivatives<ExecutionSpace> {
  const ChunkRows<ExecutionSpace>& product;
  const double* v;

  KOKKOS_FORCEINLINE_FUNCTION void second(std::int64_t i, std::int64_t j, double value) const {
    product(this->row, i) += value * v[j];
    if (i != j) product(this->row, j) += value * v[i];
  }
};

/// values(r) = the cost of replication r.
template <class ExecutionSpace, class Cost>
struct CostWriter {
  CostSimulator<ExecutionSpace, Cost> simulate;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    NoDerivatives none;
    values(r) = simulate(r, none);
  }
};

/// values(r) = F of replication r.
template <class ExecutionSpace, class Cost>
struct ValueWriter {
  CostSimulator<ExecutionSpace, Cost> simulate;
  MeanCvarTerms terms;
  std::int64_t dimension;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    NoDerivatives none;
    values(r) = terms.value(simulate(r, none), simulate.x[dimension]);
  }
};

/// What both kinds of sums are formed from.
template <class ExecutionSpace, class Cost>
struct ChunkSummer {
  CostSimulator<ExecutionSpace, Cost> simulate;
  MeanCvarTerms terms;
  std::int64_t dimension, chunk;  // d; replications
  ChunkRows<ExecutionSpace> sums, gradient;

  KOKKOS_FUNCTION std::int64_t begin_of(std::int64_t row) const { return row * chunk; }
  KOKKOS_FUNCTION std::int64_t end_of(std::int64_t row) const {
    const std::int64_t end = (row + 1) * chunk;
    return end < simulate.sample.size ? end : simulate.sample.size;
  }
  KOKKOS_FUNCTION double threshold() const { return simulate.x[dimension]; }
};

/// A chunk's sums of the gradients of F, and values(r) = F.
template <class ExecutionSpace, class Cost>
struct GradientSummer {
  ChunkSummer<ExecutionSpace, Cost> of;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t d = of.dimension;
    const double threshold = of.threshold();
    for (std::int64_t j = 0; j <= d; ++j) of.sums(row, j) = 0;
    for (std::int64_t r = of.begin_of(row); r < of.end_of(row); ++r) {
      for (std::int64_t j = 0; j < d; ++j) of.gradient(row, j) = 0;
      FirstDerivatives<ExecutionSpace> derivatives{of.gradient, row};
      const double cost = of.simulate(r, derivatives);
      values(r) = of.terms.value(cost, threshold);
      const double slope = of.terms.slope_by_cost(cost - threshold);
      for (std::int64_t j = 0; j < d; ++j) of.sums(row, j) += slope * of.gradient(row, j);
      of.sums(row, d) += of.terms.slope_by_threshold(cost - threshold);
    }
  }
};

/// A chunk's sums of the products of the Hessians of F with v = (w, τ): with a = ∂F/∂c and b = ∂²F/∂c²,
/// a ∇²C w + b (∇Cᵀw − τ) ∇C, and −b (∇Cᵀw − τ) for t.
template <class ExecutionSpace, class Cost>
struct ProductSummer {
  ChunkSummer<ExecutionSpace, Cost> of;
  ChunkRows<ExecutionSpace> product;
  const double* v;

  KOKKOS_FUNCTION void operator()(std::int64_t row) const {
    const std::int64_t d = of.dimension;
    for (std::int64_t j = 0; j <= d; ++j) of.sums(row, j) = 0;
    for (std::int64_t r = of.begin_of(row); r < of.end_of(row); ++r) {
      for (std::int64_t j = 0; j < d; ++j) of.gradient(row, j) = product(row, j) = 0;
      SecondDerivatives<ExecutionSpace> derivatives{{of.gradient, row}, product, v};
      const double u = of.simulate(r, derivatives) - of.threshold();
      double along = -v[d];
      for (std::int64_t j = 0; j < d; ++j) along += of.gradient(row, j) * v[j];
      const double slope = of.terms.slope_by_cost(u), bend = of.terms.curvature(u) * along;
      for (std::int64_t j = 0; j < d; ++j) of.sums(row, j) += slope * product(row, j) + bend * of.gradient(row, j);
      of.sums(row, d) -= bend;
    }
  }
};

/// out(j) = `scale` times the sum of column j.
template <class ExecutionSpace>
struct RowAdder {
  ChunkRows<ExecutionSpace> sums;
  std::int64_t rows;
  double scale;
  Vector<ExecutionSpace> out;

  KOKKOS_FUNCTION void operator()(std::int64_t j) const {
    double sum = 0;
    for (std::int64_t row = 0; row < rows; ++row) sum += sums(row, j);
    out(j) = scale * sum;
  }
};

}  // namespace sporos::models::impl
