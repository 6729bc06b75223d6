// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/response_properties.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::runtime {

struct Usage;

/// A model's parameter, whatever its model and its type.
struct ParameterDescription {
  std::string name;        ///< as the model's member
  std::string unit;        ///< empty for a plain number
  std::string meaning;     ///< one phrase
  ParameterValue usual;    ///< where the user gives none
  bool is_member = false;  ///< whether it is a member of a case file

  /// Whether `value` is what the case file says, so that it needs no mention.
  bool is_as_in_case(const ParameterValue& value) const { return is_member && value == usual; }
  /// The name of its option: arrival-rate.
  std::string option() const;
  /// The same with the dashes before it.
  std::string flag() const { return "--" + option(); }
  /// Whether its values are whole numbers.
  bool is_whole() const { return std::holds_alternative<std::int64_t>(usual); }
  /// Whether its values name files.
  bool is_file() const { return std::holds_alternative<std::string>(usual); }
};

/// A model, whatever its type.
struct ModelDescription {
  std::string name;                              ///< on the command line
  std::string title;                             ///< one phrase
  std::vector<ParameterDescription> parameters;  ///< in the model's order
  int input_count;                               ///< number of input variables
  /// The names of the responses.
  std::vector<std::string> (*response_names)(const ParameterValues&);
  /// Throws std::invalid_argument for values out of range.
  void (*check)(const ParameterValues&);
  /// What people should know of how the files that the values name were read, and of the model with these values.
  std::vector<std::string> (*notes)(const ParameterValues&);
  /// The expectations of the responses that theory knows.
  std::vector<std::optional<double>> (*exact_means)(const ParameterValues&);

  /// The responses that are estimated by ratios of means.
  std::vector<RatioOfMeans> (*ratios)(const ParameterValues&);

  bool is_differentiable = false;                   ///< whether it has pathwise derivatives
  std::vector<std::string> scored_parameters = {};  ///< names of those by which likelihood ratios are right

  std::vector<std::string> control_names =
      {};  ///< of its control variates, those of its inputs first; none without any
  /// The expectations of those behind them; null where there are none. Those of inputs have expectation 0.
  std::vector<double> (*known_means)(const ParameterValues&) = nullptr;

  /// The names of the stations of the case that the values name; null for a model without a case.
  std::vector<std::string> (*station_names)(const ParameterValues&) = nullptr;
  std::vector<std::string> event_names = {};  ///< of the kinds of its events; none where it has no calendar
  std::size_t storage_bytes = 0;              ///< of its calendar and queues, a replication; 0 where it does not say
  std::string conditional_on = {};  ///< given what it knows expectations of its responses; empty where it does not

  std::vector<std::string> series_names = {};    ///< what long runs observe; none where it is no SeriesModel
  std::vector<std::string> series_ignores = {};  ///< names of the parameters that long runs leave aside
  bool series_regenerates = false;               ///< whether they say where they begin anew
  /// Throws std::invalid_argument where there is no steady state.
  void (*check_series)(const ParameterValues&) = nullptr;
  /// The steady-state means of the series that theory knows.
  std::vector<std::optional<double>> (*series_means)(const ParameterValues&) = nullptr;

  /// The members of the case that the values name; null for a model without a case that has any.
  std::vector<ParameterDescription> (*members)(const ParameterValues&) = nullptr;
  std::vector<DescribedProblem> problems = {};  ///< that are known over it
  std::string chain_level = {};                 ///< what the level of its chain counts; empty where it offers none
  std::string chain_cycle = {};                 ///< from the chain's start until it is over: "a busy cycle"
  /// The probability that the chain reaches a level, where theory knows it; null where it offers none.
  std::optional<double> (*exact_reach)(const ParameterValues&, double level) = nullptr;
  /// What the responses tend to on ever finer levels, where theory knows it; null for a model without levels.
  std::vector<std::optional<double>> (*level_means)(const ParameterValues&) = nullptr;
  bool has_strata = false;          ///< whether stratified sampling takes its replications
  std::string array_response = {};  ///< of the chain that array-RQMC takes; empty where it offers none
  std::string array_step = {};      ///< what a step of that chain brings
  /// The mean response of that chain after so many steps, where theory knows it; null where it offers none.
  std::optional<double> (*exact_after)(const ParameterValues&, std::int64_t steps) = nullptr;

  /// A picture of the model with these means of its responses, as a script for io::PictureFile; null for a model
  /// without one.
  std::string (*picture)(const ParameterValues&, std::span<const double> means) = nullptr;

  /// The names of the stations with these values; none for a model without stations.
  std::vector<std::string> stations_with(const ParameterValues& values) const {
    return station_names == nullptr ? std::vector<std::string>() : station_names(values);
  }
  /// All parameters at their usual values.
  ParameterValues usual_values() const;
  /// The place of the parameter `name`, whose words may be joined by '-' or '_'; nothing where there is none.
  std::optional<std::size_t> find_parameter(std::string_view parameter) const;
};

/// Every model.
std::span<const ModelDescription> model_descriptions();

/// The names of the models for which `has` is true.
std::vector<std::string> names_of_models(const std::function<bool(const ModelDescription&)>& has);

/// The model called `name`. Throws std::invalid_argument, which says what names there are, `others` among them.
const ModelDescription& find_model(std::string_view name, std::span<const std::string_view> others = {});

/// The model with members of its case as further parameters, which are named as in stations.triage.servers: of the case
/// that the first parameter in `values` names. Itself where it has none. Throws std::invalid_argument where the case
/// cannot be read.
const ModelDescription& with_members(const ModelDescription& model, const std::string& case_file);

/// The same of the case that these arguments of a command name, or of the built-in one; `usage` says how the command is
/// called with a model. The files that they name are looked at before the case is read: check_files.
const ModelDescription& with_members(const ModelDescription& model, std::span<const std::string> arguments,
                                     Usage (*usage)(const ModelDescription&));

/// The value that `text` is for the parameter. Throws std::invalid_argument, which calls the value `what`.
ParameterValue parse_value(const ParameterDescription& parameter, std::string_view what, std::string_view text);

/// A computed value of a whole parameter, without its fraction. Throws std::invalid_argument, which calls it `what`,
/// for one beyond 2^53, from where on doubles are not all integers.
std::int64_t whole_value(std::string_view what, double number);

/// The shortest text that reads back as the same value: empty for built-in data.
std::string text_of(const ParameterValue& value);

/// The same for people, where built-in data go by that name.
std::string shown_text_of(const ParameterValue& value);

/// A design point as reports have it: the values of the model's parameters by their names.
io::Json json_of(const ModelDescription& model, const ParameterValues& values);

}  // namespace sporos::runtime
