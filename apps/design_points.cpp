// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "design_points.hpp"

#include "suggestion.hpp"
#include "value_list.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace sporos::apps {

namespace {

// Some design points, and how a message calls each of them.
struct Points {
  std::vector<ParameterValues> values;
  std::function<std::string(std::size_t)> name;
};

// The parameter that each column of a file holds.
std::vector<std::size_t> parameters_of(const io::CsvFile& file, const SimulateOptions& options) {
  std::vector<std::size_t> list;
  std::vector<std::string> known;
  for (const auto& parameter : options.model->parameters) known.push_back(parameter.name);
  for (const auto& name : file.names) {
    const auto parameter = options.model->find_parameter(name);
    if (!parameter) {
      throw std::invalid_argument(fmt::format("{}, line 1: column {} is no parameter of {}{}", file.path,
                                              io::in_quotes(name), options.model->name, suggestion_for(name, known)));
    }
    if (options.parameters[*parameter]) {
      throw std::invalid_argument(fmt::format("{} is given, and so is column {} of {}: expected one of them",
                                              options.model->parameters[*parameter].flag(), io::in_quotes(name),
                                              file.path));
    }
    if (std::find(list.begin(), list.end(), *parameter) != list.end()) {
      throw std::invalid_argument(fmt::format("{}, line 1: column {} comes twice", file.path, io::in_quotes(name)));
    }
    list.push_back(*parameter);
  }
  return list;
}

Points read_points(const std::string& path, const SimulateOptions& options) {
  const auto file = io::read_csv(path);
  const auto parameters = parameters_of(file, options);
  const auto place = [path](std::size_t row) { return fmt::format("{}, line {}", path, row + 2); };
  Points points{{}, place};
  for (std::size_t row = 0; row < file.rows.size(); ++row) {
    ParameterValues values = options.model->usual_values();
    for (std::size_t column = 0; column < parameters.size(); ++column) {
      values[parameters[column]] =
          parse_value(options.model->parameters[parameters[column]],
                      fmt::format("{}: {}", place(row), file.names[column]), file.rows[row][column]);
    }
    points.values.push_back(std::move(values));
  }
  return points;
}

Points base_points(const SimulateOptions& options) {
  if (options.design && options.saved_run) {
    throw std::invalid_argument("--design and --plan are given: expected one of them");
  }
  if (options.design) return read_points(*options.design, options);
  auto values =
      options.saved_run ? options.saved_run->design : std::vector<ParameterValues>{options.model->usual_values()};
  return {std::move(values), [](std::size_t point) { return fmt::format("design point {}", point + 1); }};
}

// Each of these points with each of these values of a parameter.
Points crossed(const Points& points, std::size_t parameter, const std::vector<ParameterValue>& choices) {
  if (choices.size() * points.values.size() > most_design_points) {
    throw std::invalid_argument(fmt::format("the ranges make {} design points or more, expected at most {}",
                                            choices.size() * points.values.size(), most_design_points));
  }
  Points all{{}, points.name};
  if (choices.size() > 1) all.name = [](std::size_t point) { return fmt::format("design point {}", point + 1); };
  for (const auto& values : points.values) {
    for (const auto& choice : choices) {
      all.values.push_back(values);
      all.values.back()[parameter] = choice;
    }
  }
  return all;
}

void check(const Points& points, const ModelDescription& model) {
  for (std::size_t point = 0; point < points.values.size(); ++point) {
    try {
      model.check(points.values[point]);
    } catch (const std::invalid_argument& error) {
      if (points.values.size() == 1) throw;
      throw std::invalid_argument(points.name(point) + ": " + error.what());
    }
  }
}

}  // namespace

std::vector<ParameterValues> design_from(const SimulateOptions& options) {
  Points points = base_points(options);
  if (points.values.size() > most_design_points) {
    throw std::invalid_argument(
        fmt::format("there are {} design points, expected at most {}", points.values.size(), most_design_points));
  }
  for (std::size_t i = 0; i < options.parameters.size(); ++i) {
    if (!options.parameters[i]) continue;
    points = crossed(points, i, parse_value_list(options.model->parameters[i], *options.parameters[i]));
  }
  check(points, *options.model);
  return std::move(points.values);
}

}  // namespace sporos::apps
