// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/random_blocks/random_blocks.hpp>

#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/math/count.hpp>
#include <sporos/core/random_blocks/fillers.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <thread>
#include <type_traits>

namespace sporos::runtime {

namespace {

constexpr auto block_about =
    "Measures the cost of blocks of random numbers on this machine (docs/how-to/pre-generated-random-numbers.md), "
    "stores the constants for other programs, and compares the predicted and the measured time for each block size.";
constexpr auto block_footer =
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

constexpr double millisecond = 1e-3, mebibyte = 1 << 20;

const MeasuredBlocks& picked_of(const CalibrationReport& report) { return report.sizes[report.picked]; }

const MeasuredBlocks& fastest_of(const CalibrationReport& report) {
  return *std::ranges::min_element(report.sizes, {}, &MeasuredBlocks::measured);
}

double memory_of(const CalibrationReport& report, const BlockOptions& options) {
  return block_memory(options, report.demand.consumers) / mebibyte;
}

std::string time_text(double seconds) { return people_text(seconds, ValueKind::duration); }

// Block sizes from the first to the last, evenly spaced on a logarithmic scale.
std::vector<std::int64_t> many_sizes(const CalibrationReport& report) {
  constexpr int count = 240;
  const double first = std::log2(static_cast<double>(report.sizes.front().options.block_size));
  const double last = std::log2(static_cast<double>(report.sizes.back().options.block_size));
  std::vector<std::int64_t> sizes;
  for (int i = 0; i <= count; ++i) {
    const auto units = bounded_count(
        std::round(std::exp2(first + (last - first) * i / count) / static_cast<double>(report.model.unit)));
    sizes.push_back(std::max<std::int64_t>(units, 1) * report.model.unit);
  }
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string data_of(const CalibrationReport& report) {
  const MeasuredBlocks& picked = picked_of(report);
  std::string text = "$predicted << END\n";
  for (const std::int64_t size : many_sizes(report)) {
    const BlockOptions options{size, picked.options.buffers, picked.options.producers};
    text += fmt::format("{} {:.6g}\n", size, report.model.time(report.demand, options) / millisecond);
  }
  text += "END\n$measured << END\n";
  for (const auto& blocks : report.sizes) {
    text += fmt::format("{} {:.6g}\n", blocks.options.block_size, blocks.measured / millisecond);
  }
  return text +
         fmt::format("END\n$picked << END\n{} {:.6g}\nEND\n", picked.options.block_size, picked.measured / millisecond);
}

// Script of the picture without its title.
std::string script_of(const CalibrationReport& report) {
  return data_of(report) +
         "set logscale x 2\nset format x '%.0s %c'\nset yrange [0:*]\nset xlabel 'draws of a block'\nset ylabel 'time "
         "(ms)'\n"
         "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
         "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key top center\n"
         "plot $predicted with lines linewidth 2 linecolor rgb '#0072B2' title 'predicted', "
         "$measured with points pointtype 6 pointsize 1.8 linewidth 2 linecolor rgb '#D55E00' title 'measured', "
         "$picked with points pointtype 7 pointsize 1.8 linecolor rgb '#009E73' title 'measured, picked size'\n";
}

PagePicture drawing_of(const CalibrationReport& report) {
  std::string words;
  for (const auto& [options, predicted, measured] : report.sizes) {
    words += fmt::format("{}{} draws: predicted {}, measured {}", words.empty() ? "" : "; ", options.block_size,
                         time_text(predicted), time_text(measured));
  }
  return {"Predicted and measured time", words + ".", script_of(report)};
}

std::string lead_of(const CalibrationReport& report) {
  const BlockOptions& options = picked_of(report).options;
  const std::string lanes = report.model.has_lanes ? fmt::format(", {} lanes", options.lanes) : "";
  return fmt::format("{}, {} and {} of work for each draw; {}, {} per consumer in memory{}",
                     plural(report.demand.consumers, "consumer", "consumers"),
                     plural(report.demand.draws, "draw for each", "draws for each"), time_text(report.work),
                     plural(options.producers, "producer", "producers"), plural(options.buffers, "block", "blocks"),
                     lanes);
}

std::vector<ResultFact> settings_of(const CalibrationReport& report) {
  const auto& [engine, demand, bounds, block_size, rounds] = report.task;
  const auto count = [](auto value) { return static_cast<std::int64_t>(value); };
  const auto given = [&](std::int64_t value) { return value > 0 ? ResultValue(value) : ResultValue(); };
  return {{"consumers", "consumers", count(demand.consumers), ValueKind::count},
          {"draws", "draws of each consumer", demand.draws, ValueKind::count},
          {"work", "work for each draw", demand.work, ValueKind::duration},
          {"memory", "memory for all blocks [MiB]", bounds.memory / mebibyte, ValueKind::number},
          {"buffers", "blocks per consumer in memory", count(bounds.buffers), ValueKind::count},
          {"producers", "producers", given(bounds.producers), ValueKind::count},
          {"max_lanes", "largest number of lanes", bounds.max_lanes, ValueKind::count},
          {"block_size", "additional block size", given(block_size.value_or(0)), ValueKind::count},
          {"rounds", "rounds", count(rounds), ValueKind::count},
          {"constants", "file of the constants", report.constants},
          {"stored", "constants read from this file", report.is_stored}};
}

std::vector<ResultFact> findings_of(const CalibrationReport& report) {
  const BlockModel& model = report.model;
  const MeasuredBlocks &picked = picked_of(report), &fastest = fastest_of(report);
  return {
      {"picked", "block size picked by the model", picked.options.block_size, ValueKind::count},
      {"fastest", "fastest measured block size", fastest.options.block_size, ValueKind::count},
      {"over_fastest", "excess time of the picked block size", picked.measured / fastest.measured - 1,
       ValueKind::percentage},
      {"waits_for_producers", "consumers wait for producers", model.waits_for_producers(report.demand, picked.options)},
      {"draw_with_work", "measured time of a draw with its work", report.work, ValueKind::duration},
      {"unit", "block sizes are multiples of", model.unit, ValueKind::count},
      {"kernel_width", model.has_lanes ? "lanes at a time" : "draws at a time", model.kernel.width, ValueKind::count},
      {"has_lanes", "the engine has lanes", model.has_lanes},
      {"on_host", "producers share the host's processors", model.on_host},
      {"processors", "processors of the host", static_cast<std::int64_t>(model.processors), ValueKind::count},
      {"cache", "caches of the host [MiB]", model.shared.cache / mebibyte, ValueKind::number}};
}

ResultTable sizes_table(const CalibrationReport& report) {
  ResultTable table{"sizes",
                    "Block sizes",
                    {{"block_size", "block size", ValueKind::count},
                     {.id = "buffers", .title = "buffers", .kind = ValueKind::count, .shown = Shown::as_data},
                     {.id = "producers", .title = "producers", .kind = ValueKind::count, .shown = Shown::as_data},
                     {.id = "lanes", .title = "lanes", .kind = ValueKind::count, .shown = Shown::as_data},
                     {.id = "memory", .title = "memory", .unit = "MiB"},
                     {"predicted", "predicted", ValueKind::duration},
                     {"measured", "measured", ValueKind::duration},
                     {"ratio", "predicted/measured"},
                     {"picked", "picked", ValueKind::text},
                     {"fastest", "fastest", ValueKind::text}},
                    {}};
  for (const MeasuredBlocks& blocks : report.sizes) {
    const auto& [options, predicted, measured] = blocks;
    table.rows.push_back({options.block_size, static_cast<std::int64_t>(options.buffers),
                          static_cast<std::int64_t>(options.producers), options.lanes, memory_of(report, options),
                          predicted, measured, predicted / measured, &blocks == &picked_of(report),
                          &blocks == &fastest_of(report)});
  }
  table.drawings.push_back(drawing_of(report));
  return table;
}

// Times of the model, with their names in the file of constants.
ResultTable constants_table(const CalibrationReport& report) {
  const BlockModel& model = report.model;
  const auto& [transfer, first_use, draw, cache] = model.shared;
  ResultTable table{"constants",
                    "Constants of the model",
                    {{.id = "constant", .title = "constant", .kind = ValueKind::text, .shown = Shown::as_data},
                     {"part", "part", ValueKind::text},
                     {"time", "time", ValueKind::duration},
                     {"meaning", "meaning", ValueKind::text}},
                    {}};
  const auto add = [&](const char* constant, const char* part, double time, std::string meaning) {
    table.rows.push_back({std::string(constant), std::string(part), time, std::move(meaning)});
  };
  const char* const what = model.has_lanes ? "lanes" : "draws";
  add("kernel.start", "kernel", model.kernel.start, "to start");
  add("kernel.step", "kernel", model.kernel.step,
      fmt::format("for a step of {}, {} per draw", plural(model.kernel.width, what, what),
                  time_text(model.kernel.step / static_cast<double>(model.kernel.width))));
  if (!model.on_host) {
    add("transfer.start", "copy", model.transfer.start, "to start");
    add("transfer.each", "copy", model.transfer.each, "for a draw");
  }
  add("first_use.start", "new buffer", model.first_use.start, "to start");
  add("first_use.each", "new buffer", model.first_use.each, "for a draw");
  if (model.processors > 1) {
    add("shared.draw", "shared memory", draw, "for a draw, with all threads of the host busy");
    if (!model.on_host) {
      add("shared.transfer.start", "shared memory", transfer.start, "additional time to start a copy");
      add("shared.transfer.each", "shared memory", transfer.each, "additional time to copy a draw");
    }
    add("shared.first_use.start", "shared memory", first_use.start, "additional time to start a new buffer");
    add("shared.first_use.each", "shared memory", first_use.each, "additional time for a draw in a new buffer");
  }
  add("startup", "beginning", model.startup, "start of the producers");
  add("beginning", "beginning", model.beginning, "start of a consumer's engines");
  add("handover", "hand-over", model.handover, "for a block");
  add("taking", "taking", model.taking, "for a draw by a consumer");
  return table;
}

}  // namespace

Usage calibrate_usage() {
  return {"calibrate", "sporos calibrate [OPTION...]", block_about, block_footer, {}, calibrate_entries()};
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

std::string picture_of(const CalibrationReport& report) {
  const std::string title = fmt::format("blocks of {} for {} on {}", report.key.engine,
                                        plural(report.demand.consumers, "consumer", "consumers"), report.key.backend);
  return fmt::format("set title {}\n", io::in_gnuplot_quotes(title)) + script_of(report);
}

ResultDocument document_of(const CalibrationReport& report) {
  const bool waits = report.model.waits_for_producers(report.demand, picked_of(report).options);
  return {.question = "calibrate",
          .subject = {report.key.engine, "blocks of random numbers"},
          .lead = lead_of(report),
          .settings = settings_of(report),
          .tables = {sizes_table(report), constants_table(report)},
          .findings = findings_of(report),
          .notes = {waits ? "More or faster producers would help: consumers wait for them."
                          : "More or faster producers would not help: consumers wait for their first block only.",
                    fmt::format("The constants are {} {}.", report.is_stored ? "read from" : "stored in",
                                report.constants)},
          .stopped_by = "rounds",
          .confidence = 0,
          .seconds = report.seconds,
          .machine = report.machine};
}

}  // namespace sporos::runtime
