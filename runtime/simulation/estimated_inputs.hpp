// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/options/option_table.hpp>
#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/procedures/sensitivity/estimated_input.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

/// Parameters of models that are estimated from observations in files: the option --input.
namespace sporos::runtime {

/// A parameter estimated from data.
struct EstimatedInput {
  std::size_t place;                 ///< index among the model's parameters
  std::string text;                  ///< STATISTIC(FILE) or STATISTIC(FILE, COLUMN), as the user writes it
  InputStatistic statistic;          ///< statistic that estimates the parameter
  std::vector<double> observations;  ///< data of the statistic
  double value;                      ///< the estimate
};

/// The option --input, in this group of the help.
OptionEntry input_option(const std::string& group);

/// Parses NAME=VALUE, the value of `option`, which is passed without its dashes. Returns the index of the parameter and
/// VALUE. Throws std::invalid_argument, showing `example` for VALUE, if the text has another form, if the parameter is
/// unknown or names a file, or if `options` sets it, too.
std::pair<std::size_t, std::string> named_value(const ModelDescription& model, const OptionTable& options,
                                                const std::string& option, const std::string& text,
                                                const char* example);

/// Reads the data of the value `text` of --input and estimates the parameter. Appends notes on how the file was read.
/// Throws std::invalid_argument if the text, the file or an observation is not valid, if the parameter is a whole
/// number, or if another option writes the file.
EstimatedInput estimated_input(const ModelDescription& model, const OptionTable& options, const NamedFiles& files,
                               const std::string& text, std::vector<std::string>& notes);

/// Sets the option of each parameter that an --input in `options` names to its estimate. Returns notes with the
/// estimates. Throws the same exceptions as estimated_input, also if a parameter is named twice.
std::vector<std::string> set_estimated_inputs(const ModelDescription& model, const NamedFiles& files,
                                              OptionTable& options);

}  // namespace sporos::runtime
