// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/search/model_search.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/statistics/critical_values.hpp>
#include <sporos/optimizers/search/check_pathwise.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace sporos::runtime {

void ModelSearch::start(const Backend& backend) {
  const auto make = backend.runner_of(m_request.model->name).objective;
  if (make == nullptr) throw std::invalid_argument(m_request.model->name + " has no parameters that can be decided");
  m_problem = make(m_request.values, m_request.decisions, m_objective);
  m_journal.emplace(*m_problem);
  if (m_request.solver != "automatic") {
    m_solver = {&find_solver(m_request.solver, *m_problem), ""};
  } else {
    m_solver = automatic_solver(*m_problem, m_problem->has_gradient() && are_gradients_unbiased());
  }
  m_make = m_solver.solver->make(m_request.settings, *m_problem);
}

void ModelSearch::run(const std::function<bool()>& is_enough) {
  const auto noted = [&] { return m_is_ended_early = is_enough(); };
  m_found = run_searches(*m_journal, m_make, start_of_search(), m_request.budget, {m_request.seed}, noted).front();
}

std::optional<std::string> ModelSearch::estimate() {
  if (m_found.replications == 0 && !m_is_ended_early) {
    return fmt::format("{} are too few for {}: expected a larger budget, or a smaller sample",
                       plural(m_request.budget, "replication", "replications"), m_solver.solver->name);
  }
  const auto chosen = some_of(m_found.recommendations);
  std::vector<std::vector<double>> points{start_of_search()};
  m_points = {{0, points.front(), {}}};
  for (const Recommendation& recommendation : chosen) {
    if (recommendation.replications == 0) continue;
    points.push_back(recommendation.x);
    m_points.push_back({recommendation.replications, recommendation.x, {}});
  }
  const double sign = m_request.objective.is_maximized ? -1 : 1;
  const double critical = student_t(m_request.confidence, m_request.final_replications);
  const auto means = unseen_means(*m_problem, points, m_request.final_replications, m_request.seed);
  for (std::size_t i = 0; i < means.size(); ++i) {
    m_points[i].objective = {sign * means[i].mean, critical * std::sqrt(means[i].variance_of_mean())};
  }
  const PairedDifference better = paired_difference(means.front(), means.back());
  m_improvement = {better.mean, critical * std::sqrt(better.variance_of_mean)};
  return std::nullopt;
}

SearchReport ModelSearch::report(std::string_view end, double seconds, const Machine& machine) const {
  std::vector<bool> are_whole;
  for (const DecisionRange& bounds : m_problem->bounds()) are_whole.push_back(bounds.is_integer);
  return {m_request,
          std::move(are_whole),
          m_solver.solver->name,
          m_solver.reason,
          m_points,
          m_improvement,
          m_found.replications,
          end,
          seconds,
          machine};
}

std::vector<double> ModelSearch::start_of_search() const {
  std::vector<double> start;
  for (const Decision& decision : m_request.decisions) {
    const ParameterValue& value = m_request.values[*m_request.model->find_parameter(decision.parameter)];
    start.push_back(std::clamp(number_of(value), decision.low, decision.high));
  }
  return start;
}

// By a tenth of the budget, on replications of its own.
bool ModelSearch::are_gradients_unbiased() {
  PathwiseCheckOptions options;
  const auto points = static_cast<std::int64_t>(4 * m_problem->dimension() + 1);
  options.replications = std::clamp<std::int64_t>(m_request.budget / 10 / points, 30, 10'000);
  options.seed = m_request.seed + 1;
  for (const DecisionRange& bounds : m_problem->bounds()) {
    if (std::isfinite(bounds.high)) options.step = std::min(options.step, (bounds.high - bounds.low) / 100);
  }
  return !check_pathwise(*m_problem, start_of_search(), options);
}

}  // namespace sporos::runtime
