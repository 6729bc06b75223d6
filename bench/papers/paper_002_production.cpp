// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cost of producing random numbers on a device, and speed-up of a consumer on the host, as in Lee (2012), Hybrid
// parallel computing strategies for scientific computing applications, sections 4.2.2, 4.4 and 4.5.1 to 4.5.2:
// - copies against their size (figures 4.10 and 4.11, table 4.1),
// - a kernel against the size of its work group (4.14 and 4.15),
// - production against the number of work items, freely chosen and as the model chooses it (4.16 to 4.19),
// - π (4.23 to 4.25),
// - agents whose work is divided between cores and the device (4.34 and 4.35).
// Prints JSON; paper_002_production.py runs this program and makes the tables and the chart.
#include "../harness/option_parser.hpp"
#include "../radiation/host_photons.hpp"
#include "hybrid_allocation.hpp"
#include "measuring_program.hpp"
#include "with_space.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/execution/persistent_kernel.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/random_blocks/model_fit.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>

#include <Kokkos_Core.hpp>
#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/chi_squared.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using Json = nlohmann::json;

constexpr int iterations = 10;  // n_i of the paper

struct Options {
  std::string engine = "ranlux24-2", space = "serial", streams = "own";
  std::int64_t draws = 1 << 22, largest_copy = 1 << 26, cycles = 10'000, samples = 1'000'000,
               spread_samples = 1'000'000, block_size = 1 << 16;
  std::vector<int> group_sizes = {80, 160, 240}, ode_steps = {1, 10, 100}, cores = {2};
  std::vector<std::int64_t> agents = {2000, 20'000, 200'000};
  std::int64_t lost_agents = 0;
  int groups = 0, repeats = 3, means = 64;
  std::uint64_t seed = 1;
};

// Smallest duration of several calls, in seconds.
template <class Work>
double min_seconds(int repeats, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < repeats; ++i) {
    const Kokkos::Timer timer;
    work();
    least = std::min(least, timer.seconds());
  }
  return least;
}

// Times copies of different sizes between the memory of the host and of the space, in both directions, and fits
// least-squares lines.
template <class Space>
Json copies(const Space& space, const Options& options) {
  const auto largest = static_cast<std::size_t>(options.largest_copy);
  const Kokkos::View<char*, impl::HostPinnedSpace> host("host", largest);
  const Kokkos::View<char*, typename Space::memory_space> device("device", largest);
  std::vector<MeasuredTime> there, back;
  for (std::size_t bytes = 1 << 12; bytes <= largest; bytes *= 4) {
    const auto part = std::pair<std::size_t, std::size_t>(0, bytes);
    const auto on_host = Kokkos::subview(host, part);
    const auto on_device = Kokkos::subview(device, part);
    const auto copy = [&](const auto& to, const auto& from) {
      Kokkos::deep_copy(space, to, from);
      space.fence();
    };
    const auto count = static_cast<std::int64_t>(bytes);
    there.push_back({count, min_seconds(3 * options.repeats, [&] { copy(on_device, on_host); })});
    back.push_back({count, min_seconds(3 * options.repeats, [&] { copy(on_host, on_device); })});
  }
  const auto json_of = [](const std::vector<MeasuredTime>& times) {
    Json json = {{"bytes", Json::array()}, {"seconds", Json::array()}};
    for (const MeasuredTime& time : times) {
      json["bytes"].push_back(time.count);
      json["seconds"].push_back(time.seconds);
    }
    const LinearTime line = fit_linear_time(times);
    json["start"] = line.start;
    json["each"] = line.each;
    return json;
  };
  return {{"to_device", json_of(there)}, {"to_host", json_of(back)}};
}

// n_wg work groups of n_wgs items. Each item has a separate generator and makes n_k draws (figure 4.13).
template <class E>
struct GroupKernel {
  E* engines;
  std::uint64_t* out;
  std::int64_t cycles, items;
  bool begins;  // initializes the generators without drawing
  std::uint64_t seed;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const std::int64_t item = static_cast<std::int64_t>(member.league_rank()) * member.team_size() + member.team_rank();
    if (begins) {
      engines[item] = E::of_stream({seed, 0, static_cast<std::uint32_t>(item)});
      return;
    }
    E engine = engines[item];
    for (std::int64_t i = 0; i < cycles; ++i) out[i * items + item] = engine.next_draw();
    engines[item] = engine;
  }
};

template <class Space, class E>
class Production {
 public:
  Production(const Space& space, const Options& options, std::int64_t max_draws)
      : m_space(space),
        m_options(options),
        m_engines(Kokkos::view_alloc(Kokkos::WithoutInitializing, "engines"), impl::max_lanes),
        m_out("draws", static_cast<std::size_t>(max_draws)),
        m_host("delivered", static_cast<std::size_t>(max_draws)) {}

  // Seconds of a kernel.
  double kernel(int groups, int group_size, std::int64_t cycles) const {
    launch(groups, group_size, cycles, true);
    launch(groups, group_size, 1, false);
    return min_seconds(m_options.repeats, [&] { launch(groups, group_size, cycles, false); });
  }

  // Seconds of n_i kernels, including the copies of their draws.
  double all(int groups, int group_size, std::int64_t cycles) const {
    launch(groups, group_size, cycles, true);
    launch(groups, group_size, 1, false);
    const std::pair<std::size_t, std::size_t> part(0, static_cast<std::size_t>(cycles * groups * group_size));
    const auto made = Kokkos::subview(m_out, part);
    const auto delivered = Kokkos::subview(m_host, part);
    return min_seconds(m_options.repeats, [&] {
      for (int i = 0; i < iterations; ++i) {
        launch(groups, group_size, cycles, false);
        if constexpr (!runs_on_host<Space>) {
          Kokkos::deep_copy(m_space, delivered, made);
          m_space.fence();
        }
      }
    });
  }

 private:
  void launch(int groups, int group_size, std::int64_t cycles, bool begins) const {
    const std::int64_t items = static_cast<std::int64_t>(groups) * group_size;
    Kokkos::parallel_for("sporos::bench::produce", Kokkos::TeamPolicy<Space>(m_space, groups, group_size),
                         GroupKernel<E>{m_engines.data(), m_out.data(), cycles, items, begins, m_options.seed});
    m_space.fence();
  }

  Space m_space;
  const Options& m_options;
  Kokkos::View<E*, typename Space::memory_space> m_engines;
  Kokkos::View<std::uint64_t*, typename Space::memory_space> m_out;
  Kokkos::View<std::uint64_t*, impl::HostPinnedSpace> m_host;
};

struct Units {
  int compute;         // n_CU
  int widest_group;    // largest number of items in a work group
  int smallest_group;  // items of a compute unit, p_wgs
};

// Compute units of the space. A thread of a host is a compute unit of one item.
template <class Space>
Units units_of(const Space& space) {
  if (runs_on_host<Space>) return {std::max(space.concurrency(), 1), 1, 1};
  return {std::max(impl::multiprocessors(space), 1), 1024, 32};
}

// Times one work group against its size.
template <class Space, class E>
Json group_sizes(const Space& space, const Options& options, const Units& units) {
  const Production<Space, E> production(space, options, options.cycles * units.widest_group);
  Json json = Json::array();
  for (int size = units.smallest_group; size <= units.widest_group; size += units.smallest_group) {
    json.push_back({{"size", size}, {"seconds", production.kernel(1, size, options.cycles)}});
  }
  return json;
}

// Times a fixed number of draws against the number of work items.
template <class Space, class E>
Json work_items(const Space& space, const Options& options, const Units& units, bool as_the_model_has_them) {
  const std::int64_t each = options.draws / iterations;
  const Production<Space, E> production(space, options, each + impl::max_lanes);
  const auto entry = [&](int groups, int size) {
    const std::int64_t items = static_cast<std::int64_t>(groups) * size, cycles = (each + items - 1) / items;
    const double seconds = production.all(groups, size, cycles),
                 made = static_cast<double>(iterations * cycles * items);
    return Json{{"groups", groups}, {"size", size},       {"items", items},
                {"cycles", cycles}, {"seconds", seconds}, {"seconds_of_draw", seconds / made}};
  };
  Json json = Json::array();
  const int p = units.smallest_group;
  if (as_the_model_has_them) {
    for (const int multiple : {1, 2, 3}) {
      for (int size = p; size <= std::min(8 * p, units.widest_group); size += p) {
        if (multiple * units.compute * size <= impl::max_lanes) json.push_back(entry(multiple * units.compute, size));
      }
    }
  } else {
    for (const int size : {p, 2 * p, 3 * p}) {
      if (size > units.widest_group) continue;
      for (int groups = 1; groups * size <= std::min<std::int64_t>(impl::max_lanes, each); groups *= 2) {
        json.push_back(entry(groups, size));
      }
    }
  }
  return json;
}

// Estimates π as 4 times the fraction of random points of the unit square that lie in the circle.
template <class Generator>
double mean_of_pi(Generator& generator, std::int64_t samples) {
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < samples; ++i) {
    const double x = generator.next(), y = generator.next();
    inside += x * x + y * y < 1 ? 1 : 0;
  }
  return 4 * static_cast<double>(inside) / static_cast<double>(samples);
}

// Numbers of samples: 10^3, as in the paper, and further powers of ten up to `most`.
std::vector<std::int64_t> sample_sizes(std::int64_t most) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t samples = 1000; samples <= most; samples *= 10) sizes.push_back(samples);
  return sizes;
}

// Options of blocks that `groups` work groups of `size` work items produce, as many groups as compute units if it is 0.
BlockOptions blocks_of_groups(const Options& options, const Units& units, int size) {
  BlockOptions how{.block_size = options.block_size};
  how.lanes = static_cast<std::int64_t>(options.groups > 0 ? options.groups : units.compute) * size;
  how.group_size = size;
  return how;
}

template <class Space, class E>
Json speed_of_pi(const Options& options, const Units& units) {
  Json json = Json::array();
  for (const std::int64_t samples : sample_sizes(options.samples)) {
    double pi = 0;
    const auto seconds = [&](const auto& begin) {
      return min_seconds(options.repeats, [&] {
        auto generator = begin();
        pi = mean_of_pi(generator, samples);
      });
    };
    const double words = seconds([&] { return bench::WordsInPlaceOf<E>(Stream{options.seed, 0, 0}); });
    const double in_place = seconds([&] { return bench::InPlace<E>(Stream{options.seed, 0, 0}); });
    const double exact = boost::math::constants::pi<double>();
    const double error = std::sqrt(exact * (4 - exact) / static_cast<double>(samples));
    Json blocks = Json::array();
    for (const int size : options.group_sizes) {
      const BlockOptions how = blocks_of_groups(options, units, size);
      const double of_blocks = seconds([&] {  // includes the wait for the first block
        return RandomBlocks<Space, E>(options.seed, how).consumer(0);
      });
      blocks.push_back({{"group_size", size}, {"lanes", how.lanes}, {"seconds", of_blocks}, {"pi", pi}});
      if (std::abs(pi - exact) <= 5 * error) continue;
      throw std::runtime_error(fmt::format("{} samples of blocks give {:.6f} for π, expected {:.6f} ± {:.2g}", samples,
                                           pi, exact, 5 * error));
    }
    json.push_back(
        {{"samples", samples}, {"blocks", blocks}, {"words", words}, {"in_place", in_place}, {"error", error}});
  }
  return json;
}

// Root mean square error of `options.means` means of π, each with the generator `generator_of(number)`. Throws
// std::runtime_error if it differs from that of independent samples; independent samples fail once in 10^6 times.
template <class GeneratorOf>
double deviation_of_pi(const Options& options, std::int64_t samples, const GeneratorOf& generator_of) {
  const double exact = boost::math::constants::pi<double>();
  double squares = 0;
  for (int i = 0; i < options.means; ++i) {
    auto generator = generator_of(static_cast<std::uint64_t>(options.streams == "own" ? i : 0));
    const double error = mean_of_pi(generator, samples) - exact;
    squares += error * error / options.means;
  }
  const double expected = std::sqrt(exact * (4 - exact) / static_cast<double>(samples));
  const boost::math::chi_squared distribution(options.means);
  const double statistic = options.means * squares / (expected * expected);
  if (!(statistic > quantile(distribution, 5e-7) && statistic < quantile(complement(distribution, 5e-7)))) {
    throw std::runtime_error(fmt::format("{} means of {} samples of π spread by {:.3g}, expected {:.3g}", options.means,
                                         samples, std::sqrt(squares), expected));
  }
  return std::sqrt(squares);
}

// Spread of the means of consumers and of streams drawn in place, with separate streams or one for all.
template <class Space, class E>
Json spread_of_pi(const Options& options) {
  Json json = Json::array();
  const double exact = boost::math::constants::pi<double>();
  for (const std::int64_t samples : sample_sizes(std::min(options.samples, options.spread_samples))) {
    const double blocks = deviation_of_pi(options, samples, [&](std::uint64_t number) {
      return RandomBlocks<Space, E>(options.seed, {options.block_size}).consumer(number);
    });
    const double in_place = deviation_of_pi(options, samples, [&](std::uint64_t number) {
      return bench::InPlace<E>(Stream{options.seed + 1, number, 0});
    });
    json.push_back({{"samples", samples},
                    {"blocks", blocks},
                    {"in_place", in_place},
                    {"expected", std::sqrt(exact * (4 - exact) / static_cast<double>(samples))}});
  }
  return json;
}

// Seconds per draw in place.
template <class Generator>
double seconds_in_place(const Options& options) {
  Generator generator(Stream{options.seed, 0, 0});
  constexpr std::int64_t draws = 1 << 20;
  double sum = 0;
  const double seconds = min_seconds(options.repeats, [&] {
    for (std::int64_t i = 0; i < draws; ++i) sum += generator.next();
  });
  return sum > 0 ? seconds / draws : 0;  // the use of `sum` keeps the compiler from removing the loop
}

LinearTime line_of(const Json& copies) { return {copies.at("start"), copies.at("each")}; }

// Measures the constants of the model with one core.
template <class Space, class E>
bench::HybridModel hybrid_model(const Options& options, const Json& copies) {
  bench::HybridModel model{0, 0, 0, {}, line_of(copies.at("to_device")), line_of(copies.at("to_host"))};
  std::vector<MeasuredTime> kernels;
  for (const std::int64_t wanted : options.agents) {
    bench::HybridAgents<Space, E> agents(options.seed, 1, wanted);
    const auto count = static_cast<double>(agents.count());
    model.host = min_seconds(options.repeats, [&] { agents.host_work(); }) / count;
    model.packing = min_seconds(options.repeats, [&] { agents.packing(); }) / count;
    const auto step = [&](int steps) {
      return min_seconds(options.repeats, [&] { agents.step(bench::Allocation::numbers, steps); });
    };
    constexpr int some = 10;
    model.work = (step(2 * some) - step(some)) / some / count;
    for (const int steps : options.ode_steps) {
      kernels.push_back({agents.count(), min_seconds(options.repeats, [&] { agents.kernels(steps); }), steps});
    }
  }
  std::vector<std::int64_t> widths;
  for (std::int64_t width = 1; width <= (1 << 20); width *= 2) widths.push_back(width);
  model.kernel = fit_step_time(kernels, widths);
  return model;
}

// Throws std::runtime_error unless the hybrid allocation gives every element the sum that the cores give it. Devices
// round differently, because they fuse multiplications and additions.
template <class Space, class E>
void check_sums(const Options& options, bench::HybridAgents<Space, E>& agents, int steps) {
  agents.start();
  agents.step(bench::Allocation::cores, steps);
  const std::vector<double> expected = agents.sums();
  agents.start();
  agents.step(bench::Allocation::hybrid, steps, options.lost_agents);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double found = agents.sums()[i];
    if (std::abs(found - expected[i]) <= 1e-9 * std::abs(expected[i])) continue;
    throw std::runtime_error(
        fmt::format("element {} sums to {:.12g} by the hybrid allocation, expected {:.12g} as on "
                    "the cores",
                    i, found, expected[i]));
  }
}

// Figures 34 and 35: a step of the agents by three allocations of their work.
template <class Space, class E>
Json hybrid(const Options& options, const Json& copies) {
  const bench::HybridModel model = hybrid_model<Space, E>(options, copies);
  Json runs = Json::array();
  for (const int cores : options.cores) {
    for (const std::int64_t wanted : options.agents) {
      bench::HybridAgents<Space, E> agents(options.seed, cores, wanted);
      for (const int steps : options.ode_steps) {
        check_sums(options, agents, steps);
        const auto seconds = [&](bench::Allocation allocation) {
          return min_seconds(options.repeats, [&] { agents.step(allocation, steps); });
        };
        runs.push_back({{"processors", cores},
                        {"agents", agents.count()},
                        {"steps", steps},
                        {"cores", seconds(bench::Allocation::cores)},
                        {"numbers", seconds(bench::Allocation::numbers)},
                        {"hybrid", seconds(bench::Allocation::hybrid)},
                        {"predicted_numbers", model.on_cores(agents.count(), steps, cores)},
                        {"predicted_hybrid", model.hybrid(agents.count(), steps, cores)}});
      }
    }
  }
  return {{"host", model.host},
          {"packing", model.packing},
          {"work", model.work},
          {"kernel_start", model.kernel.start},
          {"kernel_step", model.kernel.step},
          {"kernel_width", model.kernel.width},
          {"runs", runs}};
}

template <class Space, class E>
Json measured_on(const Options& options) {
  const Space space;
  const Units units = units_of(space);
  const Json copied = copies(space, options);
  return {{"engine", options.engine},
          {"space", options.space},
          {"device", device_name(space)},
          {"processor", processor_name()},
          {"compute_units", units.compute},
          {"unit_items", units.smallest_group},
          {"draws", options.draws},
          {"cycles", options.cycles},
          {"block_size", options.block_size},
          {"words", seconds_in_place<bench::WordsInPlaceOf<E>>(options)},
          {"in_place", seconds_in_place<bench::InPlace<E>>(options)},
          {"copies", copied},
          {"group_sizes", group_sizes<Space, E>(space, options, units)},
          {"work_items", work_items<Space, E>(space, options, units, false)},
          {"chosen", work_items<Space, E>(space, options, units, true)},
          {"pi", speed_of_pi<Space, E>(options, units)},
          {"means", options.means},
          {"spread", spread_of_pi<Space, E>(options)},
          {"hybrid", hybrid<Space, E>(options, copied)}};
}

Json measured(const Options& options) {
  Json report;
  papers::with_space(options.space, [&]<class Space>(const Space&) {
    report = options.engine == "ranlux24-0" ? measured_on<Space, Ranlux24_0>(options)
                                            : measured_on<Space, Ranlux24_2>(options);
  });
  return report;
}

void add_options(bench::OptionParser& app, Options& options) {
  app.add_option("--engine", options.engine).one_of({"ranlux24-0", "ranlux24-2"});
  app.add_option("--space", options.space, "backend that produces: serial, cuda");
  app.add_option("--draws", options.draws, "of figures 16 to 19").between(1 << 12, 1 << 30);
  app.add_option("--cycles", options.cycles, "draws of an item of figures 14 and 15").positive();
  app.add_option("--largest-copy", options.largest_copy, "bytes").between(1 << 16, 1 << 30);
  app.add_option("--samples", options.samples, "of π at most").between(1000, 1'000'000'000);
  app.add_option("--spread-samples", options.spread_samples, "of a mean of figure 23 at most")
      .between(1000, 1'000'000'000);
  app.add_option("--group-sizes", options.group_sizes, "work items of a group, of figure 24")
      .separated_by_commas()
      .positive();
  app.add_option("--groups", options.groups, "work groups of figure 24; 0: one for each compute unit")
      .between(0, 1 << 16);
  app.add_option("--agents", options.agents, "of figures 34 and 35").separated_by_commas().positive();
  app.add_option("--ode-steps", options.ode_steps, "of an agent's equations, of figures 34 and 35")
      .separated_by_commas()
      .positive();
  app.add_option("--cores", options.cores, "that share the agents, one number for each run")
      .separated_by_commas()
      .between(1, 1000);
  app.add_option("--lost-agents", options.lost_agents, "that the device leaves out, as a control").between(0, 100);
  app.add_option("--block-size", options.block_size, "draws of π's blocks").positive();
  app.add_option("--means", options.means, "of figure 23").between(2, 10'000);
  app.add_option("--streams", options.streams, "of figure 23").one_of({"own", "same"});
  app.add_option("--repeats", options.repeats, "of which the fastest counts").positive();
  app.add_option("--seed", options.seed);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("What the production of random numbers costs, and what π gains by it.",
                          "paper_002_production");
  add_options(app, options);
  return papers::print_measured(app, argc, argv, [&](Processes&) { return measured(options); });
}
