// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/rare_events/importance.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/timed_pieces.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/core/statistics/tail_shape.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace sporos {

void check(const ImportanceOptions& options) {
  using impl::check_parameter;
  constexpr double most = 1'000'000'000;
  impl::check_whole("number of replications", static_cast<double>(options.replications), 2, most);
  impl::check_whole("number of pilot replications", static_cast<double>(options.pilot_replications), 2, most);
  impl::check_whole("number of steps", static_cast<double>(options.max_steps), 1, most);
  check_parameter(options.share > 0 && options.share < 1, "share", options.share, "a number between 0 and 1");
  check_parameter(options.smoothing > 0 && options.smoothing <= 1, "smoothing", options.smoothing,
                  "a number in (0, 1]");
  check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                  "a number between 0 and 1");
  check_parameter(options.max_chain_steps > 0, "number of steps of a chain",
                  static_cast<double>(options.max_chain_steps), "a positive number");
  for (std::size_t i = 0; i < options.tilts.size(); ++i) check_tilt(options.tilts[i], "tilt " + std::to_string(i + 1));
}

std::string importance_warning(const ImportanceResult& result, double target) {
  const auto text = [](double number) { return impl::number_text(std::round(1000 * number) / 1000); };
  if (result.hits == 0) {
    return "the event was not seen" +
           (result.levels.empty() ? std::string()
                                  : ": cross-entropy reached level " + impl::number_text(result.levels.back()) +
                                        " of " + impl::number_text(target));
  }
  if (result.effective_hits < 100 || result.largest_share > 0.1 || result.tail_shape > 0.5) {
    return "few likelihood ratios dominate the estimate, and its interval may be too narrow: " +
           std::to_string(result.hits) + " hits count as " + text(result.effective_hits) +
           " equal ones, the largest ratio is " + text(result.largest_share) +
           " of the sum, and the shape of the tail is " + text(result.tail_shape);
  }
  if (!result.levels.empty() && result.levels.back() < target) {
    return "cross-entropy reached level " + impl::number_text(result.levels.back()) + " of " +
           impl::number_text(target) + ": the tilts are for that level";
  }
  return "";
}

namespace impl {

namespace {

// Level of a step: `share` of the replications reach it, or fewer if that level is not above `before`. No value if no
// replication came higher than `before`.
std::optional<double> level_of_step(std::vector<double> values, double before, double target, double share) {
  const auto wanted = static_cast<std::ptrdiff_t>(bounded_count(std::ceil(share * static_cast<double>(values.size()))));
  const auto place = values.begin() + (wanted - 1);
  std::nth_element(values.begin(), place, values.end(), std::greater<>());
  if (*place > before) return std::min(*place, target);
  std::optional<double> next;
  for (const double value : values) {
    if (value > before && (!next || value < *next)) next = value;
  }
  if (next) next = std::min(*next, target);
  return next;
}

double smoothed(double found, double before, double smoothing) { return before + smoothing * (found - before); }

// Each piece keeps at least this part of its width as share, so that no value becomes impossible.
constexpr double min_share = 1e-3;

void update_shares(Tilt& tilt, const double* draws, double smoothing) {
  double all = 0;
  for (int i = 0; i < Tilt::pieces; ++i) all += draws[i];
  if (!(all > 0)) return;
  double begin = 0, sum = 0;
  for (std::size_t i = 0; i < Tilt::pieces; ++i) {
    const double found = smoothed(draws[i] / all, tilt.shares[i], smoothing);
    tilt.shares[i] = std::max(found, min_share * (tilt.ends[i] - begin));
    sum += tilt.shares[i];
    begin = tilt.ends[i];
  }
  for (double& share : tilt.shares) share /= sum;
}

// Largest log ratio among the replications that reached `level`.
double largest_log_ratio(const TiltedSample& sample, double level) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < sample.values.size(); ++row) {
    if (sample.values[row] >= level) largest = std::max(largest, sample.log_ratios[row]);
  }
  return largest;
}

// Likelihood ratios of the replications that reached `level`, relative to the largest; 0 for all others.
std::vector<double> weights_at(const TiltedSample& sample, double level) {
  const double largest = largest_log_ratio(sample, level);
  std::vector<double> weights(sample.values.size(), 0.0);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (sample.values[row] >= level) weights[row] = math::exp(sample.log_ratios[row] - largest);
  }
  return weights;
}

// Likelihood ratios of all replications, relative to the largest, times the absolute values of the responses.
std::vector<double> weights_of_values(const TiltedSample& sample) {
  std::vector<double> weights = weights_at(sample, -std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < weights.size(); ++row) weights[row] *= std::abs(sample.values[row]);
  return weights;
}

// Sets the tilts to those under which the replications of `sample` with these weights are most likely: for each form,
// the weighted mean of the draws.
void update_tilts(std::vector<Tilt>& tilts, const TiltedSample& sample, const std::vector<double>& weights,
                  double smoothing) {
  const std::size_t columns = tilts.size() * tilt_sums;
  std::vector<double> sums(columns, 0.0);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (weights[row] == 0) continue;
    for (std::size_t i = 0; i < columns; ++i) sums[i] += weights[row] * sample.sums[row * columns + i];
  }
  for (std::size_t t = 0; t < tilts.size(); ++t) {
    const double* own = &sums[t * tilt_sums];
    const auto mean = [&](int draws, double before) {
      return own[draws] > 0 ? smoothed(own[draws + 1] / own[draws], before, smoothing) : before;
    };
    tilts[t].exponential_mean = mean(exponential_draws, tilts[t].exponential_mean);
    tilts[t].normal_shift = mean(normal_draws, tilts[t].normal_shift);
    update_shares(tilts[t], own + draws_in_first_piece, smoothing);
  }
}

// Runs a sample for cross-entropy. Throws LaunchStopped if it has fewer replications than requested.
TiltedSample whole_sample(const TiltedRun& run, double level, const std::vector<Tilt>& tilts, std::uint64_t seed,
                          std::int64_t replications, bool wants_sums) {
  TiltedSample sample = run(level, tilts, seed, replications, wants_sums);
  if (static_cast<std::int64_t>(sample.values.size()) < replications) throw LaunchStopped();
  return sample;
}

// Runs a sample for an estimate. Throws LaunchStopped if it has fewer than two replications.
TiltedSample sample_of_estimate(const TiltedRun& run, double level, const std::vector<Tilt>& tilts,
                                const ImportanceOptions& options) {
  TiltedSample sample = run(level, tilts, design_point_seed(options.seed, 0), options.replications, false);
  if (sample.values.size() < 2) throw LaunchStopped();
  return sample;
}

// Multilevel cross-entropy (Rubinstein, Kroese: The Cross-Entropy Method, 2004, algorithm 3.3.1), with an additional
// step at the target. Returns the number of replications that reached the target in the first step, in which nothing is
// tilted.
std::int64_t find_tilts(const TiltedRun& run, bool ends_at_level, double target, const ImportanceOptions& options,
                        ImportanceResult& result) {
  std::int64_t plain_hits = 0;
  double level = -std::numeric_limits<double>::infinity();
  for (std::int64_t step = 0; step < options.max_steps; ++step) {
    const std::uint64_t seed = design_point_seed(options.seed, static_cast<std::uint64_t>(step) + 1);
    const auto run_until = [&](double end, bool wants_sums) {
      result.replications += options.pilot_replications;
      return whole_sample(run, end, result.tilts, seed, options.pilot_replications, wants_sums);
    };
    TiltedSample sample = run_until(target, !ends_at_level);
    if (step == 0) {
      plain_hits = std::count_if(sample.values.begin(), sample.values.end(), [&](double x) { return x >= target; });
    }
    const bool was_there = level == target;
    if (!was_there) {
      const auto next = level_of_step(sample.values, level, target, options.share);
      if (!next) break;
      level = *next;
      result.levels.push_back(level);
    }
    if (ends_at_level) sample = run_until(level, true);
    update_tilts(result.tilts, sample, weights_at(sample, level), options.smoothing);
    if (was_there) break;
  }
  return plain_hits;
}

// How much the sum of positive numbers depends on few of them.
struct Concentration {
  double effective_count, largest_share, tail_shape;
};

// `sizes` must not be empty.
Concentration concentration(std::vector<double> sizes) {
  double sum = 0, squares = 0;
  for (const double size : sizes) {
    sum += size;
    squares += size * size;
  }
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  return {sum * sum / squares, largest / sum, tail_shape(std::move(sizes))};
}

// Estimate of the probability from the likelihood ratios so far, which are relative to `unit`.
EstimateStep step_of(const MomentsTree& observations, double unit, double confidence) {
  const Moments moments = observations.total();
  const double value = moments.mean * unit, width = half_width(moments, confidence) * unit;
  return {moments.count, value, std::max(0.0, value - width), std::min(1.0, value + width)};
}

// Computes the estimates from the likelihood ratios of the hits, relative to the largest, so that no square underflows.
void weigh(ImportanceResult& result, const TiltedSample& sample, double target, double confidence) {
  const double largest = largest_log_ratio(sample, target), unit = math::exp(largest);
  MomentsTree observations;
  std::vector<double> ratios;
  Looks looks;
  for (std::size_t row = 0; row < sample.values.size(); ++row) {
    const bool is_hit = sample.values[row] >= target;
    const double ratio = is_hit ? math::exp(sample.log_ratios[row] - largest) : 0.0;
    observations.add(ratio);
    if (is_hit) ratios.push_back(ratio);
    if ((looks.are_due(observations.count()) || row + 1 == sample.values.size()) && !ratios.empty()) {
      result.steps.push_back(step_of(observations, unit, confidence));
    }
  }
  result.hits = static_cast<std::int64_t>(ratios.size());
  if (result.hits == 0) return;
  const Moments moments = observations.total();
  result.probability = moments.mean * unit;
  result.half_width = half_width(moments, confidence) * unit;
  const Concentration of_hits = concentration(std::move(ratios));
  result.effective_hits = of_hits.effective_count;
  result.largest_share = of_hits.largest_share;
  result.tail_shape = of_hits.tail_shape;
  result.variance_ratio = moments.mean * (1 / unit - moments.mean) / moments.variance();
}

void take_tilts(std::vector<Tilt>& tilts, const ImportanceOptions& options) {
  if (options.tilts.size() != tilts.size()) {
    throw std::invalid_argument("the number of tilts is " + std::to_string(options.tilts.size()) + ", expected " +
                                std::to_string(tilts.size()) + ", one for each variable of each input");
  }
  tilts = options.tilts;
}

}  // namespace

TiltedRun tilted_run(TiltedRows rows, std::string wrong, Processes& processes) {
  return [rows = std::move(rows), wrong = std::move(wrong), &processes](double level, const std::vector<Tilt>& tilts,
                                                                        std::uint64_t seed, std::int64_t replications,
                                                                        bool wants_sums) {
    const auto run = [&](const ReplicationRange& range, TiltedSample& sample) {
      rows(level, tilts, seed, range, wants_sums, sample);
      const auto is_wrong = [](double x) { return x != x; };
      if (std::ranges::any_of(sample.values, is_wrong)) throw std::runtime_error(wrong);
    };
    TiltedSample all;
    // The maximum limits how many bytes are gathered at once.
    constexpr std::int64_t least = 64, most = std::int64_t{1} << 20;
    TimedPieces pieces(least, most);
    try {
      for (std::int64_t done = 0; done < replications;) {
        const std::int64_t count = pieces.next(replications - done, processes);
        const PartRange range = parts_of_process(processes, processes.rank(), count);
        TiltedSample mine;
        together(processes, [&] {
          if (range.count() > 0) run({done + range.first, range.count()}, mine);
        });
        const auto append = [&](std::vector<double>& values, const std::vector<double>& part) {
          const auto gathered = gather(processes, std::span<const double>(part));
          values.insert(values.end(), gathered.begin(), gathered.end());
        };
        append(all.values, mine.values);
        append(all.log_ratios, mine.log_ratios);
        append(all.sums, mine.sums);
        done += count;
      }
    } catch (const LaunchStopped&) {  // earlier pieces are kept
    }
    return all;
  };
}

ImportanceResult importance_result(const TiltedRun& run, std::vector<Tilt> tilts, bool ends_at_level, double target,
                                   const ImportanceOptions& options) {
  check(options);
  check_finite("target", target);
  ImportanceResult result;
  result.tilts = std::move(tilts);
  std::int64_t plain_hits = 0;
  if (options.tilts.empty()) {
    plain_hits = find_tilts(run, ends_at_level, target, options, result);
  } else {
    take_tilts(result.tilts, options);
  }
  const TiltedSample sample = sample_of_estimate(run, target, result.tilts, options);
  result.estimate_replications = static_cast<std::int64_t>(sample.values.size());
  result.replications += result.estimate_replications;
  weigh(result, sample, target, options.confidence);
  if (result.hits == 0) {
    result.at_most =
        options.tilts.empty() ? proportion_at_most(plain_hits, options.pilot_replications, options.confidence) : 1.0;
  }
  return result;
}

ImportanceMean importance_mean_result(const TiltedRun& run, std::vector<Tilt> tilts, const ImportanceOptions& options) {
  constexpr std::int64_t max_steps = 4;  // cross-entropy steps; no level is to be reached
  check(options);
  ImportanceMean result;
  result.tilts = std::move(tilts);
  if (options.tilts.empty()) {
    for (std::int64_t step = 1; step <= std::min(max_steps, options.max_steps); ++step) {
      const std::uint64_t seed = design_point_seed(options.seed, static_cast<std::uint64_t>(step));
      const TiltedSample sample = whole_sample(run, 0, result.tilts, seed, options.pilot_replications, true);
      result.replications += options.pilot_replications;
      update_tilts(result.tilts, sample, weights_of_values(sample), options.smoothing);
    }
  } else {
    take_tilts(result.tilts, options);
  }

  const TiltedSample sample = sample_of_estimate(run, 0, result.tilts, options);
  result.replications += static_cast<std::int64_t>(sample.values.size());
  MomentsTree observations, squares;
  std::vector<double> sizes;
  for (std::size_t row = 0; row < sample.values.size(); ++row) {
    const double ratio = math::exp(sample.log_ratios[row]), counted = ratio * sample.values[row];
    observations.add(counted);
    squares.add(counted * sample.values[row]);
    if (counted != 0) sizes.push_back(std::abs(counted));
  }
  const Moments moments = observations.total();
  result.mean = moments.mean;
  result.half_width = half_width(moments, options.confidence);
  if (sizes.empty()) return result;
  const Concentration of_products = concentration(std::move(sizes));
  result.effective_replications = of_products.effective_count;
  result.largest_share = of_products.largest_share;
  result.tail_shape = of_products.tail_shape;
  result.variance_ratio = (squares.total().mean - moments.mean * moments.mean) / moments.variance();
  return result;
}

}  // namespace impl

}  // namespace sporos
