// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each violation of the region contract fails to compile with one sentence that explains it.
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>

#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

struct RightProblem {
  using execution_space = Space;
  Space space;

  const Space& execution() const { return space; }
  std::int64_t dimension() const { return 1; }
  void draw(const sporos::SampleRange&) {}
  double objective(const sporos::ConstVector<Space>&) { return 0; }
  void gradient(const sporos::ConstVector<Space>&, const sporos::Vector<Space>&) {}
};

struct RightRegion {
  std::int64_t dimension() const { return 1; }
  sporos::Vertex<Space> minimize(const Space&, const sporos::ConstVector<Space>&) { return {}; }
  double violation(const Space&, const sporos::ConstVector<Space>&) { return 0; }
};

// expected: a region must return its dimension
struct NoDimension : RightRegion {
  void dimension();
};

// expected: a region must minimize a linear function
struct NoVertex : RightRegion {
  std::vector<double> minimize(const std::vector<double>&);
};

// expected: a region must return by how much a point violates its constraints
struct NoViolation : RightRegion {
  void violation();
};

// expected: a problem must draw the given sample
struct NoDraw : RightProblem {
  void draw();
};

template <class Problem, class Region>
void run() {
  Problem problem;
  Region region;
  sporos::frank_wolfe(problem, region, std::vector<double>{0});
}

void run_all() {
  RightProblem problem;
  NoDimension region;
  sporos::frank_wolfe(problem, region, std::vector<double>{0});
  run<RightProblem, NoVertex>();
  run<RightProblem, NoViolation>();
  run<NoDraw, RightRegion>();
}
