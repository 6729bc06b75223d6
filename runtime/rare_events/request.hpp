// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/rare_events/task.hpp>
#include <sporos/runtime/simulation/question.hpp>

#include <cstdint>
#include <string>

namespace sporos::runtime {

/// `sporos rare-event`: the probability of a rare event.
extern const Question rare_event_question;

/// Parsed options of `sporos rare-event`.
struct RareEventRequest : RareEventTask {
  const ModelDescription* model = nullptr;  ///< the model
  std::string event;                        ///< event as the user writes it
  double time_limit = 0;                    ///< time limit in seconds

  double confidence() const { return importance.confidence; }  ///< confidence of the interval
  std::uint64_t seed() const { return importance.seed; }       ///< seed of the random numbers
};

/// Parses the options. Throws std::invalid_argument, naming the option, if the request cannot be carried out.
RareEventRequest rare_event_request(const ModelOptions& options);

}  // namespace sporos::runtime
