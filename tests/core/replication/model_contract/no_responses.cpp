// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/model.hpp>

#include <array>

struct WrongModel {
  enum Input { service, input_count };

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

void check() { sporos::check_model<WrongModel>(); }
