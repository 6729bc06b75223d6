// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/simulation/estimated_inputs.hpp>

#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/io/column_survey.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/named_rows.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace sporos::runtime {

namespace {

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

void check_named_once(const ModelDescription& model, std::size_t place, const std::vector<EstimatedInput>& inputs) {
  if (std::ranges::count(inputs, place, &EstimatedInput::place) > 1)
    throw std::invalid_argument(fmt::format("--input {} is given twice", model.parameters[place].option()));
}

}  // namespace

OptionEntry input_option(const std::string& group) {
  return {
      group,
      "input",
      "NAME=STATISTIC(FILE)",
      "parameter that is estimated from the observations in a CSV file, by their mean, rate (1 / mean, for times "
      "between events), deviation or probability (of 1, for values 0 and 1); (FILE, COLUMN) if the file has several "
      "columns; given once for each parameter",
      {},
      Decides::end,  // the estimate, which is set as the value of the parameter's option, decides the result
      Occurrence::repeated};
}

std::pair<std::size_t, std::string> named_value(const ModelDescription& model, const OptionTable& options,
                                                const std::string& option, const std::string& text,
                                                const char* example) {
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

EstimatedInput estimated_input(const ModelDescription& model, const OptionTable& options, const NamedFiles& files,
                               const std::string& text, std::vector<std::string>& notes) {
  auto [place, value] = named_value(model, options, "input", text, "STATISTIC(FILE)");
  const ParameterDescription& parameter = model.parameters[place];
  if (parameter.is_whole()) {
    throw std::invalid_argument(
        fmt::format("--input is {}, and {} is a whole number: expected a parameter that is a real number",
                    io::in_quotes(text), parameter.name));
  }
  const DataSource source = data_source(text, value);
  NamedFiles all = files;
  all.push_back({fmt::format("--input {}", parameter.option()), source.file, FileUse::reads});
  check_files(all);
  EstimatedInput input{place, std::move(value), source.statistic, read_observations(source, notes), 0};
  try {
    input.value = estimate(input.statistic, input.observations);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", source.file, error.what()));
  }
  return input;
}

std::vector<std::string> set_estimated_inputs(const ModelDescription& model, const NamedFiles& files,
                                              OptionTable& options) {
  std::vector<std::string> notes;
  std::vector<EstimatedInput> inputs;
  for (const std::string& text : options.list("input")) {
    inputs.push_back(estimated_input(model, options, files, text, notes));
    check_named_once(model, inputs.back().place, inputs);
  }
  for (const EstimatedInput& input : inputs) {
    const ParameterDescription& parameter = model.parameters[input.place];
    options.text(parameter.option()) = io::shortest_text(input.value);
    notes.push_back(fmt::format(
        "{} is {:.6g}, estimated by {} from {} observations; intervals take it as exact: `sporos input-uncertainty` "
        "includes its error",
        parameter.name, input.value, input.text, input.observations.size()));
  }
  return notes;
}

}  // namespace sporos::runtime
