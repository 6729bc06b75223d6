// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include <sporos/runtime/backend/info.hpp>
#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <string>

namespace sporos::apps {

Usage info_usage() {
  return {"info",
          called_with("info [OPTION...]"),
          "Prints version, devices and build options of this program, which a bug report should include.",
          "",
          {},
          entries_of({execution_options("threads of the backend, as in the other commands"),
                      {format_option(), output_option()}})};
}

int info_command(std::span<const std::string> arguments, Backend& backend) {
  const OptionTable table = parsed(info_usage(), arguments).options;
  const Format format = table.choice("format", Format::table);
  const auto settings = execution_settings(table, backend);
  const Destination destination(table.text("output"));
  destination.write(info_text(backend, settings, format));
  return 0;
}

}  // namespace sporos::apps
