// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/random/decision_engine.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/stochastic_approximation.hpp>

#include <boost/random/bernoulli_distribution.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

namespace sporos {

// The namespace has a name because a coroutine's frame has members of these types.
namespace impl {

// Moves x by a gradient.
class Stepper {
 public:
  // Takes the maximum number of steps.
  Stepper(const StochasticApproximationOptions& options, std::size_t dimension, std::int64_t max_steps)
      : m_options(options),
        m_stability(std::min(static_cast<double>(max_steps) / 10, 100.0)),
        m_mean(dimension),
        m_square(dimension) {}

  void move(std::vector<double>& x, const std::vector<double>& gradient) {
    ++m_steps;
    const double k = static_cast<double>(m_steps);
    const double b1 = m_options.first_moment, b2 = m_options.second_moment;
    m_size += (std::pow(largest(gradient), 2) - m_size) / k;
    const double gain = m_options.step / (std::sqrt(m_size) + tiny);
    const double decay = std::pow((m_stability + 1) / (m_stability + k), m_options.decay);
    const bool is_adam = m_options.scaling == StepScaling::adam;
    const double known_1 = is_adam ? 1 - std::pow(b1, k) : 0, known_2 = is_adam ? 1 - std::pow(b2, k) : 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double g = gradient[i];
      switch (m_options.scaling) {
        case StepScaling::robbins_monro:
          x[i] -= gain * decay * g;
          break;
        case StepScaling::adagrad:
          m_square[i] += g * g;
          x[i] -= m_options.step * g / (std::sqrt(m_square[i]) + tiny);
          break;
        case StepScaling::adam:
          m_mean[i] += (1 - b1) * (g - m_mean[i]);
          m_square[i] += (1 - b2) * (g * g - m_square[i]);
          x[i] -= decay * m_options.step * (m_mean[i] / known_1) / (std::sqrt(m_square[i] / known_2) + tiny);
          break;
      }
    }
  }

  // Metric in which a point is projected onto the region: that of the last step's lengths; empty if these are equal.
  std::vector<double> metric() const {
    std::vector<double> weights;
    if (m_options.scaling == StepScaling::robbins_monro) return weights;
    for (const double square : m_square) weights.push_back(std::sqrt(square) + tiny);
    return weights;
  }

 private:
  static constexpr double tiny = 1e-8;

  static double largest(const std::vector<double>& gradient) {
    double most = 0;
    for (const double g : gradient) most = std::max(most, std::abs(g));
    return most;
  }

  StochasticApproximationOptions m_options;
  double m_stability, m_size = 0;        // for Robbins–Monro
  std::vector<double> m_mean, m_square;  // Adam's averages or AdaGrad's sum
  std::int64_t m_steps = 0;
};

// Two points on either side of x for SPSA, moved into the region.
class SpsaPoints {
 public:
  SpsaPoints(const SearchRun& run, const std::vector<double>& x, double spread, DecisionEngine& engine)
      : m_above(x), m_below(x) {
    const boost::random::bernoulli_distribution<double> is_up(0.5);
    const SearchRegion region = run.region();
    const std::span<const DecisionRange> bounds = run.bounds();  // asks several problems, one within the other
    m_widths.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double reach = spread * std::max(1.0, std::abs(x[i])) * (is_up(engine) ? 1 : -1);
      const auto& [low, high, is_integer] = bounds[i];
      m_above[i] = std::clamp(x[i] + reach, low, high);
      m_below[i] = std::clamp(x[i] - reach, low, high);
      m_widths.push_back(m_above[i] - m_below[i]);
    }
    m_above = region.projected(std::move(m_above));
    m_below = region.projected(std::move(m_below));
  }

  // Returns a point, once.
  std::vector<double> take_above() { return std::move(m_above); }
  std::vector<double> take_below() { return std::move(m_below); }

  // Gradient estimate from the difference of the objective between the points; 0 for a coordinate held by its bounds.
  // If a constraint moves the points, the estimate's mean is the gradient times a matrix that only shrinks the
  // component across the constraint.
  std::vector<double> gradient(double difference) const {
    std::vector<double> slopes(m_widths.size());
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = m_widths[i] != 0 ? difference / m_widths[i] : 0;
    return slopes;
  }

 private:
  std::vector<double> m_above, m_below;
  std::vector<double> m_widths;  // before the constraint moved the points
};

}  // namespace impl

void check(const StochasticApproximationOptions& options) {
  const auto check_share = [](std::string_view name, double value) {
    impl::check_parameter(value >= 0 && value < 1, name, value, "at least 0 and less than 1");
  };
  impl::check_parameter(options.replications >= 1, "replications at a point", options.replications, "at least 1");
  check_positive("step", options.step);
  impl::check_parameter(options.decay >= 0 && options.decay <= 1, "decay", options.decay, "at least 0 and at most 1");
  impl::check_parameter(options.averaging >= 0, "averaging", options.averaging, "at least 0");
  check_share("first moment", options.first_moment);
  check_share("second moment", options.second_moment);
  check_positive("spread", options.spread);
}

Search stochastic_approximation(SearchRun& run, StochasticApproximationOptions options) {
  refuse_constraints_on_means(run);
  check(options);
  const bool has_gradient = options.gradient == GradientSource::problem;
  const std::int64_t of_step = options.replications * (has_gradient ? run.gradient_cost() : 2);
  std::vector<double> x = run.start(), mean = x, feasible, mean_before = x;
  impl::Stepper stepper(options, run.dimension(), run.left() / of_step);
  DecisionEngine engine = decision_engine(RandomDecision::search, run.seed());
  run.recommend(x);
  for (std::int64_t k = 1; run.left() >= of_step; ++k) {
    std::vector<double> gradient;
    if (has_gradient) {
      std::vector<Sample> samples;
      samples.push_back(run.fresh_sample(x, options.replications, true));
      std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
      gradient = std::move(means.front().gradient);
    } else {
      impl::SpsaPoints points(run, x, options.spread * std::pow(static_cast<double>(k), -0.101), engine);
      std::vector<Sample> samples;
      samples.reserve(2);
      samples.push_back(run.fresh_sample(points.take_above(), options.replications));
      const Sample& above = samples.front();
      samples.push_back({points.take_below(), above.seed, above.first, above.count});
      const std::vector<SampleMean> means = co_await run.evaluate(std::move(samples));
      gradient = points.gradient(means[0].mean - means[1].mean);
    }
    if (gradient.empty()) {
      if (feasible.empty()) co_return;
      x = run.halfway(std::move(x), feasible);
      mean = mean_before;
    } else {
      // A point next to x may be infeasible; its mean is infinite.
      if (!std::ranges::all_of(gradient, [](double slope) { return std::isfinite(slope); })) continue;
      feasible = x;
      mean_before = mean;
      stepper.move(x, gradient);
      x = run.region().projected(std::move(x), stepper.metric());
    }
    const double eta = options.averaging, share = std::isinf(eta) ? 1 : (eta + 1) / (static_cast<double>(k) + eta);
    for (std::size_t i = 0; i < x.size(); ++i) mean[i] += share * (x[i] - mean[i]);
    run.recommend(mean);
  }
}

}  // namespace sporos
