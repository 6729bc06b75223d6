// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/solver_comparison/step_curve.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

// Places of all curves, ascending.
std::vector<double> places_of(std::span<const StepCurve> curves) {
  std::set<double> places;
  for (const StepCurve& curve : curves) places.insert(curve.x().begin(), curve.x().end());
  return {places.begin(), places.end()};
}

// Applies `functional` to the curves' values at each jump point.
template <class Functional>
StepCurve pointwise(std::span<const StepCurve> curves, const Functional& functional) {
  std::vector<double> x = places_of(curves), y;
  for (const double place : x) {
    std::vector<double> values;
    for (const StepCurve& curve : curves) values.push_back(curve.at(place));
    y.push_back(functional(std::move(values)));
  }
  return {std::move(x), std::move(y)};
}

}  // namespace

StepCurve::StepCurve(std::vector<double> x, std::vector<double> y) : m_x(std::move(x)), m_y(std::move(y)) {
  if (m_x.empty() || m_x.size() != m_y.size())
    throw std::invalid_argument("a step curve must have at least one place, and one value for each place");
  if (!std::ranges::is_sorted(m_x))
    throw std::invalid_argument("the places of a step curve must be in ascending order");
}

double StepCurve::at(double x) const {
  if (!(x >= m_x.front() && x <= m_x.back())) return std::numeric_limits<double>::quiet_NaN();
  const auto after = std::ranges::upper_bound(m_x, x) - m_x.begin();
  return m_y[static_cast<std::size_t>(after - 1)];
}

double StepCurve::first_below(double threshold) const {
  const auto found = std::ranges::find_if(m_y, [&](double value) { return value < threshold; });
  if (found == m_y.end()) return std::numeric_limits<double>::infinity();
  return m_x[static_cast<std::size_t>(found - m_y.begin())];
}

double StepCurve::area() const {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < m_x.size(); ++i) sum += m_y[i] * (m_x[i + 1] - m_x[i]);
  return sum;
}

StepCurve mean_of(std::span<const StepCurve> curves) {
  return pointwise(curves, [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  });
}

StepCurve quantile_of(std::span<const StepCurve> curves, double share) {
  return pointwise(curves,
                   [share](std::vector<double> values) { return quantile_of_numbers(std::move(values), share); });
}

StepCurve difference_of(const StepCurve& first, const StepCurve& second) {
  const StepCurve both[] = {first, second};
  return pointwise(both, [](const std::vector<double>& values) { return values[0] - values[1]; });
}

StepCurve share_of_times(std::span<const double> times) {
  std::set<double> places{0, 1};
  for (const double time : times) {
    if (time > 0 && time < 1) places.insert(time);
  }
  std::vector<double> x(places.begin(), places.end()), y;
  for (const double place : x) {
    const auto reached = std::ranges::count_if(times, [&](double time) { return time <= place; });
    y.push_back(static_cast<double>(reached) / static_cast<double>(times.size()));
  }
  return {std::move(x), std::move(y)};
}

double quantile_of_times(std::vector<double> times, double share) {
  std::ranges::sort(times);
  const double rank = std::ceil(share * static_cast<double>(times.size()));
  return times[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

StepCurve jump_at(double time) {
  if (!(time <= 1)) return {{0, 1}, {0, 0}};
  if (time <= 0) return {{0, 1}, {1, 1}};
  return time < 1 ? StepCurve({0, time, 1}, {0, 1, 1}) : StepCurve({0, 1}, {0, 1});
}

double quantile_of_numbers(std::vector<double> numbers, double share) {
  std::ranges::sort(numbers);
  const double place = share * static_cast<double>(numbers.size() - 1), part = place - std::floor(place);
  const auto i = static_cast<std::size_t>(place);
  return part == 0 ? numbers[i] : (1 - part) * numbers[i] + part * numbers[i + 1];
}

}  // namespace sporos
