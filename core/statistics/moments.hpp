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

/// Count, mean and sums of squared and of cubed deviations from the mean of some observations.
struct Moments {
  std::int64_t count = 0;        ///< number of observations
  double mean = 0;               ///< their average
  double squared_deviation = 0;  ///< Σ (x − mean)²
  double cubed_deviation = 0;    ///< Σ (x − mean)³; not finite where that is too large

  /// Unbiased sample variance; infinite below two observations.
  double variance() const;

  /// Sample skewness, the third central moment over the 3/2th power of the second one; 0 where nothing varies, and not
  /// finite where the third moment is not.
  double skewness() const;
};

/// Moments of two neighbouring, equally large sets of observations together (Pébay 2008, SAND2008-6212, for the third
/// one). No division, so cheap and exact in its scaling.
KOKKOS_FORCEINLINE_FUNCTION Moments combine_equal(const Moments& left, const Moments& right) {
  const double delta = right.mean - left.mean;
  const double half_count = 0.5 * static_cast<double>(left.count);
  return {
      2 * left.count, left.mean + 0.5 * delta,
      left.squared_deviation + right.squared_deviation + half_count * (delta * delta),
      left.cubed_deviation + right.cubed_deviation + 1.5 * delta * (right.squared_deviation - left.squared_deviation)};
}

/// Moments of two neighbouring sets of observations together (Chan, Golub, LeVeque 1983; Pébay 2008).
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

/// Count, means and sum of products of deviations of some pairs of observations.
struct CoMoments {
  std::int64_t count = 0;  ///< number of pairs
  double first_mean = 0;   ///< average of their first observations
  double second_mean = 0;  ///< average of their second ones
  double codeviation = 0;  ///< Σ (x − first mean) (y − second mean)

  /// Unbiased sample covariance; infinite below two pairs.
  double covariance() const {
    return count < 2 ? std::numeric_limits<double>::infinity() : codeviation / static_cast<double>(count - 1);
  }
};

/// As of Moments.
KOKKOS_FORCEINLINE_FUNCTION CoMoments combine_equal(const CoMoments& left, const CoMoments& right) {
  const double first = right.first_mean - left.first_mean, second = right.second_mean - left.second_mean;
  const double half_count = 0.5 * static_cast<double>(left.count);
  return {2 * left.count, left.first_mean + 0.5 * first, left.second_mean + 0.5 * second,
          left.codeviation + right.codeviation + half_count * (first * second)};
}

/// As of Moments.
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

/// The `Node`s, Moments or CoMoments, of a sequence of observations that arrives in pieces, formed over a binary tree
/// whose shape depends on the number of observations alone: every inner node joins 2^k neighbours that begin at a
/// multiple of 2^(k+1). However the sequence was cut into pieces, the bits are the same. A tree may begin within the
/// sequence: then its nodes are those that the whole tree has there.
template <class Node>
class ObservationTree {
 public:
  /// Of a sequence from its observation `first` on.
  explicit ObservationTree(std::int64_t first = 0) : m_first(first) {}

  /// The tree from observation 0 on whose `nodes()` these are. Throws std::invalid_argument for nodes that no such tree
  /// has.
  explicit ObservationTree(std::vector<Node> nodes);

  /// Adds the next observation.
  void add(double observation) requires std::same_as<Node, Moments> { add(Moments{1, observation, 0}); }

  /// Adds the node of the next 2^k observations, already formed over the same tree. The index of the next observation
  /// must be a multiple of 2^k. A tree whose leaves are u observations together takes nodes of u 2^k.
  void add(Node node);

  /// Number of observations so far.
  std::int64_t count() const { return m_count; }

  /// The node of all observations so far.
  Node total() const;

  /// The complete subtrees so far, from left to right, the largest that the tree has there.
  const std::vector<Node>& nodes() const { return m_nodes; }

 private:
  std::int64_t m_first;
  std::int64_t m_count = 0;
  std::vector<Node> m_nodes;
};

/// Moments of a sequence.
using MomentsTree = ObservationTree<Moments>;
/// Moments of a sequence of pairs.
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
  if (m_nodes.empty()) m_nodes.reserve(4);  // of up to 15 observations
  m_nodes.push_back(node);
}

template <class Node>
Node ObservationTree<Node>::total() const {
  Node sum;
  for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); ++node) sum = sum.count == 0 ? *node : combine(*node, sum);
  return sum;
}

}  // namespace sporos
