// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/statistics/series_interval.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace sporos {

/// How a steady-state mean is estimated from long runs.
enum class SeriesMethod {
  skart,                    ///< n_skart of one run
  batch_means,              ///< 30 batches of one run behind the cut of MSER-5
  overlapping_batch_means,  ///< the same, overlapping
  spectral,                 ///< spectral_mean of one run behind the cut of MSER-5
  regenerative,             ///< regenerative_mean over the cycles of all runs
  replications              ///< means of several runs, each without the warm-up that MSER-5 finds in their average
};

/// Names of the methods.
template <>
struct ChoiceNames<SeriesMethod> {
  static constexpr std::string_view what = "method";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<SeriesMethod>>({{"skart", SeriesMethod::skart},
                                               {"batch-means", SeriesMethod::batch_means},
                                               {"overlapping", SeriesMethod::overlapping_batch_means},
                                               {"spectral", SeriesMethod::spectral},
                                               {"regenerative", SeriesMethod::regenerative},
                                               {"replications", SeriesMethod::replications}});
};

/// Whether the method takes several runs; the others take one.
constexpr bool takes_several_runs(SeriesMethod method) {
  return method == SeriesMethod::regenerative || method == SeriesMethod::replications;
}

/// The steady-state mean of one of the series by that method; counts are in observations of a run. Without an interval
/// where the method finds none.
///
/// `replications` is replication–deletion (Law, Simulation Modeling and Analysis, 5th edition, 9.5.2): the means of
/// independent runs are independent, so that Student's interval needs no assumption on correlations. What is left of
/// the warm-up biases all of them alike, so that it undercovers where runs are many and short.
SeriesInterval steady_state_mean(SeriesMethod method, const SeriesRuns& runs, std::size_t series, double confidence);

/// The averages over the runs of one of the series, block by block.
std::vector<double> averages_over_runs(const SeriesRuns& runs, std::size_t series);

}  // namespace sporos
