// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/linear_algebra/ordered_sum.hpp>
#include <sporos/core/linear_algebra/reserve.hpp>
#include <sporos/core/linear_algebra/to_device.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/replication/for_each_replication.hpp>
#include <sporos/models/risk/mean_cvar_kernels.hpp>
#include <sporos/models/risk/simulated_cost.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sporos::models {

/// Options of the mean–CVaR objective.
struct MeanCvarOptions {
  double level = 0.95;   ///< α in (0, 1): CVaR_α is the mean of the worst 1 − α of all costs
  double weight = 0.5;   ///< λ in [0, 1], weight of the CVaR; the mean cost has weight 1 − λ
  double smoothing = 0;  ///< ε > 0, in units of the cost

  /// Throws std::invalid_argument, naming the invalid option, its value and the expected range.
  void check() const {
    sporos::impl::check_parameter(level > 0 && level < 1, "level of the CVaR", level, "a number between 0 and 1");
    check_probability("weight of the CVaR", weight);
    sporos::impl::check_parameter(std::isfinite(smoothing) && smoothing > 0, "smoothing", smoothing,
                                  "a positive number, in units of the cost");
  }
};

/// Estimates of the risk of a cost from a sample.
struct CostRisk {
  double mean;           ///< mean cost
  double value_at_risk;  ///< α-quantile: the ⌈α n⌉-th smallest cost
  double cvar;           ///< mean of the worst 1 − α of all costs
};

/// Mean–CVaR of a simulated cost as a problem for a stochastic optimizer: minimize, over x and t,
///
///     (1 − λ) E C(x, ξ) + λ (t + E s(C(x, ξ) − t) / (1 − α)).
///
/// With s(u) = u⁺, this minimizes (1 − λ) E C + λ CVaR_α C over x, and t is the value at risk (Rockafellar and Uryasev,
/// Optimization of conditional value-at-risk, J. Risk 2, 2000). Instead, s is the SmoothPositivePart of width ε, so
/// that gradients and Hessians exist. The objective exceeds that of u⁺ by at most λ ε ln 2 / (1 − α). The same bound
/// holds for the minimum and for the suboptimality of a minimizer x. If C has a smooth density p, the excess is about
/// λ ε² π² p(t) / (6 (1 − α)). An ε as large as the distance between the sample's costs around t makes the objective of
/// a sample smooth.
///
/// The problem has d + 1 variables, the last of which is t. It is convex if C is convex in x. `Cost` is any
/// SimulatedCost. Replications are simulated again in each call, so memory is about 1000 (3 d + 1) numbers plus one per
/// replication. Objective, gradient and Hessian product take one simulation of the sample each; objective and gradient
/// together also take one.
///
/// A good start for t is the value at risk at the initial x. If t is far from all costs, f̂ has almost no curvature
/// along t, and stochastic methods fail.
///
/// All results have identical bits on every backend with any number of threads, provided that the cost does. Vectors
/// are in the memory of `ExecutionSpace`.
template <class ExecutionSpace, class Cost>
class MeanCvar {
 public:
  using execution_space = ExecutionSpace;  ///< execution space of the computations
  static_assert(SimulatedCost<Cost>,
                "Sporos: a cost must be copyable, name its inputs, have a dimension() and be callable: template <class "
                "Inputs, class Derivatives> KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs, "
                "Derivatives& derivatives) const");

  /// Throws std::invalid_argument like `options.check()`, and if the cost has no variables.
  MeanCvar(const Cost& cost, const MeanCvarOptions& options, const ExecutionSpace& space = ExecutionSpace());

  /// Returns the execution space instance of the computations.
  const ExecutionSpace& execution() const { return m_space; }

  /// Number of variables, d + 1.
  std::int64_t dimension() const { return m_cost.dimension() + 1; }

  /// Uses these replications as the sample, whose mean replaces the expectation. Throws std::invalid_argument if there
  /// are none.
  void draw(const SampleRange& sample);

  /// Returns f̂(x, t). This call blocks.
  double objective(const ConstVector<ExecutionSpace>& x);

  /// Computes g = ∇f̂(x, t). Does not block.
  void gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g);

  /// Computes g = ∇f̂(x, t) and returns f̂(x, t). This call blocks.
  double objective_and_gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g);

  /// Computes out = ∇²f̂(x, t) v. Does not block.
  void hessian_product(const ConstVector<ExecutionSpace>& x, const ConstVector<ExecutionSpace>& v,
                       const Vector<ExecutionSpace>& out);

  /// Returns the values whose mean is the objective of the last call of objective, gradient or both: one per
  /// replication of the sample.
  std::vector<double> replications() const { return to_host<ExecutionSpace>(m_space, values()); }

  /// Returns the risk of the sample's cost at x, without smoothing. Only the first d elements of x matter, so a start
  /// can be completed by its value at risk. Throws std::invalid_argument if x has fewer elements, or if a cost is
  /// infinite or NaN; the message gives its index in the sample.
  CostRisk risk(const std::vector<double>& x) const;

 private:
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  using Rows = impl::ChunkRows<ExecutionSpace>;

  std::int64_t chunk() const { return (m_sample.size + max_chunks - 1) / max_chunks; }
  std::int64_t chunks() const { return (m_sample.size + chunk() - 1) / chunk(); }
  impl::ChunkSums<ExecutionSpace> chunk_sums(const ConstVector<ExecutionSpace>& x) const {
    return {x.data(), m_terms, m_cost.dimension(), chunk(), m_sums, m_gradient};
  }
  Vector<ExecutionSpace> values() const {
    return Kokkos::subview(m_values, std::make_pair(std::int64_t{0}, m_sample.size));
  }
  double mean_of_values() const {
    return ordered_sum<ExecutionSpace>(m_space, values()) / static_cast<double>(m_sample.size);
  }
  // Runs `body` for each replication of the sample.
  template <class Body>
  void simulate(const char* label, const Body& body) const {
    for_each_replication_with<DefaultSource>(label, m_space, Design<Cost, ExecutionSpace>(m_cost, m_sample.seed), {},
                                             {static_cast<std::int64_t>(m_sample.first), m_sample.size}, by_threads,
                                             body);
  }
  void add_rows(const Vector<ExecutionSpace>& out) const;
  static Rows rows(std::int64_t count, std::int64_t columns);

  static constexpr std::int64_t max_chunks = 1024;

  ExecutionSpace m_space;
  Cost m_cost;
  MeanCvarOptions m_options;
  impl::MeanCvarTerms m_terms;
  SampleRange m_sample;
  Vector<ExecutionSpace> m_values;     // one per replication
  Rows m_sums, m_gradient, m_product;  // one row per chunk
};

template <class ExecutionSpace, class Cost>
MeanCvar<ExecutionSpace, Cost>::MeanCvar(const Cost& cost, const MeanCvarOptions& options, const ExecutionSpace& space)
    : m_space(space),
      m_cost((options.check(), cost)),
      m_options(options),
      m_terms{1 - options.weight, options.weight, options.weight / (1 - options.level), {options.smoothing}} {
  check_positive_integer("dimension of the cost", cost.dimension());
  draw({1, 0, 1});
}

template <class ExecutionSpace, class Cost>
auto MeanCvar<ExecutionSpace, Cost>::rows(std::int64_t count, std::int64_t columns) -> Rows {
  return Rows(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::mean_cvar::rows"),
              static_cast<std::size_t>(count), static_cast<std::size_t>(columns));
}

template <class ExecutionSpace, class Cost>
void MeanCvar<ExecutionSpace, Cost>::draw(const SampleRange& sample) {
  check_positive_integer("sample size", sample.size);
  reserve(m_values, "sporos::mean_cvar::values", sample.size);
  m_sample = sample;
  if (static_cast<std::int64_t>(m_sums.extent(0)) >= chunks()) return;
  m_sums = rows(chunks(), dimension());
  m_gradient = rows(chunks(), m_cost.dimension());
  m_product = rows(chunks(), m_cost.dimension());
}

template <class ExecutionSpace, class Cost>
double MeanCvar<ExecutionSpace, Cost>::objective(const ConstVector<ExecutionSpace>& x) {
  simulate("sporos::mean_cvar::objective", impl::ValueWriter<ExecutionSpace>{x.data(), m_terms, m_values});
  return mean_of_values();
}

template <class ExecutionSpace, class Cost>
void MeanCvar<ExecutionSpace, Cost>::gradient(const ConstVector<ExecutionSpace>& x, const Vector<ExecutionSpace>& g) {
  simulate("sporos::mean_cvar::gradient", impl::GradientSummer<ExecutionSpace>{chunk_sums(x), m_values});
  add_rows(g);
}

template <class ExecutionSpace, class Cost>
double MeanCvar<ExecutionSpace, Cost>::objective_and_gradient(const ConstVector<ExecutionSpace>& x,
                                                              const Vector<ExecutionSpace>& g) {
  gradient(x, g);
  return mean_of_values();
}

template <class ExecutionSpace, class Cost>
void MeanCvar<ExecutionSpace, Cost>::hessian_product(const ConstVector<ExecutionSpace>& x,
                                                     const ConstVector<ExecutionSpace>& v,
                                                     const Vector<ExecutionSpace>& out) {
  simulate("sporos::mean_cvar::hessian_product",
           impl::ProductSummer<ExecutionSpace>{chunk_sums(x), m_product, v.data()});
  add_rows(out);
}

template <class ExecutionSpace, class Cost>
void MeanCvar<ExecutionSpace, Cost>::add_rows(const Vector<ExecutionSpace>& out) const {
  Kokkos::parallel_for("sporos::mean_cvar::add_rows", Policy(m_space, 0, dimension()),
                       impl::RowAdder<ExecutionSpace>{m_sums, chunks(), 1 / static_cast<double>(m_sample.size), out});
}

template <class ExecutionSpace, class Cost>
CostRisk MeanCvar<ExecutionSpace, Cost>::risk(const std::vector<double>& x) const {
  if (static_cast<std::int64_t>(x.size()) < m_cost.dimension()) {
    sporos::impl::refuse_parameter("dimension of the point", std::to_string(x.size()),
                                   "at least that of the cost, " + std::to_string(m_cost.dimension()));
  }
  const auto point = to_device<ExecutionSpace>(m_space, x);
  simulate("sporos::mean_cvar::costs", impl::CostWriter<ExecutionSpace>{point.data(), m_values});
  std::vector<double> costs = to_host<ExecutionSpace>(m_space, values());
  const auto bad = std::find_if(costs.begin(), costs.end(), [](double cost) { return !std::isfinite(cost); });
  if (bad != costs.end()) check_finite("cost of replication " + std::to_string(bad - costs.begin()), *bad);
  std::sort(costs.begin(), costs.end());
  const auto n = static_cast<double>(costs.size());
  const auto rank = static_cast<std::size_t>(bounded_count(std::ceil(m_options.level * n)));
  CostRisk risk{0, costs[rank - 1], 0};
  double excess = 0;
  for (const double cost : costs) {
    risk.mean += cost / n;
    excess += std::max(cost - risk.value_at_risk, 0.0) / n;
  }
  risk.cvar = risk.value_at_risk + excess / (1 - m_options.level);
  return risk;
}

}  // namespace sporos::models
