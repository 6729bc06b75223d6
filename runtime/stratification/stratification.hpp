// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/answer.hpp>
#include <sporos/runtime/stratification/task.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

/// `sporos stratify`: means from strata of an input variable.
extern const Question stratify_question;

/// Parsed options of `sporos stratify`.
struct StratifiedRequest : OnePointRequest<StratifiedTask, std::vector<std::optional<double>>> {
  std::string input;  ///< name of the input variable, or "input 2"
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
StratifiedRequest stratified_request(const ModelOptions& options);

/// Report on means estimated from strata. Responses that are ratios of means are omitted.
using StratifiedReport = AnswerReport<StratifiedRequest>;

/// Returns, for each response, the exact mean if it is known from theory. This may take long.
std::vector<std::optional<double>> exact_mean(const StratifiedRequest& request);

/// Returns the work done so far as text, such as "512 of 100000 replications".
std::string done_text(const StratifiedReport& report);
/// Whether a launch stop ended the run before all work was done.
bool is_ended_early(const StratifiedReport& report);
/// Returns the smallest amount of work that has a result, as text for messages: "each stratum had 2 replications".
std::string_view min_work(const StratifiedRequest& request);

/// Returns the result as data.
ResultDocument document_of(const StratifiedReport& report);

}  // namespace sporos::runtime
