// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>

/// The peers on a GPU of NVIDIA's: plain CUDA with cuRAND's device API and CUDA's logarithm, one hardware thread a
/// replication or stream. Nothing here knows Sporos or Kokkos, and nothing is compiled with their options: products and
/// sums may be contracted.
namespace sporos::bench::curand {

/// cuRAND's generators.
enum class Generator { xorwow, philox };

/// `threads` streams of a generator in blocks of `block` threads. Making them is not timed.
class Streams {
 public:
  Streams(Generator generator, std::int64_t threads, int block);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// The event loop of M/M/c/k in paper 000, section 4: from empty until `customers` let in have left. Mean number in
  /// the system.
  Outcome mmck(double arrival_rate, double service_rate, int servers, int capacity, std::int64_t customers);

  /// The mean of `draws` uniforms a stream in float, and of as many unit exponentials in double.
  Outcome float_uniforms(std::int64_t draws);
  Outcome exponentials(std::int64_t draws);

 private:
  template <class Launch>
  Outcome run(const Launch& launch);

  Generator m_generator;
  std::int64_t m_threads;
  int m_block;
  void* m_states;
  double* m_means;
};

}  // namespace sporos::bench::curand
