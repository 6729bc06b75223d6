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

namespace sporos::runtime {

/// The answer to either question.
using RadiationResult = std::variant<models::EnergyBalance, models::RadiativeEquilibrium>;

/// The answer to a question about a case, and how it was found.
struct RadiationReport {
  std::string path;  ///< of the case
  const models::RadiationCase& radiation;
  const RadiationPlan& plan;
  const RadiationResult& result;
  std::string_view stopped_by;  ///< photons, precision or interrupted
  double seconds;
  Machine machine;
};

/// The elements as CSV, for --profile: models::energy_text or models::temperatures_text.
std::string profile_of(const RadiationReport& report);

/// The result: all elements and plates from below, the fluxes, and the layers and bands of the case. Equal runs give
/// equal documents but for seconds and machine.
ResultDocument document_of(const RadiationReport& report);

}  // namespace sporos::runtime
