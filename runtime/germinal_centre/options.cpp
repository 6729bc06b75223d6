// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/germinal_centre/options.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/help.hpp>

#include <sporos/core/io/format.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace sporos::runtime {

namespace {

constexpr auto form = "sporos simulate germinal-centre CASE --hours H [OPTION...]";
constexpr auto footer =
    "CASE is a JSON file that tells of tissue, cells, chemokines and pools, each quantity with its unit and source\n"
    "(examples/data/germinal_centre.json is one). The time series are the numbers of cells of each kind in the tissue\n"
    "of all centres and in the four pools, after each global step. The bits depend on the case and the seed alone.\n"
    "Ctrl-C ends the run with what there is.";

std::vector<OptionEntry> entries() {
  const std::string simulation = "Simulation", run = "Run", files = "Files";
  std::vector<OptionEntry> list{
      {simulation, "hours", "H", "how long, in simulated time; up to the end of a global step"},
      {simulation, "seed", "S", "names the random numbers, from 0 to 2^64 - 1; usually 1"},
      {run, "threads", "N", "threads of the backend; changes no bit of the result"},
      {run, "device", "N", device_help},
      {files, "output", "FILE", "write the time series there, as CSV, all or nothing, instead of to standard output"},
      {files, "picture", "FILE", "draw the populations over time there, as SVG or PNG by the name's ending"},
      {files, "section", "FILE",
       "draw a section through the first centre there, as it is in the end: its cells over the first chemokine"},
      {files, "snapshots", "PREFIX",
       "write the centres to PREFIX-CENTRE-HOURS-elements.vtk and -cells.vtk, for ParaView, in the end"},
      {files, "snapshot-every", "H", "and after each H hours"}};
  for (const OptionEntry& entry : checkpoint_options()) list.push_back(entry);
  return list;
}

}  // namespace

GerminalCentreOptions parse_germinal_centre_options(std::span<const std::string> arguments) {
  GerminalCentreOptions options{"", OptionTable(entries())};
  CLI::App app(
      "Simulates germinal centres: cells that move, meet, divide and die in tissues joined by blood and lymph.",
      "sporos simulate germinal-centre");
  add(app, options.table);
  add_no_progress(app, options.shows_progress);
  app.footer(footer);
  const bool names_case = !arguments.empty() && !arguments[0].starts_with('-');
  std::vector<PositionalFile> positionals;
  if (names_case) positionals.push_back({"CASE", arguments[0]});
  parse_options(app, arguments.subspan(positionals.size()), form, positionals);
  if (!names_case) throw std::invalid_argument(fmt::format("no case is given: expected {}", form));
  options.path = arguments[0];
  if (!options.table.has("hours")) throw std::invalid_argument(fmt::format("--hours is not given: expected {}", form));
  return options;
}

}  // namespace sporos::runtime
