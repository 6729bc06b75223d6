// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On Kokkos::Serial a replication may itself be an application that launches kernels, allocates, copies and fences.
// (Since Kokkos 4 a Serial instance is locked while a kernel runs on it.)
#include <sporos/core/replication/experiment.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <vector>

#ifdef KOKKOS_ENABLE_SERIAL

namespace sporos::test {
namespace kokkos_inside_tests {

struct Fill {
  Kokkos::View<double*, Kokkos::HostSpace> cells;
  double level;

  void operator()(int i) const { cells(i) = level * i; }
};

struct Add {
  Kokkos::View<double*, Kokkos::HostSpace> cells;

  void operator()(int i, double& sum) const { sum += cells(i); }
};

// An application that fills `count` cells, whose values depend on the drawn level, and returns the level and their sum.
struct Application {
  int count;

  enum Input { level, input_count };
  static constexpr auto response_names = std::array{"level", "sum"};

  template <class Inputs>
  Kokkos::Array<double, 2> operator()(Inputs& inputs) const {
    const double drawn = inputs(level);
    const Kokkos::View<double*, Kokkos::HostSpace> cells("cells", count), copied("copied", count);
    Kokkos::parallel_for("fill", Kokkos::RangePolicy<Kokkos::Serial>(0, count), Fill{cells, drawn});
    Kokkos::deep_copy(copied, cells);
    Kokkos::fence();
    double sum = 0;
    Kokkos::parallel_reduce("add", Kokkos::RangePolicy<Kokkos::Serial>(0, count), Add{copied}, sum);
    return {{drawn, sum}};
  }
};

void expect_sums(const ExperimentResult& result, const std::vector<Application>& applications) {
  for (std::size_t point = 0; point < applications.size(); ++point) {
    const auto& responses = result.points[point].responses;
    const int count = applications[point].count;
    EXPECT_NEAR(responses[1].mean, responses[0].mean * count * (count - 1) / 2, 1e-9);
  }
}

TEST(KokkosInside, RunsInReplicationsOnSerial) {
  ::alarm(60);  // ends the program in case of a deadlock
  const std::vector<Application> applications{{4}, {7}};
  Plan plan;
  plan.replications = 10;
  expect_sums(simulate(Kokkos::Serial(), applications, plan), applications);
  plan.source.sampling = Sampling::antithetic;
  expect_sums(simulate(Kokkos::Serial(), applications, plan), applications);
  ::alarm(0);
}

}  // namespace kokkos_inside_tests
}  // namespace sporos::test

#endif
