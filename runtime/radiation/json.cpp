// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/radiation/report.hpp>

#include <sporos/models/radiation/beam_shares.hpp>
#include <sporos/models/radiation/radiation_files.hpp>
#include <sporos/models/radiation/radiation_json.hpp>
#include <sporos/version.hpp>

namespace sporos::runtime {

namespace {

void add_result(io::Json& json, const RadiationReport& report, const models::EnergyBalance& balance) {
  json["balance"] = models::json_of(balance);
  if (const auto shares = beam_shares(report.radiation, balance)) json["beam_shares"] = models::json_of(*shares);
}

void add_result(io::Json& json, const RadiationReport& report, const models::RadiativeEquilibrium& equilibrium) {
  json["tolerance"] = report.plan.equilibrium.tolerance;
  json["equilibrium"] = models::json_of(equilibrium);
}

std::string profile_of(const models::RadiationCase& radiation, const models::EnergyBalance& balance) {
  return energy_text(radiation, balance);
}

std::string profile_of(const models::RadiationCase& radiation, const models::RadiativeEquilibrium& equilibrium) {
  return temperatures_text(radiation, equilibrium);
}

}  // namespace

std::string json_of(const RadiationReport& report) {
  const RadiationPlan& plan = report.plan;
  io::Json json{{"sporos", SPOROS_VERSION},
                {"file", report.path},
                {"case", models::json_of(report.radiation)},
                {"question", name_of(plan.question)},
                {"plan", models::json_of(plan.photons)},
                {"precision", plan.precision ? io::Json(*plan.precision) : io::Json(nullptr)}};
  std::visit([&](const auto& result) { add_result(json, report, result); }, report.result);
  json["run"] = {{"seconds", io::json_number(report.seconds)}, {"machine", json_of(report.machine)}};
  return json_text(json);
}

std::string csv_of(const RadiationReport& report) {
  return std::visit([&](const auto& result) { return profile_of(report.radiation, result); }, report.result);
}

}  // namespace sporos::runtime
