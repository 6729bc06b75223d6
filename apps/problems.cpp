// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/destination.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/problems/report.hpp>

namespace sporos::apps {

Usage problems_usage() {
  return {"problems",
          called_with("problems [OPTION...]"),
          "Lists the problems for comparing solvers, with their decision variables and known optimum.",
          "`" + called_with("describe PROBLEM") + "` describes one problem in full.",
          {},
          {format_option(), output_option()}};
}

int problems_command(std::span<const std::string> arguments, Backend&) {
  const OptionTable options = parsed(problems_usage(), arguments).options;
  const Format format = options.choice("format", Format::table);
  const Destination destination(options.text("output"));
  destination.write(text_of(ProblemList{registered_problems()}, format));
  return 0;
}

}  // namespace sporos::apps
