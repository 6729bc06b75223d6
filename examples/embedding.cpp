// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sporos inside a simulation code that owns Kokkos: the code has its own initialization, execution space instance,
// Views and time loop. Every day, it estimates how high the water behind a dam may rise in the next ten days.
// Replications are one more kernel in the queue of its instance; they read its Views and write to its Views. At the
// end, it compares how often three ways to open the gates lead to a flood.
#include <sporos/core/core.hpp>
#include <sporos/core/io/result_files.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <tuple>
#include <utility>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;

// Physics of the code: a basin releases a tenth of its water per day into the next, and it rains.
struct Day {
  Kokkos::View<const double*, Space> before;
  Kokkos::View<double*, Space> after;
  double rain;
  KOKKOS_FUNCTION void operator()(int basin) const {
    after(basin) = 0.9 * before(basin) + rain + (basin > 0 ? 0.1 * before(basin - 1) : 0);
  }
};

// A model of the same physics for ten days with random rain. It is copied to the device and reads the View of the code
// through a handle.
struct TenDays {
  static constexpr int basins = 4;
  sporos::AppView<const double, 1> level;
  double release = 0.1;  // share of a basin's water that flows into the next per day

  enum Input { rain, input_count };
  static constexpr auto response_names = std::array{"highest level at the dam"};
  // Parameter names for result files.
  static constexpr auto parameters() {
    using Parameter = sporos::Parameter<TenDays, double>;
    return std::tuple{Parameter{"release", &TenDays::release, 0.1, "", "share of water that goes on a day", nullptr}};
  }

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double now[basins], highest = 0;
    for (int basin = 0; basin < basins; ++basin) now[basin] = level(basin);
    for (int day = 0; day < 10; ++day) {
      const double water = sporos::exponential(inputs(rain), 1.0);
      for (int basin = basins - 1; basin >= 0; --basin) {
        now[basin] = (1 - release) * now[basin] + water + (basin > 0 ? release * now[basin - 1] : 0);
      }
      highest = now[basins - 1] > highest ? now[basins - 1] : highest;
    }
    return {{highest}};
  }
};

struct CountFloods {
  sporos::Outputs<Space> outputs;
  double dam;
  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& floods) const { floods += outputs(row, 0) > dam; }
};

class Simulation {
 public:
  explicit Simulation(const Space& space) : m_space(space) { Kokkos::deep_copy(m_space, m_level, 10.0); }

  void advance_by_a_day(double rain) {
    Kokkos::parallel_for("simulation::day", Kokkos::RangePolicy<Space>(m_space, 0, TenDays::basins),
                         Day{m_level, m_next_level, rain});
    std::swap(m_level, m_next_level);
  }

  // Counts the futures in which the water rises above the dam. The seed is the day, so that every day has new random
  // numbers. In a code with many processes, each process runs its `range` of the replications, and the counts are added
  // up.
  std::int64_t floods(std::uint64_t day, const sporos::ReplicationRange& range) {
    const sporos::Design<TenDays, Space> design(TenDays{m_level}, day);
    sporos::replicate(m_space, design, {}, range, sporos::Mapping::thread, m_outputs);  // does not wait

    std::int64_t floods = 0;
    Kokkos::parallel_reduce("simulation::floods", Kokkos::RangePolicy<Space>(m_space, 0, range.count),
                            CountFloods{m_outputs, dam}, floods);
    return floods;
  }

  // Compares several design points under the same rain in one experiment. `simulate` launches kernels as often as
  // needed, waits, and returns means with intervals. The observer receives the response of each replication.
  void compare_releases(std::uint64_t day) {
    std::vector<TenDays> releases;
    for (const double release : {0.1, 0.15, 0.2}) releases.push_back({m_level, release});
    sporos::Plan plan;
    plan.seed = day;
    plan.replications = futures;
    std::vector<std::int64_t> floods(releases.size());
    const auto count = [&](std::size_t point, std::size_t, double highest) { floods[point] += highest > dam; };
    const auto result = sporos::simulate(m_space, releases, plan, {}, count);
    for (std::size_t point = 0; point < releases.size(); ++point) {
      const auto& highest = result.points[point].responses[0];
      std::printf("release %.2f: highest level %.2f +- %.2f, flood with probability %.4f\n", releases[point].release,
                  highest.mean, highest.half_width, static_cast<double>(floods[point]) / futures);
    }
    std::fputs(sporos::io::result_csv(releases, result).c_str(), stdout);
  }

  static constexpr std::int64_t futures = 20'000;
  static constexpr double dam = 24;

 private:
  Space m_space;
  Kokkos::View<double*, Space> m_level{"simulation::level", TenDays::basins};
  Kokkos::View<double*, Space> m_next_level{"simulation::next level", TenDays::basins};
  sporos::Outputs<Space> m_outputs{"simulation::futures", futures, 1};  // allocated once
};

void host_code(const Space& space) {
  Simulation simulation(space);
  for (std::uint64_t day = 1; day <= 3; ++day) {
    simulation.advance_by_a_day(1.5);
    const std::int64_t all = simulation.floods(day, {0, Simulation::futures});
    const std::int64_t of_rank_0 = simulation.floods(day, {0, 5'000});
    const std::int64_t of_rank_1 = simulation.floods(day, {5'000, Simulation::futures - 5'000});
    std::printf("day %d: flood with probability %.4f; %s\n", static_cast<int>(day),
                static_cast<double>(all) / Simulation::futures,
                of_rank_0 + of_rank_1 == all ? "the same from two ranges" : "NOT the same from two ranges");
  }
  simulation.compare_releases(3);
}

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  host_code(Space());
  Kokkos::finalize();
}
