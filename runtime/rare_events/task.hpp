// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/design_models.hpp>
#include <sporos/runtime/backend/parameter_values.hpp>
#include <sporos/runtime/backend/processes.hpp>

#include <sporos/core/replication/markov_chain.hpp>
#include <sporos/procedures/rare_events/adaptive_splitting.hpp>
#include <sporos/procedures/rare_events/importance.hpp>
#include <sporos/procedures/rare_events/importance_sampling.hpp>
#include <sporos/procedures/rare_events/rare_method.hpp>
#include <sporos/procedures/rare_events/splitting.hpp>
#include <sporos/procedures/rare_events/splitting_result.hpp>

#include <optional>
#include <span>
#include <stdexcept>
#include <variant>

namespace sporos::runtime {

/// The result of importance sampling or of splitting.
using RareEventResult = std::variant<ImportanceResult, SplittingResult>;

/// Estimates the probability that a response is at or beyond a threshold, by importance sampling, or that the model's
/// chain reaches a level, by any method. Throws the same exceptions as importance_sampled, split and adaptive_split.
struct RareEventTask {
  ParameterValues values;                      ///< the model's parameters
  std::optional<int> response = {};            ///< index of the response; none for the model's chain
  double threshold = 0;                        ///< threshold of the response, or target level of the chain
  Tail tail = Tail::upper;                     ///< side of the threshold on which the event lies
  RareMethod method = RareMethod::importance;  ///< simulation method
  ImportanceOptions importance = {};           ///< options of importance sampling
  SplittingOptions splitting = {};             ///< options of splitting and adaptive splitting

  using Result = RareEventResult;

  template <class ExecutionSpace, class Described>
  RareEventResult run() const {
    if (response) {
      const DesignModels<Described, typename ExecutionSpace::memory_space> design(std::span(&values, 1));
      return importance_sampled(ExecutionSpace(), design.models().front(), *response, threshold, tail, importance,
                                processes());
    }
    if constexpr (OffersChain<Described>) {
      const auto chain = model_of<Described>(values).chain();
      switch (method) {
        case RareMethod::importance:
          return importance_sampled(ExecutionSpace(), chain, threshold, importance, processes());
        case RareMethod::splitting:
          return split(ExecutionSpace(), chain, threshold, splitting, processes());
        case RareMethod::adaptive:
          return adaptive_split(ExecutionSpace(), chain, threshold, splitting, processes());
      }
    }
    throw std::invalid_argument("the model has no chain");
  }
};

}  // namespace sporos::runtime
