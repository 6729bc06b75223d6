// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"

#include "calibrate.hpp"
#include "failure.hpp"
#include "fit.hpp"
#include "germinal_centre.hpp"
#include "info.hpp"
#include "optimize.hpp"
#include "predict.hpp"
#include "radiation.hpp"
#include "sample.hpp"
#include "simulate.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/options/help.hpp>
#include <sporos/runtime/options/suggestion.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/case_models.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/version.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <span>
#include <stdexcept>

namespace sporos::apps {

namespace {

using Arguments = std::span<const std::string>;
using Column = io::Table::Column;

constexpr auto usage =
    R"(Simulates stochastic models in replications, the same bits on every backend, and optimizes over them.

  sporos simulate MODEL [OPTION...]   run an experiment and print its estimates
  sporos optimize PROBLEM [OPTION...] minimize an expectation and bound how far it is from the minimum
  sporos predict MODEL DATA           give the classes of rows by a classification that was learned
  sporos fit DATA [OPTION...]         fit normal mixtures to a sample, for each number of components
  sporos sample SAMPLING [OPTION...]  write the points of a sampling as CSV or NPY
  sporos calibrate [OPTION...]        measure blocks of random numbers, and how large they should be
  sporos list                         the models there are
  sporos describe MODEL               parameters, responses and exact values of a model
  sporos info                         version, devices and build options of this program, for a bug report, say

Every command says more with --help; `sporos simulate MODEL --help` lists all options, as `sporos optimize PROBLEM
--help` does.
The same commands are built once for each backend (sporos-serial, sporos-openmp, sporos-cuda); `sporos` is the fastest
of those built. Exit status: 0; 1 for a failure under way; 2 for bad input, for output that cannot be written and for a
precision, gap or gradient that was not reached; 130 or 143 where Ctrl-C or SIGTERM ended the run.
)";

bool is_help(const std::string& argument) { return argument == "--help" || argument == "-h"; }

// The arguments of a command that takes exactly `count`; its help where that is asked for.
void check_arguments(Arguments arguments, std::size_t count, const std::string& form, const std::string& help) {
  if (std::any_of(arguments.begin(), arguments.end(), is_help)) throw Help{form + "\n\n" + help + "\n"};
  if (arguments.size() > count) {
    throw std::invalid_argument(fmt::format("unexpected {}: expected {}", io::in_quotes(arguments[count]), form));
  }
  if (arguments.size() < count) throw std::invalid_argument("no model is given: expected " + form);
}

std::string list() {
  io::Table table({{"model", Column::text}, {"what it simulates", Column::text}});
  for (const auto& model : model_descriptions()) table.add_row({model.name, model.title});
  for (const CaseModel& model : case_models) table.add_row({std::string(model.name), std::string(model.title)});
  return table.text();
}

std::string describe(const ModelDescription& model) {
  io::Table parameters(
      {{"parameter", Column::text}, {"usual", Column::number}, {"unit", Column::text}, {"meaning", Column::text}});
  for (const auto& parameter : model.parameters) {
    parameters.add_row({parameter.flag(), shown_text_of(parameter.usual), parameter.unit, parameter.meaning});
  }
  io::Table responses({{"response", Column::text}, {"exact mean at the usual parameters", Column::text}});
  const auto names = model.response_names(model.usual_values());
  const auto exact = model.exact_means(model.usual_values());
  for (std::size_t i = 0; i < names.size(); ++i) {
    responses.add_row({names[i], exact[i] ? io::shortest_text(*exact[i]) : "unknown"});
  }
  return fmt::format("{}: {}\n{}\n\n{}\n{}", model.name, model.title,
                     plural(model.input_count, "input variable", "input variables"), parameters.text(),
                     responses.text());
}

// Those of case files are no models in this sense: their parameters are a file, their responses as many as the case has
// elements or kinds of cells.
std::string description_of(const std::string& name) {
  for (const CaseModel& model : case_models) {
    if (name != model.name) continue;
    return fmt::format("{0}: {1}\n`sporos simulate {0} --help` {2}\n", model.name, model.title, model.help);
  }
  return describe(find_model(name, case_model_names));
}

int run_command(const std::string& command, Arguments arguments, Backend& backend);

// `sporos help fit` is `sporos fit --help`.
int help_of(Arguments arguments, Backend& backend) {
  std::vector<std::string> asked(arguments.begin() + 1, arguments.end());
  asked.emplace_back("--help");
  return run_command(arguments.front(), asked, backend);
}

int run_command(const std::string& command, Arguments arguments, Backend& backend) {
  if (command == "help" && !arguments.empty()) return help_of(arguments, backend);
  if (is_help(command) || command == "help") throw Help{usage};
  if (command == "--version") throw Help{"sporos " SPOROS_VERSION "\n"};
  if (command == "simulate") return simulate_command(arguments, backend);
  if (command == "optimize") return optimize_command(arguments, backend);
  if (command == "predict") return predict_command(arguments);
  if (command == "fit") return fit_command(arguments, backend);
  if (command == "sample") return sample_command(arguments, backend);
  if (command == "calibrate") return calibrate_command(arguments, backend);
  if (command == "info") return info_command(arguments, backend);
  if (command == "list") {
    check_arguments(arguments, 0, "sporos list", "Lists the models and what they simulate.");
    io::write_standard_output(list());
  } else if (command == "describe") {
    check_arguments(arguments, 1, "sporos describe MODEL",
                    "Describes a model: its parameters with their usual values and units, its responses, and their "
                    "exact means as\nfar as theory knows them. `sporos list` lists the models.");
    io::write_standard_output(description_of(arguments[0]));
  } else {
    throw std::invalid_argument("unknown command " + io::in_quotes(command) +
                                suggestion_for(command, {"simulate", "optimize", "predict", "fit", "sample",
                                                         "calibrate", "list", "describe", "info"}));
  }
  return 0;
}

// A closed standard stream would hand its number to the next file that is opened.
void check_standard_streams() {
  if (::fcntl(STDERR_FILENO, F_GETFD) < 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    if (null >= 0 && null != STDERR_FILENO) ::dup2(null, STDERR_FILENO);
  }
  if (::fcntl(STDOUT_FILENO, F_GETFD) < 0) throw io::WriteError("standard output", EBADF);
}

// An empty argument is what an unset variable of the shell leaves.
void check_not_empty(Arguments arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty()) {
      throw std::invalid_argument(
          fmt::format("the argument {} is empty, expected a value: is a variable of the shell not set?",
                      i == 0 ? "behind sporos" : "behind " + io::in_quotes(arguments[i - 1])));
    }
    if (argument.starts_with("--") && argument.ends_with('=')) {
      throw std::invalid_argument(
          fmt::format("{} is empty, expected a value: is a variable of the shell not set?", io::in_quotes(argument)));
    }
  }
}

int run_arguments(Arguments arguments, Backend& backend) {
  check_standard_streams();
  check_not_empty(arguments);
  if (arguments.empty()) {
    throw std::invalid_argument(
        "no command is given: expected simulate, optimize, predict, fit, sample, calibrate, list, describe, info or "
        "--help");
  }
  set_failing_command(arguments.front());
  try {
    return run_command(arguments.front(), arguments.subspan(1), backend);
  } catch (const Help& help) {
    io::write_standard_output(help.text);
    return 0;
  }
}

// Runs them; where that fails before the processes have met, all fail.
int run_together(Arguments arguments, Backend& backend) {
  int status = 0;
  std::exception_ptr failure;
  try {
    status = run_arguments(arguments, backend);
  } catch (...) {
    failure = std::current_exception();
  }
  meet(failure);
  return status;
}

// Runs them, says what fails, and returns the exit status.
int status_of(Arguments arguments, ProcessSession& session, Backend& backend) {
  try {
    session.begin();
    return run_together(arguments, backend);
  } catch (const std::exception&) {
    return tell_failure(std::current_exception());
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, ProcessSession& session, Backend& backend) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error like any other
  return common_status(status_of(arguments, session, backend));
}

}  // namespace sporos::apps
