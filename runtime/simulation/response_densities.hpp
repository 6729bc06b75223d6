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

/// A response whose density is asked for.
struct AskedDensity {
  std::size_t response;  ///< its place in the model
  std::string name;      ///< and name
  DensityGrid grid;      ///< where
};

/// A density of a response of single replications at a design point.
struct ResponseDensity {
  double bandwidth;                     ///< of its kernels
  std::vector<DensityEstimate> points;  ///< with intervals that hold for all at once; none where something lacks
  std::string lack;                     ///< why there is none; else empty
};

/// Densities of responses of single replications.
struct DensityReport {
  std::vector<AskedDensity> asked;                      ///< as asked
  std::vector<std::vector<ResponseDensity>> densities;  ///< by design point and `asked`
};

/// Estimates densities by kernels, in memory for their points: the bits are those of replications in their order.
class ResponseDensities {
 public:
  /// Points as --density has them, RESPONSE=LOW:HIGH:POINTS. Throws std::invalid_argument for what is no such text, for
  /// an unknown response, for a single replication, and as check_independence does.
  ResponseDensities(const std::vector<std::string>& texts, const ModelDescription& model,
                    const std::vector<ParameterValues>& design, const Plan& plan);

  /// Takes some replications.
  void add(const ReplicationRows& rows);

  /// What came out.
  DensityReport report();

 private:
  double m_confidence;
  std::vector<AskedDensity> m_asked;
  std::vector<std::vector<KernelDensity>> m_densities;  // by design point and `asked`
};

}  // namespace sporos::runtime
