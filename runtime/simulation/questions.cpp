// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/questions.hpp>

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/simulation/convergence.hpp>

#include <sporos/core/io/format.hpp>

#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

// Returns the names of the result's tables that the options request.
std::vector<std::string> tables_of(const OptionTable& options, const ModelDescription& model) {
  std::vector<std::string> tables{"means", "points", "design", "skipped"};
  const auto add = [&](bool is_asked, std::initializer_list<const char*> names) {
    if (is_asked) tables.insert(tables.end(), names.begin(), names.end());
  };
  add(model.periods != nullptr, {"periods"});
  add(options.has("control-variates"), {"controlled_means", "controls"});
  add(options.has("covariances") && options.text("covariances") != "off", {"correlations", "covariances"});
  add(options.has("quantiles"), {"quantiles"});
  add(!options.list("probability").empty(), {"probabilities"});
  add(!options.list("histogram").empty(), {"histograms"});
  add(!options.list("density").empty(), {"densities"});
  add(!options.list("require").empty(), {"requirements"});
  add(options.has("compare"), {"differences"});
  const auto with = options.text("compare-with").value_or("");
  add(options.has("compare") && (with == "largest" || with == "smallest"), {"distances"});
  add(options.has("largest") || options.has("smallest"), {"best"});
  return tables;
}

}  // namespace

Experiment experiment_from(const ModelOptions& options, const Plan& plan) {
  ReadDesign design = design_from(options);
  const auto periods = options.model->periods;
  if (options.table.text("table") == "periods" && (periods == nullptr || periods(design.points.front()).empty()))
    throw std::invalid_argument("--table is 'periods', but the case has no periods: add the member periods");
  return {*options.model, std::move(design.points), plan, std::move(design.skipped), std::move(design.notes)};
}

void check_questions(const ModelOptions& options) {
  check_table(options.table, tables_of(options.table, *options.model));
  if (options.table.has(cost_option(*options.model)) && options.table.list("require").empty()) {
    throw std::invalid_argument(
        fmt::format("--{} is given without --require: expected both", cost_option(*options.model)));
  }
}

std::optional<Requirements> requirements_of(const Experiment& experiment, const ModelOptions& options) {
  if (options.table.list("require").empty()) return std::nullopt;
  return std::optional<Requirements>(std::in_place, experiment.model, experiment.design, experiment.plan,
                                     options.table.list("require"), options.table.text(cost_option(*options.model)));
}

Recording::Recording(const Experiment& experiment, const ModelOptions& options) {
  const OptionText &levels = options.table.text("quantiles"), &path = options.table.text("responses");
  if (levels) {
    ResponseQuantiles kept(parse_probabilities(*levels), experiment.plan, experiment.design.size(),
                           experiment.model.response_names(experiment.design.front()).size());
    if (options.table.has("report")) kept.keep_steps(Convergence::max_points);
    if (is_first_process()) quantiles = std::move(kept);
  }
  const auto& events = options.table.list("probability");
  if (!events.empty()) {
    ResponseProbabilities counted(events, experiment.model, experiment.design, experiment.plan);
    if (options.table.has("report")) counted.keep_steps(Convergence::max_points);
    if (is_first_process()) probabilities = std::move(counted);
  }
  const auto& bins = options.table.list("histogram");
  if (!bins.empty()) {
    ResponseHistograms counted(bins, experiment.model, experiment.design, experiment.plan);
    if (is_first_process()) histograms = std::move(counted);
  }
  const auto& curves = options.table.list("density");
  if (!curves.empty()) {
    ResponseDensities estimated(curves, experiment.model, experiment.design, experiment.plan);
    if (is_first_process()) densities = std::move(estimated);
  }
  if (path && is_first_process()) file.emplace(*path, experiment.model, experiment.design);
  m_is_wanted = levels || path || !events.empty() || !bins.empty() || !curves.empty();
}

Recorder Recording::recorder() {
  if (!m_is_wanted) return {};
  return [this](const ReplicationRows& rows) {
    if (file) file->add(rows);
    if (quantiles) quantiles->add(rows);
    if (probabilities) probabilities->add(rows);
    if (histograms) histograms->add(rows);
    if (densities) densities->add(rows);
  };
}

void Recording::add_to(Report& report) {
  if (quantiles) report.quantiles = quantiles->report();
  if (probabilities) report.probabilities = probabilities->report();
  if (histograms) report.histograms = histograms->report();
  if (densities) report.densities = densities->report();
}

namespace {

// Returns, for each design point, the estimator of a response.
std::vector<RatioOfMeans> estimators(const Experiment& experiment, std::size_t response) {
  std::vector<RatioOfMeans> list;
  for (const auto& point : experiment.design) {
    list.push_back(estimator_of(static_cast<int>(response), experiment.model.ratios(point)));
  }
  return list;
}

}  // namespace

PointQuestions::PointQuestions(const Experiment& experiment, const ModelOptions& options) {
  const auto& [model, design, plan, skipped, notes] = experiment;
  const OptionText &largest = options.table.text("largest"), &smallest = options.table.text("smallest");
  if (largest && smallest) {
    throw std::invalid_argument("--largest and --smallest are given, expected one of them");
  }
  if (largest || smallest) {
    const std::size_t response =
        response_over_points(largest ? "--largest" : "--smallest", largest ? *largest : *smallest, model, design, plan);
    m_best = BestQuestion{
        largest ? Best::largest : Best::smallest, response,
        BestPoint(estimators(experiment, response), plan.replications / plan.source.replications_of_run())};
  }
  m_comparison = comparison_request(options.table, model, design, plan);
  if (m_comparison) {
    m_differences.emplace(estimators(experiment, m_comparison->response), plan.common_random_numbers);
  }
}

Observer PointQuestions::observer() {
  if (!m_best && !m_differences) return {};
  return [this](std::size_t point, std::size_t response, double observation) {
    if (m_best) m_best->point.add(point, response, observation);
    if (m_differences) m_differences->add(point, response, observation);
  };
}

std::optional<std::size_t> PointQuestions::best_point(const ExperimentResult& result) const {
  if (!m_best) return std::nullopt;
  const auto value = [&](std::size_t point) {
    const double mean = result.points[point].responses[m_best->response].mean;
    return m_best->best == Best::largest ? mean : -mean;
  };
  std::optional<std::size_t> found;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    if (!result.points[p].failure && (!found || value(p) > value(*found))) found = p;
  }
  return found;
}

void PointQuestions::add_to(Report& report, const std::vector<ResponseEstimate>& responses) const {
  const Plan& plan = report.plan;
  if (m_best) {
    report.best = BestReport{responses[m_best->response].name, m_best->best,
                             m_best->point.probabilities(m_best->best, plan.seed)};
  }
  if (m_differences) report.comparison = comparison_of(*m_comparison, *m_differences, plan, report.result.points);
}

}  // namespace sporos::runtime
