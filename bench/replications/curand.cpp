// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "curand.hpp"

#include <curand_kernel.h>

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace sporos::bench::curand {

namespace {

void check_cuda(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

using Xorwow = curandStateXORWOW_t;
using Philox = curandStatePhilox4_32_10_t;

// Sums as many numbers as a generator computes at once.
__device__ float sum_of_4_uniforms(Xorwow& state) {
  return curand_uniform(&state) + curand_uniform(&state) + (curand_uniform(&state) + curand_uniform(&state));
}
__device__ float sum_of_4_uniforms(Philox& state) {
  const float4 u = curand_uniform4(&state);
  return u.x + u.y + (u.z + u.w);
}
__device__ double sum_of_2_exponentials(Xorwow& state) {
  return -log(curand_uniform_double(&state)) - log(curand_uniform_double(&state));
}
__device__ double sum_of_2_exponentials(Philox& state) {
  const double2 u = curand_uniform2_double(&state);
  return -log(u.x) - log(u.y);
}

__device__ std::int64_t thread_index() { return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

template <class State>
__global__ void start(State* states, std::int64_t threads) {
  const std::int64_t thread = thread_index();
  if (thread < threads) curand_init(20240229, thread, 0, &states[thread]);
}

template <class State>
__global__ void add_uniforms(State* states, double* means, std::int64_t threads, std::int64_t draws) {
  const std::int64_t thread = thread_index();
  if (thread >= threads) return;
  State state = states[thread];
  float a = 0, b = 0;
  for (std::int64_t i = 0; i < draws; i += 8) {
    a += sum_of_4_uniforms(state);
    b += sum_of_4_uniforms(state);
  }
  states[thread] = state;
  means[thread] = static_cast<double>(a + b) / static_cast<double>(draws);
}

template <class State>
__global__ void add_exponentials(State* states, double* means, std::int64_t threads, std::int64_t draws) {
  const std::int64_t thread = thread_index();
  if (thread >= threads) return;
  State state = states[thread];
  double a = 0, b = 0;
  for (std::int64_t i = 0; i < draws; i += 4) {
    a += sum_of_2_exponentials(state);
    b += sum_of_2_exponentials(state);
  }
  states[thread] = state;
  means[thread] = (a + b) / static_cast<double>(draws);
}

// Names are those of Cheng (2014), Massively parallel programming in statistical optimization & simulation.
template <class State>
__global__ void simulate(State* states, double* means, std::int64_t threads, double Ta, double Ts, int c, int k,
                         int customers) {
  const std::int64_t thread = thread_index();
  if (thread >= threads) return;
  constexpr double never = 1e300;
  State state = states[thread];
  const auto exponential = [&](double mean) { return -mean * log(curand_uniform_double(&state)); };
  double time = 0, previous = 0, area = 0, next_arrival = exponential(Ta), next_departure = never;
  int n = 0, busy = 0, arrived = 0, departed = 0;
  while (true) {
    if (next_arrival < next_departure) {
      const bool enters = n < k;
      time = next_arrival;
      area += n * (time - previous);
      previous = time;
      if (enters) {
        ++n;
        busy = n > c ? c : n;
        ++arrived;
      }
      next_arrival = arrived == customers ? never : time + exponential(Ta);
      if (enters) next_departure = time + exponential(Ts) / busy;
    } else {
      time = next_departure;
      area += n * (time - previous);
      --n;
      busy = n > c ? c : n;
      previous = time;
      if (++departed == customers) break;
      next_departure = n > 0 ? time + exponential(Ts) / busy : never;
    }
  }
  states[thread] = state;
  means[thread] = area / time;
}

}  // namespace

// Calls `launch` with the typed states and the numbers of blocks and of threads per block, and measures the time.
template <class Launch>
Outcome Streams::run(const Launch& launch) {
  const auto blocks = static_cast<unsigned>((m_threads + m_block - 1) / m_block);
  const auto threads = static_cast<unsigned>(m_block);
  check_cuda(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  if (m_generator == Generator::xorwow) {
    launch(static_cast<Xorwow*>(m_states), blocks, threads);
  } else {
    launch(static_cast<Philox*>(m_states), blocks, threads);
  }
  check_cuda(cudaGetLastError());
  check_cuda(cudaDeviceSynchronize());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  std::vector<double> means(static_cast<std::size_t>(m_threads));
  check_cuda(cudaMemcpy(means.data(), m_means, means.size() * sizeof(double), cudaMemcpyDeviceToHost));
  double mean = 0, squares = 0;
  for (const double x : means) mean += x / static_cast<double>(m_threads);
  for (const double x : means) squares += (x - mean) * (x - mean);
  const auto n = static_cast<double>(m_threads);
  return {seconds, mean, std::sqrt(squares / (n * (n - 1)))};
}

Streams::Streams(Generator generator, std::int64_t threads, int block)
    : m_generator(generator), m_threads(threads), m_block(block) {
  const std::size_t state_bytes = generator == Generator::xorwow ? sizeof(Xorwow) : sizeof(Philox);
  check_cuda(cudaMalloc(&m_states, state_bytes * static_cast<std::size_t>(threads)));
  check_cuda(cudaMalloc(&m_means, sizeof(double) * static_cast<std::size_t>(threads)));
  check_cuda(cudaMemset(m_means, 0, sizeof(double) * static_cast<std::size_t>(threads)));
  run([&](auto* states, unsigned blocks, unsigned of_block) { start<<<blocks, of_block>>>(states, threads); });
}

Streams::~Streams() {
  cudaFree(m_states);
  cudaFree(m_means);
}

Outcome Streams::mmck(double arrival_rate, double service_rate, int servers, int capacity, std::int64_t customers) {
  return run([&](auto* states, unsigned blocks, unsigned threads) {
    simulate<<<blocks, threads>>>(states, m_means, m_threads, 1 / arrival_rate, 1 / service_rate, servers, capacity,
                                  static_cast<int>(customers));
  });
}

Outcome Streams::float_uniforms(std::int64_t draws) {
  return run([&](auto* states, unsigned blocks, unsigned threads) {
    add_uniforms<<<blocks, threads>>>(states, m_means, m_threads, draws);
  });
}

Outcome Streams::exponentials(std::int64_t draws) {
  return run([&](auto* states, unsigned blocks, unsigned threads) {
    add_exponentials<<<blocks, threads>>>(states, m_means, m_threads, draws);
  });
}

}  // namespace sporos::bench::curand
