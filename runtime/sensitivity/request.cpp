// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/sensitivity/sensitivity.hpp>

#include <sporos/runtime/files/kept_run.hpp>
#include <sporos/runtime/options/distribution_text.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/simulation/design_points.hpp>
#include <sporos/runtime/simulation/estimated_inputs.hpp>
#include <sporos/runtime/simulation/options.hpp>
#include <sporos/runtime/simulation/report.hpp>
#include <sporos/runtime/simulation/saved_run.hpp>

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
    throw std::invalid_argument(fmt::format(
        "--uncertain is {}, and {} is a whole number: expected uniform-integer, geometric, poisson, binomial, "
        "negative-binomial or hypergeometric",
        io::in_quotes(option), parameter.name));
  }
  return choice;
}

void set_value(const ParameterDescription& parameter, ParameterValue& value, double number) {
  if (parameter.is_whole()) {
    value = whole_value(parameter.name, std::round(number));
  } else {
    value = number;
  }
}

void add_input(SensitivityRequest& request, const ModelOptions& options, const std::string& text) {
  EstimatedInput input = estimated_input(*request.model, options.table, options.files, text, request.notes);
  request.values[input.place] = input.value;
  request.parameters.push_back(
      {input.place, std::move(input.text), {}, input.statistic, std::move(input.observations)});
}

void add_parameters(SensitivityRequest& request, const ModelOptions& options) {
  const std::string option = asked(request);
  for (const std::string& text : options.table.list(option)) {
    if (request.is_of_data) {
      add_input(request, options, text);
    } else {
      const auto [place, value] = named_value(*request.model, options.table, option, text, "LOW:HIGH");
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
    throw std::invalid_argument(fmt::format("there are {} design points, expected at most {}: give fewer --{}",
                                            request.design.point_count(), max_design_points,
                                            request.is_of_data ? "outer-samples" : "base-points"));
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
           "uncertain parameter, uniform in that range or with a distribution such as normal(MEAN, DEVIATION); given "
           "once for each parameter",
           {},
           Decides::result,
           Occurrence::repeated},
          {group, "base-points", "N",
           fmt::format("base points; each gives as many design points as the number of parameters + 2; default: {}",
                       defaults.rows)},
          {group, "base-sampling", "NAME",
           fmt::format("sampling of the base points: {}; default: {}", names_of<BaseSampling>(),
                       name_of(defaults.sampling))}};
}

std::vector<OptionEntry> input_entries() {
  const std::string group = "Estimated inputs";
  return {
      input_option(group),
      {group, "outer-samples", "K",
       fmt::format("number of samples of the parameters, which reflect the uncertainty of the estimates; default: {}",
                   default_outer_samples)},
      {group, "input-sampling", "NAME",
       fmt::format("how outer samples are drawn: {}; default: {}", names_of<InputSampling>(),
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
    "input-uncertainty",
    "Estimates means with intervals that include the uncertainty of parameters estimated from data.",
    input_uncertainty_usage,
    is_offered_always,
    false,
    true};

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
        fmt::format("replications is {}, expected at least 2 observations at each design point, to estimate the noise",
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
