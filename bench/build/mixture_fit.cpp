// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user compiles who fits mixtures.
#include <sporos/procedures/mixture_fit.hpp>

#include <cstdio>

int main() {
  const Kokkos::ScopeGuard kokkos;
  const sporos::models::Observations sample{{1, 2, 3, 4, 5, 6, 7, 8}, {}};
  const sporos::MixtureFit fit = sporos::fit_mixtures(Kokkos::DefaultExecutionSpace(), sample);
  std::printf("%zu\n", fit.sizes.size());
}
