// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/checks.hpp>
#include <sporos/optimizers/search/sampled_problem.hpp>

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

bool are_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

// Returns the estimate of an infeasible point: an objective of +infinity, with its moments.
SampleMean infeasible(SampleMoments&& moments) {
  SampleMean found;
  found.mean = std::numeric_limits<double>::infinity();
  found.moments = std::move(moments);
  found.moments.values.clear();
  return found;
}

// Number of columns per quantity in the values of `moments`: its values, then its derivatives.
std::size_t columns_of(const SampleMoments& moments, std::size_t d) {
  return 1 + (moments.slopes.empty() ? 0 : d) + (moments.curvatures.empty() ? 0 : d);
}

// Returns, for each replication, mean + Σ weight · (value − mean of values): a column for the objective and each
// derivative.
std::vector<double> linear_values(const SampleMoments& moments, std::span<const double> weights, double mean,
                                  const std::vector<double>& gradient) {
  const auto n = static_cast<std::size_t>(moments.count);
  const std::size_t k = weights.size(), d = gradient.size();
  std::vector<double> values(n * (1 + d));
  for (std::size_t column = 0; column <= d; ++column) {
    double offset = column == 0 ? mean : gradient[column - 1];
    for (std::size_t c = 0; c < k; ++c)
      offset -= weights[c] * (column == 0 ? moments.means[c] : moments.slopes[c * d + column - 1]);
    double* const to = values.data() + column * n;
    std::fill(to, to + n, offset);
    for (std::size_t c = 0; c < k; ++c) {
      const double* const from = moments.values.data() + (c * columns_of(moments, d) + column) * n;
      for (std::size_t r = 0; r < n; ++r) to[r] += weights[c] * from[r];
    }
  }
  return values;
}

// A point (x, means) of g and its change along a direction. `slopes` are derivatives of g there, by x, then by means.
struct PlaceOfFunction {
  std::vector<double> at, along;
  std::size_t d;

  std::vector<double> slopes(const SampledProblem& problem, double step) const {
    std::vector<double> moved = at, found(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) moved[i] += step * along[i];
    const std::span<const double> place(moved);
    const std::span<double> by_all(found);
    problem.objective(place.first(d), place.subspan(d), by_all.first(d), by_all.subspan(d));
    return found;
  }

  // Step that changes nothing by more than a thousandth, except that coordinates change by at least 1e-5 of max(1,
  // |x|). Otherwise a mean near 0 would make it too short.
  double step() const {
    double change = 0, change_of_coordinates = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double size = std::abs(at[i]), moved = std::abs(along[i]);
      change = std::max(change, moved / (size == 0 ? 1 : size));
      if (i < d) change_of_coordinates = std::max(change_of_coordinates, moved / std::max(1.0, size));
    }
    return change > 0 ? std::max(1e-3 / change, 1e-5 / change_of_coordinates) : 1e-3;
  }
};

// Derivatives of g's derivatives along a direction, with an error of the order of the step's fourth power.
std::vector<double> second_derivatives(const SampledProblem& problem, const PlaceOfFunction& place) {
  const double h = place.step();
  const auto near_above = place.slopes(problem, h), near_below = place.slopes(problem, -h),
             far_above = place.slopes(problem, 2 * h), far_below = place.slopes(problem, -2 * h);
  std::vector<double> found;
  for (std::size_t i = 0; i < place.at.size(); ++i)
    found.push_back((8 * (near_above[i] - near_below[i]) - (far_above[i] - far_below[i])) / (12 * h));
  return found;
}

// Derivative of the objective's gradient along v. With m' = ∂means · v and weights ∂g/∂m it is d/dt [∂g/∂x + Σ weightᵢ
// ∂meanᵢ] at (x + t v, means + t m').
std::vector<double> hessian_product(const SampledProblem& problem, std::span<const double> x,
                                    const SampleMoments& moments, std::span<const double> weights,
                                    std::span<const double> v) {
  const std::size_t d = x.size(), k = weights.size();
  PlaceOfFunction place{{x.begin(), x.end()}, {v.begin(), v.end()}, d};
  place.at.insert(place.at.end(), moments.means.begin(), moments.means.end());
  for (std::size_t i = 0; i < k; ++i) {
    double along = 0;
    for (std::size_t j = 0; j < d; ++j) along += moments.slopes[i * d + j] * v[j];
    place.along.push_back(along);
  }
  std::vector<double> found = second_derivatives(problem, place);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < d; ++j)
      found[j] += found[d + i] * moments.slopes[i * d + j] + weights[i] * moments.curvatures[i * d + j];
  }
  found.resize(d);
  return found;
}

// Estimate of the objective or of a constraint; its derivatives by the means are the weights of these.
struct EstimatedFunction {
  double mean = 0, squared_deviation = 0;
  std::vector<double> gradient;
  boost::container::small_vector<double, 8> weights;  // on the heap only if there are more

  bool is_finite() const { return std::isfinite(mean) && are_finite(gradient); }
};

EstimatedFunction estimated(const SampledProblem& problem, std::optional<std::size_t> constraint,
                            std::span<const double> x, const SampleMoments& moments) {
  const std::size_t k = moments.means.size();
  EstimatedFunction found;
  found.weights.resize(k);
  found.gradient.resize(moments.slopes.empty() ? 0 : x.size());
  const std::span<double> weights(found.weights.data(), k);
  found.mean = constraint ? problem.constraint_on_means(*constraint, x, moments.means, found.gradient, weights)
                          : problem.objective(x, moments.means, found.gradient, weights);
  for (std::size_t i = 0; i < k; ++i) {
    if (found.weights[i] == 0) continue;
    for (std::size_t j = 0; j < found.gradient.size(); ++j)
      found.gradient[j] += found.weights[i] * moments.slopes[i * x.size() + j];
    for (std::size_t j = 0; j < k; ++j)
      found.squared_deviation += found.weights[i] * found.weights[j] * moments.products[i * k + j];
  }
  return found;
}

// Whether a function is identical in all replications, up to rounding.
bool are_identical(const EstimatedFunction& function, const SampleMoments& moments) {
  double size = 0;
  for (std::size_t i = 0; i < moments.means.size(); ++i) size += std::abs(function.weights[i] * moments.means[i]);
  constexpr double of_rounding = 1e-13;
  return function.squared_deviation <= static_cast<double>(moments.count) * std::pow(of_rounding * size, 2);
}

// Bounds of a function that is identical in all replications: what these may have missed of the ranges.
ConstraintBounds bounds_of_unseen(const SampledProblem& problem, std::span<const double> x,
                                  const EstimatedFunction& function, const SampleMoments& moments, double confidence) {
  double below = 0, above = 0;
  for (std::size_t i = 0; i < moments.means.size(); ++i) {
    const double weight = function.weights[i];
    if (weight == 0) continue;
    const ResponseRange range = problem.quantity_range(i, x);
    const double less = std::max(moments.means[i] - range.least, 0.0),
                 more = std::max(range.most - moments.means[i], 0.0);
    below += std::abs(weight) * (weight > 0 ? less : more);
    above += std::abs(weight) * (weight > 0 ? more : less);
  }
  const double unseen = probability_unseen(moments.count, confidence);
  return {function.mean, function.mean - unseen * below, function.mean + unseen * above, below > 0 || above > 0};
}

}  // namespace

void SampleMoments::add(const SampleMoments& others) {
  values.clear();
  least.clear();
  if (failed > 0 || others.failed > 0) {
    SampleMoments none;
    none.failed = failed + others.failed;
    none.failure = failed > 0 ? failure : others.failure;
    *this = std::move(none);
    return;
  }
  if (count == 0) {
    *this = others;
    values.clear();
    least.clear();
    return;
  }
  const std::size_t k = means.size();
  const auto own = static_cast<double>(count), added = static_cast<double>(others.count);
  const double share = added / (own + added);
  for (std::size_t i = 0; i < k; ++i) {
    const double delta = others.means[i] - means[i];
    for (std::size_t j = 0; j < k; ++j)
      products[i * k + j] += others.products[i * k + j] + delta * (others.means[j] - means[j]) * own * share;
  }
  for (std::size_t i = 0; i < k; ++i) means[i] += (others.means[i] - means[i]) * share;
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] += (others.slopes[i] - slopes[i]) * share;
  for (std::size_t i = 0; i < curvatures.size(); ++i) curvatures[i] += (others.curvatures[i] - curvatures[i]) * share;
  count += others.count;
}

PairedDifference paired_difference(const SampleMean& first, const SampleMean& second) {
  const auto count = static_cast<std::size_t>(first.count);
  const auto n = static_cast<double>(first.count);
  if (first.count != second.count || first.values.size() < count || second.values.size() < count)
    throw std::invalid_argument("a paired difference requires the values of the same replications in both samples");
  const double mean = first.mean - second.mean;
  double squares = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const double deviation = first.values[r] - second.values[r] - mean;
    squares += deviation * deviation;
  }
  return {mean, squares / (n - 1) / n};
}

double SampledProblem::constraint_on_means(std::size_t, std::span<const double>, std::span<const double>,
                                           std::span<double>, std::span<double>) const {
  throw std::logic_error("the problem has no constraint on means");
}

ConstraintBounds SampledProblem::constraint_bounds(std::size_t j, std::span<const double> x,
                                                   std::span<const SampleMoments> batches, double confidence) const {
  SampleMoments all;
  for (const SampleMoments& batch : batches) all.add(batch);
  const EstimatedFunction h = estimated(*this, j, x, all);
  if (!h.is_finite()) throw std::runtime_error("a constraint is not a finite number, expected a feasible point");
  if (are_identical(h, all)) return bounds_of_unseen(*this, x, h, all, confidence);
  const auto n = static_cast<double>(all.count);
  const double reach = one_sided_student_t(confidence, all.count) * std::sqrt(h.squared_deviation / (n - 1) / n);
  return {h.mean, h.mean - reach, h.mean + reach};
}

double SampledProblem::objective(std::span<const double>, std::span<const double> means,
                                 std::span<double> by_coordinates, std::span<double> by_means) const {
  std::ranges::fill(by_coordinates, 0.0);
  std::ranges::fill(by_means, 1.0);
  return means.front();
}

std::string SampledProblem::coordinate_name(std::size_t coordinate) const {
  return "coordinate " + std::to_string(coordinate);
}

double SampledProblem::approximation(std::span<const double> x) const {
  const std::vector<double> means = approximate_means(x);
  if (means.empty() || !are_finite(means)) return std::numeric_limits<double>::quiet_NaN();
  return objective(x, means, {}, {});
}

SampleMean SampledProblem::estimate(std::span<const double> x, SampleMoments&& moments,
                                    std::span<const double> direction) const {
  if (moments.count == 0) return infeasible(std::move(moments));
  SampleMean found;
  found.count = moments.count;
  EstimatedFunction g = estimated(*this, std::nullopt, x, moments);
  if (!g.is_finite()) return infeasible(std::move(moments));
  found.mean = g.mean;
  found.squared_deviation = g.squared_deviation;
  const std::span<const double> weights(g.weights.data(), g.weights.size());
  if (!moments.curvatures.empty()) found.hessian_product = hessian_product(*this, x, moments, weights, direction);
  if (!are_finite(found.hessian_product)) return infeasible(std::move(moments));
  if (!moments.values.empty()) found.values = linear_values(moments, weights, g.mean, g.gradient);
  found.gradient = std::move(g.gradient);
  for (std::size_t j = 0; j < constraints_on_means(); ++j) {
    EstimatedFunction h = estimated(*this, j, x, moments);
    if (!h.is_finite()) return infeasible(std::move(moments));
    found.constraints.push_back({h.mean, h.squared_deviation, std::move(h.gradient)});
  }
  moments.values.clear();
  found.moments = std::move(moments);
  return found;
}

std::vector<SampleMean> SampledProblem::evaluate(std::span<const Sample> samples) {
  for (const Sample& sample : samples) {
    if (sample.direction.empty()) continue;
    if (!has_curvature()) throw std::invalid_argument("the problem has no second derivatives");
    impl::check_dimension("direction", static_cast<std::int64_t>(sample.direction.size()),
                          static_cast<std::int64_t>(dimension()));
  }
  std::vector<SampleMoments> moments = simulate(samples);
  std::vector<SampleMean> means;
  means.reserve(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    means.push_back(estimate(samples[i].x, std::move(moments[i]), samples[i].direction));
    if (means.back().is_undefined()) note_undefined(samples[i], means.back().moments);
  }
  return means;
}

std::vector<double> hessian(SampledProblem& problem, const Sample& sample) {
  const std::size_t d = problem.dimension();
  std::vector<Sample> samples(d, sample);
  for (std::size_t i = 0; i < d; ++i) {
    samples[i].has_gradient = true;
    samples[i].has_values = false;
    samples[i].direction.assign(d, 0);
    samples[i].direction[i] = 1;
  }
  std::vector<double> rows;
  for (const SampleMean& mean : problem.evaluate(samples))
    rows.insert(rows.end(), mean.hessian_product.begin(), mean.hessian_product.end());
  return rows;
}

}  // namespace sporos
