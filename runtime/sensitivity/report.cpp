// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/sensitivity/sensitivity.hpp>

#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/design_points.hpp>

#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::size_t max_pictured_responses = 12;  // limit of responses with pictures

const std::string& parameter_name(const SensitivityRequest& request, std::size_t i) {
  return request.model->parameters[request.parameters[i].place].name;
}

std::string uncertain_text(const SensitivityRequest& request) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < request.parameters.size(); ++i) {
    const UncertainParameter& parameter = request.parameters[i];
    const std::string estimate = request.is_of_data
                                     ? fmt::format(" = {:.4g} from {}", number_of(request.values[parameter.place]),
                                                   plural(static_cast<std::int64_t>(parameter.observations.size()),
                                                          "observation", "observations"))
                                     : "";
    list.push_back(fmt::format("{} {}{}", parameter_name(request, i), parameter.text, estimate));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

ResultTable inputs_table(const SensitivityRequest& request) {
  ResultTable table{"inputs",
                    "Uncertain parameters",
                    {{"parameter", "parameter", ValueKind::text},
                     {"text", "distribution or data", ValueKind::text},
                     {"observations", "observations", ValueKind::count},
                     {"estimate", "estimate"}},
                    {},
                    Shown::in_reports};
  for (std::size_t i = 0; i < request.parameters.size(); ++i) {
    const UncertainParameter& parameter = request.parameters[i];
    const auto of_data = [&](ResultValue value) { return request.is_of_data ? value : ResultValue(); };
    table.rows.push_back({parameter_name(request, i), parameter.text,
                          of_data(static_cast<std::int64_t>(parameter.observations.size())),
                          of_data(number_of(request.values[parameter.place]))});
  }
  return table;
}

double root(double variance) { return std::sqrt(std::max(0.0, variance)); }

// Means over the parameters, with the deviation due to parameters and the noise of a design point.
ResultTable means_table(const SensitivityReport& report) {
  ResultTable table{"means",
                    "Means over the uncertain parameters",
                    {{"response", "response", ValueKind::text},
                     {"mean", "mean"},
                     {"deviation", "parameter deviation"},
                     {"noise", "noise of a design point"}},
                    {}};
  for (const auto& [name, indices, uncertainty, steps] : report.results) {
    table.rows.push_back({name, indices.mean, root(indices.variance), root(indices.noise)});
  }
  return table;
}

// Means with intervals that include the uncertainty of estimated parameters.
ResultTable intervals_table(const SensitivityReport& report) {
  ResultTable table{"means",
                    "Means",
                    {{"response", "response", ValueKind::text},
                     {"mean", "mean", ValueKind::number, "half_width"},
                     {"low", interval_title(report.request.plan.confidence), ValueKind::number, "half_width"},
                     {"high", "to", ValueKind::number, "half_width"},
                     data_column("half_width", "half-width"),
                     {"input_deviation", "input deviation"},
                     {"simulation_deviation", "simulation deviation"},
                     {"simulation_half_width", "simulation half-width"},
                     data_column("ratio", "input variance / simulation variance"),
                     data_column("ratio_low", "from"),
                     data_column("ratio_high", "to")},
                    {}};
  for (const auto& [name, indices, found, steps] : report.results) {
    table.rows.push_back({name, found.mean, found.low, found.high, (found.high - found.low) / 2,
                          root(found.input_variance), root(found.simulation_variance), found.simulation_half_width,
                          found.ratio, found.ratio_low, found.ratio_high});
  }
  return table;
}

// Intervals with and without the inputs' uncertainty.
ResultTable comparison_table(const SensitivityReport& report) {
  ResultTable table{"comparison",
                    "Intervals with and without the uncertainty of inputs",
                    {{"response", "response", ValueKind::text},
                     {"counts", "sources of uncertainty", ValueKind::text},
                     {"mean", "mean"},
                     {"low", "from"},
                     {"high", "to"}},
                    {},
                    Shown::as_data};
  for (const auto& [name, indices, found, steps] : report.results) {
    const double width = found.simulation_half_width;
    table.rows.push_back({name, "inputs and simulation", found.mean, found.low, found.high});
    table.rows.push_back({name, "simulation only", found.mean, found.mean - width, found.mean + width});
    if (table.pictures.size() == max_pictured_responses) continue;
    table.pictures.push_back(
        {name, PictureKind::intervals, "counts", "mean", "low", "high", std::pair("response", ResultValue(name))});
  }
  return table;
}

// History of the intervals over outer samples.
ResultTable steps_table(const SensitivityReport& report) {
  ResultTable table{"steps",
                    "Intervals by number of outer samples",
                    {{"response", "response", ValueKind::text},
                     {"outer_samples", "outer samples", ValueKind::count},
                     {"mean", "mean"},
                     {"low", "from"},
                     {"high", "to"}},
                    {},
                    Shown::as_data};
  for (const auto& [name, indices, found, steps] : report.results) {
    for (const auto& [samples, mean, low, high] : steps) table.rows.push_back({name, samples, mean, low, high});
    if (table.pictures.size() == max_pictured_responses) continue;
    table.pictures.push_back({name + ", by number of outer samples", PictureKind::convergence, "outer_samples", "mean",
                              "low", "high", std::pair("response", ResultValue(name))});
  }
  return table;
}

// Sobol's indices: shares of the variance.
ResultTable indices_table(const SensitivityReport& report) {
  const SensitivityRequest& request = report.request;
  ResultTable table{"indices",
                    request.is_of_data ? "Shares of the inputs' variance (Sobol's indices)"
                                       : "Shares of the variance (Sobol's indices)",
                    {{"response", "response", ValueKind::text},
                     {"parameter", "parameter", ValueKind::text},
                     {"first", "first-order index", ValueKind::number, "first_half_width"},
                     {"first_half_width", "±", ValueKind::number, "first_half_width"},
                     {"total", "total index", ValueKind::number, "total_half_width"},
                     {"total_half_width", "±", ValueKind::number, "total_half_width"},
                     data_column("first_low", "from"),
                     data_column("first_high", "to"),
                     data_column("total_low", "from"),
                     data_column("total_high", "to")},
                    {}};
  for (const auto& [name, indices, uncertainty, steps] : report.results) {
    for (std::size_t i = 0; i < indices.first.size(); ++i) {
      const SobolIndex &first = indices.first[i], &total = indices.total[i];
      table.rows.push_back({name, parameter_name(request, i), first.value, first.half_width, total.value,
                            total.half_width, first.value - first.half_width, first.value + first.half_width,
                            total.value - total.half_width, total.value + total.half_width});
    }
    if (table.pictures.size() == max_pictured_responses) continue;
    table.pictures.push_back({.title = name,
                              .kind = PictureKind::bars,
                              .x = "parameter",
                              .y = "first",
                              .low = "first_low",
                              .high = "first_high",
                              .rows = std::pair("response", ResultValue(name)),
                              .second_y = "total",
                              .second_low = "total_low",
                              .second_high = "total_high"});
  }
  return table;
}

std::vector<ResultFact> settings_of(const SensitivityRequest& request) {
  const Plan& plan = request.plan;
  const auto count = [](auto value) { return static_cast<std::int64_t>(value); };
  std::vector<ResultFact> settings;
  if (request.is_of_data) {
    settings.push_back({"outer_samples", "outer samples", count(request.design.base_count()), ValueKind::count});
    settings.push_back({"input_sampling", "sampling of inputs", std::string(name_of(request.sampling))});
  } else {
    settings.push_back({"base_points", "base points", count(request.base.rows), ValueKind::count});
    settings.push_back({"base_sampling", "sampling of base points", std::string(name_of(request.base.sampling))});
  }
  settings.push_back({"design_points", "design points", count(request.points.size()), ValueKind::count});
  settings.push_back({"replications", "replications of each design point", plan.replications, ValueKind::count});
  settings.push_back({"sampling", "sampling of replications", std::string(name_of(plan.source.sampling))});
  settings.push_back({"engine", "engine", std::string(name_of(plan.source.engine))});
  settings.push_back({"confidence", "confidence", plan.confidence, ValueKind::percentage});
  settings.push_back({"seed", "seed", plan.seed, ValueKind::count});
  return settings;
}

// History of the interval as the number of outer samples grows.
std::vector<EstimateStep> uncertainty_steps(std::span<const PointMean> outer, std::int64_t observations,
                                            double confidence) {
  const auto all = static_cast<std::int64_t>(outer.size());
  std::vector<EstimateStep> steps;
  Looks looks;
  for (std::int64_t count = min_outer_samples(confidence); count <= all; ++count) {
    if (!looks.are_due(count) && count < all) continue;
    const auto found = input_uncertainty(outer.first(static_cast<std::size_t>(count)), observations, confidence);
    steps.push_back({count, found.mean, found.low, found.high});
  }
  return steps;
}

}  // namespace

std::string design_text(const SensitivityRequest& request) {
  const std::string base =
      request.is_of_data ? fmt::format("{} outer samples by {}", request.design.base_count(), name_of(request.sampling))
                         : fmt::format("{} base points, {}", request.base.rows, name_of(request.base.sampling));
  return fmt::format("{}: {} of {}, seed {}", base,
                     plural(static_cast<std::int64_t>(request.points.size()), "design point", "design points"),
                     plural(request.plan.replications, "replication", "replications"), request.plan.seed);
}

std::vector<SensitivityResult> sensitivity_results(const SensitivityRequest& request, const ExperimentResult& result) {
  std::vector<SensitivityResult> results;
  const std::size_t responses = result.points.front().responses.size();
  const bool is_split = request.points.size() == request.design.point_count();
  for (std::size_t response = 0; response < responses; ++response) {
    const ResponseEstimate& first = result.points.front().responses[response];
    auto& [name, indices, uncertainty, steps] = results.emplace_back();
    name = first.name;
    const auto means = point_means(result, response);
    if (is_split) indices = sobol_indices(request.design, means, request.base.groups(), request.plan.confidence);
    if (!request.is_of_data) continue;
    std::vector<PointMean> outer;
    for (std::size_t point = 0; point < means.size(); ++point) {
      if (!is_split || point % request.design.points_of_row() < 2) outer.push_back(means[point]);
    }
    uncertainty = input_uncertainty(outer, first.observations, request.plan.confidence);
    steps = uncertainty_steps(outer, first.observations, request.plan.confidence);
  }
  return results;
}

bool has_enough(const ExperimentResult& result) {
  return std::ranges::all_of(result.points, [](const PointResult& point) {
    return !point.responses.empty() && point.responses.front().observations >= 2;
  });
}

ResultDocument document_of(const SensitivityReport& report) {
  const SensitivityRequest& request = report.request;
  std::vector<ResultTable> tables;
  if (request.is_of_data) tables = {intervals_table(report), comparison_table(report), steps_table(report)};
  if (!report.results.front().indices.first.empty()) tables.push_back(indices_table(report));
  if (!request.is_of_data) tables.push_back(means_table(report));
  tables.push_back(inputs_table(request));
  return {.question = request.is_of_data ? "input-uncertainty" : "sensitivity",
          .subject = subject_of(*request.model, request.values, varied_parameters(request.points)),
          .lead = fmt::format("{}: {}; {}", request.is_of_data ? "Estimated from data" : "Uncertain",
                              uncertain_text(request), design_text(request)),
          .settings = settings_of(request),
          .tables = std::move(tables),
          .notes = request.notes,
          .stopped_by = std::string(name_of(report.stopped_by)),
          .confidence = request.plan.confidence,
          .seconds = report.seconds,
          .machine = report.machine};
}

}  // namespace sporos::runtime
