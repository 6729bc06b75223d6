// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/differenced_problem.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

// Returns x with coordinate i moved, within its bounds.
Sample moved(const Sample& at, const DecisionRange& range, std::size_t i, double move) {
  Sample sample = at;
  sample.has_gradient = false;
  sample.x[i] = std::clamp(at.x[i] + move, range.low, range.high);
  return sample;
}

// Mean of a pilot's differences with step h, and variance of a single difference.
struct Differences {
  double mean, variance;
};

Differences differences(const SampleMean& above, const SampleMean& below, double width) {
  const PairedDifference rise = paired_difference(above, below);
  return {rise.mean / width, rise.variance_of_mean * static_cast<double>(above.count) / (width * width)};
}

}  // namespace

DifferencedProblem::DifferencedProblem(SampledProblem& problem, std::vector<double> steps)
    : DifferencedProblem(problem, std::function<std::vector<double>()>()) {
  take(std::move(steps));
}

DifferencedProblem::DifferencedProblem(SampledProblem& problem, std::function<std::vector<double>()> find_steps)
    : ProblemOverProblem(problem), m_find_steps(std::move(find_steps)) {
  for (std::size_t i = 0; i < dimension(); ++i) {
    if (bounds()[i].is_integer)
      throw std::invalid_argument(coordinate_name(i) + " takes whole numbers, expected a real coordinate");
  }
}

void DifferencedProblem::take(std::vector<double> steps) {
  impl::check_dimension("difference steps", static_cast<std::int64_t>(steps.size()),
                        static_cast<std::int64_t>(dimension()));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [low, high, is_integer] = bounds()[i];
    impl::check_parameter(steps[i] > 0 && steps[i] < high - low, "difference step of " + coordinate_name(i), steps[i],
                          "a positive number below the width of its range");
  }
  m_steps = std::move(steps);
}

std::vector<SampleMoments> DifferencedProblem::simulate(std::span<const Sample> samples) {
  if (std::ranges::none_of(samples, &Sample::has_gradient)) return m_problem.simulate(samples);
  if (m_steps.empty()) take(m_find_steps());
  const std::size_t d = m_steps.size(), k = quantities();
  std::vector<Sample> all;
  for (const Sample& sample : samples) {
    all.push_back(sample);
    all.back().has_gradient = false;
    if (!sample.has_gradient) continue;
    for (std::size_t i = 0; i < d; ++i) {
      for (const double move : {m_steps[i], -m_steps[i]}) all.push_back(moved(sample, bounds()[i], i, move));
    }
  }
  std::vector<SampleMoments> found = m_problem.simulate(all), moments;
  for (std::size_t s = 0, next = 0; s < samples.size(); ++s) {
    SampleMoments& at = moments.emplace_back(std::move(found[next]));
    if (!samples[s].has_gradient || at.count == 0) {
      next += samples[s].has_gradient ? 2 * d + 1 : 1;
      continue;
    }
    const auto n = static_cast<std::size_t>(at.count);
    std::vector<double> values;
    at.slopes.resize(k * d);
    // Next to an infeasible point the difference is one-sided; between two infeasible points it is 0.
    const auto side = [&](std::size_t place) -> const SampleMoments& {
      return found[place].count == 0 ? at : found[place];
    };
    for (std::size_t q = 0; q < k; ++q) {
      if (samples[s].has_values) values.insert(values.end(), &at.values[q * n], &at.values[q * n] + n);
      for (std::size_t i = 0; i < d; ++i) {
        const std::size_t above = next + 1 + 2 * i, below = above + 1;
        const double high = found[above].count == 0 ? samples[s].x[i] : all[above].x[i];
        const double low = found[below].count == 0 ? samples[s].x[i] : all[below].x[i];
        const double width = high == low ? 1 : high - low;
        at.slopes[q * d + i] = (side(above).means[q] - side(below).means[q]) / width;
        if (!samples[s].has_values) continue;
        for (std::size_t r = q * n; r < q * n + n; ++r)
          values.push_back((side(above).values[r] - side(below).values[r]) / width);
      }
    }
    at.values = std::move(values);
    next += 2 * d + 1;
  }
  return moments;
}

std::vector<double> difference_steps(SampledProblem& problem, const std::vector<double>& x,
                                     const DifferenceStepOptions& options) {
  impl::check_parameter(options.replications >= 2, "replications of a pilot", options.replications, "at least 2");
  impl::check_parameter(options.used_with >= 1, "replications of a gradient", options.used_with, "at least 1");
  check_positive("pilot step", options.pilot_step);
  const Sample at{x, options.seed, 0, options.replications, false, true};
  std::vector<Sample> samples;
  std::vector<double> steps;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const DecisionRange& range = problem.bounds()[i];
    steps.push_back(std::min(options.pilot_step * std::max(1.0, std::abs(x[i])), (range.high - range.low) / 4));
    Sample middle = at;  // keeps all points of the pilot within the bounds
    middle.x[i] = std::clamp(x[i], range.low + steps[i], range.high - steps[i]);
    for (const double part : {1.0, -1.0, 0.5, -0.5}) samples.push_back(moved(middle, range, i, part * steps[i]));
  }
  const std::vector<SampleMean> means = problem.evaluate(samples);
  const auto n = static_cast<double>(options.used_with), pilot = static_cast<double>(options.replications);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto of_coordinate = std::span(means).subspan(4 * i, 4);
    if (std::ranges::any_of(of_coordinate, [](const SampleMean& mean) { return mean.count == 0; })) continue;
    const double h = steps[i];
    const Differences wide = differences(means[4 * i], means[4 * i + 1], 2 * h);
    const Differences narrow = differences(means[4 * i + 2], means[4 * i + 3], h);
    if (narrow.variance == 0) continue;  // the difference is not random
    // The bias of the narrow differences is a third of their distance from the wide ones. If noise hides it, use that.
    const double noise = std::sqrt((wide.variance + narrow.variance) / pilot);
    const double bias = std::max(std::abs(wide.mean - narrow.mean), noise) * 4 / 3 / (h * h);
    const double power = std::clamp(std::log2(narrow.variance / std::max(wide.variance, 1e-300)), 0.05, 2.0);
    const double best = std::pow(power * wide.variance * std::pow(h, power) / (4 * bias * bias * n), 1 / (4 + power));
    const DecisionRange& range = problem.bounds()[i];
    steps[i] = std::clamp(best, h / 100, std::min(4 * h, (range.high - range.low) / 4));
  }
  return steps;
}

}  // namespace sporos
