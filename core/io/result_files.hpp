// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/estimate_fields.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/replication/described_model.hpp>
#include <sporos/core/replication/experiment.hpp>
#include <sporos/version.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Writes results of `simulate` as JSON and CSV files.
namespace sporos::io {

namespace impl {

// The result of each design point.
inline std::span<const PointResult> points_of(const ExperimentResult& result) { return result.points; }
inline std::span<const PointResult> points_of(const PointResult& result) { return {&result, 1}; }

// Calls `visit(name, value)` with each parameter that the model describes.
template <class Model, class Visit>
void for_each_value([[maybe_unused]] const Model& model, [[maybe_unused]] const Visit& visit) {
  if constexpr (sporos::impl::DescribesParameters<Model>) {
    for_each_parameter<Model>([&](const auto& parameter) {
      using Given = typename std::remove_cvref_t<decltype(parameter)>::Given;
      visit(std::string(parameter.name), Given(model.*parameter.member));
    });
  }
}

// Returns the expectation of each response, empty if the model does not provide it.
template <class Model>
std::vector<std::optional<double>> exact_of([[maybe_unused]] const Model& model, std::size_t responses) {
  if constexpr (sporos::impl::HasExactMeans<Model>) {
    try {
      const auto means = model.exact_means();
      return {means.begin(), means.end()};
    } catch (const std::exception&) {  // a closed form that fails outside its range must not lose the result
    }
  }
  return std::vector<std::optional<double>>(responses);
}

}  // namespace impl

/// Returns a result of `simulate(space, models, plan)` as JSON:
///
///     {"sporos": version, "plan": {...}, "points": [{"parameters": {...}, "replications", "stopped_by", "digest",
///      "responses": [{"name", "mean", "variance", "half_width", "replications", "observations", "deviation",
///      "exact"}...]}...]}
///
/// The members are those of json_of(plan) and json_of(point, exact). The parameters of each design point are those that
/// the model describes (`parameters()`), if any.
template <class Models>
Json result_json(const Models& models, const Plan& plan, const typename sporos::impl::ModelOf<Models>::Result& result) {
  const auto all = sporos::impl::ModelOf<Models>::all(models);
  const auto results = impl::points_of(result);
  Json points = Json::array();
  for (std::size_t p = 0; p < results.size(); ++p) {
    Json parameters = Json::object();
    impl::for_each_value(all[p], [&](const std::string& name, const auto& value) { parameters[name] = value; });
    Json point = {{"parameters", std::move(parameters)}};
    point.update(json_of(results[p], impl::exact_of(all[p], results[p].responses.size())));
    points.push_back(std::move(point));
  }
  return {{"sporos", SPOROS_VERSION}, {"plan", json_of(plan)}, {"points", std::move(points)}};
}

/// Returns a result of `simulate` as CSV, with a line for each response of each design point. The columns are "point"
/// (from 1), the parameters that the model describes, those of estimate_columns(), and "failure", the reason if the
/// design point has failed.
template <class Models>
std::string result_csv(const Models& models, const typename sporos::impl::ModelOf<Models>::Result& result) {
  const auto all = sporos::impl::ModelOf<Models>::all(models);
  const auto results = impl::points_of(result);
  const auto append = [](std::vector<std::string>& row, const std::vector<std::string>& fields) {
    row.insert(row.end(), fields.begin(), fields.end());
  };
  std::string text;
  std::vector<std::string> names{"point"};
  impl::for_each_value(all.front(), [&](const std::string& name, const auto&) { names.push_back(name); });
  append(names, estimate_columns());
  names.emplace_back("failure");
  append_csv_row(text, names);
  for (std::size_t p = 0; p < results.size(); ++p) {
    const auto exact = impl::exact_of(all[p], results[p].responses.size());
    std::vector<std::string> parameters;
    impl::for_each_value(all[p], [&](const std::string&, const auto& value) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) {
        parameters.push_back(value);
      } else if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, double>) {
        parameters.push_back(shortest_text(value));
      } else {
        parameters.push_back(std::to_string(value));
      }
    });
    for (std::size_t i = 0; i < results[p].responses.size(); ++i) {
      std::vector<std::string> row{std::to_string(p + 1)};
      append(row, parameters);
      append(row, estimate_fields(results[p], i, exact[i]));
      row.push_back(results[p].failure ? results[p].failure->reason : "");
      append_csv_row(text, row);
    }
  }
  return text;
}

/// Writes result_json to the file `path`, which appears whole or not at all. Throws WriteError.
template <class Models>
void write_result_json(const std::string& path, const Models& models, const Plan& plan,
                       const typename sporos::impl::ModelOf<Models>::Result& result) {
  OutputFile(path).write(result_json(models, plan, result).dump(2) + '\n');
}

/// Writes result_csv to the file `path`, which appears whole or not at all. Throws WriteError.
template <class Models>
void write_result_csv(const std::string& path, const Models& models,
                      const typename sporos::impl::ModelOf<Models>::Result& result) {
  OutputFile(path).write(result_csv(models, result));
}

}  // namespace sporos::io
