// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/constrained/tail_problem.hpp>

#include <sporos/core/math/count.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/optimizers/checks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace sporos {

namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(std::span<const double> values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.size() < 2 ? 0 : std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// Returns the ⌈level n⌉-th smallest value.
double quantile_of(std::vector<double> values, double level) {
  const double rank = std::ceil(level * static_cast<double>(values.size()) * (1 - 1e-12));
  const auto place = static_cast<std::ptrdiff_t>(std::clamp(rank - 1, 0.0, static_cast<double>(values.size() - 1)));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

// Returns t + mean of (z − t)⁺ / (1 − level).
double tail_mean(std::span<const double> values, double level, double threshold) {
  double excess = 0;
  for (const double z : values) excess += std::max(0.0, z - threshold);
  return threshold + excess / static_cast<double>(values.size()) / (1 - level);
}

// Smooth replacement for the derivative of 1{z > 0}.
class SmoothedSlope {
 public:
  explicit SmoothedSlope(const std::vector<double>& values) {
    const double middle = 0.75 * (quantile_of(values, 0.75) - quantile_of(values, 0.25)), all = deviation_of(values);
    m_width = 0.4 * (middle > 0 ? std::min(middle, all) : all);
    m_centre = std::ranges::find(values, 0.0) == values.end() ? 0 : m_width;
  }

  double operator()(double z) const {
    const double u = (z - m_centre) / m_width;
    return m_width > 0 && std::abs(u) < 1 ? 0.75 * (1 - u * u) / m_width : 0;
  }

 private:
  double m_width, m_centre;
};

// Adds the combination by `weights` of the wrapped problem's quantities: column 0 holds values, the others derivatives.
void add_column(std::span<const double> weights, const SampleMoments& below, std::size_t columns, std::size_t column,
                std::span<double> to) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const double* const from = below.values.data() + (i * columns + column) * to.size();
    for (std::size_t r = 0; r < to.size(); ++r) to[r] += weights[i] * from[r];
  }
}

// Returns Σ (Yᵢ − mean)(Yⱼ − mean); those of the first quantities are known.
std::vector<double> products_of(const std::vector<std::span<const double>>& values, std::span<const double> means,
                                std::span<const double> known) {
  const std::size_t total = values.size(), n = values.front().size();
  const auto k = static_cast<std::size_t>(bounded_count(std::round(std::sqrt(static_cast<double>(known.size())))));
  std::vector<double> deviations(n * total), products(total * total);  // of one replication after the other
  for (std::size_t a = 0; a < total; ++a) {
    for (std::size_t r = 0; r < n; ++r) deviations[r * total + a] = values[a][r] - means[a];
  }
  // The processor works on the sums of several pairs at a time, but not on several terms of a sum.
  for (std::size_t r = 0; r < n; ++r) {
    const double* const of_replication = &deviations[r * total];
    for (std::size_t a = 0; a < total; ++a) {
      for (std::size_t b = k; b < total; ++b) products[a * total + b] += of_replication[a] * of_replication[b];
    }
  }
  for (std::size_t a = 0; a < k; ++a) {
    std::copy_n(known.begin() + static_cast<std::ptrdiff_t>(a * k), k, &products[a * total]);
    for (std::size_t b = k; b < total; ++b) products[b * total + a] = products[a * total + b];
  }
  return products;
}

}  // namespace

TailProblem::TailProblem(SampledProblem& problem, std::vector<TailConstraint> tails, const std::vector<double>& start,
                         std::uint64_t seed, std::int64_t pilot, std::optional<std::size_t> score)
    : ProblemOverProblem(problem),
      m_tails(std::move(tails)),
      m_thresholds(m_tails.size()),
      m_bounds(problem.bounds().begin(), problem.bounds().end()),
      m_score(score) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  impl::check_parameter(pilot >= 2, "replications of a pilot", pilot, "at least 2");
  impl::check_dimension("start", static_cast<std::int64_t>(start.size()),
                        static_cast<std::int64_t>(problem.dimension()));
  for (const TailConstraint& tail : m_tails) {
    impl::check_dimension("weights of " + tail.name, static_cast<std::int64_t>(tail.weights.size()),
                          static_cast<std::int64_t>(problem.quantities()));
    if (tail.measure == TailMeasure::probability) continue;
    impl::check_parameter(tail.level > 0 && tail.level < 1, "level of " + tail.name, tail.level,
                          "a number between 0 and 1");
    if (tail.is_reversed)
      throw std::invalid_argument(tail.name + " has a lower limit, expected an upper limit of the CVaR");
    m_thresholds[static_cast<std::size_t>(&tail - m_tails.data())].coordinate = m_bounds.size();
    m_bounds.push_back({-infinity, infinity});
  }
  if (m_bounds.size() == problem.dimension()) return;
  const std::vector<Sample> sample{{start, seed, 0, pilot, false, true}};
  const SampleMoments found = m_problem.simulate(sample).front();
  if (found.count == 0) throw std::invalid_argument("the start is infeasible for the model, expected a feasible point");
  for (std::size_t tail = 0; tail < m_tails.size(); ++tail) {
    Threshold& threshold = m_thresholds[tail];
    if (threshold.coordinate == 0) continue;
    const std::vector<double> values = tail_values(tail, start, found);
    threshold.centre = quantile_of(values, m_tails[tail].level);
    const double way = std::abs(m_tails[tail].limit(start, {}) - threshold.centre);
    const double spread = std::max(deviation_of(values), way);
    threshold.spread = spread > 0 ? spread : 1;
  }
}

std::vector<double> TailProblem::with_thresholds(std::vector<double> x) const {
  x.resize(m_bounds.size());
  return x;
}

std::vector<double> TailProblem::with_best_thresholds(std::vector<double> x, std::int64_t replications,
                                                      std::uint64_t seed, std::int64_t first) {
  if (m_bounds.size() == own_dimension()) return x;
  const std::vector<double> own(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(own_dimension()));
  const std::vector<Sample> sample{{own, seed, first, replications, false, true}};
  const SampleMoments found = m_problem.simulate(sample).front();
  for (std::size_t tail = 0; tail < m_tails.size() && found.count > 0; ++tail) {
    const auto& [coordinate, centre, spread] = m_thresholds[tail];
    if (coordinate != 0)
      x[coordinate] = (quantile_of(tail_values(tail, own, found), m_tails[tail].level) - centre) / spread;
  }
  return x;
}

double TailProblem::threshold(std::size_t tail, std::span<const double> x) const {
  const auto& [coordinate, centre, spread] = m_thresholds[tail];
  return centre + spread * x[coordinate];
}

// Returns Z of each replication.
std::vector<double> TailProblem::tail_values(std::size_t tail, std::span<const double> x,
                                             const SampleMoments& below) const {
  const std::size_t d = own_dimension(), columns = below.slopes.empty() ? 1 : 1 + d;
  std::vector<double> values(static_cast<std::size_t>(below.count), m_tails[tail].offset(x.first(d), {}));
  add_column(m_tails[tail].weights, below, columns, 0, values);
  return values;
}

std::vector<SampleMoments> TailProblem::simulate(std::span<const Sample> samples) {
  std::vector<Sample> below(samples.begin(), samples.end());
  for (Sample& sample : below) {
    sample.x.resize(own_dimension());
    sample.has_values = true;
  }
  const std::vector<SampleMoments> moments = m_problem.simulate(below);
  std::vector<SampleMoments> found;
  for (std::size_t i = 0; i < samples.size(); ++i)
    found.push_back(moments[i].count == 0 ? moments[i] : extended(samples[i], moments[i]));
  return found;
}

// Contribution of one replication to the measure.
double TailProblem::measured(std::size_t tail, std::span<const double> x, double z) const {
  const TailConstraint& of = m_tails[tail];
  if (of.measure == TailMeasure::probability) return static_cast<double>(z > 0);
  const double t = threshold(tail, x);
  return t + std::max(0.0, z - t) / (1 - of.level);
}

// Returns a tail's measure, replication by replication; `slopes` are its derivatives by each coordinate.
TailProblem::TailSample TailProblem::tail_sample(std::size_t tail, const Sample& sample,
                                                 const SampleMoments& below) const {
  const TailConstraint& of = m_tails[tail];
  const bool is_probability = of.measure == TailMeasure::probability;
  const double t = is_probability ? 0 : threshold(tail, sample.x), share = is_probability ? 1 : 1 / (1 - of.level);
  TailSample found{tail_values(tail, sample.x, below), {}, 0};
  std::vector<double>& z = found.values;
  if (!is_probability) found.least = tail_mean(z, of.level, quantile_of(z, of.level));
  if (sample.has_gradient) {
    const SmoothedSlope smoothed(z);
    std::vector<double> by_z;
    for (const double value : z) by_z.push_back(is_probability ? smoothed(value) : value > t ? share : 0);
    found.slopes = tail_slopes(tail, sample, below, z, by_z);
  }
  for (double& value : z) value = measured(tail, sample.x, value);
  return found;
}

std::vector<double> TailProblem::tail_slopes(std::size_t tail, const Sample& sample, const SampleMoments& below,
                                             const std::vector<double>& z, const std::vector<double>& by_z) const {
  const std::size_t d = own_dimension(), n = by_z.size();
  std::vector<double> slopes(m_bounds.size() * n), of_offset(d);
  const double offset = m_tails[tail].offset(std::span(sample.x).first(d), of_offset);
  // The threshold itself gets no score, because it is the same in all replications.
  const double constant = m_thresholds[tail].coordinate == 0 ? 0 : threshold(tail, sample.x);
  for (std::size_t i = 0; i < d; ++i) {
    const auto column = std::span(slopes).subspan(i * n, n);
    std::ranges::fill(column, of_offset[i]);
    add_column(m_tails[tail].weights, below, 1 + d, 1 + i, column);
    const double* const score = m_score ? below.values.data() + (*m_score * (1 + d) + 1 + i) * n : nullptr;
    for (std::size_t r = 0; r < n; ++r) {
      if (score == nullptr) {
        column[r] *= by_z[r];
      } else {
        const double along_path = column[r] - (z[r] - offset) * score[r];
        column[r] = (measured(tail, sample.x, z[r]) - constant) * score[r] + by_z[r] * along_path;
      }
    }
  }
  const auto& [coordinate, centre, spread] = m_thresholds[tail];
  for (std::size_t r = 0; r < n && coordinate != 0; ++r) slopes[coordinate * n + r] = spread * (1 - by_z[r]);
  return slopes;
}

// Returns the moments of a sample, with the tails after the quantities of the wrapped problem.
SampleMoments TailProblem::extended(const Sample& sample, const SampleMoments& below) const {
  const std::size_t d = own_dimension(), k = below.means.size(), added = m_bounds.size() - d;
  const auto n = static_cast<std::size_t>(below.count);
  const std::size_t columns = sample.has_gradient ? 1 + d : 1;
  SampleMoments found{below.count, below.means, {}, {}, {}};
  // The wrapped problem's quantities have derivative 0 by thresholds.
  for (std::size_t i = 0; i < k && sample.has_gradient; ++i) {
    found.slopes.insert(found.slopes.end(), &below.slopes[i * d], &below.slopes[i * d] + d);
    found.slopes.insert(found.slopes.end(), added, 0.0);
  }
  for (std::size_t i = 0; i < k && sample.has_values; ++i) {
    const double* const first = below.values.data() + i * columns * n;
    found.values.insert(found.values.end(), first, first + columns * n);
    if (sample.has_gradient) found.values.insert(found.values.end(), added * n, 0.0);
  }
  std::vector<std::span<const double>> values;  // by quantity
  for (std::size_t i = 0; i < k; ++i) values.push_back(std::span(below.values).subspan(i * columns * n, n));
  std::vector<TailSample> tails;
  tails.reserve(m_tails.size());
  for (std::size_t tail = 0; tail < m_tails.size(); ++tail) {
    const TailSample& of_tail = tails.emplace_back(tail_sample(tail, sample, below));
    if (m_thresholds[tail].coordinate != 0) found.least.push_back(of_tail.least);
    found.means.push_back(mean_of(of_tail.values));
    for (std::size_t first = 0; first < of_tail.slopes.size(); first += n)
      found.slopes.push_back(mean_of(std::span(of_tail.slopes).subspan(first, n)));
    if (sample.has_values) {
      found.values.insert(found.values.end(), of_tail.values.begin(), of_tail.values.end());
      found.values.insert(found.values.end(), of_tail.slopes.begin(), of_tail.slopes.end());
    }
    values.push_back(of_tail.values);
  }
  found.products = products_of(values, found.means, below.products);
  return found;
}

double TailProblem::objective(std::span<const double> x, std::span<const double> means,
                              std::span<double> by_coordinates, std::span<double> by_means) const {
  const std::size_t d = own_dimension(), k = m_problem.quantities();
  std::ranges::fill(by_coordinates, 0.0);
  std::ranges::fill(by_means, 0.0);
  return m_problem.objective(x.first(d), means.first(k), by_coordinates.first(std::min(d, by_coordinates.size())),
                             by_means.first(std::min(k, by_means.size())));
}

double TailProblem::constraint_on_means(std::size_t j, std::span<const double> x, std::span<const double> means,
                                        std::span<double> by_coordinates, std::span<double> by_means) const {
  const std::size_t d = own_dimension(), k = m_problem.quantities(), below = m_problem.constraints_on_means();
  std::ranges::fill(by_coordinates, 0.0);
  std::ranges::fill(by_means, 0.0);
  const auto own_slopes = by_coordinates.first(std::min(d, by_coordinates.size()));
  if (j < below)
    return m_problem.constraint_on_means(j, x.first(d), means.first(k), own_slopes,
                                         by_means.first(std::min(k, by_means.size())));
  const TailConstraint& tail = m_tails[j - below];
  const double sign = tail.is_reversed ? -1 : 1, limit = tail.limit(x.first(d), own_slopes);
  for (double& slope : own_slopes) slope *= -sign;
  if (!by_means.empty()) by_means[k + j - below] = sign;
  return sign * (means[k + j - below] - limit);
}

ResponseRange TailProblem::quantity_range(std::size_t quantity, std::span<const double> x) const {
  if (quantity >= m_problem.quantities()) return {};
  return m_problem.quantity_range(quantity, x.first(own_dimension()));
}

ConstraintBounds TailProblem::constraint_bounds(std::size_t j, std::span<const double> x,
                                                std::span<const SampleMoments> batches, double confidence) const {
  const std::size_t below = m_problem.constraints_on_means(), place = m_problem.quantities() + j - below;
  ConstraintBounds found = SampledProblem::constraint_bounds(j, x, batches, confidence);
  if (j < below) return found;
  const TailConstraint& tail = m_tails[j - below];
  const double limit = tail.limit(x.first(own_dimension()), {});
  if (tail.measure == TailMeasure::probability) {
    std::int64_t events = 0, count = 0;
    for (const SampleMoments& batch : batches) {
      events += bounded_count(std::round(batch.means[place] * static_cast<double>(batch.count)));
      count += batch.count;
    }
    const double low = proportion_at_least(events, count, confidence),
                 high = proportion_at_most(events, count, confidence);
    return tail.is_reversed ? ConstraintBounds{found.mean, limit - high, limit - low}
                            : ConstraintBounds{found.mean, low - limit, high - limit};
  }
  const auto rank = std::count_if(m_tails.begin(), m_tails.begin() + static_cast<std::ptrdiff_t>(j - below),
                                  [](const TailConstraint& other) { return other.measure == TailMeasure::cvar; });
  std::vector<double> least;
  for (const SampleMoments& batch : batches) least.push_back(batch.least[static_cast<std::size_t>(rank)]);
  const double reach = one_sided_student_t(confidence, static_cast<std::int64_t>(least.size())) * deviation_of(least) /
                       std::sqrt(static_cast<double>(least.size()));
  found.lower = mean_of(least) - reach - limit;
  return found;
}

std::string TailProblem::coordinate_name(std::size_t coordinate) const {
  for (std::size_t tail = 0; tail < m_tails.size(); ++tail) {
    if (coordinate != 0 && m_thresholds[tail].coordinate == coordinate) return "threshold of " + m_tails[tail].name;
  }
  return m_problem.coordinate_name(coordinate);
}

}  // namespace sporos
