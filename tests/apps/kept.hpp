// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

/// Commands whose runs are saved in checkpoints, and the comparison of their reports.
namespace sporos::test {

/// A report in JSON without the parts that depend on the clock and the machine, the mapping and the time limit.
inline std::string lasting_part_of(const std::string& report) {
  auto json = nlohmann::ordered_json::parse(report);
  EXPECT_TRUE(json.contains("machine") || json.contains("run"));
  erase_times(json);
  if (json.contains("plan")) {
    json["plan"].erase("mapping");
    json["plan"].erase("time_limit");
  }
  if (json.contains("settings")) {
    for (const char* name : {"mapping", "time_limit"}) json["settings"].erase(name);
    json["findings"].erase("mapping");
  }
  return json.dump();
}

/// Command lines of all commands that support checkpoints. Each takes some tens of milliseconds.
inline const std::string fixed_run = "simulate mmck --servers 1:3:1 --customers 100 --replications 5000";
inline const std::string sequential_run =
    "simulate mm1 --arrival-rate 0.3,0.5 --customers 100 --precision 0.5 --batch 500";
inline const std::string steady_state_run = "steady-state mm1 --relative-precision 0.1 --seed 5";
inline const std::string run_of_runs =
    "simulate pert --network " SPOROS_SAMPLE_DATA "/pert.csv --sampling sobol --run-length 256 --replications 65536";
inline const std::string optimization =
    "optimize newsvendor --product-count 50 --epochs 15 --gap-batches 5 --gap-batch-size 500";
inline const std::string pairwise_optimization =
    "optimize portfolio --returns " SPOROS_SAMPLE_DATA
    "/returns.csv --days drawn --variant pairwise --iterations 20 --epochs 15 --gap-batches 0";
inline const std::string classification =
    "optimize classification " SPOROS_SAMPLE_DATA "/breast_cancer.csv --iterations 1000 --record-interval 20";
inline const std::string lbfgs_classification =
    "optimize classification " SPOROS_SAMPLE_DATA "/breast_cancer.csv --optimizer lbfgs --penalty 0.001";
inline const std::string fit = "fit " SPOROS_SAMPLE_DATA "/galaxies.csv --components 1:3 --starts 400";
inline const std::string bootstrap = fit + " --bootstrap 19";

}  // namespace sporos::test
