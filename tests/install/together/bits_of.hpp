// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/replication/replicate.hpp>

#include <Kokkos_Core.hpp>

#include <bit>
#include <cstdint>

// Exclusive or of the bits of 200 replications, written to `rows` rows.
template <class Model>
std::uint64_t bits_of(const Model& model, std::size_t rows) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const sporos::Outputs<Space> outputs("outputs", rows, sporos::response_count<Model>);
  sporos::replicate_with<sporos::DefaultSource, Model>(Space(), sporos::Design<Model, Space>(model, 42), {}, {0, 200},
                                                       sporos::Mapping::thread, outputs);
  Space().fence();
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) bits ^= std::bit_cast<std::uint64_t>(outputs.data()[i]) << i % 7;
  return bits;
}
