// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/execution/choice.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/statistics/series_interval.hpp>

#include <array>
#include <cstddef>
#include <span>
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

/// Returns the steady-state mean number `index` of the launcher's names by this method; counts are in observations of a
/// run. The result has no interval if the method finds none.
///
/// A ratio of means is estimated by the delta method: the method is applied to the values that series_values returns,
/// whose mean after the warm-up is the ratio of the sums.
///
/// `replications` is replication–deletion (Law, Simulation Modeling and Analysis, 5th edition, 9.5.2): the means of
/// independent runs are independent, so that Student's interval requires no assumption on correlations. What remains of
/// the warm-up biases all means in the same way, so that the interval undercovers if runs are many and short.
SeriesInterval steady_state_mean(SeriesMethod method, const SeriesRuns& runs, std::size_t index, double confidence);

/// Blocks of a series, for each run. They are valid until the runs are extended.
class SeriesValues {
 public:
  /// The blocks of series `series`.
  SeriesValues(const SeriesRuns& runs, std::size_t series);
  /// The blocks r + (x − r y) / ȳ for numerators x and denominators y. The means over the runs without the first `cut`
  /// blocks have the ratio r, and ȳ is that of the denominators. There are no blocks if ȳ is 0.
  SeriesValues(const SeriesRuns& runs, std::size_t series, std::size_t per, std::size_t cut);

  /// Number of runs.
  std::size_t runs() const { return m_runs.size(); }
  /// Blocks of a run.
  std::span<const double> of(std::size_t run) const { return m_runs[run]; }
  /// Averages over the runs, block by block.
  std::vector<double> averages() const;

 private:
  std::vector<std::vector<double>> m_ratios;
  std::vector<std::span<const double>> m_runs;
};

/// Returns the values whose mean is number `index` of the launcher's names, with a ratio after `cut` blocks.
SeriesValues series_values(const SeriesRuns& runs, std::size_t index, std::size_t cut = 0);

}  // namespace sporos
