// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Photon code of Lee (2012), Hybrid parallel computing strategies for scientific computing applications, section 4.5.3,
// on a host. Threads trace photons and take random numbers from blocks that a host or GPU has pre-generated, or draw
// them in place. Prints the cost of a run as JSON, on request with a timeline of the blocks (figures 4.20 to 4.22).
// paper_002_figures_27_33.py runs this program and draws the figures.
#include "../radiation/host_photons.hpp"
#include "block_timeline.hpp"
#include "measuring_program.hpp"
#include "with_space.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/known_block_model.hpp>
#include <sporos/core/random_blocks/random_blocks.hpp>
#include <sporos/models/radiation/energy_balance.hpp>

#include <Kokkos_Core.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::bench;

constexpr int batches = 64;

struct Options {
  std::string numbers = "blocks", engine = "ranlux24-2", space = "serial", timeline = "none";
  BlockOptions blocks;
  double optical_thickness = 1, albedo = 0;
  int columns = 10, slices = 10, points = 80, threads = 1, repeats = 3;
  std::int64_t photons = 10'000;
  std::uint64_t seed = 1;
  std::optional<double> checked_thickness, ready;
};

PhotonCase case_of(const Options& options, double optical_thickness) {
  const models::PhotonRules rules =
      options.points == 0 ? models::PhotonRules{} : models::PhotonRules{models::PathTreatment::sampled, options.points};
  return {"plates", plates(optical_thickness, options.albedo, options.columns, options.slices), rules};
}

// Traces the photons of one rank, whose threads are the consumers starting at index `first`.
using Follow = std::function<HostFlight(std::int64_t photons, int first)>;

// Seconds that BlockModel predicts for one rank whose threads take `draws` draws in total.
using Predict = std::function<double(std::int64_t draws)>;

template <class Generator>
Follow in_place(const Options& options) {
  return [=](std::int64_t photons, int first) {
    return follow_in_threads(case_of(options, options.optical_thickness), photons, options.threads, batches,
                             [&](int t) {
                               return Generator(Stream{options.seed, static_cast<std::uint64_t>(first + t), 0});
                             });
  };
}

// Records the blocks of the last run.
using Timeline = std::shared_ptr<BlockTimeline>;

// Production begins and ends with a run, as in the paper: all threads wait for the first block.
template <class ExecutionSpace, class E>
Follow from_blocks(const Options& options, Timeline& timeline) {
  return [=, &timeline](std::int64_t photons, int first) {
    BlockOptions how = options.blocks;
    if (options.timeline != "none") {
      timeline = std::make_shared<BlockTimeline>(options.timeline == "shifted" ? 1 : 0);
      how.observer = timeline.get();
    }
    RandomBlocks<ExecutionSpace, E> blocks(options.seed, how);
    return follow_in_threads(case_of(options, options.optical_thickness), photons, options.threads, batches,
                             [&](int t) { return blocks.consumer(static_cast<std::uint64_t>(first + t)); });
  };
}

// Prediction by equation (4.22), with the constants that are stored for the blocks of this machine or are measured now.
// The time per ready number includes reading it from memory, as for a consumer of blocks; this part counts once.
template <class ExecutionSpace, class E>
Predict by_model(const Options& options) {
  const BlockModel model = io::known_block_model<ExecutionSpace, E>(options.engine).model;
  return [=](std::int64_t draws) {
    const double work = std::max(*options.ready - model.taking, 0.0);
    return model.time({options.threads, std::max<std::int64_t>(draws / options.threads, 1), work}, options.blocks);
  };
}

// How to trace photons, and the time that the model predicts, if requested.
struct Way {
  Follow follow;
  Predict predict;
};

template <class E>
Way way_with(const Options& options, Timeline& timeline) {
  if (options.numbers == "in-place") return {in_place<InPlace<E>>(options), {}};
  Way way;
  papers::with_space(options.space, [&]<class ExecutionSpace>(const ExecutionSpace&) {
    way.follow = from_blocks<ExecutionSpace, E>(options, timeline);
    if (options.ready) way.predict = by_model<ExecutionSpace, E>(options);
  });
  return way;
}

Way way_of(const Options& options, Timeline& timeline) {
  for (const auto& [name, is_given] :
       {std::pair("--ready", options.ready.has_value()), std::pair("--timeline", options.timeline != "none")}) {
    if (!is_given || options.numbers == "blocks") continue;
    throw std::invalid_argument(
        fmt::format("{} is given with --numbers {}, expected --numbers blocks", name, options.numbers));
  }
  if (options.numbers == "ready") return {in_place<ReadyNumbers>(options), {}};
  if (options.numbers == "words") return {in_place<WordsInPlace>(options), {}};
  return options.engine == "philox" ? way_with<Philox4x32>(options, timeline) : way_with<Ranlux24_2>(options, timeline);
}

// Power in W that each element and each plate absorbs.
std::vector<models::Estimated> absorbed(const PhotonCase& of, const models::PhotonCounts& counts) {
  const auto powers = source_powers(of.radiation);
  const models::impl::BatchSums sums(counts, std::accumulate(powers.begin(), powers.end(), 0.0));
  std::vector<models::Estimated> all;
  for (int i = 0; i < of.radiation.elements() + 2; ++i) all.push_back(sums.tally(i));
  return all;
}

// Temperature in K at which an element in the middle would emit what it absorbs.
double middle_temperature(const PhotonCase& of, const models::PhotonCounts& counts) {
  const auto& radiation = of.radiation;
  const int element =
      (radiation.slices() / 2 * radiation.columns[1] + radiation.columns[1] / 2) * radiation.columns[0] +
      radiation.columns[0] / 2;
  const auto place = static_cast<std::size_t>(element);
  const double area = emitting_areas(radiation)[place];
  return std::sqrt(std::sqrt(absorbed(of, counts)[place].value / (area * models::stefan_boltzmann)));
}

// Compares the absorbed power with that of models::trace, with as many different photons, in each element and plate by
// Student's t over the batches of both. Throws std::runtime_error if they differ; correct runs fail once in 10^6 times.
void check_against_trace(const Options& options, const models::PhotonCounts& counts) {
  const PhotonCase of = case_of(options, *options.checked_thickness);
  models::PhotonPlan plan;
  plan.photons = options.photons;
  plan.seed = options.seed + 1;
  plan.rules = of.rules;
  plan.batches = batches;
  const auto ours = absorbed(case_of(options, options.optical_thickness), counts);
  const auto theirs =
      absorbed(of, traced(Kokkos::DefaultHostExecutionSpace(), of.radiation, source_powers(of.radiation), plan));
  const boost::math::students_t distribution(2 * batches - 2);
  const double most = quantile(complement(distribution, 1e-6 / 2 / static_cast<double>(ours.size())));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double t = (ours[i].value - theirs[i].value) / std::hypot(ours[i].error, theirs[i].error);
    if (std::abs(t) <= most) continue;
    throw std::runtime_error(
        fmt::format("absorber {} gets {:g} W on the host and {:g} W by trace: t = {:.2f}, expected {:.2f} at most", i,
                    ours[i].value, theirs[i].value, t, most));
  }
}

// Name of the device that produces the blocks.
std::string device_of(const std::string& space) {
  std::string name;
  for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& execution) {
    if (backend_name<ExecutionSpace>() == space) name = device_name(execution);
  });
  return name;
}

nlohmann::json measured(const Options& options, Processes& processes) {
  const PhotonCase of = case_of(options, options.optical_thickness);
  of.radiation.check();
  Timeline timeline;
  const Way way = way_of(options, timeline);
  const std::int64_t mine = parts_of_process(processes, processes.rank(), options.photons).count();
  std::vector<double> seconds;
  HostFlight flight;
  for (int i = 0; i < options.repeats; ++i) {
    gather(processes, i);  // all processes start together
    const Kokkos::Timer timer;
    flight = way.follow(mine, processes.rank() * options.threads);
    seconds.push_back(greatest(processes, timer.seconds()));
  }
  if (options.checked_thickness) check_against_trace(options, flight.counts);
  nlohmann::json report = {{"numbers", options.numbers},
                           {"engine", options.numbers == "words" ? "ranlux24-2" : options.engine},
                           {"space", options.space},
                           {"photons", options.photons},
                           {"points", options.points},
                           {"threads", options.threads},
                           {"ranks", processes.count()},
                           {"block_size", options.blocks.block_size},
                           {"seconds", seconds},
                           {"draws", flight.draws},
                           {"temperatures", gather(processes, middle_temperature(of, flight.counts))},
                           {"processor", processor_name()},
                           {"device", device_of(options.space)}};
  if (way.predict) report["predicted"] = greatest(processes, way.predict(flight.draws));
  if (timeline) {
    timeline->check(options.blocks.buffers);
    report["timeline"] = timeline->json();
  }
  return report;
}

void add_options(OptionParser& app, Options& options) {
  app.add_option("--numbers", options.numbers,
                 "pre-generated blocks; drawn in place, 64 bits each, or in words of 24 "
                 "bits as GSL's ranlxs2; ready, always the same, for the photons' own time")
      .one_of({"blocks", "in-place", "words", "ready"});
  app.add_option("--engine", options.engine).one_of({"ranlux24-2", "philox"});
  app.add_option("--space", options.space, "backend that produces the blocks: serial, cuda");
  app.add_option("--block-size", options.blocks.block_size, "draws of a block").positive();
  app.add_option("--buffers", options.blocks.buffers, "blocks of a consumer").between(2, 1000);
  app.add_option("--producers", options.blocks.producers, "threads").between(0, 1000);
  app.add_option("--lanes", options.blocks.lanes, "work items of an engine with a state").positive();
  app.add_option("--group-size", options.blocks.group_size, "work items of a work group on a device; 0: any")
      .between(0, 1024);
  app.add_option("--timeline", options.timeline,
                 "record when blocks are computed, copied and consumed; shifted: record the wrong blocks, as a control")
      .one_of({"none", "recorded", "shifted"});
  app.add_option("--photons", options.photons, "of all threads and processes").positive();
  app.add_option("--threads", options.threads, "of a process").between(1, 1000);
  app.add_option("--points", options.points, "sampled in an element; 0 for exact paths").non_negative();
  app.add_option("--optical-thickness", options.optical_thickness);
  app.add_option("--albedo", options.albedo);
  app.add_option("--columns", options.columns, "of elements, in either direction");
  app.add_option("--slices", options.slices, "of elements");
  app.add_option("--repeats", options.repeats, "of the run").positive();
  app.add_option("--seed", options.seed);
  app.add_option(
      "--ready", options.ready,
      "seconds in which a number is used that is there, by --numbers ready: the time of blocks is predicted");
  app.add_option("--check", options.checked_thickness,
                 "compare with models::trace in a medium of this optical thickness");
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  OptionParser app("Photons in threads of a host, with random numbers pre-generated or drawn in place.",
                   "paper_002_photons");
  add_options(app, options);
  return papers::print_measured(app, argc, argv, [&](Processes& processes) { return measured(options, processes); });
}
