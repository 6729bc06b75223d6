// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expected: a cost must be copyable, name its inputs, have a dimension() and be callable
#include <sporos/models/risk/mean_cvar.hpp>

using Space = Kokkos::DefaultExecutionSpace;

struct CostWithoutDerivatives {
  enum Input { demand, input_count };
  KOKKOS_FUNCTION std::int64_t dimension() const { return 1; }

  template <class Inputs>
  KOKKOS_FUNCTION double operator()(const double* x, Inputs& inputs) const {
    return x[0] * inputs(demand);
  }
};

void run_all() { sporos::models::MeanCvar<Space, CostWithoutDerivatives> problem({}, {}); }
