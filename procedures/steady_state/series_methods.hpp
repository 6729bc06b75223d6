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

/// Method that estimates a steady-state mean from long runs.
enum class SeriesMethod {
  skart,                    ///< n_skart of one run
  batch_means,              ///< 30 batches of one run after the cut of MSER-5
  overlapping_batch_means,  ///< overlapping batches of one run after the cut of MSER-5
  spectral,                 ///< spectral_mean of one run after the cut of MSER-5
  regenerative,             ///< regenerative_mean over the cycles of all runs
  /// Means of several runs, each without the warm-up that MSER-5 finds in their average.
  replications
};

/// Names of the methods.
template <>
struct ChoiceNames<SeriesMethod> {
  static constexpr std::string_view what = "method";  ///< name of the choice in messages
  /// name and value of each method
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

/// Returns the steady-state mean of a series by this method; counts are in observations of a run. The result has no
/// interval if the method finds none.
///
/// `replications` is replication–deletion (Law, Simulation Modeling and Analysis, 5th edition, 9.5.2): the means of
/// independent runs are independent, so that Student's interval requires no assumption on correlations. What remains of
/// the warm-up biases all means in the same way, so that the interval undercovers if runs are many and short.
SeriesInterval steady_state_mean(SeriesMethod method, const SeriesRuns& runs, std::size_t series, double confidence);

/// Averages of a series over the runs, block by block.
std::vector<double> averages_over_runs(const SeriesRuns& runs, std::size_t series);

}  // namespace sporos
