// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/linear_algebra/square_matrix.hpp>
#include <sporos/optimizers/linear_programs/host_program.hpp>
#include <sporos/optimizers/search/search_region.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace sporos {

namespace {

constexpr double rounding = 1e-12;  // relative rounding error of sums

double weighted_sum(const LinearConstraint& constraint, std::span<const double> x) {
  return std::inner_product(x.begin(), x.end(), constraint.weights.begin(), 0.0);
}

double magnitude(const LinearConstraint& constraint, std::span<const double> x) {
  double sum = std::abs(constraint.total);
  for (std::size_t i = 0; i < x.size(); ++i) sum += std::abs(constraint.weights[i] * x[i]);
  return sum;
}

double excess(const LinearConstraint& constraint, std::span<const double> x) {
  return weighted_sum(constraint, x) - constraint.total;
}

double violation_of(const LinearConstraint& constraint, std::span<const double> x) {
  const double over = excess(constraint, x), wrong = constraint.is_equality ? std::abs(over) : std::max(over, 0.0);
  return wrong <= rounding * magnitude(constraint, x) ? 0 : wrong;
}

bool is_tight(const LinearConstraint& constraint, std::span<const double> x) {
  return excess(constraint, x) >= -rounding * magnitude(constraint, x);
}

// Range of a coordinate's contribution to the weighted sum.
struct Share {
  double low, high;
};

Share share_of(const DecisionRange& range, double weight) {
  if (weight == 0) return {0, 0};
  const double a = weight * range.low, b = weight * range.high;
  return {std::min(a, b), std::max(a, b)};
}

// Points y(λ) with yᵢ = xᵢ − λ wᵢ / mᵢ, moved into the ranges; their weighted sum decreases in λ.
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
  double excess_at(double lambda) const { return excess(m_constraint, at(lambda)); }

  // Returns the λ at which the sum equals the total.
  double solved() const {
    const std::vector<double> breaks = breakpoints();
    const auto after = std::ranges::partition_point(breaks, [&](double lambda) { return excess_at(lambda) > 0; });
    const double right = after == breaks.end() ? breaks.back() + 1 : *after;
    const double left = after == breaks.begin() ? breaks.front() - 1 : *(after - 1);
    // The sum is linear between two breakpoints and beyond the last ones, by the coordinates that move there.
    const double inside = after == breaks.end() ? right : after == breaks.begin() ? left : left + (right - left) / 2;
    double slope = 0;
    for (std::size_t i = 0; i < m_x.size(); ++i) {
      const double y = m_x[i] - inside * m_slopes[i];
      if (y > m_ranges[i].low && y < m_ranges[i].high) slope += m_constraint.weights[i] * m_slopes[i];
    }
    const double from = after == breaks.begin() ? right : left;
    return slope > 0 ? from + excess_at(from) / slope : from;
  }

 private:
  // Returns, in increasing order, each λ at which a coordinate reaches an end of its range.
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

// Coordinates by increasing slope per weight: the first ones decrease a linear function most per unit of the sum.
std::vector<std::size_t> order_of(const LinearConstraint& constraint, std::span<const double> slopes) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (constraint.weights[i] != 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return slopes[i] / constraint.weights[i]; });
  return order;
}

// Returns a vertex of the ranges with one constraint.
std::vector<double> min_with_one(std::span<const DecisionRange> ranges, const LinearConstraint& constraint,
                                 std::span<const double> slopes, std::vector<double> y) {
  double left = constraint.total;
  for (std::size_t i = 0; i < y.size(); ++i) left -= share_of(ranges[i], constraint.weights[i]).low;
  for (const std::size_t i : order_of(constraint, slopes)) {
    const double weight = constraint.weights[i];
    const auto [low, high] = share_of(ranges[i], weight);
    const bool grows = left > 0 && (constraint.is_equality || slopes[i] / weight < 0);
    const double room = high - low;
    const bool is_filled = grows && left >= room;
    const DecisionRange& range = ranges[i];
    const double least = weight > 0 ? range.low : range.high, most = weight > 0 ? range.high : range.low;
    y[i] = !grows ? least : is_filled ? most : std::clamp((low + left) / weight, range.low, range.high);
    if (grows) left -= is_filled ? room : left;
  }
  return y;
}

// The region as a linear program, whose variables are the distances of the coordinates above their lower bounds.
class RegionProgram {
 public:
  RegionProgram(std::span<const DecisionRange> ranges, std::span<const LinearConstraint> constraints)
      : m_ranges(ranges), m_columns(ranges.size()) {
    for (const LinearConstraint& constraint : constraints) {
      double total = constraint.total;
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (constraint.weights[i] != 0) total -= constraint.weights[i] * ranges[i].low;
      }
      add_row(constraint.weights, total, 1);
      if (constraint.is_equality) add_row(constraint.weights, total, -1);
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (std::isinf(ranges[i].high)) continue;
      std::vector<double> unit(ranges.size());
      unit[i] = 1;
      add_row(unit, ranges[i].high - ranges[i].low, 1);
    }
    m_program.emplace(m_columns, m_limits);
  }

  LinearProgramSolution solved(std::span<const double> slopes) {
    return m_program->minimize({slopes.begin(), slopes.end()});
  }

  std::vector<double> point(const LinearProgramSolution& solution) const {
    std::vector<double> y;
    for (const DecisionRange& range : m_ranges) y.push_back(range.low);
    for (const auto& [index, value] : solution.vertex) {
      const auto i = static_cast<std::size_t>(index);
      const auto& [low, high, is_integer] = m_ranges[i];
      const double above = low + value, near = 1e-12 * std::max(std::abs(low), std::abs(high));
      y[i] = above >= high - near ? high : above;
    }
    return y;
  }

 private:
  void add_row(const std::vector<double>& weights, double total, double sign) {
    for (std::size_t i = 0; i < weights.size(); ++i) m_columns[i].push_back(sign * weights[i]);
    m_limits.push_back(sign * total);
  }

  std::span<const DecisionRange> m_ranges;
  std::vector<std::vector<double>> m_columns;
  std::vector<double> m_limits;
  std::optional<HostProgram> m_program;
};

std::vector<double> min_within(std::span<const DecisionRange> ranges, std::span<const LinearConstraint> constraints,
                               std::span<const double> slopes) {
  std::vector<double> y(slopes.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = slopes[i] >= 0 ? ranges[i].low : ranges[i].high;
  if (constraints.empty()) return y;
  if (constraints.size() == 1) return min_with_one(ranges, constraints.front(), slopes, std::move(y));
  RegionProgram program(ranges, constraints);
  return program.point(program.solved(slopes));
}

// A half-space a y ≥ bound. For an equality, the half-space excludes the side from which it was violated.
struct Side {
  std::vector<double> normal;
  double bound;
  bool is_equality;
  double multiplier;
};

// Projection onto ranges and several constraints by the dual active-set method (Goldfarb, Idnani: Math. Program. 27,
// 1983), starting from the projection onto the ranges. Each violated side enters and moves the point until it holds.
// Sides whose multipliers reach 0 on the way leave.
class ActiveSides {
 public:
  ActiveSides(std::span<const DecisionRange> ranges, std::span<const LinearConstraint> constraints,
              std::vector<double> x, std::span<const double> metric)
      : m_ranges(ranges), m_constraints(constraints), m_y(std::move(x)), m_metric(metric.begin(), metric.end()) {
    m_metric.resize(m_y.size(), 1);
    for (std::size_t i = 0; i < m_y.size(); ++i) {
      if (auto side = beyond_range(i)) {
        side->multiplier = m_metric[i] * std::abs(m_y[i] - side->bound * side->normal[i]);
        m_y[i] = side->bound * side->normal[i];
        m_active.push_back(std::move(*side));
      }
    }
  }

  std::vector<double> solved() {
    const std::size_t most = 100 * (m_y.size() + m_constraints.size());
    for (std::size_t step = 0; step < most; ++step) {
      auto side = violated();
      if (!side || !enter(std::move(*side))) break;
    }
    for (std::size_t i = 0; i < m_y.size(); ++i) m_y[i] = std::clamp(m_y[i], m_ranges[i].low, m_ranges[i].high);
    return m_y;
  }

 private:
  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] / m_metric[i];
    return sum;
  }
  double shortfall(const Side& side) const {
    return side.bound - std::inner_product(m_y.begin(), m_y.end(), side.normal.begin(), 0.0);
  }

  // Returns the end of its range that coordinate i violates, if any.
  std::optional<Side> beyond_range(std::size_t i) const {
    const auto& [low, high, is_integer] = m_ranges[i];
    const double near = rounding * std::abs(m_y[i]), sign = m_y[i] < low - near ? 1 : m_y[i] > high + near ? -1 : 0;
    if (sign == 0) return std::nullopt;
    Side side{std::vector<double>(m_y.size()), sign * (sign > 0 ? low : high), false, 0};
    side.normal[i] = sign;
    return side;
  }

  // Returns the most violated side, if any.
  std::optional<Side> violated() const {
    std::optional<Side> worst;
    double most = 0;
    const auto consider = [&](Side side) {
      const double distance = shortfall(side) / std::sqrt(product(side.normal, side.normal));
      if (distance <= most) return;
      most = distance;
      worst = std::move(side);
    };
    for (std::size_t i = 0; i < m_y.size(); ++i) {
      if (auto side = beyond_range(i)) consider(std::move(*side));
    }
    for (const LinearConstraint& constraint : m_constraints) {
      if (violation_of(constraint, m_y) == 0) continue;
      const double sign = excess(constraint, m_y) > 0 ? -1 : 1;
      Side side{constraint.weights, sign * constraint.total, constraint.is_equality, 0};
      for (double& weight : side.normal) weight *= sign;
      consider(std::move(side));
    }
    return worst;
  }

  // Decrease of each active multiplier per unit of the side's multiplier.
  std::vector<double> losses(const Side& side) const {
    SquareMatrix products(m_active.size());
    std::vector<double> right;
    for (std::size_t a = 0; a < m_active.size(); ++a) {
      for (std::size_t b = 0; b < m_active.size(); ++b)
        products(a, b) = product(m_active[a].normal, m_active[b].normal);
      right.push_back(product(m_active[a].normal, side.normal));
    }
    return solution_of(products, std::move(right));
  }

  // Makes a side active. Returns false if no point satisfies it together with the active ones.
  bool enter(Side side) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    while (true) {
      const std::vector<double> loss = losses(side);
      std::vector<double> move = side.normal;
      for (std::size_t a = 0; a < loss.size(); ++a) {
        for (std::size_t i = 0; i < move.size(); ++i) move[i] -= loss[a] * m_active[a].normal[i];
      }
      const double gain = product(side.normal, move), size = product(side.normal, side.normal);
      const double to_side = gain > 1e-12 * size ? shortfall(side) / gain : infinity;
      double to_leave = infinity;
      std::size_t leaving = 0;
      for (std::size_t a = 0; a < loss.size(); ++a) {
        if (m_active[a].is_equality || !(loss[a] > 0) || m_active[a].multiplier / loss[a] >= to_leave) continue;
        to_leave = m_active[a].multiplier / loss[a];
        leaving = a;
      }
      const double step = std::min(to_side, to_leave);
      if (std::isinf(step)) return false;
      for (std::size_t i = 0; i < move.size() && !std::isinf(to_side); ++i) m_y[i] += step * move[i] / m_metric[i];
      for (std::size_t a = 0; a < loss.size(); ++a) m_active[a].multiplier -= step * loss[a];
      side.multiplier += step;
      if (to_side <= to_leave) {
        m_active.push_back(std::move(side));
        return true;
      }
      m_active.erase(m_active.begin() + static_cast<std::ptrdiff_t>(leaving));
    }
  }

  std::span<const DecisionRange> m_ranges;
  std::span<const LinearConstraint> m_constraints;
  std::vector<double> m_y, m_metric;
  std::vector<Side> m_active;
};

// Returns the ranges narrowed by one constraint.
std::vector<DecisionRange> narrowed(std::span<const DecisionRange> all, const LinearConstraint& constraint) {
  std::vector<DecisionRange> ranges(all.begin(), all.end());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const double weight = constraint.weights[i];
    if (weight == 0) continue;
    double most = constraint.total, least = constraint.total;  // for coordinate i
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      if (j == i) continue;
      most -= share_of(all[j], constraint.weights[j]).low;
      least -= share_of(all[j], constraint.weights[j]).high;
    }
    auto& [low, high, is_integer] = ranges[i];
    (weight > 0 ? high : low) = weight > 0 ? std::min(high, most / weight) : std::max(low, most / weight);
    if (constraint.is_equality)
      (weight > 0 ? low : high) = weight > 0 ? std::max(low, least / weight) : std::min(high, least / weight);
  }
  return ranges;
}

// Returns the ranges narrowed by several constraints, by linear programs. If nothing is left, some low exceeds its
// high.
std::vector<DecisionRange> narrowed_by_programs(std::span<const DecisionRange> all,
                                                std::span<const LinearConstraint> constraints) {
  std::vector<DecisionRange> ranges(all.begin(), all.end());
  RegionProgram program(all, constraints);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto holds = [&](const LinearConstraint& constraint) { return constraint.weights[i] != 0; };
    if (std::ranges::none_of(constraints, holds)) continue;
    for (const double sign : {1.0, -1.0}) {
      std::vector<double> slopes(ranges.size());
      slopes[i] = sign;
      const LinearProgramSolution end = program.solved(slopes);
      if (end.status == LinearProgramStatus::unbounded) continue;
      const bool is_empty = end.status == LinearProgramStatus::infeasible;
      const double place = is_empty ? sign * std::numeric_limits<double>::infinity() : program.point(end)[i];
      (sign > 0 ? ranges[i].low : ranges[i].high) = place;
    }
  }
  return ranges;
}

}  // namespace

std::vector<double> SearchRegion::projected(std::vector<double> x, std::span<const double> metric) const {
  std::vector<double> from;
  if (!m_constraints.empty()) from = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto& [low, high, is_integer] = m_ranges[i];
    x[i] = std::clamp(x[i], low, high);
    if (is_integer) x[i] = std::clamp(std::nearbyint(x[i]), std::ceil(low), std::floor(high));
  }
  if (violation(x) == 0) return x;
  if (m_constraints.size() > 1) return ActiveSides(m_ranges, m_constraints, std::move(from), metric).solved();
  const ProjectionPath path(m_ranges, m_constraints.front(), std::move(from), metric);
  return path.at(path.solved());
}

std::vector<double> SearchRegion::least(std::span<const double> slopes) const {
  return min_within(m_ranges, m_constraints, slopes);
}

std::vector<double> SearchRegion::largest_on_face(std::span<const double> x, std::span<const double> slopes) const {
  std::vector<DecisionRange> face(m_ranges.begin(), m_ranges.end());
  std::vector<LinearConstraint> constraints(m_constraints.begin(), m_constraints.end());
  std::vector<double> falls(slopes.size());
  for (std::size_t i = 0; i < face.size(); ++i) {
    if (x[i] <= face[i].low || x[i] >= face[i].high) face[i] = {x[i], x[i]};
    falls[i] = -slopes[i];
  }
  for (LinearConstraint& constraint : constraints) constraint.is_equality = is_tight(constraint, x);
  return min_within(face, constraints, falls);
}

double SearchRegion::longest_step(std::span<const double> x, std::span<const double> move) const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (move[i] != 0)
      longest = std::min(longest, ((move[i] > 0 ? m_ranges[i].high : m_ranges[i].low) - x[i]) / move[i]);
  }
  for (const LinearConstraint& constraint : m_constraints) {
    if (constraint.is_equality || is_tight(constraint, x)) continue;
    const double rise = weighted_sum(constraint, move);
    if (rise > 0) longest = std::min(longest, -excess(constraint, x) / rise);
  }
  return longest;
}

double SearchRegion::violation(std::span<const double> x) const {
  double worst = 0;
  for (const LinearConstraint& constraint : m_constraints) worst = std::max(worst, violation_of(constraint, x));
  return worst;
}

std::vector<DecisionRange> SearchRegion::tightened() const {
  if (m_constraints.empty()) return {m_ranges.begin(), m_ranges.end()};
  return m_constraints.size() == 1 ? narrowed(m_ranges, m_constraints.front())
                                   : narrowed_by_programs(m_ranges, m_constraints);
}

}  // namespace sporos
