// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Your own objective: a host code without Kokkos returns how badly a growth model fits measurements and, if requested,
// the gradient. It is passed to an optimizer unchanged.
#include <sporos/optimizers/derivative_check.hpp>
#include <sporos/optimizers/nelder_mead/nelder_mead.hpp>
#include <sporos/optimizers/nelder_mead/pointwise_objective.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

// The existing code: p' = r p (1 − p/K) from p = 1, in steps of a twentieth of a day, compared with a week of
// measurements. The parameters are r and K. Their derivatives are computed if `gradient` is not null.
double misfit(const double* parameters, double* gradient) {
  constexpr double measured[] = {1.33, 1.76, 2.28, 2.90, 3.60, 4.36, 5.14};
  const double r = parameters[0], k = parameters[1];
  double p = 1, p_r = 0, p_k = 0, sum = 0, sum_r = 0, sum_k = 0;
  for (const double value : measured) {
    for (int step = 0; step < 20; ++step) {
      const double growth = 1 - p / k, slope = r * (1 - 2 * p / k);
      p_r += 0.05 * (p * growth + slope * p_r);
      p_k += 0.05 * (r * p * p / (k * k) + slope * p_k);
      p += 0.05 * r * p * growth;
    }
    sum += (p - value) * (p - value);
    sum_r += 2 * (p - value) * p_r;
    sum_k += 2 * (p - value) * p_k;
  }
  if (gradient != nullptr) {
    gradient[0] = sum_r;
    gradient[1] = sum_k;
  }
  return sum;
}

// The members that a method with derivatives requires of a problem (concept StochasticProblem). Vectors are on the
// host.
class Growth {
 public:
  using execution_space = Kokkos::DefaultHostExecutionSpace;

  const execution_space& execution() const { return m_space; }
  std::int64_t dimension() const { return 2; }
  void draw(const sporos::SampleRange&) {}  // nothing is random
  double objective(const sporos::ConstVector<execution_space>& x) const {
    m_space.fence();  // the optimizer's own kernels may still write x
    return misfit(x.data(), nullptr);
  }
  void gradient(const sporos::ConstVector<execution_space>& x, const sporos::Vector<execution_space>& g) const {
    m_space.fence();
    misfit(x.data(), g.data());
  }

 private:
  execution_space m_space;
};

void fit() {
  const std::vector<double> start = {0.2, 20};

  // Without derivatives: any function of a point is suitable.
  sporos::HostObjective objective([](std::span<const double> x) { return misfit(x.data(), nullptr); });
  sporos::NelderMeadOptions bounded;
  bounded.bounds = {{{0.01, 1}, {2, 1000}}};
  const auto simplex = sporos::nelder_mead(objective, {{start, {0.1, 5}}}, bounded);

  // With derivatives.
  Growth problem;
  const bool is_right = sporos::check_gradient(problem, start).is_right;
  const auto newton = sporos::lbfgs(problem, start);

  std::printf("Nelder-Mead: r = %.4f, K = %.3f\n", simplex[0].point[0], simplex[0].point[1]);
  std::printf("L-BFGS:      r = %.4f, K = %.3f; derivatives are %s\n", newton.solution[0], newton.solution[1],
              is_right ? "right" : "wrong");
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  fit();
  Kokkos::finalize();
}
