// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <sporos/core/statistics/batch_means.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/skart.hpp>
#include <sporos/core/statistics/spectral_mean.hpp>
#include <sporos/core/statistics/warm_up.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sporos {

namespace {

constexpr std::int64_t batches_of_a_run = 30;

// Warm-up by MSER-5, in blocks. Averages are over five observations, or over the smallest larger number that makes
// whole blocks.
std::optional<std::int64_t> warm_up(std::span<const double> blocks, std::int64_t block_size) {
  constexpr std::int64_t observations = 5;
  const std::int64_t group = (observations + block_size - 1) / block_size;
  const auto cut = mser(averages_of(blocks, static_cast<std::size_t>(group)));
  return cut ? std::optional(*cut * group) : std::nullopt;
}

// Whether values differ by rounding only.
bool is_constant(std::span<const double> values) {
  constexpr double rounding = 1e-13;
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return *greatest - *least <= rounding * std::max(std::abs(*least), std::abs(*greatest));
}

SeriesInterval interval_of(const BatchMeans& batches, std::int64_t length) {
  SeriesInterval interval;
  interval.mean = batches.mean;
  interval.low = batches.mean - batches.half_width;
  interval.high = batches.mean + batches.half_width;
  interval.used = batches.batches * batches.batch_size;
  interval.cut = length - interval.used;
  interval.batch_size = batches.batch_size;
  interval.batches = batches.batches;
  interval.degrees_of_freedom = batches.degrees_of_freedom;
  return interval;
}

SeriesInterval mean_after_warm_up(SeriesMethod method, std::span<const double> blocks, std::int64_t block_size,
                                  double confidence) {
  const auto length = static_cast<std::int64_t>(blocks.size());
  if (is_constant(blocks)) return no_interval(series_reason::constant, length);
  const auto cut = warm_up(blocks, block_size);
  if (!cut) return no_interval(series_reason::no_warm_up, length);
  const auto rest = blocks.subspan(static_cast<std::size_t>(*cut));
  if (static_cast<std::int64_t>(rest.size()) < 2 * batches_of_a_run)
    return no_interval(series_reason::too_short, length);
  SeriesInterval interval;
  if (method == SeriesMethod::spectral) {
    interval = spectral_mean(rest, confidence);
    interval.cut = length - interval.used;
  } else if (method == SeriesMethod::overlapping_batch_means) {
    interval = interval_of(overlapping_batch_means(rest, batches_of_a_run, confidence), length);
  } else {
    interval = interval_of(batch_means(rest, batches_of_a_run, confidence), length);
  }
  return interval;
}

SeriesInterval mean_over_runs(const SeriesValues& values, std::int64_t block_size, double confidence) {
  const auto averages = values.averages();
  const auto length = static_cast<std::int64_t>(averages.size());
  if (is_constant(averages)) return no_interval(series_reason::constant, length);
  const auto cut = warm_up(averages, block_size);
  if (!cut) return no_interval(series_reason::no_warm_up, length);
  MomentsTree over_runs;
  for (std::size_t run = 0; run < values.runs(); ++run) {
    MomentsTree of_run;
    for (const double block : values.of(run).subspan(static_cast<std::size_t>(*cut))) of_run.add(block);
    over_runs.add(of_run.total().mean);
  }
  const Moments total = over_runs.total();
  const double width = half_width(total, confidence);
  SeriesInterval interval;
  interval.mean = total.mean;
  interval.low = total.mean - width;
  interval.high = total.mean + width;
  interval.cut = *cut;
  interval.used = length - *cut;
  interval.batch_size = interval.used;
  interval.batches = total.count;
  interval.degrees_of_freedom = static_cast<double>(total.count - 1);
  return interval;
}

// Returns the interval of a mean of values; counts are in blocks.
SeriesInterval interval_of(SeriesMethod method, const SeriesValues& values, std::int64_t block_size,
                           double confidence) {
  if (values.of(0).empty()) return no_interval(series_reason::no_divisor, 0);
  if (is_constant(values.of(0)) && method == SeriesMethod::skart)
    return no_interval(series_reason::constant, static_cast<std::int64_t>(values.of(0).size()));
  if (method == SeriesMethod::replications) return mean_over_runs(values, block_size, confidence);
  return method == SeriesMethod::skart ? n_skart(values.of(0), confidence)
                                       : mean_after_warm_up(method, values.of(0), block_size, confidence);
}

SeriesInterval in_observations(SeriesInterval interval, std::int64_t block_size) {
  interval.cut *= block_size;
  interval.used *= block_size;
  interval.batch_size *= block_size;
  return interval;
}

// Averages over blocks [cut, end) of all runs.
double mean_of(std::span<const BlockedSeries> runs, std::size_t cut) {
  MomentsTree all;
  for (const BlockedSeries& run : runs) {
    for (const double block : run.blocks().subspan(std::min(cut, run.blocks().size()))) all.add(block);
  }
  return all.total().mean;
}

}  // namespace

SeriesValues::SeriesValues(const SeriesRuns& runs, std::size_t series) {
  for (const BlockedSeries& run : runs.of(series)) m_runs.push_back(run.blocks());
}

SeriesValues::SeriesValues(const SeriesRuns& runs, std::size_t series, std::size_t per, std::size_t cut) {
  const auto numerators = runs.of(series), denominators = runs.of(per);
  const double divisor = mean_of(denominators, cut), ratio = mean_of(numerators, cut) / divisor;
  m_ratios.resize(numerators.size());
  for (std::size_t run = 0; divisor > 0 && run < numerators.size(); ++run) {
    const auto sums = numerators[run].blocks(), all = denominators[run].blocks();
    for (std::size_t block = 0; block < sums.size(); ++block)
      m_ratios[run].push_back(ratio + (sums[block] - ratio * all[block]) / divisor);
  }
  m_runs.assign(m_ratios.begin(), m_ratios.end());
}

std::vector<double> SeriesValues::averages() const {
  std::vector<double> averages(m_runs.front().begin(), m_runs.front().end());
  for (std::size_t run = 1; run < m_runs.size(); ++run) {
    for (std::size_t block = 0; block < averages.size(); ++block) averages[block] += m_runs[run][block];
  }
  for (double& average : averages) average /= static_cast<double>(m_runs.size());
  return averages;
}

SeriesValues series_values(const SeriesRuns& runs, std::size_t index, std::size_t cut) {
  const auto [series, per] = runs.launcher().mean(index);
  return per ? SeriesValues(runs, series, *per, cut) : SeriesValues(runs, series);
}

SeriesInterval steady_state_mean(SeriesMethod method, const SeriesRuns& runs, std::size_t index, double confidence) {
  const auto [series, per] = runs.launcher().mean(index);
  if (method == SeriesMethod::regenerative) return regenerative_mean(runs.cycles(series), confidence);
  SeriesInterval interval = interval_of(method, series_values(runs, index), runs.block_size(), confidence);
  // The warm-up is found in the values of a ratio, which depend on the warm-up slightly.
  constexpr int most_corrections = 3;
  std::int64_t cut = 0;
  for (int i = 0; per && interval.reason.empty() && interval.cut != cut && i < most_corrections; ++i) {
    cut = interval.cut;
    interval =
        interval_of(method, series_values(runs, index, static_cast<std::size_t>(cut)), runs.block_size(), confidence);
  }
  return in_observations(interval, runs.block_size());
}

}  // namespace sporos
