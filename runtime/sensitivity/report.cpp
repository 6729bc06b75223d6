// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/sensitivity/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/version.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sporos::runtime {

namespace {

using Kind = io::Table::Column;

const std::string& parameter_name(const SensitivityRequest& request, std::size_t i) {
  return request.model->parameters[request.parameters[i].place].name;
}

std::string index_text(const SobolIndex& index) {
  if (!std::isfinite(index.value)) return "unknown";
  return fmt::format("{} ± {}", io::text_to_precision(index.value, index.half_width), short_text(index.half_width));
}

std::string uncertain_text(const SensitivityRequest& request) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < request.parameters.size(); ++i) {
    list.push_back(fmt::format("{} {}", parameter_name(request, i), request.parameters[i].text));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string index_table(const SensitivityReport& report) {
  const SensitivityRequest& request = report.request;
  io::Table table({{"response", Kind::text},
                   {"parameter", Kind::text},
                   {request.is_of_data ? "share of the inputs' variance" : "share alone", Kind::text},
                   {"with interactions", Kind::text}});
  for (const SensitivityResult& result : report.results) {
    for (std::size_t i = 0; i < result.indices.first.size(); ++i) {
      table.add_row({i == 0 ? result.name : "", parameter_name(request, i), index_text(result.indices.first[i]),
                     index_text(result.indices.total[i])});
    }
  }
  return table.text();
}

std::string mean_table(const SensitivityReport& report) {
  io::Table table({{"response", Kind::text},
                   {"mean", Kind::number},
                   {"deviation by parameters", Kind::number},
                   {"noise of a design point", Kind::number}});
  for (const auto& [name, indices, uncertainty, steps] : report.results) {
    table.add_row({name, fmt::format("{:.4g}", indices.mean), short_text(std::sqrt(std::max(0.0, indices.variance))),
                   short_text(std::sqrt(indices.noise))});
  }
  return table.text();
}

std::string interval_table(const SensitivityReport& report) {
  io::Table table({{"response", Kind::text},
                   {"mean", Kind::number},
                   {fmt::format("{:.6g} % interval", 100 * report.request.plan.confidence), Kind::text},
                   {"deviation by inputs", Kind::number},
                   {"by simulation", Kind::number},
                   {"half-width by simulation alone", Kind::number}});
  for (const auto& [name, indices, found, steps] : report.results) {
    const double width = (found.high - found.low) / 2;
    table.add_row(
        {name, io::text_to_precision(found.mean, width),
         fmt::format("{} to {}", io::text_to_precision(found.low, width), io::text_to_precision(found.high, width)),
         short_text(std::sqrt(found.input_variance)), short_text(std::sqrt(found.simulation_variance)),
         short_text(found.simulation_half_width)});
  }
  return table.text();
}

void add_uncertainty(const InputUncertainty& found, io::Json& json) {
  json.update({{"mean", io::json_number(found.mean)},
               {"low", io::json_number(found.low)},
               {"high", io::json_number(found.high)},
               {"simulation_half_width", io::json_number(found.simulation_half_width)},
               {"input_variance", io::json_number(found.input_variance)},
               {"simulation_variance", io::json_number(found.simulation_variance)},
               {"ratio", io::json_number(found.ratio)},
               {"ratio_low", io::json_number(found.ratio_low)},
               {"ratio_high", io::json_number(found.ratio_high)}});
}

// The interval that the first outer samples make, as there are more of them.
std::vector<EstimateStep> uncertainty_steps(std::span<const PointMean> outer, std::int64_t observations,
                                            double confidence) {
  const auto all = static_cast<std::int64_t>(outer.size());
  std::vector<EstimateStep> steps;
  Looks looks;
  for (std::int64_t count = least_outer_samples(confidence); count <= all; ++count) {
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

std::string table_of(const SensitivityReport& report) {
  const SensitivityRequest& request = report.request;
  std::string text =
      fmt::format("{}: {}\nuncertain: {}\n{}\n\n{}", request.model->name, request.model->title, uncertain_text(request),
                  design_text(request), request.is_of_data ? interval_table(report) : mean_table(report));
  if (!report.results.front().indices.first.empty()) text += '\n' + index_table(report);
  for (const std::string& note : request.notes) text += '\n' + note + '\n';
  return text + fmt::format("\n{} on {}\n", duration_text(report.seconds), text_of(report.machine));
}

std::string json_of(const SensitivityReport& report) {
  const SensitivityRequest& request = report.request;
  io::Json inputs = io::Json::array(), responses = io::Json::array();
  for (std::size_t i = 0; i < request.parameters.size(); ++i) {
    const UncertainParameter& parameter = request.parameters[i];
    io::Json json{{"parameter", parameter_name(request, i)}, {"text", parameter.text}};
    if (request.is_of_data) {
      json["observations"] = parameter.observations.size();
      json["estimate"] = number_of(request.values[parameter.place]);
    }
    inputs.push_back(std::move(json));
  }
  for (const auto& [name, indices, uncertainty, steps] : report.results) {
    io::Json json{{"name", name}};
    io::Json list = io::Json::array();
    if (!indices.first.empty()) {
      json["mean"] = io::json_number(indices.mean);
      json["variance"] = io::json_number(indices.variance);
      json["noise"] = io::json_number(indices.noise);
    }
    if (request.is_of_data) add_uncertainty(uncertainty, json);
    for (std::size_t i = 0; i < indices.first.size(); ++i) {
      list.push_back({{"parameter", parameter_name(request, i)},
                      {"first", io::json_number(indices.first[i].value)},
                      {"first_half_width", io::json_number(indices.first[i].half_width)},
                      {"total", io::json_number(indices.total[i].value)},
                      {"total_half_width", io::json_number(indices.total[i].half_width)}});
    }
    json["indices"] = std::move(list);
    responses.push_back(std::move(json));
  }
  io::Json json{{"sporos", SPOROS_VERSION},
                {"model", request.model->name},
                {"parameters", json_of(*request.model, request.values)},
                {"plan", io::json_of(request.plan)},
                {"inputs", std::move(inputs)}};
  if (request.is_of_data) {
    json["outer_samples"] = request.design.base_count();
    json["input_sampling"] = name_of(request.sampling);
  } else {
    json["base_points"] = request.base.rows;
    json["base_sampling"] = name_of(request.base.sampling);
  }
  json.update({{"design_points", request.points.size()},
               {"responses", std::move(responses)},
               {"notes", request.notes},
               {"seconds", report.seconds},
               {"machine", json_of(report.machine)}});
  return json_text(json);
}

std::string csv_of(const SensitivityReport& report) {
  std::string text;
  io::append_csv_row(text, {"response", "mean", "low", "high", "input_variance", "simulation_variance", "parameter",
                            "first", "first_half_width", "total", "total_half_width"});
  const auto number = [](double value) { return std::isfinite(value) ? io::shortest_text(value) : ""; };
  for (const auto& [name, indices, found, steps] : report.results) {
    std::vector<std::string> row{name, number(indices.mean), "", "", "", ""};
    if (report.request.is_of_data) {
      row = {name,
             number(found.mean),
             number(found.low),
             number(found.high),
             number(found.input_variance),
             number(found.simulation_variance)};
    }
    for (std::size_t i = 0; i < report.request.parameters.size(); ++i) {
      auto line = row;
      line.push_back(parameter_name(report.request, i));
      if (!indices.first.empty()) {
        for (const SobolIndex& index : {indices.first[i], indices.total[i]}) {
          line.push_back(number(index.value));
          line.push_back(number(index.half_width));
        }
      }
      line.resize(11);
      io::append_csv_row(text, line);
    }
  }
  return text;
}

}  // namespace sporos::runtime
