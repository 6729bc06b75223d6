// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/copy_elements.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/linear_algebra/vector_operations.hpp>
#include <sporos/optimizers/quasi_newton/correction_pairs.hpp>
#include <sporos/optimizers/quasi_newton/iterate_means.hpp>
#include <sporos/optimizers/quasi_newton/options.hpp>
#include <sporos/optimizers/quasi_newton/result.hpp>
#include <sporos/optimizers/quasi_newton/sqn_samples.hpp>
#include <sporos/optimizers/stochastic_problem.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <optional>

namespace sporos::impl {

/// Sets out = ∇²f̂(x) v. Options that would call this for a problem without Hessian products are refused.
template <class Problem, class Space = typename Problem::execution_space>
void set_hessian_product(Problem& problem, const ConstVector<Space>& x, const ConstVector<Space>& v,
                         const Vector<Space>& out, QuasiNewtonCounts& counts) {
  if constexpr (TwiceDifferentiableProblem<Problem>) problem.hessian_product(x, v, out);
  ++counts.hessian_products;
}

/// Sets out = (∇f̂(x) − g) / step.
template <class Problem, class Space = typename Problem::execution_space>
void set_gradient_difference(Problem& problem, const ConstVector<Space>& x, const ConstVector<Space>& g, double step,
                             const Vector<Space>& out, QuasiNewtonCounts& counts) {
  problem.gradient(x, out);
  ++counts.gradients;
  add_scaled<Space>(problem.execution(), -1 / step, g, 1 / step, out);
}

/// The correction pairs of a run of sqn, and the data from which they are formed.
template <class Problem>
class SqnPairs {
 public:
  using Space = typename Problem::execution_space;  ///< Execution space of the vectors.

  /// Restores the pairs of a saved run.
  SqnPairs(Problem& problem, const QuasiNewtonState& state, const SqnOptions& options)
      : m_problem(problem), m_options(options), m_pairs(problem.dimension(), options.pairs) {
    m_pairs.restore(problem.execution(), state.pairs);
    m_y = Vector<Space>(Kokkos::view_alloc(problem.execution(), "sporos::quasi_newton::new_y"), state.solution.size());
    if (options.pair_source == PairSource::hessian_products) {
      m_means.emplace(problem.execution(), state);
    } else {
      m_s =
          Vector<Space>(Kokkos::view_alloc(problem.execution(), "sporos::quasi_newton::new_s"), state.solution.size());
    }
  }

  /// Whether pairs are gradient differences.
  bool by_differences() const { return !m_means; }

  /// The matrix H, which approximates the inverse Hessian.
  const CorrectionPairs<Space>& matrix() const { return m_pairs; }

  /// Sum of the iterates since the last pair. Requires pairs from Hessian products.
  const Vector<Space>& sum() const { return m_means->sum(); }

  /// Moves x by −α d and stores what the next pair needs.
  void move(const Vector<Space>& x, double alpha, const ConstVector<Space>& d) {
    const Space& space = m_problem.execution();
    if (by_differences()) {
      copy_elements(space, m_s, x);
      set_moved<Space>(space, x, x, -alpha, d);
      set_moved<Space>(space, m_s, x, -1, m_s);
    } else {
      m_means->move(space, x, alpha, d);
    }
  }

  /// Ends an interval of iterations at x. `g` is the gradient of the last iteration, over the current sample. Returns
  /// whether there is a new pair.
  bool end_interval(std::int64_t iteration, const ConstVector<Space>& x, const ConstVector<Space>& g,
                    QuasiNewtonCounts& counts) {
    if (by_differences()) return add_difference(x, g, counts);
    if (!m_means->turn(m_problem.execution(), m_options.pair_interval)) return false;
    m_problem.draw(hessian_sample(m_options, iteration / m_options.pair_interval - 1));
    set_hessian_product<Problem>(m_problem, m_means->average(), m_means->s(), m_y, counts);
    return m_pairs.add(m_problem.execution(), m_means->s(), m_y);
  }

  /// Stores the data that `move` has changed, except x.
  void keep() {
    if (m_means) m_means->keep(m_problem.execution());
  }
  /// Restores the stored data.
  void take_back() {
    if (m_means) m_means->take_back();
  }

  /// Saves the pairs into a state.
  void save(QuasiNewtonState& state) const {
    state.sum.clear();
    state.average.clear();
    if (m_means) m_means->save(m_problem.execution(), state);
    state.pairs = m_pairs.to_host();
  }

 private:
  bool add_difference(const ConstVector<Space>& x, const ConstVector<Space>& g, QuasiNewtonCounts& counts) {
    const Space& space = m_problem.execution();
    set_gradient_difference<Problem>(m_problem, x, g, 1, m_y, counts);
    if (m_options.regularization > 0) set_moved<Space>(space, m_y, m_y, m_options.regularization, m_s);
    return m_pairs.add(space, m_s, m_y);
  }

  Problem& m_problem;
  const SqnOptions& m_options;
  CorrectionPairs<Space> m_pairs;
  std::optional<IterateMeans<Space>> m_means;  // for pairs from Hessian products
  Vector<Space> m_s, m_y;                      // last step, for gradient differences; y of a pair
};

}  // namespace sporos::impl
