// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <sporos/core/random/taus88.hpp>
#include <sporos/core/replication/design.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/core/replication/summary.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

/// Replications on a GPU in the form that Passerat-Palmbach et al. (2011), Warp-level parallelism: enabling multiple
/// replications in parallel on GPU, print. The engine is taus88, selected at compile time, and each replication starts
/// in a randomly spaced state. Either a thread runs a replication (by_threads), or the first lane of a warp does
/// (by_one_lane).
namespace sporos::bench::printed {

/// Random walk with a branch for each direction, border and chunk, as described in the paper. The response is 1 if the
/// walk ends in chunk 1, otherwise 0.
struct RandomWalk {
  std::int64_t steps, chunk_side;

  enum Input { direction, input_count };
  static constexpr std::array<std::string_view, 1> response_names = {"chunk 1"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    const auto side = static_cast<int>(chunk_side);
    const int height = 5 * side, width = 6 * side;
    int row = height / 2, column = width / 2;
    for (std::int64_t step = 0; step < steps; ++step) {
      switch (static_cast<int>(4.0 * inputs(direction))) {
        case 0:
          if (--row < 0) row = height - 1;
          break;
        case 1:
          if (++row == height) row = 0;
          break;
        case 2:
          if (--column < 0) column = width - 1;
          break;
        default:
          if (++column == width) column = 0;
      }
    }
    int end = 0;
    for (int chunk = 0; chunk < 30; ++chunk) {
      if (row / side == chunk / 6 && column / side == chunk % 6) end = chunk;
    }
    return {{end == 0 ? 1.0 : 0.0}};
  }
};

/// Copies a model's parameters into registers before it runs, because plain CUDA keeps the arguments of a kernel there
/// or in constant memory. Without the copy, loops read their bounds from memory in each step.
template <class Model>
struct InRegisters {
  Model model;

  enum Input { input_count = Model::input_count };
  static constexpr auto response_names = Model::response_names;

  template <class Inputs>
  KOKKOS_FUNCTION auto operator()(Inputs& inputs) const {
    const Model copy = model;
    return copy(inputs);
  }
};

/// Runs `count` replications of a model under `mapping`. The seconds include the launch, the kernel, the copy of the
/// results and their mean.
template <class ExecutionSpace, class Model, class MappingChoice>
Outcome run(const ExecutionSpace& space, const Model& model, const MappingChoice& mapping, std::int64_t count) {
  const Design<Model, ExecutionSpace> design(model, 20240229);
  const Outputs<ExecutionSpace> outputs("outputs", static_cast<std::size_t>(count), response_count<Model>);
  const auto first = Kokkos::subview(outputs, Kokkos::ALL, 0);
  const auto responses = Kokkos::create_mirror_view(first);
  Kokkos::fence();
  const Kokkos::Timer timer;
  replicate_with<EngineSource<Taus88>, Model>(space, design, {}, {0, count}, mapping, outputs);
  Kokkos::deep_copy(space, responses, first);
  space.fence();
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < responses.extent(0); ++i) {
    sum += responses(i);
    squares += responses(i) * responses(i);
  }
  const double seconds = timer.seconds();
  std::uint64_t digest = 0;
  for (std::int64_t i = 0; i < count; ++i) digest += sporos::impl::digest_of(responses(i), i, 0);
  const auto n = static_cast<double>(count);
  const double mean = sum / n, variance = std::fmax(squares - mean * sum, 0.0) / std::fmax(n - 1, 1.0);
  return {seconds, mean, std::sqrt(variance / n), digest};
}

}  // namespace sporos::bench::printed
