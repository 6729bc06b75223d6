// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/task.hpp>
#include <sporos/runtime/options/usage.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// Method that trains a classification: stochastic quasi-Newton or L-BFGS.
enum class QuasiNewtonMethod { sqn, lbfgs };

/// Returns all options of a classification.
std::vector<OptionEntry> classification_entries();

/// Returns the usage of `sporos optimize classification`.
Usage classification_usage();

/// Reads the arguments after `sporos optimize classification`; DATA becomes --data. Throws the same exceptions as
/// `parsed`, and std::invalid_argument if both DATA and --data are given. Values of options are not checked.
Arguments parse_classification_options(std::span<const std::string> arguments);

/// Returns the options of the optimizer for `rows` training rows. Throws std::invalid_argument, naming the option, if
/// an option is invalid or does not match the other options or the number of rows.
std::variant<SqnOptions, LbfgsOptions> quasi_newton_options(const OptionTable& table, std::int64_t rows);

}  // namespace sporos::runtime

/// Names of the values of QuasiNewtonMethod.
template <>
struct sporos::ChoiceNames<sporos::runtime::QuasiNewtonMethod> {
  using Method = runtime::QuasiNewtonMethod;             ///< type of the choices
  static constexpr std::string_view what = "optimizer";  ///< name of the choice in messages
  /// name and value of each choice
  static constexpr auto values = std::to_array<NamedValue<Method>>({{"sqn", Method::sqn}, {"lbfgs", Method::lbfgs}});
};
