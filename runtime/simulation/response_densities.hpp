// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/runtime/simulation/model_description.hpp>

#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/replication_rows.hpp>
#include <sporos/procedures/kernel_density.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sporos::runtime {

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
