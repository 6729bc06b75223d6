// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/random_blocks/report.hpp>

#include <sporos/runtime/files/json_text.hpp>
#include <sporos/runtime/options/duration.hpp>
#include <sporos/runtime/options/text_parts.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/table.hpp>
#include <sporos/version.hpp>

#include <algorithm>
#include <cstdint>

namespace sporos::runtime {

namespace {

using Column = io::Table::Column;

// A time in a unit that suits, with three digits.
std::string time_text(double seconds) {
  struct Unit {
    const char* name;
    double size;
  };
  for (const auto& [name, size] : {Unit{"s", 1}, Unit{"ms", 1e-3}, Unit{"us", 1e-6}}) {
    if (seconds >= size) return fmt::format("{:.3g} {}", seconds / size, name);
  }
  return fmt::format("{:.3g} ns", seconds * 1e9);
}

const MeasuredBlocks& picked_of(const CalibrationReport& report) { return report.sizes[report.picked]; }

double over_best(const CalibrationReport& report) {
  return picked_of(report).measured / report.sizes[best_of(report)].measured - 1;
}

std::string title_of(const CalibrationReport& report) {
  const BlockOptions& options = picked_of(report).options;
  const std::string lanes = report.model.has_lanes ? fmt::format(", {} lanes", options.lanes) : "";
  return fmt::format("blocks of {} for {}, {} and {} of work for each draw\n{}, {} of a consumer in memory{}\n",
                     report.key.engine, plural(report.demand.consumers, "consumer", "consumers"),
                     plural(report.demand.draws, "draw for each", "draws for each"), time_text(report.work),
                     plural(options.producers, "producer", "producers"), plural(options.buffers, "block", "blocks"),
                     lanes);
}

std::string constants_of(const CalibrationReport& report) {
  const BlockModel& model = report.model;
  io::Table table({{"constant", Column::text}, {"time", Column::number}, {"", Column::text}});
  table.add_row({"kernel", time_text(model.kernel.start), "to start"});
  const char* const what = model.has_lanes ? "lanes" : "draws";
  table.add_row({"", time_text(model.kernel.step),
                 "for a draw of each " + plural(model.kernel.width, what, what) + ", " +
                     time_text(model.kernel.step / static_cast<double>(model.kernel.width)) + " a draw"});
  if (!model.on_host) {
    table.add_row({"copy", time_text(model.transfer.start), "to start"});
    table.add_row({"", time_text(model.transfer.each), "for a draw"});
  }
  table.add_row({"new buffer", time_text(model.first_use.start), "to start"});
  table.add_row({"", time_text(model.first_use.each), "for a draw"});
  if (model.processors > 1) {
    const auto& [transfer, first_use, draw, cache] = model.shared;
    table.add_row({"shared memory", time_text(draw), "for a draw, beside all of the host's threads"});
    if (!model.on_host) {
      table.add_row({"", time_text(transfer.start), "longer to start a copy"});
      table.add_row({"", time_text(transfer.each), "longer for a draw's copy"});
    }
    table.add_row({"", time_text(first_use.start), "longer to start a new buffer"});
    table.add_row({"", time_text(first_use.each), "longer for a draw's place there"});
  }
  table.add_row({"beginning", time_text(model.startup), "of the producers"});
  table.add_row({"", time_text(model.beginning), "of a consumer's engines"});
  table.add_row({"hand-over", time_text(model.handover), "of a block"});
  table.add_row({"taking", time_text(model.taking), "of a draw by a consumer"});
  return fmt::format("{}\n{} in {}\n", table.text(), report.is_stored ? "as they stand" : "stored", report.constants);
}

std::string sizes_of(const CalibrationReport& report) {
  io::Table table({{"block size", Column::number},
                   {"memory", Column::number},
                   {"predicted", Column::number},
                   {"measured", Column::number},
                   {"predicted/measured", Column::number},
                   {"", Column::text}});
  for (std::size_t i = 0; i < report.sizes.size(); ++i) {
    const auto& [options, predicted, seconds] = report.sizes[i];
    const bool is_best = i == best_of(report), is_picked = i == report.picked;
    table.add_row({std::to_string(options.block_size), bytes_text(block_memory(options, report.demand.consumers)),
                   time_text(predicted), time_text(seconds), fmt::format("{:.2f}", predicted / seconds),
                   is_picked ? (is_best ? "picked, best" : "picked") : (is_best ? "best" : "")});
  }
  return table.text();
}

std::string conclusion_of(const CalibrationReport& report) {
  const BlockOptions& picked = picked_of(report).options;
  const bool waits = report.model.waits_for_producers(report.demand, picked);
  return fmt::format("The model picks blocks of {}: they take {:.1f} % longer than the best of those measured.\n{}\n",
                     plural(picked.block_size, "draw", "draws"), 100 * over_best(report),
                     waits ? "Consumers wait for producers: more or faster producers would help."
                           : "Producers keep up: consumers wait for their first block only.");
}

io::Json json_of(const MeasuredBlocks& blocks) {
  return {{"block_size", blocks.options.block_size},        {"buffers", blocks.options.buffers},
          {"producers", blocks.options.producers},          {"lanes", blocks.options.lanes},
          {"predicted", io::json_number(blocks.predicted)}, {"measured", io::json_number(blocks.measured)}};
}

}  // namespace

std::size_t best_of(const CalibrationReport& report) {
  const auto least = std::min_element(report.sizes.begin(), report.sizes.end(),
                                      [](const auto& a, const auto& b) { return a.measured < b.measured; });
  return static_cast<std::size_t>(least - report.sizes.begin());
}

std::string table_of(const CalibrationReport& report) {
  return fmt::format("{}\n{}\n{}\n{}\n{} on {}\n", title_of(report), constants_of(report), sizes_of(report),
                     conclusion_of(report), duration_text(report.seconds), text_of(report.machine));
}

std::string csv_of(const CalibrationReport& report) {
  std::string text;
  io::append_csv_row(text, {"block_size", "buffers", "producers", "predicted", "measured", "picked"});
  for (std::size_t i = 0; i < report.sizes.size(); ++i) {
    const auto& [options, predicted, seconds] = report.sizes[i];
    io::append_csv_row(
        text, {std::to_string(options.block_size), std::to_string(options.buffers), std::to_string(options.producers),
               io::shortest_text(predicted), io::shortest_text(seconds), i == report.picked ? "1" : "0"});
  }
  return text;
}

std::string json_of(const CalibrationReport& report) {
  io::Json sizes = io::Json::array();
  for (const auto& blocks : report.sizes) sizes.push_back(json_of(blocks));
  return json_text({{"sporos", SPOROS_VERSION},
                    {"constants", io::json_of(report.model, report.key)},
                    {"constants_file", report.constants},
                    {"demand",
                     {{"consumers", report.demand.consumers},
                      {"draws", report.demand.draws},
                      {"work_asked_for", io::json_number(report.task.demand.work)},
                      {"draw_with_work", io::json_number(report.work)},
                      {"memory", io::json_number(report.task.bounds.memory)}}},
                    {"rounds", report.task.rounds},
                    {"sizes", sizes},
                    {"picked", json_of(picked_of(report))},
                    {"best", json_of(report.sizes[best_of(report)])},
                    {"over_best", io::json_number(over_best(report))},
                    {"waits_for_producers", report.model.waits_for_producers(report.demand, picked_of(report).options)},
                    {"run", {{"seconds", io::json_number(report.seconds)}, {"machine", json_of(report.machine)}}}});
}

}  // namespace sporos::runtime
