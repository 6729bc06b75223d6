// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear programs on the host, their copies on a backend, and the proof of an answer by its own dual prices or ray.
#pragma once

#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/optimizers/linear_programs/revised_simplex.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sporos::test {

/// The linear program min cᵀx over {A x ≤ C, x ≥ 0}.
struct Program {
  std::vector<std::vector<double>> columns;  ///< columns of A
  std::vector<double> limits;                ///< limits C
  std::vector<double> costs;                 ///< costs c
};

template <class Space>
ConstraintColumns<Space> columns_on(const Program& program) {
  const Kokkos::View<double**, typename Space::array_layout, typename Space::memory_space> columns(
      "columns", program.columns.size(), program.limits.size());
  const auto host = Kokkos::create_mirror_view(columns);
  for (std::size_t j = 0; j < program.columns.size(); ++j) {
    for (std::size_t i = 0; i < program.limits.size(); ++i) host(j, i) = program.columns[j][i];
  }
  Kokkos::deep_copy(columns, host);
  return columns;
}

template <class Space>
LinearProgramSolution solve(const Program& program, const SimplexRules& rules = {}) {
  const Space space;
  RevisedSimplex<Space> simplex(space, columns_on<Space>(program), program.limits, rules);
  return simplex.minimize(space, to_device<Space>(program.costs));
}

/// A sum and the sum of its terms' absolute values, which is the scale of its rounding error.
struct Sum {
  double value = 0;
  double size = 0;

  void add(double term) {
    value += term;
    size += std::abs(term);
  }
};

/// Sum of value · of(index) over the entries.
template <class Of>
Sum sum_over(const std::vector<VertexEntry>& entries, const Of& of) {
  Sum sum;
  for (const auto& entry : entries) sum.add(entry.value * of(static_cast<std::size_t>(entry.index)));
  return sum;
}

/// Scalar product yᵀa.
inline Sum product(const std::vector<double>& y, const std::vector<double>& a) {
  Sum sum;
  for (std::size_t i = 0; i < y.size(); ++i) sum.add(y[i] * a[i]);
  return sum;
}

/// Describes a fault that exceeds `tolerance` relative to the terms of each sum; empty if the answer proves itself.
inline std::string fault_in(const Program& program, const LinearProgramSolution& answer, double tolerance) {
  const auto in_row = [&](std::size_t i) { return [&program, i](std::size_t j) { return program.columns[j][i]; }; };
  const auto cost = [&](std::size_t j) { return program.costs[j]; };
  for (const auto* entries : {&answer.vertex, &answer.ray}) {
    for (std::size_t k = 0; k < entries->size(); ++k) {
      if (!((*entries)[k].value > 0)) return "a coordinate is not positive";
      if (k > 0 && (*entries)[k].index <= (*entries)[k - 1].index) return "coordinates are out of order";
    }
  }
  if (answer.vertex.size() > program.limits.size()) return "more coordinates than rows";
  for (std::size_t i = 0; i < program.limits.size(); ++i) {
    if (answer.status == LinearProgramStatus::infeasible) break;
    const Sum use = sum_over(answer.vertex, in_row(i));
    if (use.value - program.limits[i] > tolerance * (use.size + std::abs(program.limits[i]))) return "a row is broken";
    const Sum growth = sum_over(answer.ray, in_row(i));
    if (growth.value > tolerance * growth.size) return "the ray leaves the region";
  }
  if (answer.status == LinearProgramStatus::unbounded) {
    const Sum fall = sum_over(answer.ray, cost);
    return fall.value < -tolerance * fall.size ? "" : "the ray does not fall";
  }
  const bool is_optimal = answer.status == LinearProgramStatus::optimal;
  for (const double price : answer.prices) {
    if (!(price <= 0)) return "a dual price is positive";
  }
  for (std::size_t j = 0; j < program.columns.size(); ++j) {
    Sum reduced = product(answer.prices, program.columns[j]);
    reduced.value = -reduced.value;
    if (is_optimal) reduced.add(cost(j));
    if (reduced.value < -tolerance * reduced.size) return "a reduced cost is negative";
  }
  const Sum dual = product(answer.prices, program.limits);
  if (!is_optimal) return dual.value > tolerance * dual.size ? "" : "the prices do not prove that there is no x";
  const Sum primal = sum_over(answer.vertex, cost);
  const double size = tolerance * (primal.size + dual.size);
  if (std::abs(primal.value - dual.value) > size) return "primal and dual objective differ";
  return std::abs(primal.value - answer.objective) > size ? "the objective is not that of x" : "";
}

}  // namespace sporos::test
