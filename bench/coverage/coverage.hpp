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

/// How often intervals cover what is known exactly: the tables of docs/output_analysis.md.
namespace sporos::bench {

/// Where the replications of many experiments run, in one launch: the device, where there is one.
using Device = Kokkos::DefaultExecutionSpace;
/// Where experiments run whose launches wait for each other: a device would wait for launches.
using Host = Kokkos::DefaultHostExecutionSpace;

/// What is run.
struct CoverageOptions {
  std::int64_t experiments = 1000;     ///< of each case
  std::int64_t first = 0;              ///< the number of the first one, which names its random numbers
  std::int64_t observations = 262144;  ///< of the longest runs
  double confidence = 0.95;            ///< of each interval

  /// The seed of an experiment, from 0 on.
  std::uint64_t seed(std::int64_t experiment) const { return static_cast<std::uint64_t>(first + experiment + 1); }
};

/// Of some experiments, those that had an interval and those whose interval covered.
struct Coverage {
  std::int64_t experiments = 0;  ///< all
  std::int64_t intervals = 0;    ///< that there were
  std::int64_t covering = 0;     ///< that held the exact value

  /// Counts one.
  void add(bool has_interval, double low, double high, double exact) {
    count(has_interval, low <= exact && exact <= high);
  }
  /// The same, where it is known whether it covers.
  void count(bool has_interval, bool covers) {
    ++experiments;
    intervals += has_interval ? 1 : 0;
    covering += has_interval && covers ? 1 : 0;
  }

  /// The share of the intervals that covers.
  double share() const { return static_cast<double>(covering) / static_cast<double>(intervals); }
  /// "94.9 %", or "95.8 % of 622" where not all had an interval; with ↓ or ↑ where the share is below or above the
  /// binomial band of intervals of that confidence.
  std::string text(double confidence) const;
};

/// The ends of the binomial band of so many intervals of that confidence, which finds fault where there is none with
/// probability 5e-3 at most.
std::pair<double, double> binomial_band(std::int64_t intervals, double confidence);

/// Counts, row by row.
struct CoverageTable {
  /// What is counted, and how often in each case.
  struct Row {
    std::vector<std::string> labels;  ///< as many as in all rows
    std::vector<Coverage> cells;      ///< one a case
  };

  std::string part;                 ///< its name
  std::vector<std::string> header;  ///< over labels and cells
  std::vector<Row> rows;            ///< from above

  /// Adds a row.
  void add(std::vector<std::string> labels, std::vector<Coverage> cells) {
    rows.push_back({std::move(labels), std::move(cells)});
  }
};

/// In Markdown.
std::string markdown(const CoverageTable& table, double confidence);
/// {"part", "header", "rows": [{"labels", "cells": [{"experiments", "intervals", "covering", "low", "high"}]}]}; low
/// and high are those of the band, null without an interval.
io::Json json_of(const CoverageTable& table, double confidence);
/// From there.
CoverageTable table_from(const io::Json& json);
/// Adds the counts of a table of other experiments to those of a table that has them, too, or has no rows.
void merge(CoverageTable& all, const CoverageTable& more);

/// A line for each cell in which the share of experiments with an interval, or of intervals that cover, is another than
/// in `expected`, by Fisher's exact test, which finds fault where there is none with probability 1e-5 at most, and for
/// each that is not there.
std::vector<std::string> differences_from(const CoverageTable& expected, const CoverageTable& table);

/// Makes a table.
using CoveragePart = std::function<CoverageTable(const CoverageOptions& options)>;

/// The tables of `part` with the experiments shared among so many processes, which are begun before Kokkos is. Throws
/// std::runtime_error where one of them fails.
CoverageTable in_processes(int processes, const CoverageOptions& options, const CoveragePart& part);

/// Calls `run(first, count)` for experiments a batch at a time, so that memory is bounded.
template <class Run>
void in_batches(std::int64_t experiments, std::int64_t batch, const Run& run) {
  for (std::int64_t first = 0; first < experiments; first += batch) run(first, std::min(batch, experiments - first));
}

/// Of steady-state means, by method: M/M/1 from empty at three loads, an autoregressive series and M/M/3/5.
CoverageTable series_coverage(const CoverageOptions& options);
/// Of steady-state means, Student's intervals and quantiles, where a precision decides when an experiment ends.
CoverageTable sequential_coverage(const CoverageOptions& options);
/// Of means, with control variates too, quantiles and probabilities of replications.
CoverageTable replication_coverage(const CoverageOptions& options);
/// Of intervals that hold together, comparisons, requirements, histograms, sensitivities and input uncertainty.
CoverageTable question_coverage(const CoverageOptions& options);
/// Of rare events, strata, densities, levels and arrays of chains.
CoverageTable rare_coverage(const CoverageOptions& options);

}  // namespace sporos::bench
