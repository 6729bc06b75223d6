// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/multilevel/task.hpp>
#include <sporos/runtime/simulation/answer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// `sporos multilevel`: the mean of a response by multilevel Monte Carlo.
extern const Question multilevel_question;

/// Parsed options of `sporos multilevel`.
struct MultilevelRequest : OnePointRequest<MultilevelTask> {
  std::string name;  ///< name of the response
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
MultilevelRequest multilevel_request(const ModelOptions& options);

/// Report on a mean estimated by multilevel Monte Carlo.
using MultilevelReport = AnswerReport<MultilevelRequest>;

/// Returns the exact limit of the levels' means if it is known from theory. This may take long.
std::optional<double> exact_mean(const MultilevelRequest& request);

/// Returns the work done so far as text, such as "5000 replications on 3 levels".
std::string done_text(const MultilevelReport& report);
/// Whether a launch stop ended the run before it reached the requested root mean square error.
bool is_ended_early(const MultilevelReport& report);
/// Returns the smallest amount of work that has a result, as text for messages: "3 levels were done".
std::string_view min_work(const MultilevelRequest& request);
/// Returns the reason why the run missed the requested root mean square error; empty if it reached it.
std::string missed_goal(const MultilevelReport& report);

/// Returns the result as data.
ResultDocument document_of(const MultilevelReport& report);

}  // namespace sporos::runtime
