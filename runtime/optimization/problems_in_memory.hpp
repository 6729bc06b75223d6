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

/// Returns of assets, wherever they come from.
using PortfolioReturns = std::variant<models::NamedNormalReturns, models::HistoricalReturns>;

/// The portfolio of these returns, whose region and objective the options name, with bounds of each weight if there are
/// any; without names the assets are numbered. Throws std::invalid_argument for bad options and for returns that
/// `check` refuses.
std::unique_ptr<OptimizationProblem> portfolio_problem(PortfolioReturns returns, const OptionTable& options,
                                                       std::optional<WeightBounds> bounds = {});

/// The newsvendor of these products, likewise.
std::unique_ptr<OptimizationProblem> newsvendor_problem(models::NamedNewsvendor newsvendor, const OptionTable& options);

}  // namespace sporos::runtime
