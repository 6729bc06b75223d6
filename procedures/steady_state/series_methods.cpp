// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/steady_state/series_methods.hpp>

#include <sporos/core/statistics/batch_means.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/core/statistics/skart.hpp>
#include <sporos/core/statistics/spectral_mean.hpp>
#include <sporos/core/statistics/warm_up.hpp>

#include <algorithm>
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

bool is_constant(std::span<const double> values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return *least == *greatest;
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

SeriesInterval mean_over_runs(const SeriesRuns& runs, std::size_t series, double confidence) {
  const auto averages = averages_over_runs(runs, series);
  const auto length = static_cast<std::int64_t>(averages.size());
  if (is_constant(averages)) return no_interval(series_reason::constant, length);
  const auto cut = warm_up(averages, runs.block_size());
  if (!cut) return no_interval(series_reason::no_warm_up, length);
  MomentsTree over_runs;
  for (const BlockedSeries& run : runs.of(series)) {
    MomentsTree of_run;
    for (const double block : run.blocks().subspan(static_cast<std::size_t>(*cut))) of_run.add(block);
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

SeriesInterval in_observations(SeriesInterval interval, std::int64_t block_size) {
  interval.cut *= block_size;
  interval.used *= block_size;
  interval.batch_size *= block_size;
  return interval;
}

}  // namespace

std::vector<double> averages_over_runs(const SeriesRuns& runs, std::size_t series) {
  const auto all = runs.of(series);
  std::vector<double> averages(all.front().blocks().begin(), all.front().blocks().end());
  for (const BlockedSeries& run : all.subspan(1)) {
    for (std::size_t block = 0; block < averages.size(); ++block) averages[block] += run.blocks()[block];
  }
  for (double& average : averages) average /= static_cast<double>(all.size());
  return averages;
}

SeriesInterval steady_state_mean(SeriesMethod method, const SeriesRuns& runs, std::size_t series, double confidence) {
  if (method == SeriesMethod::regenerative) return regenerative_mean(runs.cycles(series), confidence);
  if (method == SeriesMethod::replications) {
    return in_observations(mean_over_runs(runs, series, confidence), runs.block_size());
  }
  const auto blocks = runs.of(series).front().blocks();
  return in_observations(method == SeriesMethod::skart
                             ? n_skart(blocks, confidence)
                             : mean_after_warm_up(method, blocks, runs.block_size(), confidence),
                         runs.block_size());
}

}  // namespace sporos
