// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/statistics/proportion.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Bins of a response, chosen before it is observed: [edge, next edge), with one below all and one from the last edge
/// on.
struct HistogramBins {
  std::size_t response;       ///< its place in the model
  std::string name;           ///< and name
  std::vector<double> edges;  ///< ascending
};

/// A histogram of a response of single replications at a design point.
struct Histogram {
  std::vector<std::int64_t> counts;        ///< of each bin, the one below first, the one above last
  std::vector<ProportionEstimate> shares;  ///< with intervals that hold for all bins at once
};

/// Histograms of responses of single replications.
struct HistogramReport {
  std::vector<HistogramBins> bins;                 ///< as asked
  std::vector<std::vector<Histogram>> histograms;  ///< by design point and `bins`
};

/// Counts replications in bins that are chosen beforehand, in memory for the bins: the counts are those of any order.
class ResponseHistograms {
 public:
  /// Bins as --histogram has them, RESPONSE=LOW:HIGH:BINS. Throws std::invalid_argument for what is no such text, for
  /// an unknown response, and as check_independence does.
  ResponseHistograms(const std::vector<std::string>& texts, const ModelDescription& model,
                     const std::vector<ParameterValues>& design, const Plan& plan);

  /// Counts some replications.
  void add(const ReplicationRows& rows);

  /// What came out: shares with Clopper and Pearson's intervals, each at 1 − (1 − confidence) / bins, so that all bins
  /// of a histogram are covered at once with at least the confidence (Bonferroni), whatever the distribution.
  HistogramReport report() const;

 private:
  double m_confidence;
  std::vector<HistogramBins> m_bins;
  std::vector<std::vector<std::vector<std::int64_t>>> m_counts;  // by design point, histogram and bin
};

}  // namespace sporos::runtime
