// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/procedures/stratification/stratified_result.hpp>

#include <sporos/core/distributions/parameters.hpp>
#include <sporos/core/execution/launch_stop.hpp>
#include <sporos/core/execution/timed_pieces.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/statistics/critical_values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace sporos {

void check(const StratifiedOptions& options, int inputs, std::size_t responses) {
  impl::check_whole("input", options.input, 0, inputs - 1);
  impl::check_whole("number of strata", static_cast<double>(options.strata), 2, 0x1p20);
  impl::check_whole("number of replications", static_cast<double>(options.replications),
                    2 * static_cast<double>(options.strata), 1e12);
  impl::check_whole("number of pilot replications", static_cast<double>(options.pilot_replications), 2, 1e9);
  if (options.shared_for) {
    impl::check_whole("response", static_cast<double>(*options.shared_for), 0, static_cast<double>(responses) - 1);
  }
  impl::check_parameter(options.confidence > 0 && options.confidence < 1, "confidence", options.confidence,
                        "a number between 0 and 1");
}

void refuse_draws_by_entity() {
  throw std::invalid_argument(
      "stratified sampling divides the first draw of an input variable, but the draws of this model belong to "
      "entities, such as customers: expected another question, such as simulate");
}

namespace impl {

namespace {

// Distributes `all` in proportion to `weights`, as whole numbers of at least 2; their sum is at most `all` if possible.
std::vector<std::int64_t> shares_of(const std::vector<double>& weights, std::int64_t all) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  const auto strata = static_cast<std::int64_t>(weights.size());
  const auto free = static_cast<double>(all - 2 * strata);
  std::vector<std::int64_t> counts;
  for (const double weight : weights) {
    const double share = sum > 0 ? weight / sum : 1 / static_cast<double>(strata);
    counts.push_back(2 + bounded_count(std::floor(share * free)));
  }
  return counts;
}

StratifiedMean mean_of(const std::vector<std::vector<MomentsTree>>& moments, std::size_t response, double confidence) {
  const auto strata = static_cast<double>(moments.size());
  StratifiedMean found;
  double variance = 0, freedom = 0, within = 0, squares = 0;
  std::int64_t replications = 0;
  for (const auto& stratum : moments) {
    const Moments of_stratum = stratum[response].total();
    const auto n = static_cast<double>(of_stratum.count);
    const double part = of_stratum.variance() / (n * strata * strata);
    found.mean += of_stratum.mean / strata;
    within += of_stratum.variance() / strata;
    squares += of_stratum.mean * of_stratum.mean / strata;
    variance += part;
    freedom += part * part / (n - 1);
    replications += of_stratum.count;
    found.means_of_strata.push_back(of_stratum.mean);
    found.deviations_of_strata.push_back(std::sqrt(of_stratum.variance()));
  }
  found.degrees_of_freedom = freedom > 0 ? variance * variance / freedom : std::numeric_limits<double>::infinity();
  const double quantile = std::isfinite(found.degrees_of_freedom)
                              ? student_t_quantile(0.5 + 0.5 * confidence, found.degrees_of_freedom)
                              : normal_z(confidence);
  const double plain = within + std::max(0.0, squares - found.mean * found.mean);
  if (variance > 0) {
    found.half_width = quantile * std::sqrt(variance);
    found.variance_ratio = plain / (static_cast<double>(replications) * variance);
  } else {  // a response that has not varied within any stratum may still do so
    found.half_width = std::numeric_limits<double>::infinity();
    found.variance_ratio = plain > 0 ? std::numeric_limits<double>::infinity() : 1;
  }
  return found;
}

// Moments of each response in each stratum.
using StrataMoments = std::vector<std::vector<MomentsTree>>;

// Adds replications `range` of strata [begin, end). Each process makes a part of them.
void add_rows(const StrataRows& rows, std::uint64_t seed, std::size_t begin, std::size_t end,
              const ReplicationRange& range, std::size_t responses, Processes& processes, StrataMoments& moments) {
  const PartRange mine = parts_of_process(processes, processes.rank(), range.count);
  std::vector<double> found;
  together(processes, [&] {
    if (mine.count() > 0) found = rows(seed, begin, end, {range.first + mine.first, mine.count()});
  });
  const auto gathered = gather(processes, std::span<const double>(found));
  auto next = gathered.begin();
  for (int rank = 0; rank < processes.count(); ++rank) {
    const std::int64_t own = parts_of_process(processes, rank, range.count).count();
    for (std::size_t response = 0; response < responses; ++response) {
      for (std::size_t stratum = begin; stratum < end; ++stratum) {
        for (std::int64_t row = 0; row < own; ++row) moments[stratum][response].add(*next++);
      }
    }
  }
}

// Adds the replications of each stratum from `firsts` up to `ends`. Neighbouring strata with the same range run in one
// launch; of one stratum, at most `most` replications run at once.
void add_range(const StrataRows& rows, const std::vector<std::int64_t>& firsts, const std::vector<std::int64_t>& ends,
               std::uint64_t seed, std::size_t responses, Processes& processes, StrataMoments& moments) {
  constexpr std::int64_t most = std::int64_t{1} << 18;
  for (std::size_t begin = 0, end = 0; begin < ends.size(); begin = end) {
    const std::int64_t first = firsts[begin], last = ends[begin];
    while (end < ends.size() && firsts[end] == first && ends[end] == last &&
           static_cast<std::int64_t>(end - begin) * std::min(last - first, most) < most) {
      ++end;
    }
    for (std::int64_t done = first; done < last; done += most) {
      add_rows(rows, seed, begin, end, {done, std::min(most, last - done)}, responses, processes, moments);
    }
  }
}

StrataMoments empty_moments(std::size_t strata, std::size_t responses) {
  return {strata, std::vector<MomentsTree>(responses)};
}

// Adds `counts` replications of each stratum, one share of all strata after the other, so that all strata have
// replications if a launch stop is requested. Returns whether all were added. Throws LaunchStopped if a stratum has
// fewer than two.
bool add_shares(const StrataRows& rows, const std::vector<std::int64_t>& counts, std::uint64_t seed,
                std::size_t responses, Processes& processes, StrataMoments& moments) {
  const std::int64_t all = std::reduce(counts.begin(), counts.end());
  constexpr std::int64_t least = 1 << 12;
  TimedPieces pieces(least);
  std::vector<std::int64_t> firsts(counts.size(), 0);
  try {
    for (std::int64_t done = 0; done < all;) {
      done += pieces.next(all - done, processes);
      const double share = static_cast<double>(done) / static_cast<double>(all);
      std::vector<std::int64_t> ends = counts;
      for (std::size_t i = 0; done < all && i < ends.size(); ++i) {
        const std::int64_t end = bounded_count(std::floor(share * static_cast<double>(counts[i])));
        ends[i] = std::max({firsts[i], std::int64_t{2}, std::min(end, counts[i])});
      }
      add_range(rows, firsts, ends, seed, responses, processes, moments);
      firsts = std::move(ends);
    }
  } catch (const LaunchStopped&) {
    if (firsts.front() == 0) throw;
    return false;
  }
  return true;
}

}  // namespace

StratifiedResult stratified_result(const StrataRows& rows, std::size_t responses, const StratifiedOptions& options,
                                   Processes& processes) {
  const auto strata = static_cast<std::size_t>(options.strata);
  std::vector<double> weights(strata, 1.0);
  if (options.shared_for) {
    StrataMoments pilot = empty_moments(strata, responses);
    add_range(rows, std::vector<std::int64_t>(strata, 0), std::vector<std::int64_t>(strata, options.pilot_replications),
              design_point_seed(options.seed, 1), responses, processes, pilot);
    for (std::size_t stratum = 0; stratum < strata; ++stratum) {
      weights[stratum] = std::sqrt(pilot[stratum][*options.shared_for].total().variance());
    }
  }
  StratifiedResult result;
  result.replications = shares_of(weights, options.replications);
  StrataMoments moments = empty_moments(strata, responses);
  result.is_complete =
      add_shares(rows, result.replications, design_point_seed(options.seed, 0), responses, processes, moments);
  for (std::size_t i = 0; i < strata; ++i) result.replications[i] = moments[i].front().count();
  for (std::size_t response = 0; response < responses; ++response) {
    result.means.push_back(mean_of(moments, response, options.confidence));
  }
  return result;
}

}  // namespace impl

}  // namespace sporos
