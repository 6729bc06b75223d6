// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/optimization/problem.hpp>
#include <sporos/runtime/optimization/tasks.hpp>

#include <sporos/models/finance/portfolio_files.hpp>
#include <sporos/models/inventory/newsvendor_files.hpp>

#include <memory>
#include <optional>
#include <variant>

namespace sporos::runtime {

/// Returns of assets, normal or historical.
using PortfolioReturns = std::variant<models::NamedNormalReturns, models::HistoricalReturns>;

/// Makes the portfolio problem of these returns. The options select the region and the objective; `bounds`, if given,
/// are bounds of each weight. Assets without names are numbered. Throws std::invalid_argument if an option is invalid
/// or `check` refuses the returns.
std::unique_ptr<OptimizationProblem> portfolio_problem(PortfolioReturns returns, const OptionTable& options,
                                                       std::optional<WeightBounds> bounds = {});

/// Makes the newsvendor problem of these products. Products without names are numbered. Throws std::invalid_argument if
/// an option is invalid or `check` refuses the products.
std::unique_ptr<OptimizationProblem> newsvendor_problem(models::NamedNewsvendor newsvendor, const OptionTable& options);

}  // namespace sporos::runtime
