// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/optimizers/search/sampled_problem.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sporos {

/// A parameter of a model that is to be decided.
struct Decision {
  std::string parameter;  ///< its name
  double low;             ///< least value; -infinite where there is none
  double high;            ///< greatest value; infinite where there is none
};

namespace impl {

/// A parameter of a model that is a number.
struct NumberParameter {
  std::string name;
  std::size_t place;  // among all parameters
  bool is_integer;
};

/// The parameters that are decided, in the order of the decisions.
struct DecidedParameters {
  std::vector<std::string> names;
  std::vector<std::size_t> places;  // among all parameters
  std::vector<DecisionRange> bounds;
  bool are_real = true;  // all of them
};

/// Those of a model that has these numbers. Throws std::invalid_argument as SimulatedObjective does.
DecidedParameters decided_parameters(std::span<const Decision> decisions, const std::vector<NumberParameter>& numbers);

}  // namespace impl

}  // namespace sporos
