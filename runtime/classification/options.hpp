// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/classification/data.hpp>
#include <sporos/runtime/classification/task.hpp>
#include <sporos/runtime/files/saved_optimization.hpp>
#include <sporos/runtime/options/option_table.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sporos::runtime {

/// By which method a classification is learned.
enum class QuasiNewtonMethod { sqn, lbfgs };

/// Everything that `sporos optimize classification` is told.
struct ClassificationOptions {
  OptionTable table;           ///< of data, model, optimizer and run
  NamedFiles files = {};       ///< that the arguments name
  bool shows_progress = true;  ///< on a terminal
};

/// All options of a classification that have a value.
std::vector<OptionEntry> classification_entries();

/// Reads the arguments behind `sporos optimize classification`. Throws Help where that is asked for,
/// std::invalid_argument for what is no option; values are looked at later.
ClassificationOptions parse_classification_options(std::span<const std::string> arguments);

/// The options of the optimizer, for so many rows to learn from. Throws std::invalid_argument, naming the option, for
/// those that are none or do not fit each other or the rows.
std::variant<SqnOptions, LbfgsOptions> quasi_newton_options(const OptionTable& table, std::int64_t rows);

/// What becomes of the options when a run goes on.
const ResumptionRules& classification_rules();

}  // namespace sporos::runtime

/// Names of the methods.
template <>
struct sporos::ChoiceNames<sporos::runtime::QuasiNewtonMethod> {
  using Method = runtime::QuasiNewtonMethod;             ///< what there is
  static constexpr std::string_view what = "optimizer";  ///< what is chosen
  /// name and value of each
  static constexpr auto values = std::to_array<NamedValue<Method>>({{"sqn", Method::sqn}, {"lbfgs", Method::lbfgs}});
};
