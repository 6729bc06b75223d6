// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos {

/// Count, mean, and sums of squared and cubed deviations from the mean of some observations.
struct Moments {
  std::int64_t count = 0;        ///< number of observations
  double mean = 0;               ///< average of the observations
  double squared_deviation = 0;  ///< Σ (x − mean)²
  double cubed_deviation = 0;    ///< Σ (x − mean)³; not finite on overflow

  /// Unbiased sample variance; infinite for fewer than two observations.
  double variance() const;

  /// Sample skewness, the third central moment divided by the 3/2th power of the second. 0 if nothing varies; not
  /// finite if the third moment is not.
  double skewness() const;
};

/// Combines the moments of two adjacent sets of observations of equal size (Pébay 2008, SAND2008-6212, for the third
/// moment). Uses no division, so it is cheap and scales exactly.
KOKKOS_FORCEINLINE_FUNCTION Moments combine_equal(const Moments& left, const Moments& right) {
  const double delta = right.mean - left.mean;
  const double half_count = 0.5 * static_cast<double>(left.count);
  return {
      2 * left.count, left.mean + 0.5 * delta,
      left.squared_deviation + right.squared_deviation + half_count * (delta * delta),
      left.cubed_deviation + right.cubed_deviation + 1.5 * delta * (right.squared_deviation - left.squared_deviation)};
}

/// Combines the moments of two adjacent sets of observations (Chan, Golub and LeVeque 1983; Pébay 2008).
inline Moments combine(const Moments& left, const Moments& right) {
  if (left.count == right.count) return combine_equal(left, right);
  const double nl = static_cast<double>(left.count), nr = static_cast<double>(right.count);
  const double delta = right.mean - left.mean, share = nr / (nl + nr);
  return {left.count + right.count, left.mean + delta * share,
          left.squared_deviation + right.squared_deviation + delta * delta * (nl * share),
          left.cubed_deviation + right.cubed_deviation + delta * delta * delta * (nl * share) * (1 - 2 * share) +
              3 * delta * ((1 - share) * right.squared_deviation - share * left.squared_deviation)};
}

inline double Moments::skewness() const {
  if (!(squared_deviation > 0)) return 0;
  const double mean_square = squared_deviation / static_cast<double>(count);
  return cubed_deviation / static_cast<double>(count) / (mean_square * std::sqrt(mean_square));
}

inline double Moments::variance() const {
  return count < 2 ? std::numeric_limits<double>::infinity() : squared_deviation / static_cast<double>(count - 1);
}

/// Count, means and sum of products of deviations of pairs of observations.
struct CoMoments {
  std::int64_t count = 0;  ///< number of pairs
  double first_mean = 0;   ///< average of the first observations
  double second_mean = 0;  ///< average of the second observations
  double codeviation = 0;  ///< Σ (x − first mean) (y − second mean)

  /// Unbiased sample covariance; infinite for fewer than two pairs.
  double covariance() const {
    return count < 2 ? std::numeric_limits<double>::infinity() : codeviation / static_cast<double>(count - 1);
  }
};

/// Combines the co-moments of two adjacent sets of pairs of equal size.
KOKKOS_FORCEINLINE_FUNCTION CoMoments combine_equal(const CoMoments& left, const CoMoments& right) {
  const double first = right.first_mean - left.first_mean, second = right.second_mean - left.second_mean;
  const double half_count = 0.5 * static_cast<double>(left.count);
  return {2 * left.count, left.first_mean + 0.5 * first, left.second_mean + 0.5 * second,
          left.codeviation + right.codeviation + half_count * (first * second)};
}

/// Combines the co-moments of two adjacent sets of pairs.
inline CoMoments combine(const CoMoments& left, const CoMoments& right) {
  if (left.count == right.count) return combine_equal(left, right);
  const double nl = static_cast<double>(left.count), nr = static_cast<double>(right.count);
  const double first = right.first_mean - left.first_mean, second = right.second_mean - left.second_mean;
  const double share = nr / (nl + nr);
  return {left.count + right.count, left.first_mean + first * share, left.second_mean + second * share,
          left.codeviation + right.codeviation + first * second * (nl * share)};
}

namespace impl {

inline bool is_sound(const Moments& moments) {
  return std::isfinite(moments.mean) && moments.squared_deviation >= 0 && std::isfinite(moments.squared_deviation);
}

inline bool is_sound(const CoMoments& moments) {
  return std::isfinite(moments.first_mean) && std::isfinite(moments.second_mean) && std::isfinite(moments.codeviation);
}

}  // namespace impl

/// Accumulates `Node`s (Moments or CoMoments) of a sequence of observations over a binary tree. The shape of the tree
/// depends only on the number of observations: every inner node joins two adjacent nodes of 2^k observations that begin
/// at a multiple of 2^(k+1). The result therefore has the same bits no matter how the sequence was split into pieces. A
/// tree may begin inside the sequence; it then has the nodes that the whole tree has there.
template <class Node>
class ObservationTree {
 public:
  /// An empty tree of a sequence that begins at observation `first`.
  explicit ObservationTree(std::int64_t first = 0) : m_first(first) {}

  /// The tree, beginning at observation 0, whose `nodes()` are `nodes`. Throws std::invalid_argument if no such tree
  /// exists.
  explicit ObservationTree(std::vector<Node> nodes);

  /// Adds the next observation.
  void add(double observation) requires std::same_as<Node, Moments> { add(Moments{1, observation, 0}); }

  /// Adds the node of the next 2^k observations, which was formed over the same tree. The index of the next observation
  /// must be a multiple of 2^k. If the leaves of a tree are groups of u observations, nodes have u 2^k observations.
  void add(Node node);

  /// Number of observations so far.
  std::int64_t count() const { return m_count; }

  /// The combined node of all observations so far.
  Node total() const;

  /// The maximal complete subtrees so far, from left to right.
  const std::vector<Node>& nodes() const { return m_nodes; }

 private:
  std::int64_t m_first;
  std::int64_t m_count = 0;
  std::vector<Node> m_nodes;
};

/// Accumulates the moments of a sequence.
using MomentsTree = ObservationTree<Moments>;
/// Accumulates the co-moments of a sequence of pairs.
using CoMomentsTree = ObservationTree<CoMoments>;

template <class Node>
ObservationTree<Node>::ObservationTree(std::vector<Node> nodes) : m_first(0), m_nodes(std::move(nodes)) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t before = 0;
  for (const Node& node : m_nodes) {
    const std::int64_t count = node.count;
    const bool is_smaller = before == 0 || (0 < count && count < before && before % count == 0 &&
                                            std::has_single_bit(static_cast<std::uint64_t>(before / count)));
    if (count < 1 || !is_smaller || count > most - m_count || !impl::is_sound(node)) {
      throw std::invalid_argument("a node of moments has count " + std::to_string(count) +
                                  ", expected finite moments of a smaller subtree than those before it");
    }
    m_count += count;
    before = count;
  }
}

template <class Node>
void ObservationTree<Node>::add(Node node) {
  m_count += node.count;
  const auto is_right_half = [&] { return (m_first + m_count) % (2 * node.count) == 0; };
  while (!m_nodes.empty() && m_nodes.back().count == node.count && is_right_half()) {
    node = combine_equal(m_nodes.back(), node);
    m_nodes.pop_back();
  }
  if (m_nodes.empty()) m_nodes.reserve(4);  // enough for up to 15 observations
  m_nodes.push_back(node);
}

template <class Node>
Node ObservationTree<Node>::total() const {
  Node sum;
  for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node) sum = sum.count == 0 ? *node : combine(*node, sum);
  return sum;
}

}  // namespace sporos
