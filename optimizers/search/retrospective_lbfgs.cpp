// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/retrospective_lbfgs.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace sporos {

// Named, as a coroutine's frame has members of these types.
namespace impl {

// The approximate inverse Hessian within bounds, in units of the scales: 0 for coordinates that are held at a bound,
// a multiple of the identity for those that it takes to one, L-BFGS for the others.
class ProjectedHessian {
 public:
  ProjectedHessian(const SearchRun& run, const RetrospectiveLbfgsOptions& options)
      : m_run(run), m_options(options), m_length(options.step), m_kinds(run.dimension()) {
    for (const double start : run.start()) m_scales.push_back(std::max(1.0, std::abs(start)));
  }

  // For a point with that gradient.
  void set_at(const std::vector<double>& x, const std::vector<double>& gradient) {
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

  // gᵀHg.
  double square(const std::vector<double>& gradient) const {
    const std::vector<double> slopes = scaled(gradient);
    return dot(slopes, times(slopes));
  }

  // −Hg, in the coordinates' own units, its greatest coordinate limited.
  std::vector<double> move(const std::vector<double>& gradient) const {
    std::vector<double> result = times(scaled(gradient));
    double most = 0;
    for (const double part : result) most = std::max(most, std::abs(part));
    const double factor = most > m_options.greatest_step ? m_options.greatest_step / most : 1;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= -factor * m_scales[i];
    return result;
  }

  // From a step between two points. Where the gradient has not grown along it, the next one is to be longer.
  void learn(const BatchedPoint& from, const BatchedPoint& to) {
    Pair pair{std::vector<double>(m_scales.size()), std::vector<double>(m_scales.size())};
    for (std::size_t i = 0; i < m_scales.size(); ++i) {
      pair.s[i] = (to.x[i] - from.x[i]) / m_scales[i];
      pair.y[i] = (to.all.gradient[i] - from.all.gradient[i]) * m_scales[i];
    }
    if (!is_convex(dot(pair.s, pair.y), dot(pair.s, pair.s), dot(pair.y, pair.y))) {
      m_length = std::min(2 * m_length, m_options.greatest_step);
      return;
    }
    m_pairs.push_back(std::move(pair));
    if (m_pairs.size() > static_cast<std::size_t>(m_options.pairs)) m_pairs.pop_front();
  }

  // Forgets all pairs. Whether there were any.
  bool forget() {
    const bool had_pairs = !m_pairs.empty();
    m_pairs.clear();
    m_length = m_options.step;
    return had_pairs;
  }

 private:
  enum class Kind { free, near_bound, held };
  struct Pair {
    std::vector<double> s, y;
  };

  static bool is_convex(double sy, double ss, double yy) { return sy > 1e-10 * std::sqrt(ss * yy); }

  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  double free_dot(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += m_kinds[i] == Kind::free ? a[i] * b[i] : 0;
    return sum;
  }

  std::vector<double> scaled(const std::vector<double>& gradient) const {
    std::vector<double> slopes = gradient;
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] *= m_scales[i];
    return slopes;
  }

  double factor_of_pairs() const {
    return dot(m_pairs.back().s, m_pairs.back().y) / dot(m_pairs.back().y, m_pairs.back().y);
  }

  // H v, its free part by the two loops over the pairs' free parts.
  std::vector<double> times(std::vector<double> v) const {
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

  const SearchRun& m_run;
  RetrospectiveLbfgsOptions m_options;
  std::vector<double> m_scales;
  double m_length, m_factor = 0;  // of a first step; of the identity
  std::vector<Kind> m_kinds;
  std::deque<Pair> m_pairs;
};

// One run: what its stages share.
class RetrospectiveRun {
 public:
  RetrospectiveRun(SearchRun& run, const RetrospectiveLbfgsOptions& options) : m_run(run), m_options(options) {}

  // Replications of each batch in the stage after one of `of_batch`; no more where what is left is too little for one.
  std::int64_t next_stage(std::int64_t of_batch) const {
    const auto wanted = static_cast<std::int64_t>(std::ceil(m_options.growth * static_cast<double>(of_batch)));
    // What it adds, and two points of it.
    return std::min(wanted, (m_run.left() / batch_count + of_batch) / 3);
  }

  // All replications of a stage at x.
  std::vector<Sample> samples(const std::vector<double>& x, std::int64_t of_batch) const {
    return samples_from(x, 0, of_batch);
  }
  // Those that `point` lacks.
  std::vector<Sample> extension(const BatchedPoint& point, std::int64_t of_batch) const {
    return samples_from(point.x, point.all.count, of_batch - point.replications_of_batch());
  }

  // Whether H may say something of that point.
  static bool has_gradient(const BatchedPoint& point) { return !point.all.gradient.empty(); }

  // Whether what is left to gain at a point is less than its sample tells.
  bool is_optimal(const BatchedPoint& at, const ProjectedHessian& hessian) const {
    double noise = 0;
    for (const SampleMean& batch : at.batches) {
      std::vector<double> deviation = batch.gradient;
      for (std::size_t i = 0; i < deviation.size(); ++i) deviation[i] -= at.all.gradient[i];
      noise += hessian.square(deviation) / static_cast<double>(batch_count * (batch_count - 1));
    }
    return hessian.square(at.all.gradient) <= m_options.tolerance * noise;
  }

  // The point at that part of the move.
  std::vector<double> moved(const BatchedPoint& at, const std::vector<double>& move, double part) const {
    std::vector<double> x = at.x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += part * move[i];
    return m_run.within_bounds(std::move(x));
  }

  // How much f_N falls or rises to x by the gradient alone.
  static double linear_change(const BatchedPoint& at, const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += at.all.gradient[i] * (x[i] - at.x[i]);
    return sum;
  }

  // Of a move of which a part led to a mean that is too large, the next part: the least of a parabola.
  static double next_part(double part, double linear, double change) {
    const double best = 0.5 * part * -linear / (change - linear);
    return std::isfinite(change) ? std::clamp(best, 0.1 * part, 0.5 * part) : 0.25 * part;
  }

 private:
  std::vector<Sample> samples_from(const std::vector<double>& x, std::int64_t first, std::int64_t of_batch) const {
    std::vector<Sample> samples;
    append_batches(samples, m_run, x, {first, of_batch, of_batch}, true);
    return samples;
  }

  SearchRun& m_run;
  RetrospectiveLbfgsOptions m_options;
};

}  // namespace impl

void check(const RetrospectiveLbfgsOptions& options) {
  impl::check_parameter(options.replications >= 1, "replications of the first stage", options.replications,
                        "at least 1");
  impl::check_parameter(options.growth >= 1 && std::isfinite(options.growth), "growth", options.growth,
                        "a finite number of at least 1");
  impl::check_parameter(options.tolerance >= 0 && std::isfinite(options.tolerance), "tolerance", options.tolerance,
                        "a finite number of at least 0");
  check_positive("step", options.step);
  impl::check_parameter(options.greatest_step >= options.step, "greatest step", options.greatest_step,
                        "at least the step");
  impl::check_parameter(options.pairs >= 1, "number of correction pairs", options.pairs, "at least 1");
  impl::check_parameter(options.trials >= 1, "trials of a line search", options.trials, "at least 1");
}

Search retrospective_lbfgs(SearchRun& run, RetrospectiveLbfgsOptions options) {
  check(options);
  const impl::RetrospectiveRun stages(run, options);
  impl::ProjectedHessian hessian(run, options);
  impl::BatchedPoint at{run.start(), {}, {}};
  run.recommend(at.x);
  std::int64_t of_batch = (options.replications + impl::batch_count - 1) / impl::batch_count;
  while (run.left() >= (of_batch - at.replications_of_batch()) * impl::batch_count) {
    {
      const std::vector<SampleMean> means = co_await run.evaluate(stages.extension(at, of_batch));
      add_batches(run, at, means);
    }
    if (!stages.has_gradient(at)) co_return;
    for (bool is_moving = true; is_moving;) {
      hessian.set_at(at.x, at.all.gradient);
      if (stages.is_optimal(at, hessian)) break;
      const std::vector<double> move = hessian.move(at.all.gradient);
      is_moving = false;
      double part = 1;
      for (std::int64_t trial = 0; trial < options.trials && run.left() >= at.all.count; ++trial) {
        impl::BatchedPoint next{stages.moved(at, move, part), {}, {}};
        const double linear = stages.linear_change(at, next.x);
        if (!(linear < 0)) break;
        const std::vector<SampleMean> means = co_await run.evaluate(stages.samples(next.x, of_batch));
        add_batches(run, next, means);
        const double change = next.all.mean - at.all.mean;
        is_moving = change <= 1e-4 * linear;
        if (is_moving) {
          hessian.learn(at, next);
          at = std::move(next);
          run.recommend(at.x);
          break;
        }
        part = stages.next_part(part, linear, change);
      }
      if (!is_moving) is_moving = hessian.forget();
    }
    const std::int64_t next = stages.next_stage(of_batch);
    if (next <= of_batch) co_return;
    of_batch = next;
  }
}

}  // namespace sporos
