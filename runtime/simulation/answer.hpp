// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <optional>
#include <string>

/// Questions about one design point that a single computation answers. For its request and its report, a question
/// defines
/// - `exact_mean(request)`, the exact value if it is known from theory; the call may take long,
/// - `min_work(request)`, the smallest amount of work that has a result, for messages: "3 levels were done",
/// - `done_text(report)`, the work done so far: "12 of 30 runs",
/// - `is_ended_early(report)`, whether a launch stop ended the run before all work was done,
/// - `missed_goal(report)`, the reason why the run missed its goal; empty if it reached it or has none,
/// - `document_of(report)`, the result as data.
namespace sporos::runtime {

/// Parsed options of a question, whose members are assigned one by one: g++ 12 destroys a base twice if a later
/// initializer of an aggregate throws. `Computation` is the task that answers it, with the model's parameters as the
/// member `values`. `ExactMean` is the type of the exact value.
template <class Computation, class ExactMean = std::optional<double>>
struct OnePointRequest : Computation {
  using Task = Computation;
  using Exact = ExactMean;

  const ModelDescription* model = nullptr;  ///< the model
  double time_limit = 0;                    ///< time limit in seconds

  /// Sets model, parameters and time limit. Throws std::invalid_argument if the options describe several design points.
  void set_point(const ModelOptions& given) {
    model = given.model;
    this->values = only_point(given);
    time_limit = time_limit_of(given.table);
  }
};

/// Report on the answer to a `Request`.
template <class Request>
struct AnswerReport {
  const Request& request;
  const typename Request::Result& result;
  double seconds;                           ///< duration of the run
  Machine machine;                          ///< machine of the run
  typename Request::Exact exact = {};       ///< exact value, if theory provides it and it was computed in time
  std::optional<StopReason> ended_by = {};  ///< time_limit or interrupted, if that ended the run early
};

/// Returns an empty text for a question without a goal that it can miss.
template <class Request>
std::string missed_goal(const AnswerReport<Request>&) {
  return {};
}

}  // namespace sporos::runtime
