// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/question.hpp>

#include <sporos/procedures/rare_events/importance.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>
#include <sporos/procedures/rare_events/rare_method.hpp>
#include <sporos/procedures/rare_events/splitting_result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// `sporos rare-event`: the probability of a rare event.
extern const Question rare_event_question;

/// What the options of `sporos rare-event` ask for.
struct RareEventRequest {
  const ModelDescription* model;               ///< of which
  ParameterValues values;                      ///< of its parameters
  std::string event;                           ///< as the user writes it
  std::optional<std::size_t> response = {};    ///< of which it is an event; none where it is one of the model's chain
  double threshold = 0;                        ///< that the response or the chain's level comes to
  Tail tail = Tail::upper;                     ///< from which side
  RareMethod method = RareMethod::importance;  ///< how it is simulated
  ImportanceOptions importance = {};           ///< of importance sampling
  SplittingOptions splitting = {};             ///< of the two others
  double time_limit = 0;                       ///< seconds

  double confidence() const { return importance.confidence; }  ///< of the interval
  std::uint64_t seed() const { return importance.seed; }       ///< of the random numbers
};

/// What came out.
using RareEventResult = std::variant<ImportanceResult, SplittingResult>;

/// What the options ask for. Throws std::invalid_argument, naming the option, for what cannot be carried out.
RareEventRequest rare_event_request(const ModelOptions& options);

}  // namespace sporos::runtime
