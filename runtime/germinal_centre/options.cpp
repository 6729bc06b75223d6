// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/germinal_centre/options.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/simulation/case_models.hpp>

#include <sporos/core/io/format.hpp>

#include <stdexcept>
#include <vector>

namespace sporos::runtime {

namespace {

constexpr auto form = "sporos simulate germinal-centre CASE --hours H [OPTION...]";
constexpr auto footer =
    "CASE is a JSON file that describes tissue, cells, chemokines and pools, each quantity with its unit and source "
    "(example: examples/data/germinal_centre.json). The result is the number of cells of each kind in the tissue of "
    "all centres and in the four pools: at the end, and in the formats csv and json after each global step. It is "
    "bitwise reproducible: it depends only on the case and the seed. Ctrl-C ends the run and writes the results so "
    "far.";

std::vector<OptionEntry> germinal_centre_entries() {
  const std::string simulation = "Simulation", files = "Files";
  const auto file = [&](const char* name, const char* value, const char* help, FileUse use) {
    return OptionEntry{files, name, value, help, use, Decides::run};
  };
  return entries_of(
      {{{simulation, "hours", "H", "simulated time in hours; rounded up to a whole number of global steps"},
        {simulation, "seed", "S", "seed of the random numbers, from 0 to 2^64 - 1; default: 1"}},
       execution_options("threads of the backend; changes no bit of the result"),
       {format_option(" (the populations over time)"),
        table_option(),
        output_option(),
        report_option(),
        file("picture", "FILE", "draw the populations over time there, as SVG or PNG by the name's ending",
             FileUse::writes),
        file("section", "FILE",
             "draw a section through the first centre at the end there: its cells over the first chemokine",
             FileUse::writes),
        file("snapshots", "PREFIX",
             "at the end, write the centres to PREFIX-CENTRE-HOURS-elements.vtk and -cells.vtk, for ParaView",
             FileUse::writes_series),
        {files, "snapshot-every", "H", "with --snapshots: write them also after every H hours", {}, Decides::run}},
       checkpoint_options(),
       {no_progress_option()}});
}

Usage germinal_centre_usage() {
  return {"simulate germinal-centre",
          form,
          "Simulates germinal centres: cells that move, meet, divide and die in tissues joined by blood and lymph.",
          footer,
          {{"CASE", FileUse::reads, "case is"}},
          germinal_centre_entries()};
}

}  // namespace

CaseModel germinal_centre_model() {
  return {"germinal-centre", "cells in tissues joined by blood and lymph, from a case file", "lists the options",
          germinal_centre_usage};
}

Arguments parse_germinal_centre_options(std::span<const std::string> arguments) {
  Arguments given = parsed(germinal_centre_usage(), arguments);
  if (!given.options.has("hours")) throw std::invalid_argument(fmt::format("--hours is not given: expected {}", form));
  return given;
}

}  // namespace sporos::runtime
