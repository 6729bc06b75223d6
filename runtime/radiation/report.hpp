// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/radiation/options.hpp>
#include <sporos/runtime/results/result_document.hpp>

#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/equilibrium.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

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
