// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/problems/problems.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/usage.hpp>
#include <sporos/runtime/search/objective_expression.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the index of a parameter that a problem names. Throws if the model does not have it.
std::size_t place_of(const RegisteredProblem& problem, const std::string& parameter) {
  if (const auto place = problem.model->find_parameter(parameter)) return *place;
  throw std::invalid_argument(fmt::format("problem {} names the parameter {}, which {} does not have",
                                          problem.described->name, io::in_quotes(parameter), problem.model->name));
}

void set_value(const RegisteredProblem& problem, ParameterValues& values, const std::string& parameter, double value) {
  const std::size_t place = place_of(problem, parameter);
  if (!problem.model->parameters[place].is_whole()) {
    values[place] = value;
  } else if (std::floor(value) == value) {
    values[place] = whole_value(parameter, value);
  } else {
    throw std::invalid_argument(fmt::format("problem {} gives {} the value {}, expected a whole number",
                                            problem.described->name, parameter, value));
  }
}

ParameterValues values_at(const RegisteredProblem& problem, std::span<const double> x) {
  ParameterValues values = problem.model->default_values();
  for (const auto& [parameter, value] : problem.described->parameters) set_value(problem, values, parameter, value);
  for (std::size_t i = 0; i < x.size(); ++i)
    set_value(problem, values, problem.described->decisions[i].parameter, x[i]);
  return values;
}

std::string suggestion_among_problems(std::string_view name) {
  std::vector<std::string> names;
  for (const RegisteredProblem& problem : registered_problems()) names.push_back(problem.described->name);
  return suggestion_for(name, names);
}

// Returns the value of an expression at `x`, without a change of sign, from exact means of responses; nothing if they
// are unknown.
std::optional<double> exact_value(const RegisteredProblem& problem, ObjectiveExpression expression,
                                  std::span<const double> x) {
  expression.is_maximized = false;
  const ParameterValues values = values_at(problem, x);
  ModelFunction function(expression, *problem.model, values, {});
  const auto known = problem.model->exact_means(values);
  std::vector<double> means;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i] && function.uses_response(i)) return std::nullopt;
    means.push_back(known[i].value_or(0));
  }
  return function({}, means);
}

using Column = io::Table::Column;

std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string optimum_text(const DescribedProblem& problem) {
  return problem.optimum ? fmt::format("{:.6g}", problem.optimum->value) : "";
}

// Returns the columns of lists, as text and CSV.
std::vector<std::string> fields_of(const RegisteredProblem& problem) {
  const DescribedProblem& described = *problem.described;
  return {described.name,
          problem.model->name,
          std::to_string(described.decisions.size()),
          has_whole_decisions(problem) ? "yes" : "no",
          std::to_string(described.constraints.size()),
          optimum_text(described),
          described.optimum ? std::string(name_of(described.optimum->kind)) : "unknown",
          std::string(yes_or_no(described.is_smooth)),
          std::string(yes_or_no(described.is_convex)),
          std::string(yes_or_no(described.has_unbiased_path)),
          described.title};
}

constexpr std::array listed_columns{"problem", "model",  "decisions", "whole", "constraints",    "optimum",
                                    "known",   "smooth", "convex",    "path",  "what is decided"};
constexpr std::array are_numbers{false, false, true, false, true, true, false, false, false, false, false};

std::string decisions_table(const RegisteredProblem& problem) {
  const auto& optimum = problem.described->optimum;
  const bool is_known = optimum && !optimum->x.empty();
  std::vector<std::pair<std::string, Column>> heads{{"decision", Column::text},
                                                    {"lower bound", Column::number},
                                                    {"upper bound", Column::number},
                                                    {"start", Column::number}};
  if (is_known) heads.emplace_back("optimum", Column::number);
  const bool has_drawn =
      std::ranges::any_of(problem.described->decisions, std::not_fn(&std::string::empty), &ProblemDecision::drawn);
  if (has_drawn) heads.emplace_back("random points", Column::text);
  heads.emplace_back("meaning", Column::text);
  io::Table table(heads);
  for (std::size_t i = 0; i < problem.described->decisions.size(); ++i) {
    const auto& [parameter, low, high, start, drawn] = problem.described->decisions[i];
    std::vector<std::string> row{parameter, io::shortest_text(low), io::shortest_text(high), io::shortest_text(start)};
    if (is_known) row.push_back(fmt::format("{:.6g}", optimum->x[i]));
    if (has_drawn) row.push_back(drawn.empty() ? "uniform" : drawn);
    row.push_back(problem.model->parameters[*problem.model->find_parameter(parameter)].meaning);
    table.add_row(row);
  }
  return table.text();
}

std::string optimum_line(const DescribedProblem& problem) {
  if (!problem.optimum) return "optimum unknown\n";
  const KnownOptimum& optimum = *problem.optimum;
  const std::string width = optimum.half_width > 0 ? fmt::format(" +- {:.3g}", optimum.half_width) : "";
  return fmt::format("optimum {:.9g}{}, {}: {}\n", optimum.value, width, name_of(optimum.kind), optimum.source);
}

io::Json json_of(const KnownOptimum& optimum) {
  return {{"kind", name_of(optimum.kind)},
          {"value", io::json_number(optimum.value)},
          {"half_width", io::json_number(optimum.half_width)},
          {"decisions", optimum.x},
          {"source", optimum.source}};
}

}  // namespace

std::span<const RegisteredProblem> registered_problems() {
  static const auto all = [] {
    std::vector<RegisteredProblem> problems;
    for (const ModelDescription& model : model_descriptions()) {
      for (const DescribedProblem& problem : model.problems) problems.push_back({&model, &problem});
    }
    return problems;
  }();
  return all;
}

const RegisteredProblem* find_registered(std::string_view name) {
  for (const RegisteredProblem& problem : registered_problems()) {
    if (problem.described->name == name) return &problem;
  }
  return nullptr;
}

const RegisteredProblem& registered_problem(std::string_view name) {
  if (const RegisteredProblem* found = find_registered(name)) return *found;
  std::string message = "unknown problem " + io::in_quotes(name) + suggestion_among_problems(name);
  if (message.ends_with('?')) message += fmt::format(" (`{}` lists the problems)", called_with("problems"));
  throw std::invalid_argument(message);
}

void check_no_problem_is_meant(std::string_view name) {
  std::vector<std::string> models;
  for (const ModelDescription& model : model_descriptions()) models.push_back(model.name);
  if (suggestion_for(name, models).ends_with('?')) return;
  if (suggestion_among_problems(name).ends_with('?')) registered_problem(name);
}

bool has_whole_decisions(const RegisteredProblem& problem) {
  return std::ranges::any_of(problem.described->decisions, [&](const ProblemDecision& decision) {
    return problem.model->parameters[place_of(problem, decision.parameter)].is_whole();
  });
}

SearchRequest search_request(const RegisteredProblem& problem) {
  const DescribedProblem& described = *problem.described;
  SearchRequest request = default_search_request(*problem.model);
  request.values = values_at(problem, start_of(described));
  for (const ProblemDecision& decision : described.decisions) {
    request.decisions.push_back({decision.parameter, decision.low, decision.high});
    if (decision.drawn.empty()) continue;
    add_draw(
        request, decision.parameter, decision.drawn,
        fmt::format("problem {} draws {} from {}", described.name, decision.parameter, io::in_quotes(decision.drawn)));
  }
  request.objective = {"objective", described.objective, "", described.is_maximized};
  for (const std::string& constraint : described.constraints) add_constraint(request, constraint);
  request.budget = described.budget;
  if (!described.has_unbiased_path && !has_whole_decisions(problem)) request.gradient = GradientKind::differences;
  problem.model->check(request.values);
  return request;
}

std::vector<double> start_of(const DescribedProblem& problem) {
  std::vector<double> start;
  for (const ProblemDecision& decision : problem.decisions) start.push_back(decision.start);
  return start;
}

std::optional<double> exact_objective(const RegisteredProblem& problem, std::span<const double> x) {
  return exact_value(problem, {"objective", problem.described->objective, "", false}, x);
}

std::optional<double> exact_excess(const RegisteredProblem& problem, std::size_t constraint,
                                   std::span<const double> x) {
  const SearchRequest request = search_request(problem);
  const ConstraintOnMeans& asked = request.constraints_on_means.at(constraint);
  if (asked.tail) return std::nullopt;
  const auto difference = exact_value(problem, asked.exceeded, x);
  return difference && asked.exceeded.is_maximized ? std::optional(-*difference) : difference;
}

std::string objective_text(const DescribedProblem& problem) {
  return fmt::format("{} {}", problem.is_maximized ? "maximize" : "minimize", problem.objective);
}

std::string table_of(const ProblemList& list) {
  std::vector<std::pair<std::string, Column>> heads;
  for (std::size_t i = 0; i < listed_columns.size(); ++i) {
    const char* const head = i + 1 < listed_columns.size() ? listed_columns[i] : "title";
    heads.emplace_back(head, are_numbers[i] ? Column::number : Column::text);
  }
  io::Table table(heads);
  for (const RegisteredProblem& problem : list.problems) table.add_row(fields_of(problem));
  return table.text();
}

std::string csv_of(const ProblemList& list) {
  std::string text = fmt::format("{}\n", fmt::join(listed_columns, ","));
  for (const RegisteredProblem& problem : list.problems) {
    std::vector<std::string> fields;
    for (const std::string& field : fields_of(problem)) fields.push_back(io::csv_field(field));
    text += fmt::format("{}\n", fmt::join(fields, ","));
  }
  return text;
}

io::Json json_of(const RegisteredProblem& problem) {
  const DescribedProblem& described = *problem.described;
  io::Json decisions = io::Json::array(), parameters = io::Json::object();
  for (const auto& [parameter, low, high, start, drawn] : described.decisions) {
    const bool is_whole = problem.model->parameters[*problem.model->find_parameter(parameter)].is_whole();
    decisions.push_back({{"parameter", parameter},
                         {"lower_bound", io::json_number(low)},
                         {"upper_bound", io::json_number(high)},
                         {"start", start},
                         {"is_whole", is_whole}});
    if (!drawn.empty()) decisions.back()["drawn"] = drawn;
  }
  for (const auto& [parameter, value] : described.parameters) parameters[parameter] = value;
  return {{"name", described.name},
          {"title", described.title},
          {"source", described.source},
          {"model", problem.model->name},
          {"decisions", decisions},
          {"objective", objective_text(described)},
          {"subject_to", described.constraints},
          {"parameters", parameters},
          {"budget", described.budget},
          {"optimum", described.optimum ? json_of(*described.optimum) : io::Json(nullptr)},
          {"is_smooth", described.is_smooth},
          {"is_convex", described.is_convex},
          {"has_unbiased_path", described.has_unbiased_path}};
}

std::string json_of(const ProblemList& list) {
  io::Json all = io::Json::array();
  for (const RegisteredProblem& problem : list.problems) all.push_back(json_of(problem));
  return json_text(all);
}

std::string description_of(const RegisteredProblem& problem) {
  const DescribedProblem& described = *problem.described;
  std::string text = fmt::format("{}: {}\nmodel {}; from {}\n{}\n", described.name, described.title,
                                 problem.model->name, described.source, objective_text(described));
  for (const std::string& constraint : described.constraints) text += fmt::format("subject to {}\n", constraint);
  std::vector<std::string> parameters;
  for (const auto& [parameter, value] : described.parameters)
    parameters.push_back(fmt::format("{} {}", parameter, io::shortest_text(value)));
  if (!parameters.empty()) text += fmt::format("with {}\n", fmt::join(parameters, ", "));
  text += fmt::format("smooth {}, convex {}, unbiased pathwise derivatives {}; budget {} replications\n",
                      yes_or_no(described.is_smooth), yes_or_no(described.is_convex),
                      yes_or_no(described.has_unbiased_path), described.budget);
  return fmt::format("{}{}\n{}", text, optimum_line(described), decisions_table(problem));
}

}  // namespace sporos::runtime
