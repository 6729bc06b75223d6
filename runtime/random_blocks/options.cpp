// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/random_blocks/options.hpp>

#include <sporos/runtime/files/picture_files.hpp>
#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/output_format.hpp>
#include <sporos/runtime/page/report_file.hpp>

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
    "Measures what blocks of random numbers cost on this machine (docs/how-to/pre-generated-random-numbers.md), keeps "
    "the constants for other programs,\nand compares the time that the model predicts for each block size with the "
    "time that consumers really take.";
constexpr auto footer =
    "A block size is picked by the model alone; beside it stands the fastest of all that were measured. Other programs "
    "that\nrun meanwhile disturb the times: the fastest of the rounds counts.";

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
                                          engine ? "no blocks are made by" : "unknown", name, names_of_engines()));
}

std::vector<OptionEntry> calibrate_entries() {
  const std::string consumers = "Consumers", blocks = "Blocks";
  const BlockBounds defaults;
  const std::vector<OptionEntry> list = {
      {consumers, "engine", "NAME", fmt::format("{}; default: {}", names_of_engines(), name_of(Engine::ranlux24_2))},
      {consumers, "consumers", "P", "threads that consume; default: one less than this machine's"},
      {consumers, "draws", "N", fmt::format("random numbers for each of them; default: {}", default_draws)},
      {consumers, "work", "NS",
       fmt::format("nanoseconds of work of its own that a consumer does for each draw; default: {}", default_work)},
      {blocks, "memory", "MIB", "mebibytes for all blocks together; default: a quarter of what is free"},
      {blocks, "buffers", "N", fmt::format("blocks of a consumer in memory at a time; default: {}", defaults.buffers)},
      {blocks, "producers", "N", "threads that produce; default: as many as pay by the model"},
      {blocks, "max-lanes", "L",
       fmt::format("work items of an engine with a state, up to which the model may choose more than {}, and so other "
                   "numbers",
                   BlockOptions().lanes)},
      {blocks, "block-size", "B", "draws of a block to be measured beside the others"},
      {"Run", "rounds", "N", fmt::format("of every block size; default: {}", default_rounds)},
      {"Run", "constants", "FILE",
       "where they are kept; default: a file of its own for each machine in ~/.cache/sporos",
       FileUse::writes}};  // with --stored, the file is only read
  const OptionEntry stored{"Run", "stored", "", "take the constants that are kept instead of measuring them"};
  return entries_of({list,
                     execution_options("threads of the backend, which do not produce"),
                     {format_option(" (a line for each block size)"), output_option(), report_option(),
                      picture_option("predicted and measured time"), stored, no_progress_option()}});
}

// Returns the memory for all blocks together in bytes.
double memory_from(const OptionTable& table) {
  constexpr double mebibyte = 1 << 20, default_share = 0.25;
  const auto free = static_cast<double>(memory_of<Kokkos::HostSpace>().free);
  if (!table.has("memory")) return default_share * free;
  const double memory = mebibyte * table.positive("memory", 0);
  if (memory <= free) return memory;
  throw std::invalid_argument(fmt::format("--memory is {}, expected at most {:.0f}, the mebibytes that are free",
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
