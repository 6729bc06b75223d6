// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/random_blocks/options.hpp>

#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/random/engine.hpp>
#include <sporos/core/random_blocks/fillers.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

namespace sporos::runtime {

namespace {

constexpr auto about =
    "Measures the cost of blocks of random numbers on this machine (docs/how-to/pre-generated-random-numbers.md), "
    "stores the constants for other programs, and compares the predicted and the measured time for each block size.";
constexpr auto footer =
    "The model picks a block size, which the report compares with the fastest measured size. Other programs that run "
    "at the same time disturb the measurements: the fastest round counts.";

constexpr int max_threads = 1024;
constexpr double nanosecond = 1e-9;
constexpr double default_work = 10, max_work = 1e9;  // nanoseconds
constexpr std::int64_t default_draws = 1 << 21;
constexpr int default_rounds = 5;

int default_consumers() { return std::max(static_cast<int>(std::thread::hardware_concurrency()) - 1, 1); }

// Names of the engines that every backend runs, and which can therefore make blocks.
std::string names_of_engines() {
  return names_where<Engine>([](Engine engine) { return !runs_on_hosts_only(engine); }, ", ");
}

Engine engine_from(const OptionTable& table) {
  if (!table.has("engine")) return Engine::ranlux24_2;
  const std::string name = *table.text("engine");
  const auto engine = find_choice<Engine>(name);
  if (engine && !runs_on_hosts_only(*engine)) return *engine;
  throw std::invalid_argument(fmt::format("{} engine '{}': expected one of {}",
                                          engine ? "blocks are not available for" : "unknown", name,
                                          names_of_engines()));
}

std::vector<OptionEntry> calibrate_entries() {
  const std::string consumers = "Consumers", blocks = "Blocks";
  const BlockBounds defaults;
  const std::vector<OptionEntry> list = {
      {consumers, "engine", "NAME", fmt::format("{}; default: {}", names_of_engines(), name_of(Engine::ranlux24_2))},
      {consumers, "consumers", "P", "number of consumer threads; default: one less than the threads of this machine"},
      {consumers, "draws", "N", fmt::format("random numbers for each consumer; default: {}", default_draws)},
      {consumers, "work", "NS",
       fmt::format("work of a consumer for each draw, in nanoseconds; default: {}", default_work)},
      {blocks, "memory", "MIB", "memory of all blocks together, in mebibytes; default: a quarter of the free memory"},
      {blocks, "buffers", "N", fmt::format("blocks of a consumer in memory at a time; default: {}", defaults.buffers)},
      {blocks, "producers", "N", "number of producer threads; default: chosen by the model"},
      {blocks, "max-lanes", "L",
       fmt::format("maximum number of lanes (work items) of an engine with a state; more than {} may give other random "
                   "numbers; default: {}",
                   BlockOptions().lanes, defaults.max_lanes)},
      {blocks, "block-size", "B", "additional block size to measure, in draws"},
      {"Run", "rounds", "N", fmt::format("measurements of every block size; default: {}", default_rounds)},
      {"Run", "constants", "FILE", "file of the constants; default: one file for each machine in ~/.cache/sporos",
       FileUse::writes}};  // with --stored, the file is only read
  const OptionEntry stored{"Run", "stored", "", "read the constants from their file instead of measuring them"};
  return entries_of({list,
                     execution_options("threads of the backend, which are not producers"),
                     {format_option(" (a line for each block size)"), table_option(), output_option(), report_option(),
                      picture_option("predicted and measured time"), stored, no_progress_option()}});
}

// Returns the memory for all blocks together in bytes.
double memory_from(const OptionTable& table) {
  constexpr double mebibyte = 1 << 20, default_share = 0.25;
  const auto free = static_cast<double>(memory_of<Kokkos::HostSpace>().free);
  if (!table.has("memory")) return default_share * free;
  const double memory = mebibyte * table.positive("memory", 0);
  if (memory <= free) return memory;
  throw std::invalid_argument(fmt::format("--memory is {}, expected at most {:.0f}, the free memory in mebibytes",
                                          io::in_quotes(*table.text("memory")), std::floor(free / mebibyte)));
}

// Returns the work of a consumer for each draw in seconds.
double work_from(const OptionTable& table) {
  const double work = table.number("work", default_work, 0);
  if (work <= max_work) return nanosecond * work;
  throw std::invalid_argument(fmt::format("--work is {}, expected at most {:.0f}, a second for each draw",
                                          io::in_quotes(*table.text("work")), max_work));
}

}  // namespace

Usage calibrate_usage() {
  return {"calibrate", "sporos calibrate [OPTION...]", about, footer, {}, calibrate_entries()};
}

CalibrationTask calibration_task(const OptionTable& table) {
  constexpr std::int64_t max_draws = std::int64_t{1} << 40;
  CalibrationTask task{engine_from(table), {}, {}, {}, default_rounds};
  task.demand.consumers = static_cast<int>(table.whole("consumers", default_consumers(), 1, max_threads));
  task.demand.draws = table.whole("draws", default_draws, 1, max_draws);
  task.demand.work = work_from(table);
  task.bounds.memory = memory_from(table);
  task.bounds.buffers = static_cast<int>(table.whole("buffers", task.bounds.buffers, 2, max_threads));
  task.bounds.producers = static_cast<int>(table.whole("producers", 0, 1, max_threads));
  task.bounds.max_lanes =
      table.whole("max-lanes", task.bounds.max_lanes, BlockOptions().lanes, sporos::impl::max_lanes);
  if (table.has("block-size")) task.block_size = table.whole("block-size", 0, 1, max_draws);
  if (task.block_size) {
    const BlockOptions own{*task.block_size, task.bounds.buffers, task.bounds.producers};
    check_block_memory(own, task.demand.consumers, task.bounds.memory);
  }
  Engines::visit(task.engine, [&]<class E>(std::type_identity<E>) {
    return largest_block(sporos::impl::draws_at_once<E>(), task.demand.consumers, task.bounds);
  });
  task.rounds = static_cast<int>(table.whole("rounds", default_rounds, 1, 1000));
  return task;
}

}  // namespace sporos::runtime
