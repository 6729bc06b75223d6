// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/core/replication/model.hpp>

#include <array>
#include <vector>

struct WrongModel {
  std::vector<double> rates;
  enum Input { service, input_count };
  static constexpr auto response_names = std::array{"wait"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    return {{inputs(service)}};
  }
};

void check() { sporos::check_model<WrongModel>(); }
