// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/array_rqmc/task.hpp>
#include <sporos/runtime/simulation/answer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// `sporos array-rqmc`: the mean response of a chain by array-RQMC.
extern const Question array_rqmc_question;

/// Parsed options of `sporos array-rqmc`.
using ArrayRqmcRequest = OnePointRequest<ArrayRqmcTask>;

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
ArrayRqmcRequest array_rqmc_request(const ModelOptions& options);

/// Report on the mean response of a chain.
using ArrayRqmcReport = AnswerReport<ArrayRqmcRequest>;

/// Returns the exact mean if it is known from theory. This may take long.
std::optional<double> exact_mean(const ArrayRqmcRequest& request);

/// Returns the work done so far as text, such as "12 of 30 randomizations".
std::string done_text(const ArrayRqmcReport& report);
/// Whether a launch stop ended the run before all work was done.
bool is_ended_early(const ArrayRqmcReport& report);
/// Returns the smallest amount of work that has a result, as text for messages: "2 randomizations were done".
std::string_view min_work(const ArrayRqmcRequest& request);

/// Returns the result as data.
ResultDocument document_of(const ArrayRqmcReport& report);

}  // namespace sporos::runtime
