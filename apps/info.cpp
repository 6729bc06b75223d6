// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "info.hpp"

#include <sporos/runtime/backend/info.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/options/output_format.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <string>
#include <vector>

namespace sporos::apps {

namespace {

constexpr auto info_form = "sporos info [OPTION...]";

std::vector<OptionEntry> info_entries() {
  return {{"Run", "threads", "N", "as for the other commands: the threads that would be used"},
          {"Run", "device", "N", device_help},
          {"Run", "format", "NAME", names_of<Format>() + "; usually table"},
          {"Run", "output", "FILE", "write there, all or nothing, instead of to standard output"}};
}

}  // namespace

int info_command(std::span<const std::string> arguments, Backend& backend) {
  OptionTable table(info_entries());
  CLI::App app("Tells version, devices and build options of this program: what a bug report should say.",
               "sporos info");
  add(app, table);
  parse_options(app, arguments, info_form);
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table.text("threads"), table.text("device"), backend);
  const Destination destination(table.text("output"));
  destination.write(info_text(backend, settings, format));
  return 0;
}

}  // namespace sporos::apps
