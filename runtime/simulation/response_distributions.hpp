// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/core/statistics/proportion.hpp>
#include <sporos/procedures/kernel_density.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sporos::runtime {

/// Parsed string of the form RESPONSE=LOW:HIGH:NUMBER.
struct ResponseGrid {
  std::size_t response;  ///< index of the response among the names
  double low, high;      ///< finite edges, low < high
  std::int64_t count;    ///< number of bins or points
};

/// Parses `text`, the value of `option`. NUMBER must be from `least` to `most`; `counted` ("bins") names it in
/// messages. Throws std::invalid_argument if the string does not have this form, or if the response is not one of
/// `names`.
ResponseGrid response_grid(const std::string& option, const std::string& text, const std::string& counted,
                           const std::vector<std::string>& names, std::int64_t least, std::int64_t most);

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

/// A response whose density is requested.
struct AskedDensity {
  std::size_t response;  ///< index of the response in the model
  std::string name;      ///< name of the response
  DensityGrid grid;      ///< points at which the density is estimated
};

/// Density of a response of single replications at a design point.
struct ResponseDensity {
  double bandwidth;  ///< bandwidth of its kernels
  /// Estimates with intervals that hold simultaneously for all points; empty if there is no density.
  std::vector<DensityEstimate> points;
  std::string reason;  ///< why there is no density; otherwise empty
};

/// Densities of responses of single replications.
struct DensityReport {
  std::vector<AskedDensity> asked;                      ///< requested densities
  std::vector<std::vector<ResponseDensity>> densities;  ///< densities by design point and index in `asked`
};

/// Estimates densities by kernels. Memory is proportional to the number of points of the densities. The result is
/// bitwise identical to that of adding replications in their order.
class ResponseDensities {
 public:
  /// Parses strings of the form RESPONSE=LOW:HIGH:POINTS, the values of --density. Throws std::invalid_argument if a
  /// string does not have this form, for an unknown response, for a single replication, and in the same cases as
  /// check_independence.
  ResponseDensities(const std::vector<std::string>& texts, const ModelDescription& model,
                    const std::vector<ParameterValues>& design, const Plan& plan);

  /// Adds some replications.
  void add(const ReplicationRows& rows);

  /// Returns the densities of the replications added.
  DensityReport report();

 private:
  double m_confidence;
  std::vector<AskedDensity> m_asked;
  std::vector<std::vector<KernelDensity>> m_densities;  // by design point and index in m_asked
};

}  // namespace sporos::runtime
