// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/constrained/conditional_gradient.hpp>
#include <sporos/optimizers/constrained/extrapolated_multipliers.hpp>
#include <sporos/optimizers/constrained/iterate_mean.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// Weighted means of the lines of objective and constraints at all points so far, expressed about the last point.
class MeanLines {
 public:
  // Adds the lines about x with this weight; the previous lines get the rest of 1.
  void add(const std::vector<double>& x, const SampleMean& at, double weight) {
    if (m_x.empty()) {
      m_gradient = at.gradient;
      m_constraints = at.constraints;
    }
    mix(m_gradient, at.gradient, weight);
    for (std::size_t j = 0; j < m_constraints.size(); ++j) {
      ConstraintMean& line = m_constraints[j];
      if (!m_x.empty()) line.mean = linearized(line, m_x, x);
      line.mean += weight * (at.constraints[j].mean - line.mean);
      mix(line.gradient, at.constraints[j].gradient, weight);
    }
    m_x = x;
  }

  const std::vector<double>& gradient() const { return m_gradient; }
  const std::vector<ConstraintMean>& constraints() const { return m_constraints; }

  // Values of the constraints' lines at a point.
  std::vector<double> at(const std::vector<double>& point) const {
    std::vector<double> values;
    for (const ConstraintMean& line : m_constraints) values.push_back(linearized(line, m_x, point));
    return values;
  }

 private:
  static void mix(std::vector<double>& mean, const std::vector<double>& next, double weight) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += weight * (next[i] - mean[i]);
  }

  std::vector<double> m_x;
  std::vector<double> m_gradient;
  std::vector<ConstraintMean> m_constraints;
};

// Whether step k measures sizes: eight times per doubling of k, because each line takes two linear programs.
inline bool is_measured(std::int64_t k) {
  const auto step = static_cast<std::uint64_t>(k);
  return step % std::max<std::uint64_t>(std::bit_floor(step) / 8, 1) == 0;
}

// Variation over a region of a line with these slopes.
inline double variation(const SearchRegion& region, const std::vector<double>& slopes) {
  std::vector<double> opposite = slopes;
  for (double& slope : opposite) slope = -slope;
  const std::vector<double> low = region.least(slopes), high = region.least(opposite);
  double sum = 0;
  for (std::size_t i = 0; i < slopes.size(); ++i) sum += slopes[i] * (high[i] - low[i]);
  return sum;
}

}  // namespace impl

void check(const ConditionalGradientOptions& options) {
  impl::check_approximation(options.replications, options.dual_step, options.averaging);
}

Search conditional_gradient(SearchRun& run, ConditionalGradientOptions options) {
  check(options);
  impl::check_finite_bounds(run, "CoexCG");
  impl::ExtrapolatedMultipliers multipliers(options.dual_step, 1);
  impl::MeanLines lines;
  std::vector<double> x = run.start(), vertex = x, feasible;
  run.recommend(x);
  for (std::int64_t k = 1; run.left_with_gradients() >= options.replications; ++k) {
    std::vector<Sample> samples;
    samples.push_back(run.fresh_sample(x, options.replications, true));
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    const SampleMean& at = means.front();
    if (at.gradient.empty()) {  // x is infeasible
      if (feasible.empty()) co_return;
      x = run.halfway(std::move(x), feasible);
      run.recommend(x);
      continue;
    }
    feasible = x;
    const double weight = impl::weight_of_last(k, options.averaging);
    lines.add(x, at, weight);
    if (impl::is_measured(k)) {
      std::vector<double> sizes;
      for (const ConstraintMean& h : at.constraints) sizes.push_back(impl::variation(run.region(), h.gradient));
      multipliers.measure(impl::variation(run.region(), at.gradient), sizes);
    }
    multipliers.update(lines.at(vertex), k);
    vertex = run.region().least(multipliers.gradient(lines.gradient(), lines.constraints()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight * (vertex[i] - x[i]);
    x = run.within_region(std::move(x));  // corrects rounding only
    run.recommend(x);
  }
}

}  // namespace sporos
