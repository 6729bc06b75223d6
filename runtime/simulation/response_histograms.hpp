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

/// Bins of a response, chosen before it is observed: [edge, next edge), with one bin below all edges and one above
/// them.
struct HistogramBins {
  std::size_t response;       ///< index of the response in the model
  std::string name;           ///< name of the response
  std::vector<double> edges;  ///< edges in ascending order
};

/// Histogram of a response of single replications at a design point.
struct Histogram {
  std::vector<std::int64_t> counts;        ///< count of each bin, from the bin below all edges to the one above
  std::vector<ProportionEstimate> shares;  ///< shares with intervals that hold simultaneously for all bins
};

/// Histograms of responses of single replications.
struct HistogramReport {
  std::vector<HistogramBins> bins;                 ///< requested bins
  std::vector<std::vector<Histogram>> histograms;  ///< histograms by design point and index in `bins`
};

/// Counts replications in bins that are chosen beforehand. Memory is proportional to the number of bins. The counts do
/// not depend on the order of replications.
class ResponseHistograms {
 public:
  /// Parses strings of the form RESPONSE=LOW:HIGH:BINS, the values of --histogram. Throws std::invalid_argument if a
  /// string does not have this form, for an unknown response, and in the same cases as check_independence.
  ResponseHistograms(const std::vector<std::string>& texts, const ModelDescription& model,
                     const std::vector<ParameterValues>& design, const Plan& plan);

  /// Counts some replications.
  void add(const ReplicationRows& rows);

  /// Returns the shares with the intervals of Clopper and Pearson, each at 1 − (1 − confidence) / bins. Thus the
  /// intervals cover all bins of a histogram simultaneously with at least the confidence (Bonferroni), for any
  /// distribution.
  HistogramReport report() const;

 private:
  double m_confidence;
  std::vector<HistogramBins> m_bins;
  std::vector<std::vector<std::vector<std::int64_t>>> m_counts;  // by design point, histogram and bin
};

}  // namespace sporos::runtime
