// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figure 33 of Lee (2012), Hybrid parallel computing strategies for scientific computing applications, section 4.5.3.4:
// the spread of the means of ranks against the number of photons of a rank. A rank consists of a few threads that trace
// photons and consume pre-generated random numbers. Processes share the ranks. Fails if the slope is not -1/2, or if
// the spread is not that of independent photons.
#include "../harness/option_parser.hpp"
#include "../radiation/host_photons.hpp"
#include "../radiation/world.hpp"
#include "program.hpp"
#include "with_space.hpp"

#include <sporos/core/io/output_file.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>
#include <sporos/core/statistics/moments.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <future>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::bench;

struct Options {
  std::vector<std::int64_t> photons = {16, 128, 1024};
  std::int64_t ranks = 4000;
  int threads = 2;
  std::string engine = "philox", streams = "own", space = "serial", json;
  std::int64_t block_size = 1024;
  std::uint64_t seed = 1;
  double tolerance = 0.02;
  bool is_one_of_many = false;
};

// Index of the middle of three slices. The share of a photon is the fraction of its energy that this slice absorbs.
constexpr int middle = 1;

class ShareTally {
 public:
  KOKKOS_FUNCTION void start(int) { m_units = 0; }
  KOKKOS_FUNCTION void add(int tally, std::int64_t units) { m_units += tally == middle ? units : 0; }
  double share() const { return static_cast<double>(m_units) / static_cast<double>(models::bundle_units); }

 private:
  std::int64_t m_units = 0;
};

Moments moments_of_shares(const models::Photon& photon, BlockConsumer& consumer, std::int64_t photons) {
  SequentialInputs<BlockConsumer> inputs(consumer);
  MomentsTree shares;
  for (std::int64_t i = 0; i < photons; ++i) {
    ShareTally tally;
    photon(inputs, tally);
    shares.add(tally.share());
  }
  return shares.total();
}

// Traces the photons of one rank after the other. Each thread of a rank has a separate stream or, as a control, the
// stream of the other threads.
template <class ExecutionSpace, class E>
class Ranks {
 public:
  Ranks(const PhotonCase& of, const Options& options)
      : m_tables(of.radiation, source_powers(of.radiation)),
        m_photon{m_tables.medium(), of.rules},
        m_have_own_streams(options.streams == "own") {
    for (int t = 0; t < options.threads; ++t) {
      m_blocks.emplace_back(options.seed, BlockOptions{.block_size = options.block_size, .buffers = 2});
      m_idle.push_back(m_blocks.back().consumer(~std::uint64_t{0}));  // keeps the producing threads alive
    }
  }

  /// Moments of the shares of all photons of a rank.
  Moments moments(std::int64_t rank, std::int64_t photons) {
    const auto threads = static_cast<std::int64_t>(m_blocks.size());
    std::vector<std::future<Moments>> parts;
    for (std::int64_t t = 0; t < threads; ++t) {
      parts.push_back(std::async(std::launch::async, [this, t, threads, rank, photons] {
        const std::int64_t number = m_have_own_streams ? rank * threads + t : rank;
        BlockConsumer consumer = m_blocks[static_cast<std::size_t>(t)].consumer(static_cast<std::uint64_t>(number));
        return moments_of_shares(m_photon, consumer, photons * (t + 1) / threads - photons * t / threads);
      }));
    }
    Moments all{};
    for (auto& part : parts) all = combine(all, part.get());
    return all;
  }

 private:
  models::MediumTables<Kokkos::HostSpace> m_tables;
  models::Photon m_photon;
  bool m_have_own_streams;
  std::vector<RandomBlocks<ExecutionSpace, E>> m_blocks;
  std::vector<BlockConsumer> m_idle;
};

// Spread over all ranks, with `photons` photons each.
struct Spread {
  std::int64_t photons;
  Moments temperatures, shares;  // of the ranks' means
  double expected;               // standard deviation of the mean share for independent photons
};

Moments moments_of(const std::vector<double>& values) {
  MomentsTree tree;
  for (const double value : values) tree.add(value);
  return tree.total();
}

Spread spread_of(const PhotonCase& of, std::int64_t photons, const std::vector<Moments>& ranks) {
  const auto powers = source_powers(of.radiation);
  const double power = std::accumulate(powers.begin(), powers.end(), 0.0);
  const double area = emitting_areas(of.radiation)[middle];
  std::vector<double> shares, temperatures;
  Moments all{};
  for (const Moments& rank : ranks) {
    shares.push_back(rank.mean);
    temperatures.push_back(std::sqrt(std::sqrt(power * rank.mean / (area * models::stefan_boltzmann))));
    all = combine(all, rank);
  }
  return {photons, moments_of(temperatures), moments_of(shares),
          std::sqrt(all.variance() / static_cast<double>(photons))};
}

// Ranks with different numbers of photons use different streams.
template <class ExecutionSpace, class E>
std::vector<Spread> spreads(const Options& options, Processes& processes) {
  const PhotonCase of{"slab", plates(1, 0, 1, 3), {}};
  Ranks<ExecutionSpace, E> ranks(of, options);
  std::vector<Spread> all;
  for (std::size_t i = 0; i < options.photons.size(); ++i) {
    const PartRange mine = parts_of_process(processes, processes.rank(), options.ranks);
    std::vector<Moments> moments;
    for (std::int64_t rank = mine.first; rank < mine.end; ++rank) {
      moments.push_back(ranks.moments(static_cast<std::int64_t>(i) * options.ranks + rank, options.photons[i]));
    }
    all.push_back(spread_of(of, options.photons[i], gather(processes, std::span<const Moments>(moments))));
  }
  return all;
}

double deviation(const Moments& of) { return std::sqrt(of.variance()); }

// Least-squares line through the logarithms. The logarithm of the standard deviation of R normal numbers has the
// standard error 1 / √(2 (R − 1)).
struct Line {
  double slope, error;
};

Line line_through(const std::vector<Spread>& spreads, Moments Spread::*of) {
  std::vector<double> x;
  for (const Spread& spread : spreads) x.push_back(std::log(static_cast<double>(spread.photons)));
  const Moments moments = moments_of(x);
  double slope = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    slope += (x[i] - moments.mean) * std::log(deviation(spreads[i].*of)) / moments.squared_deviation;
  }
  const auto ranks = static_cast<double>((spreads.front().*of).count);
  return {slope, 1 / std::sqrt(2 * (ranks - 1) * moments.squared_deviation)};
}

std::string table(const std::vector<Spread>& spreads) {
  using papers::Column;
  io::Table table({{"photons of a rank", Column::number},
                   {"mean temperature, K", Column::number},
                   {"deviation, K", Column::number},
                   {"deviation of the share", Column::number},
                   {"over that of independent photons", Column::number}});
  for (const Spread& spread : spreads) {
    table.add_row({std::to_string(spread.photons), papers::fixed(spread.temperatures.mean, 3),
                   fmt::format("{:.4g}", deviation(spread.temperatures)),
                   fmt::format("{:.4g}", deviation(spread.shares)),
                   papers::fixed(deviation(spread.shares) / spread.expected, 4)});
  }
  return table.text();
}

nlohmann::json report(const Options& options, const std::vector<Spread>& spreads) {
  auto points = nlohmann::json::array();
  for (const Spread& spread : spreads) {
    points.push_back({{"photons", spread.photons},
                      {"temperature", spread.temperatures.mean},
                      {"deviation", deviation(spread.temperatures)},
                      {"share_deviation", deviation(spread.shares)},
                      {"expected_share_deviation", spread.expected}});
  }
  const auto of_line = [](const Line& line) { return nlohmann::json{{"slope", line.slope}, {"error", line.error}}; };
  return {{"ranks", options.ranks},
          {"threads", options.threads},
          {"engine", options.engine},
          {"streams", options.streams},
          {"space", options.space},
          {"points", points},
          {"temperature", of_line(line_through(spreads, &Spread::temperatures))},
          {"share", of_line(line_through(spreads, &Spread::shares))}};
}

// The spread of R independent means equals that of independent photons within 6 / √(2 (R − 1)), except once in 10^8
// runs.
void check(const Options& options, const std::vector<Spread>& spreads) {
  const double most = 6 / std::sqrt(2 * static_cast<double>(options.ranks - 1));
  for (const Spread& spread : spreads) {
    const double ratio = deviation(spread.shares) / spread.expected;
    if (std::abs(ratio - 1) <= most) continue;
    throw std::runtime_error(fmt::format(
        "the means of {} photons spread {:.3f} times as far as those of independent photons, expected 1 ± {:.3f}",
        spread.photons, ratio, most));
  }
  const Line line = line_through(spreads, &Spread::shares);
  if (std::abs(line.slope + 0.5) <= options.tolerance) return;
  throw std::runtime_error(
      fmt::format("the slope is {:.4f} ± {:.4f}, expected -0.5 ± {:g}", line.slope, line.error, options.tolerance));
}

void add_options(OptionParser& app, Options& options) {
  app.add_option("--photons", options.photons, "of a rank, some numbers").separated_by_commas().positive();
  app.add_option("--ranks", options.ranks).between(2, 1'000'000);
  app.add_option("--threads", options.threads, "of a rank").between(1, 1000);
  app.add_option("--engine", options.engine).one_of({"ranlux24-2", "philox"});
  app.add_option("--space", options.space, "backend that produces the blocks: serial, cuda");
  app.add_option("--block-size", options.block_size, "draws of a block").positive();
  app.add_option("--streams", options.streams, "own ones of each thread of a rank, or the same for all of them")
      .one_of({"own", "same"});
  app.add_option("--seed", options.seed);
  app.add_option("--tolerance", options.tolerance, "of the slope");
  app.add_option("--json", options.json, "file for all that was found");
  app.add_flag("--mpi", options.is_one_of_many, "one of the processes that mpirun has begun");
}

std::vector<Spread> measured(const Options& options, Processes& processes) {
  std::vector<Spread> found;
  papers::with_space(options.space, [&]<class ExecutionSpace>(const ExecutionSpace&) {
    found = options.engine == "philox" ? spreads<ExecutionSpace, Philox4x32>(options, processes)
                                       : spreads<ExecutionSpace, Ranlux24_2>(options, processes);
  });
  return found;
}

void run(const Options& options, Processes& processes) {
  if (options.photons.size() < 2) throw std::invalid_argument("--photons has one number, expected some");
  std::optional<io::OutputFile> file;
  if (!options.json.empty() && processes.rank() == 0) file.emplace(options.json);
  const auto found = measured(options, processes);
  if (processes.rank() != 0) return;
  const Line shares = line_through(found, &Spread::shares), temperatures = line_through(found, &Spread::temperatures);
  std::fputs(table(found).c_str(), stdout);
  std::printf("\nslope of the shares' deviations %.4f ± %.4f, of the temperatures' %.4f\n", shares.slope, shares.error,
              temperatures.slope);
  if (file) file->write(report(options, found).dump(1) + "\n");
  check(options, found);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  OptionParser app("Spread of the means of ranks against their photons.", "paper_002_figure_33");
  add_options(app, options);
  if (const auto status = app.parse(argc, argv)) return *status;
  try {
    World world(options.is_one_of_many);
    return papers::run_program([&] { run(options, world.processes()); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
