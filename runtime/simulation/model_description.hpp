// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/backend/parameter_values.hpp>

#include <sporos/core/io/json.hpp>
#include <sporos/core/replication/described_problem.hpp>
#include <sporos/core/replication/period_response.hpp>
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

/// Type-erased description of a model's parameter.
struct ParameterDescription {
  std::string name;                ///< name of the model's member
  std::string unit;                ///< unit; empty for a plain number
  std::string meaning;             ///< one phrase that describes it
  ParameterValue default_value;    ///< default value
  bool is_member = false;          ///< whether it is, or replaces, a member of a case file
  std::string default_words = {};  ///< meaning of the default value, for help; empty if the value says it

  /// Whether `value` is that of the case file, so that reports can omit it.
  bool is_as_in_case(const ParameterValue& value) const { return is_member && value == default_value; }
  /// Name of its option, without dashes: arrival-rate.
  std::string option() const;
  /// Name of its option with the leading dashes: --arrival-rate.
  std::string flag() const { return "--" + option(); }
  /// Whether its values are integers.
  bool is_whole() const { return std::holds_alternative<std::int64_t>(default_value); }
  /// Whether its values are names of files.
  bool is_file() const { return std::holds_alternative<std::string>(default_value); }
};

/// Type-erased description of a model.
struct ModelDescription {
  std::string name;                              ///< name on the command line
  std::string title;                             ///< one phrase that describes it
  std::vector<ParameterDescription> parameters;  ///< its parameters, in the model's order
  int input_count;                               ///< number of input variables
  /// Returns the names of the responses.
  std::function<std::vector<std::string>(const ParameterValues&)> response_names;
  /// Throws std::invalid_argument if a value is out of range.
  std::function<void(const ParameterValues&)> check;
  /// Returns notes for users: on how the files that the values name were read, and on the model with these values.
  std::function<std::vector<std::string>(const ParameterValues&)> notes;
  /// Returns the exact expectation of each response if it is known.
  std::function<std::vector<std::optional<double>>(const ParameterValues&)> exact_means;

  /// Returns the responses that are estimated by ratios of means.
  std::function<std::vector<RatioOfMeans>(const ParameterValues&)> ratios;

  bool is_differentiable = false;                   ///< whether it has pathwise derivatives
  std::vector<std::string> scored_parameters = {};  ///< names of the parameters for which likelihood ratios are valid

  /// Names of its control variates: those of its inputs first, then those with known means; empty if it has none.
  std::vector<std::string> control_names = {};
  /// Returns the known expectations of the controls that follow those of the inputs. The controls of inputs have
  /// expectation 0. Null if there are no further controls.
  std::vector<double> (*known_means)(const ParameterValues&) = nullptr;

  /// Returns the names of the stations of the case that the values name. Null for a model without a case.
  std::vector<std::string> (*station_names)(const ParameterValues&) = nullptr;
  std::vector<std::string> event_names = {};  ///< names of its kinds of events; empty if it has no calendar
  bool logs_visits = false;                   ///< whether a VisitLogTask can list the visits of a replication
  std::size_t storage_bytes = 0;              ///< bytes of its calendar and queues for a replication; 0 if not stated
  /// Condition of the conditional expectations that it offers, such as "the first coordinate"; empty if it offers none.
  std::string conditional_on = {};

  /// Returns the names of the means that long runs estimate. Throws std::invalid_argument if there is no steady state.
  /// Null if the model has no long runs.
  std::vector<std::string> (*series_names)(const ParameterValues&) = nullptr;
  std::vector<std::string> series_ignores = {};  ///< names of the parameters that long runs ignore
  bool series_regenerates = false;               ///< whether long runs report regeneration points
  std::int64_t series_observations = 1'000'000;  ///< default number of observations of a long run
  std::string without_series = {};               ///< reason why it has no long runs, such as "a project ends"; or empty
  /// Returns the exact value of each mean of series_names if it is known. Null if the model has no long runs.
  std::vector<std::optional<double>> (*series_means)(const ParameterValues&) = nullptr;

  /// Returns the members of the case that the values name. Null if the model has no case with members, or if its
  /// members are already in `parameters` (with_members).
  std::vector<ParameterDescription> (*members)(const ParameterValues&) = nullptr;
  std::vector<DescribedProblem> problems = {};  ///< optimization problems that it provides
  std::string chain_level = {};  ///< quantity that is the level of its chain; empty if it offers no chain
  std::string chain_cycle = {};  ///< period from the chain's start to its end: "a busy cycle"
  /// Returns the exact probability that the chain reaches a level if it is known. Null if the model offers no chain.
  std::optional<double> (*exact_reach)(const ParameterValues&, double level) = nullptr;
  /// Returns the exact limit of each response's mean for ever finer levels if it is known. Null for a model without
  /// levels.
  std::vector<std::optional<double>> (*level_means)(const ParameterValues&) = nullptr;
  bool is_wide = false;             ///< whether its number of responses is known only at run time
  std::string array_response = {};  ///< response of its chain for array-RQMC; empty if it offers no chain
  std::string array_step = {};      ///< meaning of a step of that chain, such as "customer"
  /// Returns the exact mean response of that chain after `steps` steps if it is known. Null if the model offers no
  /// chain.
  std::optional<double> (*exact_after)(const ParameterValues&, std::int64_t steps) = nullptr;

  /// Returns a picture of the model with these means of its responses and their half-widths, as a script for
  /// io::PictureFile. Null for a model without a picture.
  std::string (*picture)(const ParameterValues&, std::span<const double> means,
                         std::span<const double> half_widths) = nullptr;
  /// Returns the responses that are values of periods. Null for a model without such responses.
  std::vector<PeriodResponse> (*periods)(const ParameterValues&) = nullptr;
  bool has_timeline = false;  ///< whether a TimelineTask can draw a replication

  /// Returns the names of the stations with these values; empty for a model without stations.
  std::vector<std::string> stations_with(const ParameterValues& values) const {
    return station_names == nullptr ? std::vector<std::string>() : station_names(values);
  }
  /// Default values of all parameters.
  ParameterValues default_values() const;
  /// Returns the index of the parameter of that name, whose words may be joined by '-' or '_'; empty if there is none.
  std::optional<std::size_t> find_parameter(std::string_view parameter) const;
};

/// Adds a model that find_model finds, but that model_descriptions omits. It replaces an added model of the same name,
/// whose description stays valid. Returns its description.
const ModelDescription& add_model(ModelDescription description);

/// Descriptions of all models of the program.
std::span<const ModelDescription> model_descriptions();

/// Names of the models for which `has` is true.
std::vector<std::string> names_of_models(const std::function<bool(const ModelDescription&)>& has);

/// Returns the model called `name`. Throws std::invalid_argument, with a suggestion from the names of the models and
/// `others`, if there is none.
const ModelDescription& find_model(std::string_view name, std::span<const std::string_view> others = {});

/// Returns the index of the parameter `name`. Throws std::invalid_argument, with a suggestion, if the model has none of
/// that name. The message quotes `text`, the value of the option `option`, which is passed without its dashes.
std::size_t place_of_parameter(const ModelDescription& model, std::string_view option, std::string_view text,
                               std::string_view name);

/// Returns the model with the members of a case as further parameters, whose names are of the form
/// stations.triage.servers. `case_file` is the value of the first parameter: the file of the case, or empty for
/// built-in data. Returns `model` itself if its case has no members. Throws std::invalid_argument if the case cannot be
/// read.
const ModelDescription& with_members(const ModelDescription& model, const std::string& case_file);

/// Returns the model with the members of the case that the arguments of a command name, or of the case in the first row
/// of a design file that they name, or of the built-in case. `usage` returns the usage of the command with a model.
/// Before the case is read, the files that the arguments name are checked as by check_files.
const ModelDescription& with_members(const ModelDescription& model, std::span<const std::string> arguments,
                                     Usage (*usage)(const ModelDescription&));

/// Returns the default values of a design point whose case is `case_file`. Throws std::invalid_argument, in which
/// `what` names the case, if `model` has the members of another case and their names differ.
ParameterValues values_with_case(const ModelDescription& model, std::string_view what, const std::string& case_file);

/// Parses `text` as a value of the parameter. Throws std::invalid_argument, in which `what` names the value, if it is
/// none.
ParameterValue parse_value(const ParameterDescription& parameter, std::string_view what, std::string_view text);

/// Returns a computed value of an integer parameter, without its fraction. Throws std::invalid_argument, in which
/// `what` names the value, if it is above 2^53 in magnitude: beyond, doubles do not represent all integers.
std::int64_t whole_value(std::string_view what, double number);

/// Returns the shortest text that reads back as the same value; empty for built-in data.
std::string text_of(const ParameterValue& value);

/// Returns text_of(value) for users: "built-in" if it would be empty.
std::string shown_text_of(const ParameterValue& value);

/// Returns a design point as JSON: the values of the model's parameters by name.
io::Json json_of(const ModelDescription& model, const ParameterValues& values);

}  // namespace sporos::runtime
