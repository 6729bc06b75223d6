// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frank–Wolfe on your own problem: how to distribute 200 hours of search over 1000 cells of a sea, so that the
// probability of finding a lost boat is largest. The visibility in a cell on the day of the search is random.
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/core/math/exp.hpp>
#include <sporos/core/random/philox.hpp>
#include <sporos/core/random/sample_range.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/optimizers/frank_wolfe/frank_wolfe.hpp>
#include <sporos/optimizers/frank_wolfe/regions/budget.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

constexpr std::int64_t cells = 1000;
constexpr double hours = 200;

// The boat is in a cell with the given probability. On day `day`, x hours of search there miss it with probability
// exp(−rate x), where rate is `detections_per_hour`.
struct Sea {
  sporos::SampleRange sample;

  KOKKOS_FUNCTION double probability(std::int64_t cell) const {  // triangular: largest in the middle
    const std::int64_t from_edge = cell < cells / 2 ? cell : cells - 1 - cell;
    return (from_edge + 0.5) / (0.5 * cells * (0.5 * cells));
  }
  KOKKOS_FUNCTION double detections_per_hour(std::int64_t cell, std::int64_t day) const {
    const sporos::Stream stream{sample.seed, sample.first + static_cast<std::uint64_t>(day), 0};
    const auto draw = static_cast<std::uint64_t>(cell);
    return 5 * sporos::open_uniform(sporos::Philox4x32::block(stream, draw / 2)[draw % 2]);
  }
};

struct Missed {
  Sea sea;
  const double* x;
  KOKKOS_FUNCTION void operator()(std::int64_t cell, double& probability) const {
    double sum = 0;
    for (std::int64_t day = 0; day < sea.sample.size; ++day) {
      sum += sporos::math::exp(-sea.detections_per_hour(cell, day) * x[cell]);
    }
    probability += sea.probability(cell) * sum / static_cast<double>(sea.sample.size);
  }
};

struct Slope {
  Sea sea;
  const double* x;
  double* g;
  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    double sum = 0;
    for (std::int64_t day = 0; day < sea.sample.size; ++day) {
      const double rate = sea.detections_per_hour(cell, day);
      sum -= rate * sporos::math::exp(-rate * x[cell]);
    }
    g[cell] = sea.probability(cell) * sum / static_cast<double>(sea.sample.size);
  }
};

// The members that Frank–Wolfe requires of a problem (concept StochasticProblem).
class Search {
 public:
  using execution_space = Space;

  const Space& execution() const { return m_space; }
  std::int64_t dimension() const { return cells; }
  void draw(const sporos::SampleRange& sample) { m_sea.sample = sample; }

  double objective(const sporos::ConstVector<Space>& x) const {
    double missed = 0;
    Kokkos::parallel_reduce("search::objective", Kokkos::RangePolicy<Space>(m_space, 0, cells), Missed{m_sea, x.data()},
                            missed);
    return missed;
  }
  void gradient(const sporos::ConstVector<Space>& x, const sporos::Vector<Space>& g) const {
    Kokkos::parallel_for("search::gradient", Kokkos::RangePolicy<Space>(m_space, 0, cells),
                         Slope{m_sea, x.data(), g.data()});
  }

 private:
  Space m_space;
  Sea m_sea;
};

void search_well() {
  Search search;
  sporos::Budget<Space> region(cells, hours);  // {x ≥ 0, Σx ≤ 200}

  sporos::FrankWolfeOptions options;
  options.epochs = 10;
  options.iterations = 400;
  options.sample_size = 5;
  options.sample_growth = 1;  // 5, 10, 15, … days
  options.record_interval = options.epochs;
  options.gap.batches = 20;    // on days that the optimizer never used
  options.gap.iterations = 0;  // use the duality gap there: solving for each batch would take longer than the run

  const auto result = sporos::frank_wolfe(search, region, std::vector<double>(cells), options);
  std::printf("missed with probability %.4f, which is at most %.4f more than need be (95 %% confidence)\n",
              result.trajectory.back().objective, result.gap->bound());
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  search_well();
  Kokkos::finalize();
}
