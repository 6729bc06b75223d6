// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/math/count.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/astro_df.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// A point with its estimate from replications 0 to mean.count − 1.
struct AstroPoint {
  std::vector<double> x;
  SampleMean mean;
};

// Model f(x) + Σ (slope·s + curvature/2·s²) of moves s in units of the scale.
struct DiagonalModel {
  std::vector<double> slopes, curvatures;

  double change(const std::vector<double>& move) const {
    double sum = 0;
    for (std::size_t i = 0; i < move.size(); ++i) sum += move[i] * (slopes[i] + 0.5 * curvatures[i] * move[i]);
    return sum;
  }

  // Returns an approximate minimum in the ball of this radius. If the point of the coordinate-wise minima lies in the
  // ball, it is the result. Otherwise the result is the best of some points on the ray to that point and along the
  // gradient.
  std::vector<double> minimum(double radius) const {
    std::vector<double> newton(slopes.size()), steepest(slopes.size());
    double norm = 0;
    for (const double slope : slopes) norm += slope * slope;
    norm = std::sqrt(norm);
    if (norm == 0) return newton;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      steepest[i] = -slopes[i] / norm * radius;
      newton[i] = curvatures[i] > 0 ? -slopes[i] / curvatures[i] : steepest[i];
    }
    const auto shortened = [&](std::vector<double> move) {
      double length = 0;
      for (const double part : move) length += part * part;
      length = std::sqrt(length);
      for (double& part : move) part *= std::min(1.0, radius / length);
      return move;
    };
    std::vector<double> by_newton = shortened(std::move(newton));
    // Move along the gradient as far as the model falls (the Cauchy point).
    double curvature = 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) curvature += steepest[i] * steepest[i] * curvatures[i];
    const double share = curvature > 0 ? std::min(1.0, norm * radius / curvature) : 1.0;
    for (double& part : steepest) part *= share;
    return change(by_newton) < change(steepest) ? by_newton : steepest;
  }
};

// State and helpers of one run of ASTRO-DF that its iterations share.
class AstroRun {
 public:
  AstroRun(SearchRun& run, const AstroDfOptions& options) : m_run(run), m_options(options) {
    for (const double start : run.start()) m_scales.push_back(std::max(1.0, std::abs(start)));
  }

  // Returns x moved by `move`, within the bounds.
  std::vector<double> moved(const std::vector<double>& x, const std::vector<double>& move) const {
    std::vector<double> result = x;
    for (std::size_t i = 0; i < x.size(); ++i) result[i] += m_scales[i] * move[i];
    return m_run.within_region(std::move(result));
  }

  // Returns the move from x to y in units of the scale.
  std::vector<double> move_between(const std::vector<double>& x, const std::vector<double>& y) const {
    std::vector<double> move(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) move[i] = (y[i] - x[i]) / m_scales[i];
    return move;
  }

  // Returns the points on either side of x along each coordinate. Next to a bound both points are on the inner side,
  // the second at half the distance.
  std::vector<std::vector<double>> neighbours(const std::vector<double>& x, double radius) const {
    std::vector<std::vector<double>> points;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto& [low, high, is_integer] = m_run.bounds()[i];
      const double reach = radius * m_scales[i];
      double above = x[i] + reach, below = x[i] - reach;
      if (above > high) above = x[i] - reach / 2;
      if (below < low) below = above > x[i] ? x[i] + reach / 2 : below;
      for (const double place : {std::clamp(above, low, high), std::clamp(below, low, high)}) {
        points.push_back(x);
        points.back()[i] = place;
      }
    }
    return points;
  }

  // Interpolates the means at x and at its neighbours.
  DiagonalModel interpolated(const AstroPoint& at, const std::vector<std::vector<double>>& points,
                             const std::vector<SampleMean>& means) const {
    DiagonalModel model;
    for (std::size_t i = 0; i < at.x.size(); ++i) {
      const double a = (points[2 * i][i] - at.x[i]) / m_scales[i], b = (points[2 * i + 1][i] - at.x[i]) / m_scales[i];
      const double rise_a = means[2 * i].mean - at.mean.mean, rise_b = means[2 * i + 1].mean - at.mean.mean;
      const bool has_a = a != 0 && std::isfinite(rise_a), has_b = b != 0 && std::isfinite(rise_b);
      const double of_a = has_a ? rise_a / a : 0, of_b = has_b ? rise_b / b : 0;
      const double second = a != b && has_a && has_b ? (of_a - of_b) / (a - b) : 0;
      model.slopes.push_back(has_a ? of_a - second * a : of_b);
      model.curvatures.push_back(2 * second);
    }
    return model;
  }

  DiagonalModel linear(const AstroPoint& at) const {
    DiagonalModel model{at.mean.gradient, std::vector<double>(at.x.size())};
    for (std::size_t i = 0; i < at.x.size(); ++i) model.slopes[i] *= m_scales[i];
    return model;
  }

  // Number of replications that a point needs in iteration k.
  std::int64_t replications(const SampleMean& at, std::int64_t k, double radius, double kappa) const {
    const double least = min_replications(k), bound = kappa * radius * radius;
    const double wanted = std::max(least, least * at.variance() / (bound * bound));
    return bounded_count(std::ceil(wanted));
  }
  double min_replications(std::int64_t k) const {
    return static_cast<double>(m_options.min_replications) * std::pow(std::log10(10.0 + static_cast<double>(k)), 1.5);
  }

  // Replications that `point` still needs up to a total of `count`.
  Sample extension(const AstroPoint& point, std::int64_t count, bool has_gradient) const {
    return {point.x, m_run.seed(), point.mean.count, count - point.mean.count, has_gradient};
  }

 private:
  SearchRun& m_run;
  AstroDfOptions m_options;
  std::vector<double> m_scales;
};

}  // namespace impl

void check(const AstroDfOptions& options) {
  const auto& [radius, greatest, min_replications, acceptance, success, growth, shrinkage] = options;
  check_positive("radius", radius);
  impl::check_parameter(greatest >= radius, "largest radius", greatest, "at least the radius");
  impl::check_parameter(min_replications >= 2, "minimum number of replications", min_replications, "at least 2");
  impl::check_parameter(acceptance > 0 && acceptance < 1, "acceptance", acceptance, "a number between 0 and 1");
  impl::check_parameter(success >= acceptance && success < 1, "success", success,
                        "at least the acceptance and below 1");
  impl::check_parameter(growth >= 1 && std::isfinite(growth), "growth", growth, "a finite number of at least 1");
  impl::check_parameter(shrinkage > 0 && shrinkage < 1, "shrinkage", shrinkage, "a number between 0 and 1");
}

Search astro_df(SearchRun& run, AstroDfOptions options, bool has_gradient) {
  refuse_constraints_on_means(run);
  check(options);
  run.check_only_bounds("ASTRO");
  const impl::AstroRun astro(run, options);
  const auto points_of_iteration =
      has_gradient ? 2 * run.gradient_cost() : 2 * static_cast<std::int64_t>(run.dimension()) + 2;
  impl::AstroPoint at{run.start(), {}};
  double radius = options.radius, kappa = 0;
  run.recommend(at.x);
  for (std::int64_t k = 0;; ++k) {
    // Extend the sample at x to the size that this iteration needs, as far as the budget allows.
    auto wanted = bounded_count(std::ceil(astro.min_replications(k)));
    for (int trial = 0; trial < 2; ++trial) {
      wanted = std::min(wanted, (run.left() + at.mean.count) / points_of_iteration);
      if (wanted < 2) co_return;
      if (wanted > at.mean.count) {
        std::vector<Sample> samples;
        samples.push_back(astro.extension(at, wanted, has_gradient));
        const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
        at.mean = run.pooled(at.x, at.mean, means.front());
        if (at.mean.count == 0) co_return;  // x is infeasible
      }
      if (k == 0 && trial == 0)
        kappa = std::max(std::abs(at.mean.mean), std::sqrt(at.mean.variance())) / (radius * radius);
      wanted = astro.replications(at.mean, k, radius, kappa);
    }
    const std::int64_t count = at.mean.count;
    impl::DiagonalModel model;
    impl::AstroPoint best;
    if (has_gradient) {
      model = astro.linear(at);
    } else {
      const std::vector<std::vector<double>> points = astro.neighbours(at.x, radius);
      std::vector<Sample> samples;
      for (const std::vector<double>& x : points) samples.push_back({x, run.seed(), 0, count, false});
      if (run.left() < count * static_cast<std::int64_t>(points.size() + 1)) co_return;
      const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
      model = astro.interpolated(at, points, means);
      const auto least = std::ranges::min_element(means, {}, &SampleMean::mean);
      best = {points[static_cast<std::size_t>(least - means.begin())], *least};
    }
    impl::AstroPoint next{astro.moved(at.x, model.minimum(radius)), {}};
    if (run.left() < count * (has_gradient ? run.gradient_cost() : 1)) co_return;
    std::vector<Sample> samples;
    samples.push_back(astro.extension(next, count, has_gradient));
    const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
    next.mean = means.front();
    const double expected = -model.change(astro.move_between(at.x, next.x));
    double found = at.mean.mean - next.mean.mean;
    bool is_success = expected > 0 && found >= options.acceptance * expected;
    const bool is_great = is_success && found >= options.success * expected;
    if (best.mean.count > 0 && best.mean.mean < next.mean.mean && best.mean.mean < at.mean.mean) {
      next = std::move(best);  // an interpolation point is lower than the model's minimum
      is_success = true;
    }
    if (is_success) {
      at = std::move(next);
      run.recommend(at.x);
      if (is_great) radius = std::min(options.growth * radius, options.largest_radius);
    } else {
      radius *= options.shrinkage;
    }
  }
}

}  // namespace sporos
