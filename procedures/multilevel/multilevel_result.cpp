// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/multilevel/multilevel_result.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace sporos {

void check(const MultilevelOptions& options) {
  constexpr double most = 1'000'000'000;
  check_positive("rmse", options.rmse);
  check_non_negative("alpha", options.alpha);
  impl::check_whole("number of pilot replications", static_cast<double>(options.pilot_replications), 2, most);
  impl::check_whole("number of levels", options.max_levels, 3, max_multilevel_levels);
  impl::check_whole("number of replications of a level", static_cast<double>(options.max_replications), 2, 0x1p53);
  impl::check_whole("number of randomizations", static_cast<double>(options.randomizations), 2, 0x1p16);
  impl::check_parameter(
      options.pilot_points >= 1 && std::has_single_bit(static_cast<std::uint64_t>(options.pilot_points)),
      "number of pilot points", static_cast<double>(options.pilot_points), "a power of two");
  impl::check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                        "a number between 0 and 1");
}

std::size_t estimates_of_level(const MultilevelOptions& options) {
  return options.sampling == LevelSampling::random ? 1 : static_cast<std::size_t>(options.randomizations);
}

namespace impl {

namespace {

// Half of the mean square error is allowed for the bias, the other half for the variance.
constexpr double share_of_bias = 0.5;

// −slope of log2 of `magnitude` over the levels after 0; at least 1/2, as in Giles' program.
template <class Magnitude>
double rate_of(const std::vector<LevelEstimate>& levels, const Magnitude& magnitude) {
  double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t l = 1; l < levels.size(); ++l) {
    const double value = magnitude(levels[l]);
    if (!(value > 0)) continue;
    const auto x = static_cast<double>(l);
    const double y = std::log2(value);
    n += 1, sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
  }
  const double spread = n * sum_xx - sum_x * sum_x;
  return spread > 0 ? std::max(0.5, -(n * sum_xy - sum_x * sum_y) / spread) : 0.5;
}

// Half-width of an interval about a normal estimate with a bias of at most `bias`, so that its coverage is at least
// `confidence`: error · c with P(|Z + bias / error| <= c) = confidence, Z standard normal.
double half_width_with_bias(double error, double bias, double confidence) {
  const double shift = bias / error;
  constexpr double far = 10;  // beyond this value, the other tail is negligible
  if (!(shift < far)) return bias + quantile(boost::math::normal(), confidence) * error;
  if (shift == 0) return normal_z(confidence) * error;
  return error * std::sqrt(quantile(boost::math::non_central_chi_squared(1, shift * shift), confidence));
}

class MultilevelRun {
 public:
  MultilevelRun(const LevelRun& run, const std::function<double(int)>& cost, const MultilevelOptions& options)
      : m_run(run), m_cost(cost), m_options(options) {}

  MultilevelResult result() {
    try {
      reach_rmse();
    } catch (const LaunchStopped&) {
      if (!has_enough()) throw;
    }
    conclude();
    return m_result;
  }

 private:
  void reach_rmse() {
    for (int level = 0; level < min_levels; ++level) add_level();
    while (true) {
      while (is_random() ? run_missing() : double_points()) {
      }
      check_consistency();
      if (bias() <= std::sqrt(share_of_bias) * m_options.rmse) break;
      if (static_cast<int>(m_result.levels.size()) == m_options.max_levels) {
        throw std::runtime_error("the bias is still " + number_text(bias()) + " with " +
                                 std::to_string(m_options.max_levels) + " levels, expected at most " +
                                 number_text(std::sqrt(share_of_bias) * m_options.rmse) +
                                 ": use more levels, a larger rmse, or a model whose levels converge");
      }
      add_level();
    }
  }

  static constexpr int min_levels = 3;

  // Concludes from what is done when a launch stop is requested. Returns whether that suffices for an estimate.
  bool has_enough() {
    if (m_moments.back().front().differences.count() == 0) {
      levels().pop_back();
      m_moments.pop_back();
    }
    if (levels().size() < min_levels) return false;
    for (std::size_t level = 0; level < levels().size(); ++level) take_moments(level);
    estimate_rates();
    check_consistency();
    m_result.is_rmse_reached = false;
    return true;
  }

  std::vector<LevelEstimate>& levels() { return m_result.levels; }

  void add_level() {
    const auto level = static_cast<int>(levels().size());
    levels().push_back({});
    levels().back().cost = m_cost(level);
    check_positive("cost of level " + std::to_string(level), levels().back().cost);
    m_moments.emplace_back(estimates_of_level(m_options));
    run(static_cast<std::size_t>(level), is_random() ? m_options.pilot_replications : m_options.pilot_points);
  }

  bool is_random() const { return m_options.sampling == LevelSampling::random; }

  // Moments of a level's replications. With randomizations, they are scaled so that the variance of the mean is the one
  // estimated from the randomizations.
  static Moments total(const std::vector<LevelMoments>& moments, MomentsTree LevelMoments::*which) {
    if (moments.size() == 1) return (moments.front().*which).total();
    MomentsTree means;
    for (const LevelMoments& of_randomization : moments) means.add((of_randomization.*which).total().mean);
    const Moments found = means.total();
    const std::int64_t all = found.count * (moments.front().*which).count();
    const auto points = static_cast<double>(all) / static_cast<double>(found.count);
    return {all, found.mean, found.variance() * points * static_cast<double>(all - 1), 0};
  }

  void run(std::size_t level, std::int64_t count) {
    std::vector<LevelMoments>& moments = m_moments[level];
    m_run(static_cast<int>(level), moments.front().differences.count(), count, moments);
    take_moments(level);
  }

  void take_moments(std::size_t level) {
    const std::vector<LevelMoments>& moments = m_moments[level];
    const Moments differences = total(moments, &LevelMoments::differences),
                  fines = total(moments, &LevelMoments::fines);
    if (!std::isfinite(differences.mean) || !std::isfinite(fines.mean)) {
      throw std::runtime_error("a response of level " + std::to_string(level) + " is not a finite number");
    }
    LevelEstimate& estimate = levels()[level];
    estimate.replications = differences.count;
    estimate.mean = differences.mean;
    estimate.variance = differences.variance();
    estimate.fine_mean = fines.mean;
    estimate.fine_variance = fines.variance();
  }

  // Mean and variance of the level. Few replications may make them too small, so they are at least half of what the
  // previous level predicts (Giles 2015, section 3.2).
  double magnitude(std::size_t level) const {
    double value = std::abs(m_result.levels[level].mean);
    if (level > 1) value = std::max(value, 0.5 * magnitude(level - 1) / std::exp2(rate_of_bias()));
    return value;
  }
  double variance(std::size_t level) const {
    double value = m_result.levels[level].variance;
    if (level > 1) value = std::max(value, 0.5 * variance(level - 1) / std::exp2(m_result.beta));
    return value;
  }

  // Rate at which finer levels are assumed to add less. Coarse levels often fall faster than fine ones; an estimated
  // rate is therefore limited to that of schemes of weak order 1.
  double rate_of_bias() const { return m_options.alpha > 0 ? m_options.alpha : std::min(m_result.alpha, 1.0); }

  void estimate_rates() {
    m_result.alpha = m_options.alpha > 0 ? m_options.alpha
                                         : rate_of(levels(), [](const auto& level) { return std::abs(level.mean); });
    m_result.beta = rate_of(levels(), [](const auto& level) { return level.variance; });
    m_result.gamma = std::log2(levels().back().cost / levels()[levels().size() - 2].cost);
  }

  // Runs the replications that the optimal allocation lacks: N_l = V* sqrt(V_l / C_l) Σ sqrt(V_k C_k), where V* is the
  // inverse of the allowed variance. Returns whether any were missing.
  bool run_missing() {
    estimate_rates();
    double sum = 0;
    for (std::size_t l = 0; l < levels().size(); ++l) sum += std::sqrt(variance(l) * levels()[l].cost);
    const double target = (1 - share_of_bias) * m_options.rmse * m_options.rmse;
    bool was_missing = false;
    for (std::size_t l = 0; l < levels().size(); ++l) {
      const double wanted = std::ceil(std::sqrt(variance(l) / levels()[l].cost) * sum / target);
      if (!(wanted <= static_cast<double>(m_options.max_replications))) {
        throw std::runtime_error("level " + std::to_string(l) + " needs " + number_text(wanted) +
                                 " replications, expected at most " + std::to_string(m_options.max_replications) +
                                 ": use a larger rmse");
      }
      const std::int64_t missing = static_cast<std::int64_t>(wanted) - levels()[l].replications;
      if (missing <= 0) continue;
      run(l, missing);
      was_missing = was_missing || missing > levels()[l].replications / 100;
    }
    return was_missing;
  }

  // Doubles the points of the level whose variance falls most for its cost. Returns whether the variance was too large.
  bool double_points() {
    estimate_rates();
    double sum = 0, most = -1;
    std::size_t chosen = 0;
    for (std::size_t l = 0; l < levels().size(); ++l) {
      const auto n = static_cast<double>(levels()[l].replications);
      const double of_level = levels()[l].variance / n, worth = of_level / (n * levels()[l].cost);
      sum += of_level;
      if (worth > most) most = worth, chosen = l;
    }
    if (sum <= (1 - share_of_bias) * m_options.rmse * m_options.rmse) return false;
    const std::int64_t points = m_moments[chosen].front().differences.count(), max_points = std::int64_t{1} << 31;
    if (2 * levels()[chosen].replications > m_options.max_replications || 2 * points > max_points) {
      throw std::runtime_error("level " + std::to_string(chosen) + " needs more than " +
                               std::to_string(levels()[chosen].replications) + " replications, expected at most " +
                               std::to_string(m_options.max_replications) + ": use a larger rmse");
    }
    run(chosen, points);
    return true;
  }

  // Bias: what finer levels would add, from the last three (Giles 2015, equation 3.6).
  double bias() const {
    double most = 0;
    const std::size_t last = m_result.levels.size() - 1;
    for (std::size_t back = 0; back < 3 && back < last; ++back) {
      most = std::max(most, magnitude(last - back) * std::exp2(-rate_of_bias() * static_cast<double>(back)));
    }
    return most / (std::exp2(rate_of_bias()) - 1);
  }

  void conclude() {
    double variance_of_mean = 0;
    for (const LevelEstimate& level : levels()) {
      const auto n = static_cast<double>(level.replications);
      m_result.mean += level.mean;
      variance_of_mean += level.variance / n;
      m_result.cost += n * level.cost;
    }
    m_result.bias = bias();
    m_result.half_width = half_width_with_bias(std::sqrt(variance_of_mean), m_result.bias, m_options.confidence);
  }

  // The coarse responses of a level must have the mean of the fine ones of the level before (Giles 2015, section 3.2).
  // If means are normal, a difference of 6 standard errors has probability 2e-9.
  void check_consistency() const {
    const auto error = [](double value, std::int64_t n) { return std::sqrt(value / static_cast<double>(n)); };
    for (std::size_t l = 1; l < m_result.levels.size(); ++l) {
      const LevelEstimate &fine = m_result.levels[l], &coarse = m_result.levels[l - 1];
      const double errors =
          std::hypot(error(fine.variance, fine.replications) + error(fine.fine_variance, fine.replications),
                     error(coarse.fine_variance, coarse.replications));
      const double off = fine.fine_mean - coarse.fine_mean - fine.mean;
      if (std::abs(off) <= 6 * errors + 1e-12 * std::abs(fine.fine_mean)) continue;
      throw std::runtime_error(
          "the means of levels " + std::to_string(l - 1) + " and " + std::to_string(l) + " are off by " +
          number_text(off) +
          " from the mean of their differences, expected at "
          "most " +
          number_text(6 * errors) +
          ": the coarse response of a level must have the distribution of the fine response of the previous level");
    }
  }

  const LevelRun& m_run;
  const std::function<double(int)>& m_cost;
  const MultilevelOptions& m_options;
  std::vector<std::vector<LevelMoments>> m_moments;  // by level and randomization
  MultilevelResult m_result;
};

}  // namespace

MultilevelResult multilevel_result(const LevelRun& run, const std::function<double(int)>& cost,
                                   const MultilevelOptions& options) {
  check(options);
  return MultilevelRun(run, cost, options).result();
}

}  // namespace impl

}  // namespace sporos
