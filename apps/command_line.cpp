// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_line.hpp"

#include "commands.hpp"
#include "failure.hpp"
#include "interruption.hpp"

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/version.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <span>
#include <stdexcept>

namespace sporos::apps {

namespace {

using Words = std::span<const std::string>;

// Text before and after the list of commands.
constexpr auto usage_head =
    "Simulates stochastic models, with bit-identical replications on every backend, and optimizes over them.\n\n";
constexpr auto usage_foot = R"(
For the options of a command, add --help to it. If it takes a model or a problem, name that as well:
`{0} simulate MODEL --help`, `{0} optimize {1} --help`.
Each backend has its own program ({0}-serial, {0}-openmp, {0}-cuda); `{0}` runs the fastest one that is built.
Exit status: 0 for success; 1 for a failure during the run; 2 for bad input, for output that cannot be written and for
a precision or tolerance that was not reached; 130 or 143 if Ctrl-C or SIGTERM ended the run.
)";

// Lists the commands in groups and in two columns. If a command is too long for the first column, its meaning is on the
// next line.
std::string usage() {
  constexpr std::size_t width = 38;
  std::string text = usage_head;
  std::string_view group;
  for (const Command& command : commands()) {
    if (command.group != group) text += fmt::format("{}{}:\n", group.empty() ? "" : "\n", command.group);
    group = command.group;
    std::string form = fmt::format("  {} {}", program().name, command.name);
    if (!command.arguments.empty()) form += fmt::format(" {}", command.arguments);
    if (form.size() > width - 2) form += fmt::format("\n{:{}}", "", width);
    text += fmt::format("{:<{}}{}\n", form, width, command.meaning);
  }
  return text + fmt::format(usage_foot, program().name, program().has_tasks ? "PROBLEM" : "MODEL");
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

// Opens /dev/null in place of a standard stream that is closed.
void replace_closed(int stream, int flags) {
  if (::fcntl(stream, F_GETFD) >= 0) return;
  const int null = ::open("/dev/null", flags);
  if (null < 0 || null == stream) return;
  ::dup2(null, stream);
  ::close(null);
}

// Replaces closed standard streams, whose numbers the next opened files would get otherwise. Standard output still
// cannot be written; the attempt fails.
void replace_closed_streams() {
  replace_closed(STDERR_FILENO, O_WRONLY);
  replace_closed(STDOUT_FILENO, O_RDONLY);
}

// Refuses empty arguments, which unset variables of the shell leave.
void check_not_empty(Words arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument.empty()) {
      throw std::invalid_argument(
          fmt::format("the argument {} is empty, expected a value: is a variable of the shell not set?",
                      "after " + (i == 0 ? program().name : io::in_quotes(arguments[i - 1]))));
    }
    if (argument.starts_with("--") && argument.ends_with('=')) {
      throw std::invalid_argument(
          fmt::format("{} is empty, expected a value: is a variable of the shell not set?", io::in_quotes(argument)));
    }
  }
}

// Turns `sporos help fit` into `sporos fit --help`.
std::vector<std::string> without_help(Words arguments) {
  const bool asks = arguments.size() > 1 && arguments.front() == "help";
  std::vector<std::string> words(arguments.begin() + (asks ? 1 : 0), arguments.end());
  if (asks) words.emplace_back("--help");
  return words;
}

std::string version_text() {
  constexpr auto sporos = "sporos " SPOROS_VERSION "\n";
  return program().name == "sporos" ? sporos : program().name + " with " + sporos;
}

const Command& command_named(const std::string& name) {
  if (asks_for_help(name) || name == "help") throw Help{usage()};
  if (name == "--version") throw Help{version_text()};
  for (const Command& command : commands()) {
    if (name == command.name) return command;
  }
  if (name == "experiment")
    throw std::invalid_argument("unknown command 'experiment': did you mean 'compare-solvers'?");
  throw std::invalid_argument("unknown command " + io::in_quotes(name) + suggestion_for(name, command_names()));
}

// Lists the commands that have the option: "`sporos optimize`, `sporos select`". Parameters of models are not options.
std::string owners_of(const std::string& option) {
  std::vector<std::string> owners;
  for (const Usage& other : usages()) {
    const bool has = std::ranges::any_of(other.options, [&](const OptionEntry& entry) {
      return "--" + entry.name == option && !entry.group.starts_with("Parameters");
    });
    std::string owner = '`' + called_with(other.command.substr(0, other.command.find(' '))) + '`';
    if (has && std::ranges::find(owners, owner) == owners.end()) owners.push_back(std::move(owner));
  }
  return fmt::format("{}", fmt::join(owners, ", "));
}

[[noreturn]] void refuse(const UnknownOption& error) {
  for (const Command& command : commands()) {
    if (error.option != fmt::format("--{}", command.name)) continue;
    throw std::invalid_argument(fmt::format("unknown option {}: expected the command `{}`", io::in_quotes(error.option),
                                            called_with(fmt::format("{} {}", command.name, command.arguments))));
  }
  const std::string owners = owners_of(error.option);
  if (owners.empty()) throw error;
  throw std::invalid_argument(
      fmt::format("unknown option {}: it is an option of {}; {}", io::in_quotes(error.option), owners, error.listed));
}

// Checks the words of a command line. Returns those after the program's name, with `--help` in place of `help`.
std::vector<std::string> command_words(Words arguments) {
  replace_closed_streams();
  check_not_empty(arguments);
  if (arguments.empty()) {
    throw std::invalid_argument(
        fmt::format("no command is given: expected {} or --help", fmt::join(command_names(), ", ")));
  }
  set_failing_command(arguments.front());
  return without_help(arguments);
}

// Prints help if it was thrown. Throws all other exceptions again, with the owners of an unknown option.
void answer(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Help& help) {
    io::write_standard_output(help.text);
  } catch (const UnknownOption& error) {
    refuse(error);
  }
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, ProcessSession& session, Backend& backend) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error like any other
  int status = 0;
  try {
    session.begin();
    const EndOnSignals reading;
    std::exception_ptr thrown, failure;
    try {
      const auto words = command_words(arguments);
      status = command_named(words.front()).run(Words(words).subspan(1), backend);
    } catch (...) {
      thrown = std::current_exception();
    }
    try {
      if (thrown) answer(thrown);
    } catch (...) {
      failure = std::current_exception();
    }
    meet(failure);  // if one process fails before the processes have met, all fail
  } catch (const std::exception&) {
    status = tell_failure(std::current_exception());
  }
  return common_status(status);
}

}  // namespace sporos::apps
