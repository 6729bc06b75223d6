// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/models/risk/simulated_cost.hpp>
#include <sporos/models/risk/smooth_positive_part.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Kernels of MeanCvar: bodies of replications, each run by a thread. The replications of a sample are divided into
/// chunks, whose number depends only on that of the replications. A thread sums the derivatives of a chunk in a
/// separate row, and the rows are added in order.
namespace sporos::models::impl {

/// F(c, t) = (1 − λ) c + λ t + λ s(c − t) / (1 − α) for the cost c of a replication, and its derivatives; u = c − t.
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

/// Matrix with one row per chunk.
template <class ExecutionSpace>
using ChunkRows = Kokkos::View<double**, typename ExecutionSpace::array_layout, typename ExecutionSpace::memory_space>;

/// Adds ∇C of one replication to a row.
template <class ExecutionSpace>
struct FirstDerivatives {
  const ChunkRows<ExecutionSpace>& gradient;
  std::int64_t row;

  KOKKOS_FORCEINLINE_FUNCTION void first(std::int64_t j, double value) const { gradient(row, j) += value; }
  KOKKOS_FORCEINLINE_FUNCTION void second(std::int64_t, std::int64_t, double) const {}
};

/// Adds ∇C of one replication to a row, and ∇²C v to a row of `product`.
template <class ExecutionSpace>
struct SecondDerivatives : FirstDerivatives<ExecutionSpace> {
  const ChunkRows<ExecutionSpace>& product;
  const double* v;

  KOKKOS_FORCEINLINE_FUNCTION void second(std::int64_t i, std::int64_t j, double value) const {
    product(this->row, i) += value * v[j];
    if (i != j) product(this->row, j) += value * v[i];
  }
};

/// Sets values(r) to the cost of replication r.
template <class ExecutionSpace>
struct CostWriter {
  const double* x;
  Vector<ExecutionSpace> values;

  template <class Cost, class Inputs>
  KOKKOS_FUNCTION void operator()(const Cost& cost, Inputs& inputs, const Replication& replication) const {
    NoDerivatives none;
    values(replication.row) = cost(x, inputs, none);
  }
};

/// Sets values(r) to F of replication r.
template <class ExecutionSpace>
struct ValueWriter {
  const double* x;
  MeanCvarTerms terms;
  Vector<ExecutionSpace> values;

  template <class Cost, class Inputs>
  KOKKOS_FUNCTION void operator()(const Cost& cost, Inputs& inputs, const Replication& replication) const {
    NoDerivatives none;
    values(replication.row) = terms.value(cost(x, inputs, none), x[cost.dimension()]);
  }
};

/// Data for the sums of a chunk, shared by both kinds of sums.
template <class ExecutionSpace>
struct ChunkSums {
  const double* x;
  MeanCvarTerms terms;
  std::int64_t dimension, length;  // d; replications per chunk
  ChunkRows<ExecutionSpace> sums, gradient;

  KOKKOS_FUNCTION double threshold() const { return x[dimension]; }

  // Returns the chunk of replication r, and sets its sums to 0 if r is its first replication.
  KOKKOS_FUNCTION std::int64_t chunk_of(std::int64_t r) const {
    const std::int64_t chunk = r / length;
    if (r == chunk * length) {
      for (std::int64_t j = 0; j <= dimension; ++j) sums(chunk, j) = 0;
    }
    return chunk;
  }
};

/// Sums the gradients of F over a chunk and sets values(r) to F.
template <class ExecutionSpace>
struct GradientSummer {
  ChunkSums<ExecutionSpace> of;
  Vector<ExecutionSpace> values;

  KOKKOS_FUNCTION std::int64_t chunk() const { return of.length; }

  template <class Cost, class Inputs>
  KOKKOS_FUNCTION void operator()(const Cost& cost, Inputs& inputs, const Replication& replication) const {
    const std::int64_t d = of.dimension, row = of.chunk_of(replication.row);
    const double threshold = of.threshold();
    for (std::int64_t j = 0; j < d; ++j) of.gradient(row, j) = 0;
    FirstDerivatives<ExecutionSpace> derivatives{of.gradient, row};
    const double value = cost(of.x, inputs, derivatives);
    values(replication.row) = of.terms.value(value, threshold);
    const double slope = of.terms.slope_by_cost(value - threshold);
    for (std::int64_t j = 0; j < d; ++j) of.sums(row, j) += slope * of.gradient(row, j);
    of.sums(row, d) += of.terms.slope_by_threshold(value - threshold);
  }
};

/// Sums the products of the Hessians of F with v = (w, τ) over a chunk. With a = ∂F/∂c and b = ∂²F/∂c², a product is a
/// ∇²C w + b (∇Cᵀw − τ) ∇C, and −b (∇Cᵀw − τ) for t.
template <class ExecutionSpace>
struct ProductSummer {
  ChunkSums<ExecutionSpace> of;
  ChunkRows<ExecutionSpace> product;
  const double* v;

  KOKKOS_FUNCTION std::int64_t chunk() const { return of.length; }

  template <class Cost, class Inputs>
  KOKKOS_FUNCTION void operator()(const Cost& cost, Inputs& inputs, const Replication& replication) const {
    const std::int64_t d = of.dimension, row = of.chunk_of(replication.row);
    for (std::int64_t j = 0; j < d; ++j) of.gradient(row, j) = product(row, j) = 0;
    SecondDerivatives<ExecutionSpace> derivatives{{of.gradient, row}, product, v};
    const double u = cost(of.x, inputs, derivatives) - of.threshold();
    double along = -v[d];
    for (std::int64_t j = 0; j < d; ++j) along += of.gradient(row, j) * v[j];
    const double slope = of.terms.slope_by_cost(u), bend = of.terms.curvature(u) * along;
    for (std::int64_t j = 0; j < d; ++j) of.sums(row, j) += slope * product(row, j) + bend * of.gradient(row, j);
    of.sums(row, d) -= bend;
  }
};

/// Sets out(j) to `scale` times the sum of column j.
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
