// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/radiation/radiation.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/case_models.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <limits>
#include <stdexcept>

namespace sporos::runtime {

namespace {

using models::PathTreatment;

constexpr auto radiation_form = "sporos simulate radiation --case FILE [OPTION...]";
constexpr auto footer =
    "FILE is JSON; lengths are in m, extinctions in 1/m, temperatures in K, the beam in W/m²:\n\n"
    "  {\"layers\": [{\"thickness\": 1, \"extinction\": 2, \"albedo\": 0.5, \"asymmetry\": 0.8, \"temperature\": 900, "
    "\"slices\": 20}],\n"
    "   \"lower\": {\"temperature\": 1200, \"emissivity\": 0.9}, \"upper\": {\"temperature\": 300, \"emissivity\": "
    "1},\n"
    "   \"beam\": {\"irradiance\": 5000, \"cosine\": 1}, \"widths\": [1, 1], \"columns\": [1, 1]}\n\n"
    "Only \"layers\" is required, with thickness and extinction; an open side is a plate of emissivity 1 at 0 K. If "
    "the medium or the plates depend on the wavelength, give \"bands\", with ends in µm and the extinction of each "
    "layer: [{\"end\": 4, \"extinctions\": [0.5]}, {\"extinctions\": [5]}]. Ctrl-C ends the run with the photons so "
    "far. The model lit-slab is a slab with a beam only: `sporos simulate lit-slab`.";

std::vector<OptionEntry> radiation_entries() {
  const models::PhotonPlan defaults;
  const models::EquilibriumOptions settled;
  const std::string task = "Case", photons = "Photons", iteration = "Equilibrium";
  const std::vector<OptionEntry> list = {
      {task, "case", "FILE", "layers, plates, beam and temperatures; see below", FileUse::reads, Decides::run},
      {task, "question", "NAME",
       fmt::format("{}: energy gained and lost at the temperatures of the case; {}: the temperatures at which elements "
                   "emit what they absorb; default: {}",
                   name_of(RadiationQuestion::balance), name_of(RadiationQuestion::equilibrium),
                   name_of(RadiationQuestion::balance))},
      {photons, "photons", "N",
       fmt::format("number of photon bundles to follow; with --precision, the maximum; default: {}", defaults.photons)},
      {photons, "precision", "H",
       "double the number of photons until no standard error is above H: in K for temperatures at equilibrium, in W/m² "
       "for fluxes otherwise"},
      {photons, "seed", "S", fmt::format("seed of the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)},
      {photons, "engine", "NAME", names_of<Engine>()},
      {photons, "batches", "B",
       fmt::format("batches of photons, which give the standard errors; default: {}", defaults.batches)},
      {photons, "paths", "NAME",
       fmt::format(
           "share of a photon that an element absorbs along a path: {}, 1 - exp(-κd), or {}, by Monte Carlo from "
           "points on the path; default: {}",
           name_of(PathTreatment::exact), name_of(PathTreatment::sampled), name_of(defaults.rules.paths))},
      {photons, "points", "N",
       fmt::format("with --paths sampled: points on each path; default: {}", defaults.rules.points)},
      {photons, "weighting", "NAME",
       fmt::format("{}: a photon loses its energy in parts; {}: all at once; default: {}",
                   name_of(models::PhotonWeighting::weighted), name_of(models::PhotonWeighting::analogue),
                   name_of(defaults.rules.weighting))},
      {iteration, "tolerance", "E",
       fmt::format("the iteration ends when no σT⁴ changes by more than E times the largest; default: {:g}",
                   settled.tolerance)},
      {iteration, "iterations", "N", fmt::format("maximum number of iterations; default: {}", settled.max_iterations)}};
  return entries_of(
      {list,
       execution_options("threads of the backend; changes no bit of the result"),
       {format_option(" (the elements)"),
        table_option(),
        output_option(),
        {"Run", "profile", "FILE", "write all elements there, as CSV", FileUse::writes, Decides::run}},
       checkpoint_options(),
       {report_option(), picture_option("the profile between the plates with standard errors"), no_progress_option()}});
}

Usage radiation_usage() {
  return {"simulate radiation",
          radiation_form,
          "Follows photons between two plates through a medium that absorbs, emits and scatters.",
          footer,
          {},
          radiation_entries()};
}

}  // namespace

CaseModel radiation_model() {
  return {"radiation", "photons between two plates, from a case file", "shows one and lists the options",
          radiation_usage};
}

Arguments parse_radiation_options(std::span<const std::string> arguments) {
  Arguments given = parsed(radiation_usage(), arguments);
  if (!given.options.has("case"))
    throw std::invalid_argument(fmt::format("no case is given: expected {}", radiation_form));
  return given;
}

RadiationPlan radiation_plan(const OptionTable& table) {
  constexpr int most = std::numeric_limits<int>::max();
  RadiationPlan plan{table.choice("question", RadiationQuestion::balance), {}, {}, {}};
  models::PhotonPlan& photons = plan.photons;
  photons.photons = table.whole("photons", photons.photons, 1);
  photons.seed = table.seed("seed", photons.seed);
  photons.engine = table.choice("engine", photons.engine);
  photons.batches = static_cast<int>(table.whole("batches", photons.batches, 1, most));
  photons.rules.paths = table.choice("paths", photons.rules.paths);
  table.refuse_unless(photons.rules.paths == PathTreatment::sampled, "points", "--paths sampled");
  photons.rules.points = static_cast<int>(table.whole("points", photons.rules.points, 1, most));
  photons.rules.weighting = table.choice("weighting", photons.rules.weighting);
  check_photon_plan(photons);
  if (table.has("precision")) plan.precision = table.positive("precision", 0);
  for (const char* name : {"tolerance", "iterations"}) {
    table.refuse_unless(plan.question == RadiationQuestion::equilibrium, name, "--question equilibrium");
  }
  plan.equilibrium.tolerance = table.positive("tolerance", plan.equilibrium.tolerance);
  plan.equilibrium.max_iterations = table.whole("iterations", plan.equilibrium.max_iterations, 1);
  return plan;
}

}  // namespace sporos::runtime
