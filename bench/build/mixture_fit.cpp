// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's program that fits mixtures, to measure what it costs to compile.
#include <sporos/procedures/mixture_fit.hpp>

#include <cstdio>

int main() {
  const Kokkos::ScopeGuard kokkos;
  const sporos::models::Observations sample{{1, 2, 3, 4, 5, 6, 7, 8}, {}};
  const sporos::MixtureFit fit = sporos::fit_mixtures(Kokkos::DefaultExecutionSpace(), sample);
  std::printf("%zu\n", fit.sizes.size());
}
