// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/results/result_document.hpp>
#include <sporos/runtime/simulation/report.hpp>

#include <optional>

namespace sporos::runtime {

/// Returns the responses that are values of periods as a table with a row for each place and period, with pictures over
/// time. Empty if the model has no such responses.
std::optional<ResultTable> period_table(const Report& report);

/// Hides the responses of period_table from people who read `means`, the table of all responses.
void hide_period_rows(const Report& report, ResultTable& means);

}  // namespace sporos::runtime
