// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each violation of the objective contract fails to compile with one sentence that explains it.
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>

#include <vector>

// expected: HostObjective takes a function of a point
double first_of(std::vector<double>& x) { return x[0]; }

// expected: PointwiseObjective takes a device functor
struct NotConst {
  KOKKOS_FUNCTION double operator()(const double* x, std::int64_t) { return x[0]; }
};

void run_all() {
  sporos::HostObjective<double (*)(std::vector<double>&)> of_vector(first_of);
  sporos::PointwiseObjective<Kokkos::DefaultExecutionSpace, NotConst> not_const{NotConst()};
}
