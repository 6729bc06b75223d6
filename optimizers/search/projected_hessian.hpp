// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace sporos::impl {

/// Options of a ProjectedHessian. Lengths are in units of each coordinate's scale, max(1, |start|).
struct ProjectedHessianOptions {
  double step;          ///< Length of the first move: its largest coordinate.
  double largest_step;  ///< Maximum length of any move: its largest coordinate.
  std::int64_t pairs;   ///< Number of stored correction pairs.
};

/// Approximate inverse Hessian H within bounds, in units of the scales (Bertsekas 1982). It is 0 for coordinates held
/// at a bound, a multiple of the identity for those whose step would reach a bound, and L-BFGS for the others.
class ProjectedHessian {
 public:
  /// Creates H without pairs for a run, which must outlive it.
  ProjectedHessian(const SearchRun& run, const ProjectedHessianOptions& options);

  /// Classifies the coordinates by a point and its gradient: free, near a bound, or held at a bound.
  void set_at(const std::vector<double>& x, const std::vector<double>& gradient);

  /// Returns gᵀHg.
  double square(const std::vector<double>& gradient) const;

  /// Returns −Hg in the coordinates' own units, with its largest coordinate limited.
  std::vector<double> move(const std::vector<double>& gradient) const;

  /// A point and its gradient.
  struct Slope {
    const std::vector<double>& x;         ///< The point.
    const std::vector<double>& gradient;  ///< Gradient at the point.
  };

  /// Adds a correction pair: the change of the gradient between two points. If the gradient has not grown along the
  /// way, the next move without pairs will be longer.
  void learn(const Slope& from, const Slope& to);

  /// Drops all pairs. Returns whether there were any.
  bool forget();

 private:
  enum class Kind { free, near_bound, held };
  struct Pair {
    std::vector<double> s, y;
  };

  double free_dot(const std::vector<double>& a, const std::vector<double>& b) const;
  std::vector<double> scaled(const std::vector<double>& gradient) const;
  double factor_of_pairs() const;
  std::vector<double> times(std::vector<double> v) const;

  const SearchRun& m_run;
  ProjectedHessianOptions m_options;
  std::vector<double> m_scales;
  double m_length, m_factor = 0;  // length of a first step; factor of the identity
  std::vector<Kind> m_kinds;
  std::deque<Pair> m_pairs;
};

}  // namespace sporos::impl
