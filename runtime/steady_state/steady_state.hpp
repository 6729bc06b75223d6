// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/series_runs.hpp>
#include <sporos/core/statistics/estimate_steps.hpp>
#include <sporos/procedures/steady_state/steady_state.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sporos::runtime {

/// `sporos steady-state`: steady-state means, from long runs.
extern const Question steady_state_question;

/// Parsed options of `sporos steady-state`.
struct SteadyStateRequest {
  const ModelDescription* model;        ///< model, which offers series
  ParameterValues values;               ///< values of the model's parameters
  SteadyStateGoal goal;                 ///< method, precision and length of the runs
  std::int64_t runs;                    ///< number of independent runs
  std::uint64_t seed;                   ///< seed of the random numbers
  double time_limit;                    ///< time limit in seconds
  std::vector<std::string> names = {};  ///< names of all means that the model's runs estimate
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out: for
/// parameters that the model's series ignore, several design points, or a model without a steady state.
SteadyStateRequest steady_state_request(const ModelOptions& options);

/// Returns a description of the estimation, with everything that determines its result.
io::Json description_of(const SteadyStateRequest& request);

/// Records the history of the intervals of steady-state means: the intervals that would result if the runs ended at an
/// inspection.
class SeriesConvergence {
 public:
  /// The goal must outlive this object.
  explicit SeriesConvergence(const SteadyStateGoal& goal) : m_goal(goal) {}

  /// Records the intervals if an inspection is due.
  void look(const SeriesRuns& runs);

  /// Returns the steps of mean `index` of `result`. The last one is its interval; steps without one are omitted.
  std::vector<EstimateStep> steps(std::size_t index, const SteadyStateResult& result) const;

 private:
  const SteadyStateGoal& m_goal;
  Looks m_looks;
  std::vector<std::vector<EstimateStep>> m_steps;  // by estimated mean
};

/// Steady-state means of a model.
struct SteadyStateReport {
  const SteadyStateRequest& request;
  const SteadyStateResult& result;
  double seconds;                                  ///< duration of the estimation
  Machine machine;                                 ///< machine of the run
  std::vector<std::optional<double>> exact = {};   ///< exact_means(request); empty if there was no time for them
  const SeriesRuns* runs = nullptr;                ///< the series, for the pictures of a page; null without a page
  const SeriesConvergence* convergence = nullptr;  ///< null without a page, or for a resumed run
};

/// Returns the exact value of each mean that the model's runs estimate, if it is known. This may take long.
std::vector<std::optional<double>> exact_means(const SteadyStateRequest& request);

/// Whether a time limit or a signal ended the estimation.
bool is_ended_early(const SteadyStateResult& result);

/// Returns the reason why the estimation missed its goal; empty if it reached it.
std::string missed_precision(const SteadyStateRequest& request, const SteadyStateResult& result);

/// Returns a gnuplot script with Welch's plot of each series: the beginning, averaged over the runs, its moving
/// average, the end of the warm-up and the interval.
std::string picture_of(const SteadyStateReport& report, const SeriesRuns& runs);

/// Returns Welch's plot of each series as a separate picture.
std::vector<PagePicture> page_pictures_of(const SteadyStateReport& report, const SeriesRuns& runs);

/// Returns the result as data, with pictures if the report has runs.
ResultDocument document_of(const SteadyStateReport& report);

}  // namespace sporos::runtime
