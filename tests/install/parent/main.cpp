// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>
#include <sporos/procedures/best_point.hpp>
#include <sporos/version.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <span>
#include <vector>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  sporos::HostObjective parabola([](std::span<const double> x) { return x[0] * x[0]; });
  const auto found = sporos::nelder_mead(parabola, std::vector<sporos::SimplexStart>{{{1.0}, {0.5}}});
  std::printf("Sporos %s in its parent: a minimum of %.3f\n", SPOROS_VERSION, found.front().value);
}
