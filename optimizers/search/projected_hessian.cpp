// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/search/projected_hessian.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace sporos::impl {

namespace {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

bool is_convex(double sy, double ss, double yy) { return sy > 1e-10 * std::sqrt(ss * yy); }

}  // namespace

ProjectedHessian::ProjectedHessian(const SearchRun& run, const ProjectedHessianOptions& options)
    : m_run(run), m_options(options), m_length(options.step), m_kinds(run.dimension()) {
  for (const double start : run.start()) m_scales.push_back(std::max(1.0, std::abs(start)));
}

void ProjectedHessian::set_at(const std::vector<double>& x, const std::vector<double>& gradient) {
  const std::vector<double> slopes = scaled(gradient);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto& [low, high, is_integer] = m_run.bounds()[i];
    const bool is_held = (x[i] <= low && slopes[i] >= 0) || (x[i] >= high && slopes[i] <= 0);
    m_kinds[i] = is_held ? Kind::held : Kind::free;
    if (!is_held) most = std::max(most, std::abs(slopes[i]));
  }
  m_factor = m_pairs.empty() ? (most > 0 ? m_length / most : 0) : factor_of_pairs();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double there = x[i] - m_scales[i] * m_factor * slopes[i];
    const auto& [low, high, is_integer] = m_run.bounds()[i];
    if (m_kinds[i] == Kind::free && (there <= low || there >= high)) m_kinds[i] = Kind::near_bound;
  }
}

double ProjectedHessian::square(const std::vector<double>& gradient) const {
  const std::vector<double> slopes = scaled(gradient);
  return dot(slopes, times(slopes));
}

std::vector<double> ProjectedHessian::move(const std::vector<double>& gradient) const {
  std::vector<double> result = times(scaled(gradient));
  double most = 0;
  for (const double part : result) most = std::max(most, std::abs(part));
  const double factor = most > m_options.largest_step ? m_options.largest_step / most : 1;
  for (std::size_t i = 0; i < result.size(); ++i) result[i] *= -factor * m_scales[i];
  return result;
}

void ProjectedHessian::learn(const Slope& from, const Slope& to) {
  Pair pair{std::vector<double>(m_scales.size()), std::vector<double>(m_scales.size())};
  for (std::size_t i = 0; i < m_scales.size(); ++i) {
    pair.s[i] = (to.x[i] - from.x[i]) / m_scales[i];
    pair.y[i] = (to.gradient[i] - from.gradient[i]) * m_scales[i];
  }
  if (!is_convex(dot(pair.s, pair.y), dot(pair.s, pair.s), dot(pair.y, pair.y))) {
    m_length = std::min(2 * m_length, m_options.largest_step);
    return;
  }
  m_pairs.push_back(std::move(pair));
  if (m_pairs.size() > static_cast<std::size_t>(m_options.pairs)) m_pairs.pop_front();
}

bool ProjectedHessian::forget() {
  const bool had_pairs = !m_pairs.empty();
  m_pairs.clear();
  m_length = m_options.step;
  return had_pairs;
}

double ProjectedHessian::free_dot(const std::vector<double>& a, const std::vector<double>& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += m_kinds[i] == Kind::free ? a[i] * b[i] : 0;
  return sum;
}

std::vector<double> ProjectedHessian::scaled(const std::vector<double>& gradient) const {
  std::vector<double> slopes = gradient;
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] *= m_scales[i];
  return slopes;
}

double ProjectedHessian::factor_of_pairs() const {
  return dot(m_pairs.back().s, m_pairs.back().y) / dot(m_pairs.back().y, m_pairs.back().y);
}

// Returns H v; its free part uses the two-loop recursion over the pairs' free parts.
std::vector<double> ProjectedHessian::times(std::vector<double> v) const {
  std::vector<double> shares(m_pairs.size()), curvatures(m_pairs.size());
  for (std::size_t k = m_pairs.size(); k-- > 0;) {
    const auto& [s, y] = m_pairs[k];
    const double sy = free_dot(s, y);
    if (!is_convex(sy, free_dot(s, s), free_dot(y, y))) continue;
    curvatures[k] = sy;
    shares[k] = free_dot(s, v) / sy;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= m_kinds[i] == Kind::free ? shares[k] * y[i] : 0;
  }
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= m_kinds[i] == Kind::held ? 0 : m_factor;
  for (std::size_t k = 0; k < m_pairs.size(); ++k) {
    if (curvatures[k] == 0) continue;
    const auto& [s, y] = m_pairs[k];
    const double change = shares[k] - free_dot(y, v) / curvatures[k];
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += m_kinds[i] == Kind::free ? change * s[i] : 0;
  }
  return v;
}

}  // namespace sporos::impl
