// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/search.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace sporos::impl {

/// Of a ProjectedHessian. Lengths are in units of each coordinate's scale, max(1, |start|).
struct ProjectedHessianOptions {
  double step;           ///< the first move's greatest coordinate
  double greatest_step;  ///< the same of any move
  std::int64_t pairs;    ///< correction pairs that are kept
};

/// The approximate inverse Hessian H within bounds, in units of the scales: 0 for coordinates that are held at a bound,
/// a multiple of the identity for those that it takes to one, L-BFGS for the others (Bertsekas 1982).
class ProjectedHessian {
 public:
  /// For a run, which must outlive it. Without pairs.
  ProjectedHessian(const SearchRun& run, const ProjectedHessianOptions& options);

  /// Takes the kinds of coordinates at a point with that gradient.
  void set_at(const std::vector<double>& x, const std::vector<double>& gradient);

  /// gᵀHg.
  double square(const std::vector<double>& gradient) const;

  /// −Hg, in the coordinates' own units, its greatest coordinate limited.
  std::vector<double> move(const std::vector<double>& gradient) const;

  /// A point and its gradient.
  struct Slope {
    const std::vector<double>& x;         ///< the point
    const std::vector<double>& gradient;  ///< there
  };

  /// Takes a pair: how the gradient changes between two points. Where it has not grown along the way, the next move
  /// without pairs is to be longer.
  void learn(const Slope& from, const Slope& to);

  /// Forgets all pairs. Whether there were any.
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
  double m_length, m_factor = 0;  // of a first step; of the identity
  std::vector<Kind> m_kinds;
  std::deque<Pair> m_pairs;
};

}  // namespace sporos::impl
