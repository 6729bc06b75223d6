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

/// By which method a classification is learned.
enum class QuasiNewtonMethod { sqn, lbfgs };

/// All options of a classification.
std::vector<OptionEntry> classification_entries();

/// `sporos optimize classification`.
Usage classification_usage();

/// Reads the arguments behind it; DATA becomes --data. Throws Help where that is asked for,
/// std::invalid_argument for what is no option; values are looked at later.
Arguments parse_classification_options(std::span<const std::string> arguments);

/// The options of the optimizer, for so many rows to learn from. Throws std::invalid_argument, naming the option, for
/// those that are none or do not fit each other or the rows.
std::variant<SqnOptions, LbfgsOptions> quasi_newton_options(const OptionTable& table, std::int64_t rows);

}  // namespace sporos::runtime

/// Names of the methods.
template <>
struct sporos::ChoiceNames<sporos::runtime::QuasiNewtonMethod> {
  using Method = runtime::QuasiNewtonMethod;             ///< what there is
  static constexpr std::string_view what = "optimizer";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Method>>({{"sqn", Method::sqn}, {"lbfgs", Method::lbfgs}});
};
