// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/rare_events/task.hpp>
#include <sporos/runtime/simulation/answer.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// `sporos rare-event`: the probability of a rare event.
extern const Question rare_event_question;

/// Parsed options of `sporos rare-event`.
struct RareEventRequest : OnePointRequest<RareEventTask> {
  std::string event;  ///< event as the user writes it

  double confidence() const { return importance.confidence; }  ///< confidence of the interval
  std::uint64_t seed() const { return importance.seed; }       ///< seed of the random numbers
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
RareEventRequest rare_event_request(const ModelOptions& options);

/// Report on the probability of a rare event.
using RareEventReport = AnswerReport<RareEventRequest>;

/// Returns the exact probability if it is known from theory. This may take long.
std::optional<double> exact_mean(const RareEventRequest& request);

/// Returns the work done so far as text, such as "12 of 30 runs".
std::string done_text(const RareEventReport& report);
/// Whether a launch stop ended the run before all work was done.
bool is_ended_early(const RareEventReport& report);
/// Returns the smallest amount of work that has a result, as text for messages such as "2 runs were done".
std::string_view min_work(const RareEventRequest& request);
/// Returns a message with an upper bound of the probability if the event was not seen; otherwise empty.
std::string missed_goal(const RareEventReport& report);

/// Returns the result as data.
ResultDocument document_of(const RareEventReport& report);

}  // namespace sporos::runtime
