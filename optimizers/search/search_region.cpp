// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/search_region.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

namespace sporos {

namespace {

constexpr double rounding = 1e-12;  // of sums, as a share of their terms' magnitudes

double weighted_sum(const LinearConstraint& constraint, std::span<const double> x) {
  return std::inner_product(x.begin(), x.end(), constraint.weights.begin(), 0.0);
}

double magnitude(const LinearConstraint& constraint, std::span<const double> x) {
  double sum = std::abs(constraint.total);
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(constraint.weights[i] * x[i]);
  return sum;
}

// What a coordinate adds to the weighted sum, from its least to its greatest.
struct Share {
  double low, high;
};

Share share_of(const DecisionRange& range, double weight) {
  if (weight == 0) return {0, 0};
  const double a = weight * range.low, b = weight * range.high;
  return {std::min(a, b), std::max(a, b)};
}

// The points y(λ) with yᵢ = xᵢ − λ wᵢ / mᵢ, moved into the ranges: their weighted sum falls with λ.
class ProjectionPath {
 public:
  ProjectionPath(std::span<const DecisionRange> ranges, const LinearConstraint& constraint, std::vector<double> x,
                 std::span<const double> metric)
      : m_ranges(ranges), m_constraint(constraint), m_x(std::move(x)) {
    for (std::size_t i = 0; i < m_x.size(); ++i)
      m_slopes.push_back(constraint.weights[i] / (metric.empty() ? 1 : metric[i]));
  }

  double coordinate(std::size_t i, double lambda) const {
    return std::clamp(m_x[i] - lambda * m_slopes[i], m_ranges[i].low, m_ranges[i].high);
  }
  std::vector<double> at(double lambda) const {
    std::vector<double> y(m_x.size());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = coordinate(i, lambda);
    return y;
  }
  double excess(double lambda) const { return weighted_sum(m_constraint, at(lambda)) - m_constraint.total; }

  // Where the sum is the total.
  double solved() const {
    const std::vector<double> breaks = breakpoints();
    const auto after = std::ranges::partition_point(breaks, [&](double lambda) { return excess(lambda) > 0; });
    const double right = after == breaks.end() ? breaks.back() + 1 : *after;
    const double left = after == breaks.begin() ? breaks.front() - 1 : *(after - 1);
    // Linear between two breakpoints, and beyond the last ones: by the coordinates that move there.
    const double inside = after == breaks.end() ? right : after == breaks.begin() ? left : left + (right - left) / 2;
    double slope = 0;
    for (std::size_t i = 0; i < m_x.size(); ++i) {
      const double y = m_x[i] - inside * m_slopes[i];
      if (y > m_ranges[i].low && y < m_ranges[i].high) slope += m_constraint.weights[i] * m_slopes[i];
    }
    const double from = after == breaks.begin() ? right : left;
    return slope > 0 ? from + excess(from) / slope : from;
  }

 private:
  // λ at which a coordinate comes to an end of its range, in order.
  std::vector<double> breakpoints() const {
    std::vector<double> breaks{0};
    for (std::size_t i = 0; i < m_x.size(); ++i) {
      if (m_slopes[i] == 0) continue;
      for (const double end : {m_ranges[i].low, m_ranges[i].high}) {
        if (std::isfinite(end)) breaks.push_back((m_x[i] - end) / m_slopes[i]);
      }
    }
    std::ranges::sort(breaks);
    return breaks;
  }

  std::span<const DecisionRange> m_ranges;
  const LinearConstraint& m_constraint;
  std::vector<double> m_x, m_slopes;
};

// The order in which a linear function falls most for what the weighted sum grows.
std::vector<std::size_t> order_of(const LinearConstraint& constraint, std::span<const double> slopes) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (constraint.weights[i] != 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return slopes[i] / constraint.weights[i]; });
  return order;
}

// A vertex of the ranges and of the constraint, as it is or as an equality.
std::vector<double> least_within(std::span<const DecisionRange> ranges, const LinearConstraint* constraint,
                                 bool is_equality, std::span<const double> slopes) {
  std::vector<double> y(slopes.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = slopes[i] >= 0 ? ranges[i].low : ranges[i].high;
  if (constraint == nullptr) return y;
  double left = constraint->total;
  for (std::size_t i = 0; i < y.size(); ++i) left -= share_of(ranges[i], constraint->weights[i]).low;
  for (const std::size_t i : order_of(*constraint, slopes)) {
    const double weight = constraint->weights[i];
    const auto [low, high] = share_of(ranges[i], weight);
    const bool grows = left > 0 && (is_equality || slopes[i] / weight < 0);
    const double room = high - low;
    const bool is_filled = grows && left >= room;
    const DecisionRange& range = ranges[i];
    const double least = weight > 0 ? range.low : range.high, most = weight > 0 ? range.high : range.low;
    y[i] = !grows ? least : is_filled ? most : std::clamp((low + left) / weight, range.low, range.high);
    if (grows) left -= is_filled ? room : left;
  }
  return y;
}

}  // namespace

std::vector<double> SearchRegion::projected(std::vector<double> x, std::span<const double> metric) const {
  std::vector<double> y = x;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto& [low, high, is_integer] = m_ranges[i];
    y[i] = std::clamp(x[i], low, high);
    if (is_integer) y[i] = std::clamp(std::nearbyint(y[i]), std::ceil(low), std::floor(high));
  }
  if (violation(y) == 0) return y;
  const ProjectionPath path(m_ranges, *m_constraint, std::move(x), metric);
  return path.at(path.solved());
}

std::vector<double> SearchRegion::least(std::span<const double> slopes) const {
  return least_within(m_ranges, m_constraint, m_constraint != nullptr && m_constraint->is_equality, slopes);
}

std::vector<double> SearchRegion::greatest_on_face(std::span<const double> x, std::span<const double> slopes) const {
  std::vector<DecisionRange> face(m_ranges.begin(), m_ranges.end());
  std::vector<double> falls(slopes.size());
  for (std::size_t i = 0; i < face.size(); ++i) {
    if (x[i] <= face[i].low || x[i] >= face[i].high) face[i] = {x[i], x[i]};
    falls[i] = -slopes[i];
  }
  return least_within(face, m_constraint, m_constraint != nullptr && is_tight(x), falls);
}

double SearchRegion::longest_step(std::span<const double> x, std::span<const double> move) const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (move[i] != 0)
      longest = std::min(longest, ((move[i] > 0 ? m_ranges[i].high : m_ranges[i].low) - x[i]) / move[i]);
  }
  if (m_constraint == nullptr || m_constraint->is_equality || is_tight(x)) return longest;
  const double rise = weighted_sum(*m_constraint, move);
  if (rise > 0) longest = std::min(longest, (m_constraint->total - weighted_sum(*m_constraint, x)) / rise);
  return longest;
}

double SearchRegion::violation(std::span<const double> x) const {
  if (m_constraint == nullptr) return 0;
  const double excess = weighted_sum(*m_constraint, x) - m_constraint->total;
  const double wrong = m_constraint->is_equality ? std::abs(excess) : std::max(excess, 0.0);
  return wrong <= rounding * magnitude(*m_constraint, x) ? 0 : wrong;
}

bool SearchRegion::is_tight(std::span<const double> x) const {
  const double excess = weighted_sum(*m_constraint, x) - m_constraint->total;
  return excess >= -rounding * magnitude(*m_constraint, x);
}

std::vector<DecisionRange> SearchRegion::tightened() const {
  std::vector<DecisionRange> ranges(m_ranges.begin(), m_ranges.end());
  if (m_constraint == nullptr) return ranges;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const double weight = m_constraint->weights[i];
    if (weight == 0) continue;
    double most = m_constraint->total, least = m_constraint->total;  // for coordinate i
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      if (j == i) continue;
      most -= share_of(m_ranges[j], m_constraint->weights[j]).low;
      least -= share_of(m_ranges[j], m_constraint->weights[j]).high;
    }
    auto& [low, high, is_integer] = ranges[i];
    (weight > 0 ? high : low) = weight > 0 ? std::min(high, most / weight) : std::max(low, most / weight);
    if (m_constraint->is_equality)
      (weight > 0 ? low : high) = weight > 0 ? std::max(low, least / weight) : std::min(high, least / weight);
  }
  return ranges;
}

}  // namespace sporos
