// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/batched_point.hpp>
#include <sporos/optimizers/search/drawn_point.hpp>
#include <sporos/optimizers/search/retrospective_stages.hpp>
#include <sporos/optimizers/search/sampled_frank_wolfe.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// A move from a point, along the difference of two vertices.
struct FrankWolfeMove {
  std::vector<double> direction;
  double slope;         // −gᵀ direction, at least 0
  double square;        // squared length of the direction
  double longest;       // γ at the boundary
  double gap;           // gᵀ(x − s)
  double gap_variance;  // variance of the mean of the batches' gaps
};

// Computes the steps of one run.
class FrankWolfeSteps {
 public:
  FrankWolfeSteps(const SearchRun& run, const SampledFrankWolfeOptions& options) : m_run(run), m_options(options) {
    for (const double start : run.start()) m_scales.push_back(std::max(1.0, std::abs(start)));
  }

  FrankWolfeMove move_from(const BatchedPoint& at) const {
    const std::vector<double>& g = at.all.gradient;
    const std::vector<double> s = m_run.region().least(g), a = m_run.region().largest_on_face(at.x, g);
    FrankWolfeMove move{s, 0, 0, 0, slope_to(g, at.x, s), 0};
    for (std::size_t i = 0; i < s.size(); ++i) {
      move.direction[i] -= a[i];
      move.slope -= g[i] * move.direction[i];
      move.square += move.direction[i] * move.direction[i];
    }
    move.longest = m_run.region().longest_step(at.x, move.direction);
    for (const SampleMean& batch : at.batches)
      move.gap_variance += std::pow(slope_to(batch.gradient, at.x, s) - move.gap, 2) /
                           static_cast<double>(batch_count * (batch_count - 1));
    return move;
  }

  // Whether the remaining gain is below the resolution of the sample.
  bool is_optimal(const FrankWolfeMove& move) const {
    return !(move.slope > 0) || move.gap <= m_options.tolerance * std::sqrt(move.gap_variance);
  }

  // γ of the minimum by the curvature along the last direction; at first γ gives the length of a first step.
  double first_part(const FrankWolfeMove& move) const {
    if (m_curvature > 0) return std::min(move.longest, move.slope / (m_curvature * move.square));
    double most = 0;
    for (std::size_t i = 0; i < m_scales.size(); ++i) most = std::max(most, std::abs(move.direction[i]) / m_scales[i]);
    return std::min(move.longest, m_length / most);
  }

  // Returns the point at this fraction of the move. A coordinate that reaches an end of its range is set to it.
  std::vector<double> moved(const BatchedPoint& at, const FrankWolfeMove& move, double part) const {
    std::vector<double> x = at.x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto& [low, high, is_integer] = m_run.bounds()[i];
      x[i] += part * move.direction[i];
      const double rounding = 1e-12 * std::max({1.0, std::abs(low), std::abs(high)});
      if (x[i] <= low + rounding) x[i] = low;
      if (x[i] >= high - rounding) x[i] = high;
    }
    return m_run.within_region(std::move(x));
  }

  // Estimates the curvature along a step. If it is not positive, the next step will be longer.
  void learn(const BatchedPoint& from, const BatchedPoint& to) {
    double growth = 0, square = 0;
    for (std::size_t i = 0; i < m_scales.size(); ++i) {
      const double move = to.x[i] - from.x[i];
      growth += move * (to.all.gradient[i] - from.all.gradient[i]);
      square += move * move;
    }
    m_curvature = growth > 0 ? growth / square : m_curvature / 2;
    m_length *= 2;
  }

 private:
  static double slope_to(const std::vector<double>& gradient, const std::vector<double>& x,
                         const std::vector<double>& s) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += gradient[i] * (x[i] - s[i]);
    return sum;
  }

  const SearchRun& m_run;
  SampledFrankWolfeOptions m_options;
  std::vector<double> m_scales;
  double m_length = m_options.step, m_curvature = 0;
};

}  // namespace impl

void check(const SampledFrankWolfeOptions& options) {
  impl::check_stages(options.replications, options.growth, options.tolerance);
  check_positive("step", options.step);
  impl::check_parameter(options.trials >= 1, "trials of a line search", options.trials, "at least 1");
}

Search sampled_frank_wolfe(SearchRun& run, SampledFrankWolfeOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  impl::check_finite_bounds(run, "Frank-Wolfe");
  const impl::RetrospectiveStages stages(run, options.growth);
  impl::FrankWolfeSteps steps(run, options);
  impl::BatchedPoint at{run.start(), {}, {}};
  run.recommend(at.x);
  std::int64_t of_batch = (options.replications + impl::batch_count - 1) / impl::batch_count;
  while (run.left_with_gradients() >= (of_batch - at.replications_of_batch()) * impl::batch_count) {
    {
      std::vector<SampleMean> means = co_await run.evaluate(stages.extension(at, of_batch));
      add_batches(run, at, std::move(means));
    }
    if (at.all.gradient.empty()) co_return;
    for (bool is_moving = true; is_moving;) {
      const impl::FrankWolfeMove move = steps.move_from(at);
      if (steps.is_optimal(move)) break;
      is_moving = false;
      double part = steps.first_part(move);
      for (std::int64_t trial = 0; trial < options.trials && run.left_with_gradients() >= at.all.count; ++trial) {
        impl::BatchedPoint next{steps.moved(at, move, part), {}, {}};
        const double linear = impl::linear_change(at, next.x);
        if (!(linear < 0)) break;
        std::vector<SampleMean> means = co_await run.evaluate(stages.samples(next.x, of_batch));
        add_batches(run, next, std::move(means));
        const double change = next.all.mean - at.all.mean;
        is_moving = change <= 1e-4 * linear;
        if (is_moving) {
          steps.learn(at, next);
          at = std::move(next);
          run.recommend(at.x);
          break;
        }
        part = impl::next_part(part, linear, change);
      }
    }
    const std::int64_t next = stages.next_stage(of_batch);
    if (next <= of_batch) co_return;
    of_batch = next;
  }
}

}  // namespace sporos
