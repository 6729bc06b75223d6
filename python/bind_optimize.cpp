// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/optimization/optimization.hpp>
#include <sporos/runtime/optimization/problems_in_memory.hpp>

#include <sporos/core/distributions/distribution_choice.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/models/finance/normal_covariance.hpp>

#include <pybind11/stl.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;
using Names = std::vector<std::string>;

Names numbered(const char* what, std::size_t count) {
  Names names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{} {}", what, i + 1));
  return names;
}

void check_names(const char* of, const Names& names, std::int64_t expected) {
  if (names.empty() || static_cast<std::int64_t>(names.size()) == expected) return;
  throw std::invalid_argument(
      fmt::format("names has {} entries, expected one for each of the {} {}", names.size(), expected, of));
}

py::dict dict_of(const FrankWolfeProgress& point, const FrankWolfeOptions& options) {
  py::dict dict;
  dict["done"] = point.iteration;
  dict["at_most"] = options.epochs * options.iterations;
  dict["seconds"] = point.seconds;
  dict["objective"] = point.objective;
  dict["gap"] = point.gap;
  return dict;
}

// Optimizes the problem from `start`, or from its default start. Returns the result in the format of the command line's
// JSON, and the solution.
py::tuple optimized(const runtime::OptimizationProblem& problem, const runtime::OptionTable& table,
                    const std::optional<Numbers>& start, py::object progress) {
  const FrankWolfeOptions options = runtime::frank_wolfe_options(table, problem);
  FrankWolfeState state;
  state.solution = start ? vector_of(*start) : problem.start();
  const auto dimension = static_cast<std::size_t>(problem.description().dimension);
  if (state.solution.size() != dimension) {
    throw std::invalid_argument(fmt::format("start has {} numbers, expected one for each of the {} {}s",
                                            state.solution.size(), dimension, problem.description().variable));
  }
  std::optional<runtime::ResultDocument> found;
  std::vector<double> solution;
  session().run(std::move(progress), [&](const runtime::Backend& backend, Watch& watch) {
    const auto began = std::chrono::steady_clock::now();
    const FrankWolfeCallback callback = [&](const FrankWolfeProgress& point) {
      return watch.goes_on([&] { return dict_of(point, options); }) ? Continuation::go_on : Continuation::stop;
    };
    runtime::OptimizationOutcome outcome = problem.run(backend, {options, std::move(state), false, callback, {}});
    if (outcome.result.trajectory.empty()) {
      throw std::runtime_error("the objective or its gradient is not finite at the start");
    }
    const runtime::Findings findings = problem.findings(outcome);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    found =
        document_of(runtime::OptimizationReport{problem.description(), options, outcome.result, findings, took.count(),
                                                runtime::machine_of(backend), problem.description().notes});
    solution = std::move(outcome.result.solution);
  });
  return py::make_tuple(object_of(*found), array_of(std::move(solution)));
}

// Reads lower and upper bounds, given as two numbers for each asset.
std::optional<runtime::WeightBounds> weight_bounds(const std::optional<Numbers>& bounds) {
  if (!bounds) return std::nullopt;
  runtime::WeightBounds read;
  const std::vector<double> numbers = vector_of(*bounds);
  for (std::size_t i = 0; i < numbers.size(); ++i) (i % 2 == 0 ? read.low : read.high).push_back(numbers[i]);
  return read;
}

py::tuple optimize_history(const OptionTexts& options, const Numbers& returns, Names names,
                           const std::optional<Numbers>& bounds, const std::optional<Numbers>& start,
                           py::object progress) {
  check_names("assets", names, returns.shape(1));
  if (names.empty()) names = numbered("asset", static_cast<std::size_t>(returns.shape(1)));
  const auto table = table_with(runtime::optimize_options(runtime::portfolio_kind()), options);
  const auto problem = runtime::portfolio_problem(models::HistoricalReturns{std::move(names), {}, vector_of(returns)},
                                                  table, weight_bounds(bounds));
  return optimized(*problem, table, start, std::move(progress));
}

models::NormalReturns normal_returns(const Numbers& means, const std::optional<Numbers>& covariance,
                                     const std::optional<Numbers>& deviations, const std::optional<Numbers>& loadings) {
  if (covariance) return models::normal_with_covariance(vector_of(means), vector_of(*covariance));
  models::NormalReturns returns{vector_of(means), vector_of(deviations.value()), {}};
  if (loadings) returns.loadings = vector_of(*loadings);
  return returns;
}

py::tuple optimize_normal(const OptionTexts& options, const Numbers& means, const std::optional<Numbers>& covariance,
                          const std::optional<Numbers>& deviations, const std::optional<Numbers>& loadings, Names names,
                          const std::optional<Numbers>& bounds, const std::optional<Numbers>& start,
                          py::object progress) {
  check_names("assets", names, means.size());
  const auto table = table_with(runtime::optimize_options(runtime::portfolio_kind()), options);
  models::NamedNormalReturns given{std::move(names), {}, normal_returns(means, covariance, deviations, loadings)};
  if (covariance && models::is_like_correlations(vector_of(*covariance), given.returns.means.size())) {
    given.notes.emplace_back(models::note_of_correlations);
  }
  const auto problem = runtime::portfolio_problem(std::move(given), table, weight_bounds(bounds));
  return optimized(*problem, table, start, std::move(progress));
}

// Returns the demand of each product, from distributions given as strings or from observed periods.
std::vector<DistributionChoice> demands_of(const Names& texts, const std::optional<Numbers>& periods) {
  std::vector<DistributionChoice> demands;
  for (std::size_t j = 0; j < texts.size(); ++j) {
    try {
      demands.push_back(parse_distribution(texts[j]));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(
          fmt::format("demand of product {} is {}: {}", j + 1, io::in_quotes(texts[j]), error.what()));
    }
  }
  if (!periods) return demands;
  demands.resize(static_cast<std::size_t>(periods->shape(1)));
  for (DistributionChoice& demand : demands) demand.kind = DistributionKind::empirical;
  const double* const values = periods->data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(periods->size()); ++i) {
    demands[i % demands.size()].values.push_back(values[i]);
  }
  return demands;
}

// Returns the senses of the resource constraints, given as <=, >= or =.
std::vector<models::ResourceSense> senses_of(const Names& texts) {
  std::vector<models::ResourceSense> senses;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto sense = find_choice<models::ResourceSense>(texts[i]);
    if (!sense)
      throw std::invalid_argument(fmt::format("sense[{}] is {}, expected <=, >= or =", i, io::in_quotes(texts[i])));
    senses.push_back(*sense);
  }
  return senses;
}

py::tuple optimize_newsvendor(const OptionTexts& options, const Numbers& cost, const Numbers& holding,
                              const Numbers& price, const Names& demand, const std::optional<Numbers>& demands,
                              const Numbers& capacity, const Numbers& amounts, const Names& senses, const Names& names,
                              const Names& resource_names, const std::optional<Numbers>& start, py::object progress) {
  check_names("products", names, cost.size());
  const auto resources = static_cast<std::size_t>(capacity.size());
  if (!resource_names.empty()) check_names("resources", resource_names, capacity.size());
  models::NamedNewsvendor newsvendor{
      {{vector_of(cost), vector_of(holding), vector_of(price), demands_of(demand, demands)},
       {vector_of(capacity), vector_of(amounts), senses_of(senses)}},
      names,
      resource_names.empty() ? numbered("resource", resources) : resource_names,
      {}};
  const auto table = table_with(runtime::optimize_options(runtime::newsvendor_kind()), options);
  return optimized(*runtime::newsvendor_problem(std::move(newsvendor), table), table, start, std::move(progress));
}

// Optimizes an instance that the options generate.
py::tuple optimize_generated(const std::string& problem, const OptionTexts& options,
                             const std::optional<Numbers>& start, py::object progress) {
  const runtime::ProblemKind kind = runtime::problem_kind(problem);
  const auto table = table_with(runtime::optimize_options(kind), options);
  return optimized(*kind.make(table), table, start, std::move(progress));
}

}  // namespace

void bind_optimize(py::module_& module) {
  using py::arg;
  module.def("optimize_history", optimize_history, arg("options"), arg("returns"), arg("names"), arg("bounds"),
             arg("start"), arg("progress"),
             "Optimizes a portfolio of historical returns. Returns the result and the weights.");
  module.def("optimize_normal", optimize_normal, arg("options"), arg("means"), arg("covariance"), arg("deviations"),
             arg("loadings"), arg("names"), arg("bounds"), arg("start"), arg("progress"),
             "Optimizes a portfolio of normal returns. Returns the result and the weights.");
  module.def("optimize_newsvendor", optimize_newsvendor, arg("options"), arg("cost"), arg("holding"), arg("price"),
             arg("demand"), arg("demands"), arg("capacity"), arg("amounts"), arg("senses"), arg("names"),
             arg("resource_names"), arg("start"), arg("progress"),
             "Optimizes a newsvendor. Returns the result and the quantities.");
  module.def("optimize_generated", optimize_generated, arg("problem"), arg("options"), arg("start"), arg("progress"),
             "Optimizes a generated portfolio or newsvendor. Returns the result and the solution.");
}

}  // namespace sporos::python
