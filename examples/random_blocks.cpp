// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pre-generated random numbers for a code with its own threads and without kernels. Its loops stay unchanged. Instead
// of a generator of the standard library, they use one whose numbers come from threads of Sporos or from a GPU.
#include <sporos/core/random_blocks/random_blocks.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

// The existing loop, for any generator: estimates π from the share of points in a square that lie in a circle.
template <class Generator>
double estimate_of_pi(Generator& generator, std::int64_t points) {
  std::uniform_real_distribution<double> uniform;
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < points; ++i) {
    const double x = uniform(generator), y = uniform(generator);
    if (x * x + y * y < 1) ++inside;
  }
  return 4.0 * static_cast<double>(inside) / static_cast<double>(points);
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr std::int64_t threads = 4, points = 1'000'000;
  sporos::RandomBlocks<Space, sporos::Ranlux24_0> blocks(/* seed */ 1);

  std::vector<double> estimates(threads);
  std::vector<std::thread> workers;
  for (std::uint64_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      auto generator = blocks.consumer(t);  // before: std::ranlux24 generator(t);
      estimates[t] = estimate_of_pi(generator, points);
    });
  }
  for (auto& worker : workers) worker.join();

  // The result is the same on every machine, whichever thread was faster: the numbers of a consumer depend only on the
  // seed and its number.
  std::printf("pi = %.6f, %.6f, %.6f, %.6f\n", estimates[0], estimates[1], estimates[2], estimates[3]);
}
