// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/problems/registry.hpp>

#include <sporos/runtime/backend/program.hpp>
#include <sporos/runtime/options/suggestion.hpp>
#include <sporos/runtime/search/model_function.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
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

}  // namespace sporos::runtime
