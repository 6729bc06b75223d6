// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures 5 to 7 of Passerat-Palmbach et al. (2011), Warp-level parallelism: enabling multiple replications in parallel
// on GPU: the time of replications of π, M/M/1 and the random walk against their number. On the CPU, the program runs a
// handwritten loop with Boost.Random's taus88, in a randomly spaced state for each replication, and the backends of
// Sporos. On a GPU it runs Sporos, with a thread or a warp of cooperating lanes for each replication, and the code as
// printed in the paper (printed.hpp): a thread, or a warp of which one lane works. Sporos runs with Philox and with
// taus88, whose replications start in randomly spaced states, too. With --ways printed, the printed code runs on every
// backend, and the program fails if not all of them give the same bits. With --once under NVIDIA's profiler, the
// program provides Figure 8 and Table 1. paper_003_figures_5_8.py makes tables and charts.
#include "../harness/option_parser.hpp"
#include "../replications/hand_written.hpp"
#include "../replications/workload.hpp"
#include "printed.hpp"
#include "program.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/json.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/models/integration/pi.hpp>
#include <sporos/models/queues/mm1.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using bench::Outcome;
using io::Json;

struct Options {
  std::vector<std::string> models{"pi", "mm1", "random-walk"}, ways;
  std::vector<std::int64_t> replications;
  std::int64_t draws = 10'000'000, customers = 10'000, steps = 1000;  // as in the paper
  std::int64_t repeats = 5;
  double seconds = 1;
  bool is_once = false;
  std::string json;
};

// One way to run replications. All ways of the same non-empty `group` give the same bits.
struct Way {
  std::string name, group;
  std::function<Outcome(std::int64_t)> run;
  bool runs_by_default = true;
};

// Numbers of replications: up to 180 as in Figures 5 and 6, with the numbers at which the curves have steps. For the
// random walk they continue to 2000, as in Figure 7 and the text, and until an H200 is full.
std::vector<std::int64_t> paper_replications(const std::string& model) {
  std::vector<std::int64_t> numbers{1, 10, 20, 30, 40, 60, 64, 65, 80, 100, 120, 128, 129, 140, 160, 180};
  if (model == "pi") return numbers;
  const std::vector<std::int64_t> more{200,  300,  400,  500,  600,  700,    800,    900,    1000,   1500,
                                       2000, 2048, 2049, 4000, 8000, 16'000, 32'000, 64'000, 128'000};
  numbers.insert(numbers.end(), more.begin(), more.end());
  return numbers;
}

bench::Workload workload_of(const Options& options, const std::string& model) {
  if (model == "pi") return bench::pi(options.draws);
  if (model == "mm1") return bench::mm1(options.customers);
  return bench::random_walk(options.steps);
}

// The CPU version of the paper: one core, taus88 of Boost.Random, randomly spaced states.
Outcome run_by_hand(const Options& options, const std::string& model, std::int64_t count) {
  using bench::hand_written::Spacing;
  if (model == "pi") return bench::hand_written::pi(count, options.draws, Spacing::random);
  if (model == "mm1") return bench::hand_written::mm1(count, 0.5, 1.0, options.customers, Spacing::random);
  return bench::hand_written::random_walk(count, options.steps, 10, Spacing::random);
}

template <class ExecutionSpace, class MappingChoice>
Outcome run_printed(const Options& options, const std::string& model, const ExecutionSpace& space,
                    const MappingChoice& mapping, std::int64_t count) {
  using bench::printed::InRegisters;
  const auto run = [&](const auto& printed) {
    return bench::printed::run(space, InRegisters<std::decay_t<decltype(printed)>>{printed}, mapping, count);
  };
  if (model == "pi") return run(models::Pi{options.draws});
  if (model == "mm1") return run(models::MM1{0.5, 1.0, options.customers, 0});
  return run(bench::printed::RandomWalk{options.steps, 10});
}

// Adds the paper's ways on each backend of this build: for devices, and on hosts if --ways requests them.
void add_printed(const Options& options, const std::string& model, std::vector<Way>& ways) {
  for_each_backend([&]<class Space>(const Space& space) {
    const std::string on = runs_on_host<Space> ? std::string(backend_name<Space>()) + " " : "";
    const auto add = [&](const std::string& name, const auto& mapping) {
      const auto run = [&options, model, space, mapping](std::int64_t count) {
        return run_printed(options, model, space, mapping, count);
      };
      ways.push_back({on + name, "printed", run, !runs_on_host<Space>});
    };
    add("printed threads", by_threads);
    add("printed warps", by_one_lane);
  });
}

// Adds the printed random walk without the copy of its parameters to registers, to show its reads of memory.
void add_rereading(const Options& options, std::vector<Way>& ways) {
  for_each_backend([&]<class Space>(const Space& space) {
    if constexpr (!runs_on_host<Space>) {
      const auto add = [&](const std::string& name, const auto& mapping) {
        const bench::printed::RandomWalk walk{options.steps, 10};
        const auto run = [=](std::int64_t count) { return bench::printed::run(space, walk, mapping, count); };
        ways.push_back({name, "printed", run, false});
      };
      add("rereading threads", by_threads);
      add("rereading warps", by_one_lane);
    }
  });
}

// Selects the ways that --ways names, by their name or their group, or the default ones.
void select_ways(const std::vector<std::string>& names, std::vector<Way>& ways) {
  const auto is_named = [](const Way& way, const std::string& name) { return way.name == name || way.group == name; };
  for (const std::string& name : names) {
    if (std::any_of(ways.begin(), ways.end(), [&](const Way& way) { return is_named(way, name); })) continue;
    std::vector<std::string> known;
    for (const Way& way : ways) known.push_back(way.name);
    throw std::invalid_argument(
        fmt::format("way is {}, expected one of this build: {}", io::in_quotes(name), fmt::join(known, ", ")));
  }
  std::erase_if(ways, [&](const Way& way) {
    if (names.empty()) return !way.runs_by_default;
    return std::none_of(names.begin(), names.end(), [&](const std::string& name) { return is_named(way, name); });
  });
}

std::vector<Way> ways_of(const Options& options, const std::string& model, const bench::Workload& workload) {
  std::vector<Way> ways{
      {"by hand", "", [&options, model](std::int64_t count) { return run_by_hand(options, model, count); }}};
  for (const auto& [engine, suffix] : {std::pair{Engine::philox4x32, ""}, std::pair{Engine::taus88, " taus88"}}) {
    for (const bench::Backend& backend : workload.backends) {
      const auto add = [&, engine = engine, suffix = suffix](const std::string& name, Mapping mapping) {
        ways.push_back({name + suffix, std::string("sporos") + suffix, [&backend, mapping, engine](std::int64_t count) {
                          return backend.simulate(count, mapping, engine);
                        }});
      };
      if (backend.on_host) {
        add(backend.name, Mapping::thread);
      } else {
        add(backend.name + " threads", Mapping::thread);
        add(backend.name + " warps", Mapping::warp);
      }
    }
  }
  add_printed(options, model, ways);
  if (model == "random-walk") add_rereading(options, ways);
  select_ways(options.ways, ways);
  return ways;
}

// Whether there are enough replications for an interval that contains the exact value. The random walk needs more,
// because it ends in chunk 1 with probability 1/30.
bool has_interval(const std::string& model, std::int64_t count) {
  return count >= (model == "random-walk" ? 1000 : 100);
}

// Runs the ways in turns, `repeats` times or until a way has taken more than `options.seconds` in total. The first
// round of a way is a warm-up, unless --once is given or the round takes more than a tenth of that time.
Json runs_of(const Options& options, const std::string& model) {
  const bench::Workload workload = workload_of(options, model);
  const std::vector<Way> ways = ways_of(options, model, workload);
  Json runs = Json::array();
  for (const std::int64_t count : options.replications.empty() ? paper_replications(model) : options.replications) {
    std::map<std::string, std::uint64_t> digests;
    Json seconds = Json::object();
    std::vector<double> spent(ways.size(), 0.0);
    for (std::int64_t round = 0; round <= (options.is_once ? 0 : options.repeats); ++round) {
      for (std::size_t i = 0; i < ways.size(); ++i) {
        if (spent[i] > options.seconds) continue;
        const Way& way = ways[i];
        const Outcome outcome = way.run(count);
        if (has_interval(model, count) && outcome.standard_error > 0) {
          bench::check(model + ", " + way.name, outcome, workload.exact);
        }
        if (!way.group.empty() && digests.emplace(way.group, outcome.digest).first->second != outcome.digest) {
          throw std::runtime_error(
              fmt::format("{}, {}: {} replications have other bits than before", model, way.name, count));
        }
        spent[i] += outcome.seconds;
        if (round > 0 || options.is_once || outcome.seconds > options.seconds / 10) {
          seconds[way.name].push_back(outcome.seconds);
        }
      }
    }
    runs.push_back({{"model", model}, {"work", workload.work}, {"replications", count}, {"seconds", seconds}});
    for (const auto& [group, digest] : digests) runs.back()["digests"][group] = fmt::format("{:016x}", digest);
    fmt::print(stderr, "{}, {} replications\n", model, count);
  }
  return runs;
}

Json context([[maybe_unused]] const Options& options) {
  std::array<char, 11> date{};
  const std::time_t now = std::time(nullptr);
  std::strftime(date.data(), date.size(), "%Y-%m-%d", std::gmtime(&now));
  Json made{{"processor", processor_name()}, {"cores", std::thread::hardware_concurrency()}, {"date", date.data()}};
  for_each_backend([&]<class Space>(const Space& space) {
    if constexpr (runs_on_host<Space>) made["threads"][std::string(backend_name<Space>())] = space.concurrency();
  });
#if defined(KOKKOS_ENABLE_CUDA)
  const auto properties = Kokkos::Cuda().cuda_device_prop();
  made["gpu"] = properties.name;
  made["multiprocessors"] = properties.multiProcessorCount;
#endif
  return made;
}

void run(const Options& options) {
  std::optional<io::OutputFile> file;
  if (!options.json.empty()) file.emplace(options.json);
  Json runs = Json::array();
  for (const std::string& model : options.models) {
    for (Json& run : runs_of(options, model)) runs.push_back(std::move(run));
  }
  const std::string report = Json{{"context", context(options)}, {"runs", runs}}.dump(1) + '\n';
  if (file) {
    file->write(report);
  } else {
    std::fputs(report.c_str(), stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Paper 003, figures 5 to 8 and table 1: seconds of replications against their number.",
                          "paper_003_figures_5_8");
  app.add_option("--models", options.models, "pi, mm1, random-walk, instead of all")
      .separated_by_commas()
      .one_of({"pi", "mm1", "random-walk"});
  app.add_option(
         "--ways", options.ways,
         "'by hand', serial, openmp, 'cuda threads', 'cuda warps', each of these four with ' taus88', "
         "'printed threads', 'printed warps', or printed for these on all backends, instead of the default ones")
      .separated_by_commas();
  app.add_option("--replications", options.replications, "instead of the paper's").separated_by_commas().positive();
  app.add_option("--draws", options.draws, "points of a replication of pi").positive();
  app.add_option("--customers", options.customers, "of a replication of M/M/1").positive();
  app.add_option("--steps", options.steps, "of a random walk").positive();
  app.add_option("--repeats", options.repeats, "of which the fastest counts").positive();
  app.add_option("--seconds", options.seconds, "after which a way is not repeated");
  app.add_flag("--once", options.is_once, "each way once: for a profiler");
  app.add_option("--json", options.json, "file for all that was found, instead of standard output");
  if (const auto status = app.parse(argc, argv)) return *status == 0 ? 0 : 2;
  return run_program([&] { run(options); });
}
