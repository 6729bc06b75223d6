// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// How often intervals cover what is known exactly: the tables of docs/output_analysis.md.
namespace sporos::bench {

/// What is run.
struct CoverageOptions {
  std::int64_t experiments = 1000;     ///< of each case
  std::int64_t observations = 262144;  ///< of the longest runs
  double confidence = 0.95;            ///< of each interval
};

/// Of some experiments, those that had an interval and those whose interval covered.
struct Coverage {
  std::int64_t experiments = 0;  ///< all
  std::int64_t intervals = 0;    ///< that there were
  std::int64_t covering = 0;     ///< that held the exact value

  /// Counts one.
  void add(bool has_interval, double low, double high, double exact) {
    ++experiments;
    intervals += has_interval;
    covering += has_interval && low <= exact && exact <= high;
  }

  /// "94.9 %", or "95.8 % of 622" where not all had one.
  std::string text() const;
};

/// A table in Markdown.
std::string markdown(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows);

/// Of steady-state means, by method: M/M/1 from empty at three loads, and an autoregressive series.
std::string series_coverage(const CoverageOptions& options);

/// Of rare events, strata, densities and levels.
std::string rare_coverage(const CoverageOptions& options);

/// Of means, with control variates too, quantiles and probabilities of replications.
std::string replication_coverage(const CoverageOptions& options);

}  // namespace sporos::bench
