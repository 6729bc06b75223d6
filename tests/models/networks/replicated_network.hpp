// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/sampling/inputs.hpp>
#include <sporos/core/statistics/confidence.hpp>
#include <sporos/core/statistics/moments.hpp>
#include <sporos/models/networks/network.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sporos::test {

using HostInputs =
    DefaultSource::InputsOn<Kokkos::DefaultHostExecutionSpace, Mapping::thread, models::Network::input_count>;

/// Responses of one replication.
struct ResponseVector {
  std::vector<double> values;
  void set(int response, double value) { values.at(static_cast<std::size_t>(response)) = value; }
};

/// Returns the responses of replication `index`, run on this thread.
inline std::vector<double> network_replication(const models::Network& network, std::uint64_t seed,
                                               std::uint64_t index) {
  HostInputs inputs({}, seed, index, {});
  ResponseVector responses{std::vector<double>(static_cast<std::size_t>(network.response_count()))};
  network(inputs, responses);
  return responses.values;
}

/// Returns the moments of each response over `replications` replications.
inline std::map<std::string, Moments> network_moments(const models::NetworkDescription& description, std::uint64_t seed,
                                                      std::uint64_t replications) {
  const models::NetworkTables<Kokkos::HostSpace> tables(description);
  const models::Network network = tables.model();
  std::vector<Moments> moments(static_cast<std::size_t>(network.response_count()));
  for (std::uint64_t index = 0; index < replications; ++index) {
    const auto responses = network_replication(network, seed, index);
    for (std::size_t i = 0; i < responses.size(); ++i) moments[i] = combine(moments[i], {1, responses[i]});
  }
  std::map<std::string, Moments> named;
  for (std::size_t i = 0; i < moments.size(); ++i) named[network.response_name(static_cast<int>(i))] = moments[i];
  return named;
}

}  // namespace sporos::test
