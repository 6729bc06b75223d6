// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/machine.hpp>
#include <sporos/runtime/radiation/options.hpp>

#include <sporos/models/radiation/energy_balance.hpp>
#include <sporos/models/radiation/equilibrium.hpp>

#include <string>
#include <variant>

namespace sporos::runtime {

/// The answer to either question.
using RadiationResult = std::variant<models::EnergyBalance, models::RadiativeEquilibrium>;

/// What photons have told of a case, and how.
struct RadiationReport {
  std::string path;  ///< of the case
  const models::RadiationCase& radiation;
  const RadiationPlan& plan;
  const RadiationResult& result;
  double seconds;
  Machine machine;
};

/// For people: the case, the elements, the fluxes.
std::string table_of(const RadiationReport& report);

/// The profile: models::energy_text or models::temperatures_text.
std::string csv_of(const RadiationReport& report);

/// All there is:
///
///     {"sporos": version, "file": path, "case": {...}, "question", "plan": {...}, "precision", "tolerance",
///      "balance": {...} or "equilibrium": {...}, "run": {"seconds", "machine": {...}}}
///
/// with case, plan and results as models::json_of has them. Equal runs give equal bytes but for "run".
std::string json_of(const RadiationReport& report);

}  // namespace sporos::runtime
