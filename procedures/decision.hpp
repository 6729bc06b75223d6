// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// Decision variable: a parameter of a model, with its bounds.
struct Decision {
  std::string parameter;  ///< name of the parameter
  double low;             ///< lower bound; −∞ if there is none
  double high;            ///< upper bound; ∞ if there is none
};

namespace impl {

/// A numeric parameter of a model.
struct NumberParameter {
  std::string name;
  std::size_t place;  // index among all parameters
  bool is_integer;
};

/// Parameters that are decision variables, in the order of the decisions.
struct DecidedParameters {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::vector<std::string> names;
  std::vector<std::size_t> places;  // indices among all parameters
  std::vector<DecisionRange> bounds;
  bool are_real = true;                // whether all of them are real
  std::vector<std::size_t> decisions;  // by index among all parameters: index of the decision variable, or none

  // Index of the decision variable that is parameter `place`, or none.
  std::size_t decision_at(std::size_t place) const { return place < decisions.size() ? decisions[place] : none; }
};

/// Looks up `decisions` among the numeric parameters of a model. Throws std::invalid_argument in the same cases as
/// SimulatedObjective.
DecidedParameters decided_parameters(std::span<const Decision> decisions, const std::vector<NumberParameter>& numbers);

}  // namespace impl

}  // namespace sporos
