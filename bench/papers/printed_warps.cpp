// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printed_warps.hpp"

#include <cuda_runtime.h>
#include <thrust/random.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace sporos::bench::printed {

namespace {

void check_cuda(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

class Uniforms {
 public:
  __device__ explicit Uniforms(unsigned seed) : m_engine(seed) {}
  __device__ double operator()() { return m_distribution(m_engine); }

 private:
  thrust::random::taus88 m_engine;
  thrust::random::uniform_real_distribution<double> m_distribution;
};

struct Pi {
  static constexpr std::size_t responses = 1;
  int draws;

  __device__ void operator()(Uniforms& uniform, double* response) const {
    int inside = 0;
    for (int i = 0; i < draws; ++i) {
      const double x = uniform();
      const double y = uniform();
      if (x * x + y * y < 1.0) ++inside;
    }
    response[0] = 4.0 * inside / draws;
  }
};

// Time in queue, time in system, idle time.
struct MM1 {
  static constexpr std::size_t responses = 3;
  double mean_gap, mean_service;
  int customers;

  __device__ void operator()(Uniforms& uniform, double* response) const {
    double arrival = 0, departure = 0, wait = 0, stay = 0, idle = 0;
    for (int customer = 0; customer < customers; ++customer) {
      arrival -= mean_gap * log(1.0 - uniform());
      double start = departure;
      if (arrival > departure) {
        idle += arrival - departure;
        start = arrival;
      }
      departure = start - mean_service * log(1.0 - uniform());
      wait += start - arrival;
      stay += departure - arrival;
    }
    response[0] = wait / customers;
    response[1] = stay / customers;
    response[2] = idle;
  }
};

// The chunk in which the walk ends. With a branch for each direction, each border and each chunk.
struct RandomWalk {
  static constexpr std::size_t responses = 1;
  int steps, chunk_side;

  __device__ void operator()(Uniforms& uniform, double* response) const {
    const int height = 5 * chunk_side, width = 6 * chunk_side;
    int row = height / 2, column = width / 2;
    for (int step = 0; step < steps; ++step) {
      switch (static_cast<int>(4.0 * uniform())) {
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
    for (int chunk = 0; chunk < 30; ++chunk) {
      if (row / chunk_side == chunk / 6 && column / chunk_side == chunk % 6) response[0] = chunk;
    }
  }
};

// Figure 3.
__device__ unsigned warp_index() {
  return (threadIdx.x +
          blockDim.x *
              (threadIdx.y + blockDim.y * (threadIdx.z + blockDim.z * (blockIdx.x + gridDim.x * blockIdx.y)))) /
         warpSize;
}

// Figure 4.
__device__ bool is_first_of_warp() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % warpSize == 0;
}

template <class Model>
__global__ void thread_replications(Model model, const unsigned* seeds, double* responses, unsigned count) {
  const unsigned replication = blockIdx.x * blockDim.x + threadIdx.x;
  if (replication < count) {
    Uniforms uniform(seeds[replication]);
    model(uniform, responses + replication * Model::responses);
  }
}

template <class Model>
__global__ void warp_replications(Model model, const unsigned* seeds, double* responses, unsigned count) {
  const unsigned warp = warp_index();
  if (is_first_of_warp()) {
    if (warp < count) {
      Uniforms uniform(seeds[warp]);
      model(uniform, responses + warp * Model::responses);
    }
  }
}

// Memory of the device.
template <class Number>
class Numbers {
 public:
  explicit Numbers(std::size_t count) { check_cuda(cudaMalloc(&m_data, count * sizeof(Number))); }
  ~Numbers() { cudaFree(m_data); }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  Number* data() const { return m_data; }

 private:
  Number* m_data = nullptr;
};

// `value` makes of a replication's first response the number whose mean is checked.
template <class Model, class Value>
Outcome run(const Launch& launch, const Model& model, const Value& value) {
  const auto count = static_cast<std::size_t>(launch.count);
  std::mt19937 engine(20240229u);
  std::vector<unsigned> seeds(count);
  for (unsigned& seed : seeds) seed = engine();
  const Numbers<unsigned> device_seeds(count);
  const Numbers<double> device_responses(count * Model::responses);
  check_cuda(cudaMemcpy(device_seeds.data(), seeds.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice));
  std::vector<double> responses(count * Model::responses);

  const bool by_warps = launch.unit == Unit::warp;
  const std::size_t of_block = launch.block / (by_warps ? 32 : 1);
  const auto blocks = static_cast<unsigned>((count + of_block - 1) / of_block);
  const auto kernel = by_warps ? warp_replications<Model> : thread_replications<Model>;
  check_cuda(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  kernel<<<blocks, launch.block>>>(model, device_seeds.data(), device_responses.data(), static_cast<unsigned>(count));
  check_cuda(cudaGetLastError());
  check_cuda(
      cudaMemcpy(responses.data(), device_responses.data(), responses.size() * sizeof(double), cudaMemcpyDeviceToHost));
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < responses.size(); i += Model::responses) {
    const double number = value(responses[i]);
    sum += number;
    squares += number * number;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto n = static_cast<double>(count);
  const double mean = sum / n, variance = std::max(squares - mean * sum, 0.0) / std::max(n - 1, 1.0);
  return {seconds, mean, std::sqrt(variance / n)};
}

int as_int(std::int64_t number) {
  if (number > std::numeric_limits<int>::max()) throw std::invalid_argument("a replication is too long for an int");
  return static_cast<int>(number);
}

}  // namespace

Outcome pi(const Launch& launch, std::int64_t draws) {
  return run(launch, Pi{as_int(draws)}, [](double response) { return response; });
}

Outcome mm1(const Launch& launch, double arrival_rate, double service_rate, std::int64_t customers) {
  return run(launch, MM1{1 / arrival_rate, 1 / service_rate, as_int(customers)},
             [](double response) { return response; });
}

Outcome random_walk(const Launch& launch, std::int64_t steps, std::int64_t chunk_side) {
  return run(launch, RandomWalk{as_int(steps), as_int(chunk_side)},
             [](double chunk) { return chunk == 0 ? 1.0 : 0.0; });
}

}  // namespace sporos::bench::printed
