// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../harness/outcome.hpp"

#include <cstdint>

/// Peers on NVIDIA GPUs: plain CUDA with cuRAND's device API and CUDA's logarithm, with one hardware thread for each
/// replication or stream. This code uses neither Sporos nor Kokkos and is compiled without their options, so that
/// products and sums may be contracted.
namespace sporos::bench::curand {

/// Generators of cuRAND.
enum class Generator { xorwow, philox };

/// `threads` streams of a generator in blocks of `block` threads. Creating them is not timed.
class Streams {
 public:
  Streams(Generator generator, std::int64_t threads, int block);
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Event loop of M/M/c/k in Cheng (2014), Massively parallel programming in statistical optimization & simulation,
  /// section 4: from empty until `customers` that entered have left. Estimates the mean number in system.
  Outcome mmck(double arrival_rate, double service_rate, int servers, int capacity, std::int64_t customers);

  /// Mean of `draws` uniforms per stream in float, and of as many unit exponentials in double.
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
