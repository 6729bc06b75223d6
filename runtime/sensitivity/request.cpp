// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/sensitivity/request.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/distribution_text.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/interval_notes.hpp>
#include <sporos/runtime/simulation/kept_experiment.hpp>
#include <sporos/runtime/simulation/named_parameter.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>
#include <sporos/runtime/simulation/question.hpp>
#include <sporos/runtime/simulation/value_list.hpp>

#include <sporos/core/io/checkpoint.hpp>
#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/procedures/sensitivity/input_uncertainty.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr std::int64_t default_replications = 32;
constexpr std::int64_t default_outer_samples = 1000;

// The option that names the uncertain parameters.
const char* asked(const SensitivityRequest& request) { return request.is_of_data ? "input" : "uncertain"; }

// Parses NAME=VALUE. Returns the index of the parameter and the text of the value.
std::pair<std::size_t, std::string> named_value(const SensitivityRequest& request, const OptionTable& options,
                                                const std::string& text, const char* example) {
  const ModelDescription& model = *request.model;
  const std::string option = asked(request);
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw std::invalid_argument(fmt::format("--{} is {}, expected NAME={}", option, io::in_quotes(text), example));
  }
  const std::size_t place = place_of_parameter(model, option, text, trimmed(std::string_view(text).substr(0, equals)));
  const ParameterDescription& parameter = model.parameters[place];
  if (parameter.is_file()) {
    throw std::invalid_argument(
        fmt::format("--{} is {}, and {} names a file: expected a number", option, io::in_quotes(text), parameter.name));
  }
  if (options.has(parameter.option())) {
    throw std::invalid_argument(fmt::format("{} is given, and so is --{} {}: expected one of them", parameter.flag(),
                                            option, io::in_quotes(text)));
  }
  return {place, std::string(trimmed(std::string_view(text).substr(equals + 1)))};
}

// Parses LOW:HIGH as a uniform distribution on that range.
DistributionChoice range_from(const std::string& option, const ParameterDescription& parameter, std::string_view text) {
  const auto colon = text.find(':');
  const auto low = io::number_of<double>(text.substr(0, colon)), high = io::number_of<double>(text.substr(colon + 1));
  const bool is_range = low && high && std::isfinite(*low) && std::isfinite(*high) && *low < *high;
  if (!is_range || (parameter.is_whole() && (std::floor(*low) != *low || std::floor(*high) != *high))) {
    throw std::invalid_argument(fmt::format("--uncertain is {}, expected NAME=LOW:HIGH with {}LOW below HIGH",
                                            io::in_quotes(option), parameter.is_whole() ? "whole " : ""));
  }
  return {
      parameter.is_whole() ? DistributionKind::uniform_integer : DistributionKind::uniform, {*low, *high, 0}, {}, {}};
}

DistributionChoice distribution_from(const std::string& option, const ParameterDescription& parameter,
                                     const std::string& text) {
  if (text.find('(') == std::string::npos) return range_from(option, parameter, text);
  DistributionChoice choice = distribution_of(text, fmt::format("--uncertain is {}", io::in_quotes(option)));
  const bool is_whole =
      choice.kind == DistributionKind::uniform_integer || choice.kind == DistributionKind::geometric ||
      choice.kind == DistributionKind::poisson || choice.kind == DistributionKind::binomial ||
      choice.kind == DistributionKind::negative_binomial || choice.kind == DistributionKind::hypergeometric;
  if (parameter.is_whole() && !is_whole) {
    throw std::invalid_argument(
        fmt::format("--uncertain is {}, and {} is whole: expected uniform-integer, geometric, poisson, binomial, "
                    "negative-binomial or hypergeometric",
                    io::in_quotes(option), parameter.name));
  }
  return choice;
}

// Parts of STATISTIC(FILE) or STATISTIC(FILE, COLUMN). The column is empty if it is not given.
struct DataSource {
  InputStatistic statistic;
  std::string file, column;
};

DataSource data_source(const std::string& option, const std::string& text) {
  const auto open = text.find('(');
  if (open == std::string::npos || !text.ends_with(')')) {
    throw std::invalid_argument(fmt::format(
        "--input is {}, expected NAME=STATISTIC(FILE), as in arrival-rate=rate(gaps.csv)", io::in_quotes(option)));
  }
  const std::string_view inside = std::string_view(text).substr(open + 1, text.size() - open - 2);
  const auto comma = inside.rfind(',');
  const std::string_view column = comma == std::string_view::npos ? "" : trimmed(inside.substr(comma + 1));
  return {parse_choice<InputStatistic>(trimmed(std::string_view(text).substr(0, open))),
          std::string(trimmed(inside.substr(0, comma))), std::string(column)};
}

std::vector<double> read_observations(const DataSource& source, std::vector<std::string>& notes) {
  io::NamedRows rows(source.file, {.column = "column", .row = "observation"});
  rows.check_names_are_texts();
  if (source.column.empty() && rows.names().size() != 1) {
    throw std::invalid_argument(
        fmt::format("{} has {} columns, expected one, or STATISTIC(FILE, COLUMN)", source.file, rows.names().size()));
  }
  const std::size_t column = source.column.empty() ? 0 : rows.column(source.column, "the name of one");
  const io::TableSurvey survey(rows, {column});
  survey.expect_numbers(column, "STATISTIC(FILE, COLUMN) names another column");
  if (source.column.empty()) survey.refuse_identifier(column, "STATISTIC(FILE, COLUMN) takes a column in any case");
  std::vector<double> observations;
  while (rows.next()) observations.push_back(rows.number(column));
  rows.add_note(notes);
  return observations;
}

void set_value(const ParameterDescription& parameter, ParameterValue& value, double number) {
  if (parameter.is_whole()) {
    value = whole_value(parameter.name, std::round(number));
  } else {
    value = number;
  }
}

void add_input(SensitivityRequest& request, const ModelOptions& options, const std::string& text) {
  const auto [place, value] = named_value(request, options.table, text, "STATISTIC(FILE)");
  const ParameterDescription& parameter = request.model->parameters[place];
  if (parameter.is_whole()) {
    throw std::invalid_argument(
        fmt::format("--input is {}, and {} is whole: expected a parameter that is a real number", io::in_quotes(text),
                    parameter.name));
  }
  const DataSource source = data_source(text, value);
  NamedFiles files = options.files;
  files.push_back({fmt::format("--input {}", parameter.option()), source.file, FileUse::reads});
  check_files(files);
  UncertainParameter input{place, value};
  input.statistic = source.statistic;
  input.observations = read_observations(source, request.notes);
  try {
    set_value(parameter, request.values[place], estimate(input.statistic, input.observations));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", source.file, error.what()));
  }
  request.parameters.push_back(std::move(input));
}

void add_parameters(SensitivityRequest& request, const ModelOptions& options) {
  const std::string option = asked(request);
  for (const std::string& text : options.table.list(option)) {
    if (request.is_of_data) {
      add_input(request, options, text);
    } else {
      const auto [place, value] = named_value(request, options.table, text, "LOW:HIGH");
      request.parameters.push_back({place, value, distribution_from(text, request.model->parameters[place], value)});
    }
    const std::size_t place = request.parameters.back().place;
    if (std::ranges::count(request.parameters, place, &UncertainParameter::place) > 1) {
      throw std::invalid_argument(
          fmt::format("--{} {} is given twice", option, request.model->parameters[place].option()));
    }
  }
}

void set_base(SensitivityRequest& request, const OptionTable& options) {
  BasePlan& base = request.base;
  base.seed = request.plan.seed;
  if (!request.is_of_data) {
    base.rows = options.whole("base-points", base.rows, 2);
    base.sampling = options.choice("base-sampling", base.sampling);
    check_base_plan(base, request.parameters.size());
    return;
  }
  request.sampling = options.choice("input-sampling", InputSampling::bootstrap);
  const std::int64_t least = min_outer_samples(request.plan.confidence);
  const std::int64_t samples = options.whole("outer-samples", std::max(default_outer_samples, least + least % 2), 0);
  if (samples < std::max<std::int64_t>(least, 4) || samples % 2 != 0) {
    throw std::invalid_argument(fmt::format("--outer-samples is {}, expected an even number of at least {}", samples,
                                            std::max<std::int64_t>(least + least % 2, 4)));
  }
  base.sampling = BaseSampling::random;
  base.rows = samples / 2;
}

// Values of each uncertain parameter at the base points.
std::vector<std::vector<double>> base_values(const SensitivityRequest& request) {
  const std::size_t inputs = request.parameters.size();
  std::vector<std::vector<double>> values(inputs);
  const auto uniforms = request.is_of_data ? std::vector<double>() : base_uniforms(request.base, inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    const UncertainParameter& parameter = request.parameters[i];
    if (request.is_of_data) {
      values[i] = input_samples(parameter.statistic, parameter.observations, request.sampling,
                                request.design.base_count(), request.base.seed, static_cast<std::uint32_t>(i));
      continue;
    }
    for (std::size_t base = 0; base < request.design.base_count(); ++base) {
      values[i].push_back(quantile_of(parameter.distribution, uniforms[base * inputs + i]));
    }
  }
  return values;
}

void check_point(const SensitivityRequest& request, const ParameterValues& point) {
  try {
    request.model->check(point);
  } catch (const std::invalid_argument& error) {
    std::vector<std::string> list;
    for (const UncertainParameter& parameter : request.parameters) {
      list.push_back(
          fmt::format("{} {}", request.model->parameters[parameter.place].name, text_of(point[parameter.place])));
    }
    throw std::invalid_argument(fmt::format("at {}: {}", fmt::join(list, ", "), error.what()));
  }
}

void add_points(SensitivityRequest& request) {
  request.design = {request.parameters.size(), static_cast<std::size_t>(request.base.rows)};
  if (request.design.point_count() > max_design_points) {
    throw std::invalid_argument(fmt::format("there are {} design points, expected at most {}",
                                            request.design.point_count(), max_design_points));
  }
  const auto values = base_values(request);
  const bool is_split = !request.is_of_data || request.parameters.size() > 1;
  for (std::size_t point = 0; point < request.design.point_count(); ++point) {
    if (!is_split && point % request.design.points_of_row() > 1) continue;
    ParameterValues at = request.values;
    for (std::size_t i = 0; i < request.parameters.size(); ++i) {
      const std::size_t place = request.parameters[i].place;
      set_value(request.model->parameters[place], at[place], values[i][request.design.base_of(point, i)]);
    }
    check_point(request, at);
    request.points.push_back(std::move(at));
  }
}

std::vector<OptionEntry> sensitivity_entries() {
  const std::string group = "Sensitivity";
  const BasePlan defaults;
  return {{group,
           "uncertain",
           "NAME=LOW:HIGH",
           "a parameter that is anywhere in that range, or has a distribution, such as normal(MEAN, DEVIATION); given "
           "once for each parameter",
           {},
           Decides::result,
           Occurrence::repeated},
          {group, "base-points", "N",
           fmt::format("design points are as many times the number of parameters + 2; default: {}", defaults.rows)},
          {group, "base-sampling", "NAME",
           fmt::format("of the base points: {}; default: {}", names_of<BaseSampling>(), name_of(defaults.sampling))}};
}

std::vector<OptionEntry> input_entries() {
  const std::string group = "Estimated inputs";
  return {{group,
           "input",
           "NAME=STATISTIC(FILE)",
           "a parameter that is estimated from the observations in a CSV file, by their mean, rate (1 / mean, of times "
           "between events), deviation or probability (of 1, where they are 0 or 1); (FILE, COLUMN) where there are "
           "several columns; given once for each parameter",
           {},
           Decides::result,
           Occurrence::repeated},
          {group, "outer-samples", "K",
           fmt::format("values of the parameters that the data do not rule out; default: {}", default_outer_samples)},
          {group, "input-sampling", "NAME",
           fmt::format("how these are drawn: {}; default: {}", names_of<InputSampling>(),
                       name_of(InputSampling::bootstrap))}};
}

// Options of the plan of the replications at each design point, and of checkpoints.
std::vector<OptionEntry> experiment_entries() {
  return entries_of({{{"Plan", "replications", "N",
                       fmt::format("replications at each design point; default: {}", default_replications)}},
                     plan_entries_named({"time-limit", "seed", "engine", "sampling", "run-length", "sample-size",
                                         "primes", "sub-runs", "mapping", "confidence"}),
                     checkpoint_options()});
}

// Option of the model's first parameter that is a real number; "NAME" if there is none.
std::string real_parameter_of(const ModelDescription& model) {
  for (const ParameterDescription& parameter : model.parameters) {
    if (!parameter.is_whole() && !parameter.is_file()) return parameter.option();
  }
  return "NAME";
}

Usage sensitivity_usage(const ModelDescription& model) {
  return one_point_usage(sensitivity_question, model, entries_of({sensitivity_entries(), experiment_entries()}),
                         fmt::format(" --uncertain {}=0.5:0.9", real_parameter_of(model)));
}

Usage input_uncertainty_usage(const ModelDescription& model) {
  const std::string parameter = real_parameter_of(model);
  return one_point_usage(
      input_uncertainty_question, model, entries_of({input_entries(), experiment_entries()}),
      fmt::format(" --input '{}={}(data.csv)'", parameter, parameter.ends_with("rate") ? "rate" : "mean"));
}

}  // namespace

const Question sensitivity_question{
    "sensitivity",
    "Estimates which share of the responses' variance is due to each uncertain parameter (Sobol's indices).",
    sensitivity_usage, is_offered_always};

const Question input_uncertainty_question{
    "input-uncertainty", "Estimates means with intervals that count that parameters are estimated from data.",
    input_uncertainty_usage, is_offered_always};

SensitivityRequest sensitivity_request(const Question& question, const ModelOptions& options) {
  const bool is_of_data = question.command == input_uncertainty_question.command;
  SensitivityRequest request{options.model, only_point(options), is_of_data, {}, {}, {}, {}, {}, {}, {}};
  add_model_notes(*options.model, {request.values}, request.notes);
  if (options.table.list(asked(request)).empty()) {
    throw std::invalid_argument(fmt::format("--{} is not given: expected it for each parameter that is {}",
                                            asked(request), is_of_data ? "estimated from data" : "uncertain"));
  }
  request.plan.replications = default_replications;
  request.plan.common_random_numbers = false;
  request.plan = plan_from(options.table, request.plan);
  for (std::string& note : bias_notes(request.plan.source.sampling)) request.notes.push_back(std::move(note));
  if (request.plan.replications / request.plan.source.replications_of_run() < 2) {
    throw std::invalid_argument(
        fmt::format("replications is {}, expected at least 2 observations at each design point, whose spread tells the "
                    "noise",
                    request.plan.replications));
  }
  add_parameters(request, options);
  set_base(request, options.table);
  add_points(request);
  return request;
}

io::Json description_of(const SensitivityRequest& request) {
  io::Json json = experiment_description(*request.model, {request.values}, request.plan);
  std::string texts;
  for (const ParameterValues& point : request.points) {
    for (const ParameterValue& value : point) texts += text_of(value) + ' ';
  }
  json["command"] = request.is_of_data ? input_uncertainty_question.command : sensitivity_question.command;
  json["design"] = io::bits_text(io::checksum(texts));
  return json;
}

}  // namespace sporos::runtime
