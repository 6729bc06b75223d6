// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/r_spline.hpp>

#include <boost/random/uniform_real_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

using Point = std::vector<double>;

// One run of R-SPLINE: its lattice and the estimates at the points it visited.
class SplineRun {
 public:
  SplineRun(SearchRun& run, const RSplineOptions& options) : m_run(run) {
    for (std::size_t i = 0; i < run.dimension(); ++i) {
      const bool is_integer = run.bounds()[i].is_integer;
      m_spacing.push_back(is_integer ? 1 : options.step * std::max(1.0, std::abs(run.start()[i])));
    }
  }

  // Halves the spacing of real coordinates.
  void refine() {
    for (std::size_t i = 0; i < m_spacing.size(); ++i) {
      if (!m_run.bounds()[i].is_integer) m_spacing[i] /= 2;
    }
  }

  // Returns x and the points one spacing away along each coordinate.
  std::vector<Point> neighbours(const Point& x) const {
    std::vector<Point> points{x};
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (const double side : {1.0, -1.0}) {
        Point next = x;
        next[i] += side * m_spacing[i];
        if (lies_within(next)) points.push_back(std::move(next));
      }
    }
    return points;
  }

  // Vertices of the lattice simplex around the perturbed x. From one vertex to the next, one coordinate steps up, in
  // the order of their fractional parts. Empty if a bound prevents this.
  std::vector<Point> simplex(const Point& x, DecisionEngine& engine) const {
    const boost::random::uniform_real_distribution<double> perturbation(-0.3, 0.3);
    std::vector<double> parts;
    std::vector<std::size_t> order(x.size());
    Point z = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      double shift = perturbation(engine);
      const auto& [low, high, is_integer] = m_run.bounds()[i];
      if (shift < 0 ? x[i] - m_spacing[i] < low : x[i] + m_spacing[i] > high) shift = -shift;
      if (shift < 0) z[i] -= m_spacing[i];
      parts.push_back(shift < 0 ? 1 + shift : shift);
    }
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::greater<>(), [&](std::size_t i) { return parts[i]; });
    std::vector<Point> vertices{z};
    for (const std::size_t i : order) {
      z[i] += m_spacing[i];
      vertices.push_back(z);
    }
    return std::ranges::all_of(vertices, [&](const Point& v) { return lies_within(v); }) ? vertices
                                                                                         : std::vector<Point>{};
  }

  // Slope of the linear function through the means at a simplex, per spacing.
  std::vector<double> slope(const std::vector<Point>& vertices) const {
    std::vector<double> slopes(m_spacing.size());
    for (std::size_t k = 1; k < vertices.size(); ++k) {
      const auto rise = mean(vertices[k]) - mean(vertices[k - 1]);
      for (std::size_t i = 0; i < slopes.size(); ++i) {
        if (vertices[k][i] != vertices[k - 1][i]) slopes[i] = rise;
      }
    }
    return slopes;
  }

  // Lattice point nearest to x − length · slope / |slope|, in spacings; empty if it is x or out of bounds.
  std::vector<Point> along(const Point& x, const std::vector<double>& slope, double length) const {
    double norm = 0;
    for (const double s : slope) norm += s * s;
    if (norm == 0 || !std::isfinite(norm)) return {};
    Point next = x;
    for (std::size_t i = 0; i < x.size(); ++i)
      next[i] -= std::nearbyint(length * slope[i] / std::sqrt(norm)) * m_spacing[i];
    if (next == x || !lies_within(next)) return {};
    return {next};
  }

  // Starts an iteration that estimates points on m replications.
  void begin(std::int64_t m) {
    m_replications = m;
    m_simulated = 0;
  }

  // Whether points lack replications and the budget suffices for all of them; asked() returns the missing ones.
  bool ask(const std::vector<Point>& points) {
    m_asked.clear();
    std::int64_t sum = 0;
    for (const Point& x : points) {
      const auto known = m_known.find(x);
      const std::int64_t has = known == m_known.end() ? 0 : known->second.count;
      if (known != m_known.end() && (has == 0 || has >= m_replications)) continue;
      m_asked.push_back({x, m_run.seed(), has, m_replications - has});
      sum += m_replications - has;
    }
    m_is_exhausted = m_is_exhausted || sum > m_run.left();
    return !m_asked.empty() && !m_is_exhausted;
  }
  const std::vector<Sample>& asked() const { return m_asked; }
  void learn(const std::vector<SampleMean>& means) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      SampleMean& known = m_known[m_asked[i].x];
      known = means[i].count == 0 ? means[i] : m_run.pooled(m_asked[i].x, known, means[i]);
    }
    m_simulated += static_cast<std::int64_t>(means.size());
  }

  std::int64_t simulated() const { return m_simulated; }
  bool is_exhausted() const { return m_is_exhausted; }

  // Mean at x; infinite if it is not known or x is infeasible.
  double mean(const Point& x) const {
    const auto known = m_known.find(x);
    const bool is_known = known != m_known.end() && known->second.count >= m_replications;
    return is_known ? known->second.mean : std::numeric_limits<double>::infinity();
  }
  Point lower(const Point& x, const std::vector<Point>& others) const {
    Point lowest = x;
    for (const Point& other : others) {
      if (mean(other) < mean(lowest)) lowest = other;
    }
    return lowest;
  }

  // Lowest points among those with at least half of the current number of replications.
  std::vector<Point> lowest(std::int64_t count) const {
    std::vector<std::pair<double, Point>> found;
    for (const auto& [x, mean] : m_known) {
      if (2 * mean.count >= m_replications) found.emplace_back(mean.mean, x);
    }
    std::ranges::stable_sort(found, {}, &std::pair<double, Point>::first);
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), static_cast<std::size_t>(count)); ++i)
      points.push_back(found[i].second);
    return points;
  }

 private:
  bool lies_within(const Point& x) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] < m_run.bounds()[i].low || x[i] > m_run.bounds()[i].high) return false;
    }
    return true;
  }

  SearchRun& m_run;
  Point m_spacing;
  bool m_is_exhausted = false;
  std::int64_t m_replications = 0, m_simulated = 0;
  std::map<Point, SampleMean> m_known;
  std::vector<Sample> m_asked;
};

}  // namespace impl

void check(const RSplineOptions& options) {
  const auto check_growth = [](std::string_view name, double value) {
    impl::check_parameter(value > 1 && std::isfinite(value), name, value, "a finite number above 1");
  };
  impl::check_parameter(options.replications >= 1, "replications at a point", options.replications, "at least 1");
  check_growth("growth", options.growth);
  impl::check_parameter(options.points >= 1, "points of an iteration", options.points, "at least 1");
  check_growth("growth of points", options.growth_of_points);
  check_positive("step", options.step);
  impl::check_parameter(options.max_candidates >= 1, "candidates", options.max_candidates, "at least 1");
}

Search r_spline(SearchRun& run, RSplineOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  run.check_only_bounds("R-SPLINE");
  impl::SplineRun spline(run, options);
  DecisionEngine engine = decision_engine(RandomDecision::search, run.seed());
  impl::Point best = run.start();
  run.recommend(best);
  auto replications = static_cast<double>(options.replications), points = static_cast<double>(options.points);
  while (!spline.is_exhausted()) {
    spline.begin(static_cast<std::int64_t>(replications));
    bool is_local = false;
    do {
      const std::vector<impl::Point> vertices = spline.simplex(best, engine);
      if (spline.ask(vertices)) spline.learn(co_await run.evaluate(spline.asked()));
      const std::vector<double> slope = spline.slope(vertices);
      std::vector<impl::Point> next{best};
      if (spline.ask(next)) spline.learn(co_await run.evaluate(spline.asked()));
      best = spline.lower(best, vertices);
      for (double length = 1;; length *= 2) {
        next = spline.along(best, slope, length);
        if (spline.ask(next)) spline.learn(co_await run.evaluate(spline.asked()));
        if (spline.lower(best, next) == best) break;
        best = next.front();
      }
      const std::vector<impl::Point> neighbours = spline.neighbours(best);
      if (spline.ask(neighbours)) spline.learn(co_await run.evaluate(spline.asked()));
      const impl::Point lowest = spline.lower(best, neighbours);
      is_local = lowest == best;
      best = lowest;
      run.recommend(best);
    } while (!is_local && static_cast<double>(spline.simulated()) < points && !spline.is_exhausted());
    run.consider(spline.lowest(options.max_candidates));
    if (spline.simulated() == 0) co_return;  // all points around here are infeasible
    if (is_local) spline.refine();
    replications = std::max(replications + 1, options.growth * replications);
    points *= options.growth_of_points;
  }
}

}  // namespace sporos
