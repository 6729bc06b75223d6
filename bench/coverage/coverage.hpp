// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/io/json.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Measures how often intervals cover exactly known values, for the tables of docs/benchmarks/coverage.md.
namespace sporos::bench {

/// Runs the replications of many experiments in one launch: on the device, if there is one.
using Device = Kokkos::DefaultExecutionSpace;
/// Runs experiments whose launches depend on each other. On a device, launch latency would dominate.
using Host = Kokkos::DefaultHostExecutionSpace;

/// Options of the experiments.
struct CoverageOptions {
  std::int64_t experiments = 1000;     ///< number of experiments for each case
  std::int64_t first = 0;              ///< number of the first experiment, which selects its random number streams
  std::int64_t observations = 262144;  ///< observations in the longest runs
  double confidence = 0.95;            ///< level of each interval

  /// Seed of an experiment, counted from 0.
  std::uint64_t seed(std::int64_t experiment) const { return static_cast<std::uint64_t>(first + experiment + 1); }
};

/// Number of experiments, of those with an interval, and of those whose interval covers.
struct Coverage {
  std::int64_t experiments = 0;  ///< all experiments
  std::int64_t intervals = 0;    ///< experiments with an interval
  std::int64_t covering = 0;     ///< intervals that contain the exact value

  /// Counts one experiment with the interval [low, high].
  void add(bool has_interval, double low, double high, double exact) {
    count(has_interval, low <= exact && exact <= high);
  }
  /// Counts one experiment for which it is already known whether the interval covers.
  void count(bool has_interval, bool covers) {
    ++experiments;
    intervals += has_interval ? 1 : 0;
    covering += has_interval && covers ? 1 : 0;
  }

  /// Proportion of the intervals that cover.
  double share() const { return static_cast<double>(covering) / static_cast<double>(intervals); }
  /// Formats the proportion: "94.9 %", or "95.8 % of 622" if some experiments had no interval. An arrow ↓ or ↑ marks a
  /// proportion below or above the binomial band for intervals of that confidence.
  std::string text(double confidence) const;
};

/// Ends of the binomial band for the proportion of `intervals` intervals of this confidence that cover. A correct
/// method falls outside with probability at most 5e-3.
std::pair<double, double> binomial_band(std::int64_t intervals, double confidence);

/// Coverage counts, row by row.
struct CoverageTable {
  /// Labels of a row, and the counts for each case.
  struct Row {
    std::vector<std::string> labels;  ///< labels; their number is the same in all rows
    std::vector<Coverage> cells;      ///< one per case
  };

  std::string part;                 ///< name of the part
  std::vector<std::string> header;  ///< column titles of labels and cells
  std::vector<Row> rows;            ///< rows from top to bottom

  /// Adds a row.
  void add(std::vector<std::string> labels, std::vector<Coverage> cells) {
    rows.push_back({std::move(labels), std::move(cells)});
  }
};

/// Formats the table in Markdown.
std::string markdown(const CoverageTable& table, double confidence);
/// Converts the table to {"part", "header", "rows": [{"labels", "cells": [{"experiments", "intervals", "covering",
/// "low", "high"}]}]}. The members low and high are the binomial band, or null without an interval.
io::Json json_of(const CoverageTable& table, double confidence);
/// Reads a table that `json_of` has written.
CoverageTable table_from(const io::Json& json);
/// Adds the counts of `more`, from other experiments, to `all`. `all` either has the same columns or has no rows.
/// Throws std::runtime_error if the columns differ.
void merge(CoverageTable& all, const CoverageTable& more);

/// Returns one line for each cell that differs from `expected`, and for each cell that `expected` does not contain. A
/// cell differs if its proportion of experiments with an interval, or of intervals that cover, does. Each comparison is
/// Fisher's exact test with a false alarm probability of at most 1e-5.
std::vector<std::string> differences_from(const CoverageTable& expected, const CoverageTable& table);

/// Function that computes one table.
using CoveragePart = std::function<CoverageTable(const CoverageOptions& options)>;

/// Computes the table of `part` and divides the experiments among `processes` processes, which start before Kokkos is
/// initialized. Throws std::runtime_error if one of them fails.
CoverageTable in_processes(int processes, const CoverageOptions& options, const CoveragePart& part);

/// Calls `run(first, count)` for batches of at most `batch` experiments, which bounds the memory.
template <class Run>
void in_batches(std::int64_t experiments, std::int64_t batch, const Run& run) {
  for (std::int64_t first = 0; first < experiments; first += batch) run(first, std::min(batch, experiments - first));
}

/// Steady-state means by each method: M/M/1 from empty at three loads, an autoregressive series and M/M/3/5.
CoverageTable series_coverage(const CoverageOptions& options);
/// Steady-state means, Student's intervals and quantiles in experiments that stop at a precision.
CoverageTable sequential_coverage(const CoverageOptions& options);
/// Means (also with control variates), quantiles and probabilities over replications.
CoverageTable replication_coverage(const CoverageOptions& options);
/// Simultaneous intervals, comparisons, requirements, histograms, Sobol' indices and input uncertainty.
CoverageTable question_coverage(const CoverageOptions& options);
/// Rare events, stratified sampling, densities, multilevel Monte Carlo and array-RQMC.
CoverageTable rare_coverage(const CoverageOptions& options);

}  // namespace sporos::bench
