// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each violation of the problem contract fails to compile with one sentence that explains it.
#include <sporos/optimizers/derivative_check.hpp>
#include <sporos/optimizers/quasi_newton/lbfgs.hpp>
#include <sporos/optimizers/quasi_newton/sqn.hpp>

#include <vector>

struct Right {
  using execution_space = Kokkos::DefaultExecutionSpace;
  using Point = sporos::ConstVector<execution_space>;
  execution_space space;

  const execution_space& execution() const { return space; }
  std::int64_t dimension() const { return 1; }
  void draw(const sporos::SampleRange&) {}
  double objective(const Point&) { return 0; }
  void gradient(const Point&, const sporos::Vector<execution_space>&) {}
};

// expected: a problem must have an execution space
struct NoExecution : Right {
  void execution();
};

// expected: a problem must return its number of decision variables
struct NoDimension : Right {
  void dimension();
};

// expected: a problem must draw the given sample
struct NoDraw : Right {
  void draw();
};

// expected: a problem must have an objective
struct NoObjective : Right {
  void objective(const Point&);
};

// expected: a problem must write its gradient to g
struct NoGradient : Right {
  std::vector<double> gradient(const Point&);
};

// expected: a problem whose Hessian is checked must have Hessian-vector products
void run_all() {
  const std::vector<double> start = {1};
  NoExecution no_execution;
  sporos::lbfgs(no_execution, start);
  NoDimension no_dimension;
  sporos::sqn(no_dimension, start);
  NoDraw no_draw;
  sporos::check_gradient(no_draw, start);
  NoObjective no_objective;
  sporos::check_hessian(no_objective, start);
  NoGradient no_gradient;
  sporos::lbfgs(no_gradient, start);
  Right right;
  sporos::check_hessian(right, start);
}
