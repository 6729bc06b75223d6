// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "program.hpp"

#include <sporos/core/replication/experiment.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <string>
#include <utility>
#include <vector>

/// Code shared by the programs that reproduce tables of Aloui and Ourbih-Tari (2011), The use of refined descriptive
/// sampling and applications in parallel Monte Carlo simulation.
namespace sporos::papers {

/// Refined descriptive sampling as in the paper, with primes from its candidates and equally weighted sub-runs.
inline Plan refined_plan(std::int64_t runs, std::int64_t run_length) {
  Plan plan;
  plan.source.sampling = Sampling::refined_descriptive;
  plan.source.run_length = run_length;
  plan.replications = runs * plan.source.replications_of_run();
  return plan;
}

/// Columns of a table of estimates, from the paper and ours, followed by columns of exact values.
inline std::vector<std::pair<std::string, Column>> columns_and(const std::vector<std::string>& exact) {
  std::vector<std::pair<std::string, Column>> columns{{"estimate", Column::text}};
  for (const auto* name : {"runs", "paper: mean", "variance", "ours: mean", "95 % half-width", "variance"}) {
    columns.emplace_back(name, Column::number);
  }
  for (const auto& name : exact) columns.emplace_back(name, Column::number);
  return columns;
}

}  // namespace sporos::papers
