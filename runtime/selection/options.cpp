// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/selection/options.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/search/constraints.hpp>
#include <sporos/runtime/search/objective_expression.hpp>
#include <sporos/runtime/search/options.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/estimated_inputs.hpp>
#include <sporos/runtime/simulation/expression.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

// Throws if an expression contains a parameter that differs between systems.
void check_same_in_all(const std::string& text, const std::string& side, const ModelDescription& model,
                       const ParameterValues& values, const SystemGrid& grid) {
  std::vector<std::string> names;
  for (const ParameterDescription& parameter : model.parameters) names.push_back(parameter.name);
  const auto responses = model.response_names(values);
  names.insert(names.end(), responses.begin(), responses.end());
  const Expression expression("--subject-to", side, names);
  for (const GridAxis& axis : grid.axes()) {
    const std::size_t place = *model.find_parameter(axis.parameter);
    if (!expression.uses_any(place, place + 1)) continue;
    refuse_constraint(text, fmt::format("an expression without {}, which differs between systems", axis.parameter));
  }
}

std::string procedure_help() {
  std::string text;
  for (const SelectionProcedure& procedure : selection_procedures()) {
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", procedure.name, procedure.title);
  }
  return text + "; default: gsp, or constrained-kn with --subject-to";
}

// Returns a text such as "10 for ocba, fbkt, 20 for kn".
std::string first_stage_help() {
  std::map<std::int64_t, std::vector<std::string_view>> names;
  for (const SelectionProcedure& procedure : selection_procedures()) {
    names[procedure.default_first_stage].push_back(procedure.name);
  }
  std::vector<std::string> texts;
  for (const auto& [size, of] : names) texts.push_back(fmt::format("{} for {}", size, fmt::join(of, ", ")));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<OptionEntry> selection_entries() {
  const std::string systems = "Systems", selection = "Selection";
  const SelectionOptions defaults;
  return {
      {systems,
       "over",
       "NAME=VALUES",
       "parameter that differs between systems, and its values: a comma-separated list of numbers, FIRST:LAST and "
       "FIRST:LAST:STEP; may be given several times: systems are all combinations",
       {},
       Decides::result,
       Occurrence::repeated},
      {systems,
       "sum",
       "NAME+NAME=TOTAL",
       "only systems in which these parameters, all of them whole numbers, add up to TOTAL; may be given several times",
       {},
       Decides::result,
       Occurrence::repeated},
      {systems, "design", "FILE",
       "CSV file with a list of systems: parameter names in the first line, then one system per line; instead of "
       "--over",
       FileUse::reads},
      {systems, "largest", "RESPONSE",
       "select the system with the largest mean of this response, or of a weighted sum of responses, which may contain "
       "parameters: '3 * servers + 40 * blocking probability'"},
      {systems, "smallest", "RESPONSE", "the same for the smallest mean"},
      {systems,
       "subject-to",
       "CONSTRAINT",
       "for constrained-kn: constraint on sums of mean responses with constant weights, <= or >=, such as 'work in "
       "process <= 12'; may be given several times",
       {},
       Decides::result,
       Occurrence::repeated},
      {systems, "tolerance", "E[,E...]",
       "tolerance of a constraint: a system within E of the limit may count as feasible or not; one for all "
       "constraints, or one for each"},
      {selection, "procedure", "NAME", procedure_help()},
      {selection, "delta", "D",
       "smallest difference of means that is worth detecting (indifference zone); not for bi-pass, subset, ocba, fbkt"},
      {selection, "confidence", "P",
       "confidence of the guarantee and of intervals; default: " + io::shortest_text(defaults.confidence)},
      {selection, "first-stage", "N",
       "first-stage replications of each system, which estimate its variance; for fbkt they seed the first matches (0: "
       "none); default: " +
           first_stage_help()},
      {selection, "rounds", "R",
       fmt::format("gsp: number of screenings after the first; default: {}", defaults.rounds)},
      {selection, "batch", "N",
       fmt::format("gsp: average number of replications of a system per round; default: {}",
                   io::shortest_text(defaults.batch))},
      {selection, "growth", "G",
       fmt::format("kn, kn++, kt, biz, bi-pass, standard, constrained-kn: factor by which samples grow between "
                   "screenings; default: {}",
                   io::shortest_text(defaults.growth))},
      {selection, "match-size", "N", fmt::format("kt: number of systems in a match; default: {}", defaults.match_size)},
      {selection, "max-replications", "N",
       fmt::format("bi-pass: maximum number of replications of a system; default: {}", defaults.most)},
      {selection, "standard", "MEAN", "standard: known mean with which systems are compared"},
      {selection, "budget", "N", "ocba, fbkt: maximum number of replications of all systems together"},
      {selection, "allocations", "N",
       fmt::format("ocba: number of times the budget after the first stage is allocated; default: {}",
                   defaults.allocations)},
      {selection, "phi", "F",
       fmt::format("fbkt: at least 2, and a larger F gives late rounds more of the budget; default: {}",
                   io::shortest_text(defaults.phi))},
      {selection, "common-random-numbers", "on|off", "the same random numbers for all systems; default: off"},
      {selection, "seed", "S", "seed of the random numbers, from 0 to 2^64 - 1; default: 1"},
      {selection,
       "time-limit",
       "SECONDS",
       "end the selection after that time, without its guarantee",
       {},
       Decides::end}};
}

std::string form() { return called_with("select MODEL --over NAME=VALUES --largest RESPONSE --delta D [OPTION...]"); }

std::string general_help() {
  std::string text = fmt::format(
      "{}\n\nSelects the best of many systems of a model, and reports the guarantee.\n"
      "`{}` lists all options. The models:\n\n",
      form(), called_with("select MODEL --help"));
  for (const auto& model : model_descriptions()) {
    if (is_optimizable(model)) text += fmt::format("  {:<25}{}\n", model.name, model.title);
  }
  return text;
}

GridAxis axis_of(const ModelDescription& model, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    throw std::invalid_argument(fmt::format("--over is {}, expected NAME=VALUES, as in {}=1:10", io::in_quotes(text),
                                            model.parameters.front().option()));
  }
  const ParameterDescription& parameter =
      model.parameters[place_of_parameter(model, "over", text, text.substr(0, equals))];
  GridAxis axis{parameter.name, {}};
  for (const ParameterValue& value : parse_value_list(parameter, std::string_view(text).substr(equals + 1))) {
    axis.values.push_back(number_of(value));
  }
  return axis;
}

GridSum sum_of(const ModelDescription& model, const std::string& text) {
  const auto equals = text.find('=');
  const auto total = equals == std::string::npos
                         ? std::nullopt
                         : io::number_of<std::int64_t>(std::string_view(text).substr(equals + 1));
  const auto names = split(std::string_view(text).substr(0, equals), '+');
  if (!total || names.size() < 2) {
    throw std::invalid_argument(
        fmt::format("--sum is {}, expected NAME+NAME=TOTAL with a whole TOTAL", io::in_quotes(text)));
  }
  GridSum sum{{}, *total};
  for (const auto name : names)
    sum.parameters.push_back(model.parameters[place_of_parameter(model, "sum", text, name)].name);
  return sum;
}

// Reads the systems that a file lists.
SystemGrid listed_systems(const std::string& path, const ModelDescription& model, const OptionTable& options,
                          std::vector<std::string>& notes) {
  for (const char* other : {"over", "sum"}) {
    if (!options.list(other).empty()) {
      throw std::invalid_argument(fmt::format("--design and --{} are given: expected one of them", other));
    }
  }
  DesignFile file = read_design_file(path, model, options);
  notes = std::move(file.notes);
  std::vector<GridAxis> columns;
  for (const std::size_t place : file.parameters) {
    if (model.parameters[place].is_file()) {
      throw std::invalid_argument(
          fmt::format("{}, line 1: column {} names files, expected numbers, and {} for all systems", path,
                      io::in_quotes(model.parameters[place].name), model.parameters[place].flag()));
    }
    GridAxis& column = columns.emplace_back(GridAxis{model.parameters[place].name, {}});
    for (const ParameterValues& point : file.points) column.values.push_back(number_of(point[place]));
  }
  try {
    return SystemGrid::listed(std::move(columns));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
}

SystemGrid grid_of(const ModelDescription& model, const OptionTable& options, std::vector<std::string>& notes) {
  if (const OptionText& path = options.text("design")) return listed_systems(*path, model, options, notes);
  std::vector<GridAxis> axes;
  std::vector<GridSum> sums;
  for (const std::string& text : options.list("over")) {
    axes.push_back(axis_of(model, text));
    const std::string name = model.parameters[*model.find_parameter(axes.back().parameter)].option();
    if (options.has(name))
      throw std::invalid_argument(fmt::format("--{} is given, and so is --over {}: expected one of them", name, name));
  }
  if (axes.empty()) throw std::invalid_argument("systems do not differ, expected --over NAME=VALUES or --design FILE");
  for (const std::string& text : options.list("sum")) sums.push_back(sum_of(model, text));
  return SystemGrid(std::move(axes), std::move(sums));
}

// Replaces '-' and '_', which may join the words of a name, by blanks.
std::string with_blanks(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '_'; }, ' ');
  return name;
}

// Whether a text is an expression rather than a name.
bool is_expression(const std::string& text) {
  return text.find_first_of("+*/^()") != std::string::npos || text.find(" - ") != std::string::npos;
}

// Returns the weights of the sum by which systems are compared (SystemResponse::sums).
std::vector<double> sums_of(const std::string& option, const SelectionRequest& request, bool is_constrained) {
  const std::string& text = request.response;
  std::vector<Decision> decisions;
  for (const GridAxis& axis : request.grid.axes()) {
    const auto [low, high] = std::ranges::minmax(axis.values);
    decisions.push_back({axis.parameter, low, high});
  }
  ModelFunction function({"--" + option, text, "", false}, *request.model, request.values, decisions);
  const auto refuse = [&](const char* expected) {
    throw std::invalid_argument(fmt::format("--{} is {}, expected {}", option, io::in_quotes(text), expected));
  };
  if (!function.uses_responses() && !is_constrained) {
    throw std::invalid_argument(fmt::format(
        "--{} is {}, which contains no response and requires no simulation: add --subject-to with a response, or "
        "compare the values of the systems by hand",
        option, io::in_quotes(text)));
  }
  const std::size_t responses = function.responses();
  check_memory<Kokkos::HostSpace>(
      {"weights of responses", request.grid.size(), "systems", 8.0 * static_cast<double>(responses + 1)});
  std::vector<double> sums, single(responses), odd(responses);
  for (std::size_t i = 0; i < responses; ++i) odd[i] = 1.7 + 0.9 * static_cast<double>(i);
  for (std::int64_t system = 0; system < request.grid.size(); ++system) {
    const auto x = request.grid.values_of(system);
    const double added = function(x, single);
    double sum = added, magnitude = std::abs(added);
    for (std::size_t i = 0; i < responses; ++i) {
      single[i] = 1;
      sums.push_back(function.uses_response(i) ? function(x, single) - added : 0.0);
      single[i] = 0;
      sum += sums.back() * odd[i];
      magnitude += std::abs(sums.back() * odd[i]);
    }
    sums.push_back(added);
    if (std::abs(function(x, odd) - sum) > 1e-9 * magnitude) {
      refuse("a weighted sum of responses: the mean of any other expression is not the expression of the means");
    }
  }
  return sums;
}

// Adds the model's notes on the first systems; a grid may be too large to check all of them.
void add_system_notes(SelectionRequest& request) {
  constexpr std::int64_t max_systems = 1000;
  std::vector<ParameterValues> systems;
  for (std::int64_t system = 0; system < std::min(max_systems, request.grid.size()); ++system) {
    ParameterValues values = request.values;
    const auto x = request.grid.values_of(system);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t place = *request.model->find_parameter(request.grid.axes()[i].parameter);
      if (request.model->parameters[place].is_whole()) {
        values[place] = static_cast<std::int64_t>(x[i]);
      } else {
        values[place] = x[i];
      }
    }
    try {
      request.model->check(values);
      systems.push_back(std::move(values));
    } catch (const std::invalid_argument&) {  // a system that is invalid for the model has no replications either
    }
  }
  add_model_notes(*request.model, systems, request.notes);
}

const SelectionProcedure& procedure_of(const OptionTable& options) {
  const std::string name =
      options.text("procedure").value_or(options.list("subject-to").empty() ? "gsp" : "constrained-kn");
  std::vector<std::string> names;
  for (const SelectionProcedure& procedure : selection_procedures()) {
    if (procedure.name == name) return procedure;
    names.emplace_back(procedure.name);
  }
  throw std::invalid_argument("unknown procedure " + io::in_quotes(name) + suggestion_for(name, names));
}

std::vector<double> tolerances_of(const OptionTable& table) {
  std::vector<double> tolerances;
  const std::size_t constraints = table.list("subject-to").size();
  const OptionText& text = table.text("tolerance");
  if (!text) {
    if (constraints == 0) return tolerances;
    throw std::invalid_argument("--subject-to is given without --tolerance, expected both");
  }
  for (const std::string_view part : split(*text, ',')) {
    const auto tolerance = io::number_of<double>(part);
    if (!tolerance || !(*tolerance > 0 && std::isfinite(*tolerance))) {
      throw std::invalid_argument(fmt::format("--tolerance is {}, expected positive numbers", io::in_quotes(*text)));
    }
    tolerances.push_back(*tolerance);
  }
  if (constraints == 0) throw std::invalid_argument("--tolerance is given without --subject-to, expected both");
  if (tolerances.size() == 1) tolerances.resize(constraints, tolerances.front());
  if (tolerances.size() == constraints) return tolerances;
  throw std::invalid_argument(
      fmt::format("--tolerance is {}, expected one number or {}", io::in_quotes(*text), constraints));
}

SelectionOptions selection_options(const SelectionProcedure& procedure, const OptionTable& table) {
  SelectionOptions options;
  if (procedure.has_delta && !table.has("delta")) {
    throw std::invalid_argument(
        fmt::format("procedure {} requires the smallest difference worth detecting: expected --delta", procedure.name));
  }
  if (procedure.has_budget && !table.has("budget")) {
    throw std::invalid_argument(
        fmt::format("procedure {} requires a budget of replications: expected --budget", procedure.name));
  }
  if (procedure.run == compare_with_standard && !table.has("standard")) {
    throw std::invalid_argument(
        fmt::format("procedure {} requires a known mean to compare with: expected --standard", procedure.name));
  }
  if (table.has("delta")) options.delta = table.positive("delta", 0);
  options.confidence = table.positive("confidence", options.confidence);
  const bool may_have_none = procedure.run == select_by_fixed_budget_tournament;
  options.first_stage = table.whole("first-stage", procedure.default_first_stage, may_have_none ? 0 : 2);
  options.rounds = table.whole("rounds", options.rounds, 0);
  options.batch = table.positive("batch", options.batch);
  options.growth = table.number("growth", options.growth, 1);
  options.match_size = table.whole("match-size", options.match_size, 2);
  options.most = table.whole("max-replications", options.most, options.first_stage);
  options.budget = table.whole("budget", options.budget, 1);
  options.allocations = table.whole("allocations", options.allocations, 1);
  options.phi = table.number("phi", options.phi, 2);
  options.tolerances = tolerances_of(table);
  options.standard = table.number("standard", options.standard, std::numeric_limits<double>::lowest());
  return options;
}

}  // namespace

SelectionConstraint selection_constraint(const std::string& text, const ModelDescription& model,
                                         const ParameterValues& values, const SystemGrid& grid) {
  const char* const expected = "a sum of responses with constant weights, <= or >= and a limit";
  if (tail_constraint_of(text)) refuse_constraint(text, expected);
  const auto [left, sign, right] = comparison_of(text);
  for (const std::string& side : {left, right}) check_same_in_all(text, side, model, values, grid);
  const auto function_of = [&](const std::string& side) {
    return ModelFunction({"--subject-to", side, "", false}, model, values, {});
  };
  ModelFunction exceeded(constraint_on_means_of(text).exceeded, model, values, {});
  if (!exceeded.uses_responses()) refuse_constraint(text, "a response in it");
  const auto weights = exceeded.constant_weights();
  const double offset = exceeded.of_decisions({}, {});
  if (!weights || !std::isfinite(offset)) refuse_constraint(text, expected);
  const bool is_at_least = sign == ">=";
  const ResponseConstraint observed{*weights, -offset};
  ModelFunction on_left = function_of(left), on_right = function_of(right);
  if (!on_right.uses_responses())
    return {text, std::string(trimmed(left)), is_at_least, on_right.of_decisions({}, {}), observed};
  if (!on_left.uses_responses())
    return {text, std::string(trimmed(right)), !is_at_least, on_left.of_decisions({}, {}), observed};
  return {text, fmt::format("{} - ({})", trimmed(left), trimmed(right)), is_at_least, 0, observed};
}

const ModelDescription& selected_model(std::span<const std::string> arguments) {
  if (!arguments.empty() && asks_for_help(arguments.front())) throw Help{general_help()};
  if (arguments.empty() || arguments.front().starts_with('-')) {
    throw std::invalid_argument(
        fmt::format("no model is given: expected {}; `{}` lists the models", form(), called_with("select --help")));
  }
  const ModelDescription& model = find_model(arguments.front());
  check_optimizable(model);
  return model;
}

Usage select_usage(const ModelDescription& model) {
  return {"select " + model.name,
          form(),
          model.title,
          "Selects the best of many systems, and reports the guarantee.",
          {},
          entries_of({selection_entries(),
                      parameter_entries(model, "Parameters of the model, the same in all systems"),
                      {input_option("Inputs from data")},
                      execution_options("threads of the backend; changes no bit of the result"),
                      {format_option(), table_option(), output_option()},
                      checkpoint_options(),
                      {picture_option("the number of survivors over replications and intervals of the best survivors"),
                       report_option(), no_progress_option()}}),
          {"select mmck --over servers=1:5 --smallest 'mean wait' --delta 0.01",
           "select ss-inventory --over reorder-point=900:1100:50 --smallest 'total cost' --delta 5"}};
}

SelectionRequest selection_request(const ModelDescription& model, const OptionTable& options) {
  const bool is_largest = options.has("largest");
  if (is_largest == options.has("smallest")) {
    throw std::invalid_argument(is_largest ? "--largest and --smallest are given, expected one of them"
                                           : "expected --largest or --smallest with a response");
  }
  const std::string option = is_largest ? "largest" : "smallest", response = *options.text(option);
  const auto names = model.response_names(model.default_values());
  const auto found = std::ranges::find(names, with_blanks(response), with_blanks);
  const bool is_parameter = std::ranges::any_of(
      model.parameters, [&](const auto& parameter) { return with_blanks(parameter.name) == with_blanks(response); });
  const bool is_sum = found == names.end() && (is_parameter || is_expression(response));
  if (found == names.end() && !is_sum) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, expected a response: {}", option, io::in_quotes(response), fmt::join(names, ", ")));
  }
  const SelectionProcedure& procedure = procedure_of(options);
  ParameterValues values = model.default_values();
  set_single_values(model, options, values);
  std::vector<std::string> notes;
  SelectionRequest request{&model,
                           std::move(values),
                           grid_of(model, options, notes),
                           {is_sum ? 0 : static_cast<int>(found - names.begin()), !is_largest, options.seed("seed", 1),
                            options.is_on("common-random-numbers", false)},
                           is_sum ? response : *found,
                           &procedure,
                           selection_options(procedure, options),
                           time_limit_of(options)};
  request.notes = std::move(notes);
  add_system_notes(request);
  if (options.has("design")) request.data = io::checksum(fmt::format("{}", fmt::join(request.grid.value_table(), ",")));
  if (is_sum) request.which.sums = sums_of(option, request, !options.list("subject-to").empty());
  if (!is_largest) request.options.standard = -request.options.standard;
  for (const std::string& text : options.list("subject-to")) {
    request.constraints.push_back(selection_constraint(text, model, request.values, request.grid));
    request.which.constraints.push_back(request.constraints.back().observed);
  }
  return request;
}

}  // namespace sporos::runtime
