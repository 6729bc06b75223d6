// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"

#include <sporos/runtime/classification/options.hpp>
#include <sporos/runtime/mixtures/mixtures.hpp>
#include <sporos/runtime/optimization/optimization.hpp>
#include <sporos/runtime/optimization/problems_in_memory.hpp>
#include <sporos/runtime/samples/samples.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/selection/options.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/solver_comparison/options.hpp>

#include <sporos/core/sampling/sampling.hpp>

#include <pybind11/stl.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

namespace sporos::python {

namespace {

// Help texts of the command line, by the options' names in Python.
using Helps = std::map<std::string, std::string>;

// Returns the help text of an option. A value that the help calls by one letter, as in "at most H", is replaced by the
// name of the Python parameter.
std::string help_of(const runtime::OptionEntry& entry) {
  const std::string help = with_keywords(entry.help);
  if (entry.value.size() != 1) return help;
  return std::regex_replace(help, std::regex("\\b" + entry.value + "\\b"), "`" + keyword_of_option(entry.name) + "`");
}

Helps helps_of(const std::vector<runtime::OptionEntry>& entries) {
  Helps helps;
  for (const auto& entry : entries) helps[keyword_of_option(entry.name)] = help_of(entry);
  return helps;
}

Helps option_helps(const std::string& command) {
  if (command == "simulate") return helps_of(runtime::plan_entries());
  if (const auto* const question = question_named(command)) return helps_of(usages_of(*question).front().options);
  if (command == "optimize model") {
    return helps_of(runtime::search_usage(runtime::model_descriptions().front()).options);
  }
  if (command == "compare-solvers") return helps_of(runtime::compare_solvers_usage().options);
  if (command == "select") {
    return helps_of(runtime::select_usage(runtime::model_descriptions().front()).options);
  }
  if (command == "sample") {
    Helps helps = helps_of(runtime::point_options());
    helps["sampling"] = names_of<Sampling>();
    return helps;
  }
  if (command == "fit") return helps_of(runtime::fit_entries());
  if (command == "classification") return helps_of(runtime::classification_entries());
  return helps_of(runtime::optimize_options(runtime::problem_kind(command)));
}

}  // namespace

void bind_options(pybind11::module_& module) {
  module.def("option_helps", option_helps, pybind11::arg("command"),
             "Returns the help texts of a command's options, by the options' names in Python.");
}

}  // namespace sporos::python
