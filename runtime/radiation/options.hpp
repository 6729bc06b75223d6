// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/radiation/equilibrium.hpp>
#include <sporos/models/radiation/photon_plan.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sporos::runtime {

/// What is asked of a case.
enum class RadiationQuestion {
  balance,     ///< where the energy goes at the given temperatures
  equilibrium  ///< the temperatures at which each element sends out what it absorbs
};

/// Reads the arguments behind `sporos simulate radiation`. Throws Help where that is asked for, std::invalid_argument
/// for what is no option and where no case is named; values are looked at later.
Arguments parse_radiation_options(std::span<const std::string> arguments);

/// What is to be done, for a case that has been read.
struct RadiationPlan {
  RadiationQuestion question;
  models::PhotonPlan photons;              ///< with a precision, at most so many
  std::optional<double> precision;         ///< K of temperatures or W/m² of fluxes: the greatest standard error
  models::EquilibriumOptions equilibrium;  ///< when its iteration ends
};

/// The plan that the options make. Throws std::invalid_argument, naming the option, for one that cannot be carried out.
RadiationPlan radiation_plan(const OptionTable& table);

}  // namespace sporos::runtime

/// Names of the questions.
template <>
struct sporos::ChoiceNames<sporos::runtime::RadiationQuestion> {
  using Question = runtime::RadiationQuestion;          ///< what there is
  static constexpr std::string_view what = "question";  ///< what is chosen
  /// name and value of each
  static constexpr auto values =
      std::to_array<NamedValue<Question>>({{"balance", Question::balance}, {"equilibrium", Question::equilibrium}});
};
