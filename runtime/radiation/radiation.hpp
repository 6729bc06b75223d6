// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/core/execution/choice.hpp>
#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/equilibrium.hpp>
#include <sporos/models/radiation/photon_plan.hpp>
#include <sporos/models/radiation/radiation_case.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// Question about a case.
enum class RadiationQuestion {
  balance,     ///< energy gained and lost at the given temperatures
  equilibrium  ///< temperatures at which each element emits the energy that it absorbs
};

/// Reads the arguments after `sporos simulate radiation`. Throws Help if help is requested, std::invalid_argument for
/// an unknown option or if no case is given. Values of options are not checked.
Arguments parse_radiation_options(std::span<const std::string> arguments);

/// Plan of a computation for a case.
struct RadiationPlan {
  RadiationQuestion question;
  models::PhotonPlan photons;              ///< plan of the photons; with a precision, their number is an upper limit
  std::optional<double> precision;         ///< upper bound of standard errors: of temperatures in K, of fluxes in W/m²
  models::EquilibriumOptions equilibrium;  ///< stopping criteria of the iteration to equilibrium
};

/// Returns the plan that the options specify. Throws std::invalid_argument, naming the option, if it cannot be carried
/// out.
RadiationPlan radiation_plan(const OptionTable& table);

}  // namespace sporos::runtime

/// Names of the values of RadiationQuestion.
template <>
struct sporos::ChoiceNames<sporos::runtime::RadiationQuestion> {
  using Question = runtime::RadiationQuestion;          ///< type of the choices
  static constexpr std::string_view what = "question";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values =
      std::to_array<NamedValue<Question>>({{"balance", Question::balance}, {"equilibrium", Question::equilibrium}});
};

namespace sporos::runtime {

/// The answer to either RadiationQuestion.
using RadiationResult = std::variant<models::EnergyBalance, models::RadiativeEquilibrium>;

/// Report on a question about a case.
struct RadiationReport {
  std::string path;  ///< path of the case file
  const models::RadiationCase& radiation;
  const RadiationPlan& plan;
  const RadiationResult& result;
  std::string_view stopped_by;  ///< reason for the end of the run: photons, precision or interrupted
  double seconds;
  Machine machine;
};

/// Returns the elements as CSV for --profile, by models::energy_text or models::temperatures_text.
std::string profile_of(const RadiationReport& report);

/// Returns the result as data: all elements and plates from below, the fluxes, and the layers and bands of the case.
/// Equal runs have equal documents except for seconds and machine.
ResultDocument document_of(const RadiationReport& report);

/// Names of the tables that every result with this case has.
std::vector<std::string> table_names(const models::RadiationCase& radiation);

}  // namespace sporos::runtime
