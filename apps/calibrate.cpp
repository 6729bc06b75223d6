// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "interruption.hpp"
#include "progress_line.hpp"
#include "run.hpp"

#include <sporos/runtime/backend/processes.hpp>
#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/page/report_file.hpp>
#include <sporos/runtime/random_blocks/random_blocks.hpp>
#include <sporos/runtime/random_blocks/task.hpp>
#include <sporos/runtime/results/output.hpp>
#include <sporos/runtime/results/renderers.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/random_blocks/trial.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

namespace sporos::apps {

namespace {

// Constants of this machine, backend and engine, and the path of their file.
struct Constants {
  BlockModel model;
  std::string path;
};

Constants constants_of(const Calibrator& calibrator, const Arguments& given, const std::optional<io::OutputFile>& own) {
  const OptionText& named = given.options.text("constants");
  const std::string path = named ? *named : io::block_model_path(calibrator.key);
  if (given.options.has("stored")) return {io::load_block_model(path, calibrator.key), path};
  const BlockModel model = calibrator.constants();
  if (own) {
    own->write(json_text(io::json_of(model, calibrator.key)));
  } else {
    io::save_block_model(model, calibrator.key);
  }
  return {model, path};
}

// Returns the block sizes to measure: the one that the model picks, every power of two times the smallest block, and
// the user's own.
std::vector<BlockOptions> sizes_of(const BlockModel& model, const CalibrationTask& task, const BlockOptions& picked) {
  constexpr std::int64_t fewest = 256;
  const std::int64_t unit = model.unit_of(picked.lanes);
  const auto rounded = [&](std::int64_t size) { return (size + unit - 1) / unit * unit; };
  std::vector<std::int64_t> sizes{picked.block_size};
  if (task.block_size) sizes.push_back(rounded(*task.block_size));
  for (std::int64_t size = std::max(unit, fewest);; size *= 2) {
    if (block_memory({size, picked.buffers}, task.demand.consumers) > task.bounds.memory) break;
    sizes.push_back(size);
    if (size >= task.demand.draws) break;
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::vector<BlockOptions> options;
  for (const std::int64_t size : sizes) options.push_back({size, picked.buffers, picked.producers, picked.lanes});
  return options;
}

// Times all sizes by turns, so that a short disturbance does not affect only one size.
std::vector<MeasuredBlocks> measured(const Calibrator& calibrator, const CalibrationReport& report,
                                     const std::vector<BlockOptions>& sizes, const ConsumerWork& work, bool is_shown) {
  std::vector<MeasuredBlocks> found;
  for (const auto& options : sizes) {
    found.push_back({options, report.model.time(report.demand, options), std::numeric_limits<double>::infinity()});
  }
  StatusLine line(is_shown);
  const auto start = Clock::now();
  for (int round = 0; round < report.task.rounds; ++round) {
    for (auto& [options, predicted, seconds] : found) {
      const double now = seconds_since(start);
      if (line.is_due(now)) {
        line.show(now, fmt::format("calibrate: round {} of {}, blocks of {} draws", round + 1, report.task.rounds,
                                   options.block_size));
      }
      seconds = std::min(seconds, calibrator.seconds(report.demand, options, work));
    }
  }
  return found;
}

CalibrationReport report_of(const Arguments& given, const CalibrationTask& task, const Calibrator& calibrator,
                            const Constants& constants, const Backend& backend) {
  const auto start = Clock::now();
  const ConsumerWork work = calibrator.work(task.demand.work);
  CalibrationReport report{task,
                           calibrator.key,
                           constants.model,
                           calibrator.taking(work, task.rounds),
                           task.demand,
                           {},
                           0,
                           constants.path,
                           given.options.has("stored"),
                           0,
                           machine_of(backend)};
  report.demand.work = std::max(report.work - report.model.taking, 0.0);
  const BlockOptions picked = fastest_options(report.model, report.demand, task.bounds);
  report.sizes =
      measured(calibrator, report, sizes_of(report.model, task, picked), work, shows_progress(given.options));
  const auto is_picked = [&](const auto& blocks) { return blocks.options.block_size == picked.block_size; };
  report.picked = static_cast<std::size_t>(std::find_if(report.sizes.begin(), report.sizes.end(), is_picked) -
                                           report.sizes.begin());
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace

int calibrate_command(std::span<const std::string> arguments, Backend& backend) {
  const Arguments given = parsed(calibrate_usage(), arguments);
  const CalibrationTask task = calibration_task(given.options);
  check_table(given.options, {"sizes", "constants"});
  const auto settings = execution_settings(given.options, backend);
  const PictureFiles pictures(given.options.list("picture"));
  const ResultFiles files(given.options, "calibrate");
  std::optional<io::OutputFile> own;
  if (!given.options.has("stored")) own = file_of_first(given.options.text("constants"));

  start_backend(backend, settings);
  if (processes().count() > 1) {
    throw std::invalid_argument(
        fmt::format("calibrate is run by {} processes, expected one: several would disturb each other's timings",
                    processes().count()));
  }
  const Calibrator calibrator = backend.run(CalibratorRequest{task.engine});
  const Constants constants = constants_of(calibrator, given, own);
  const CalibrationReport report = report_of(given, task, calibrator, constants, backend);
  Interruption interruption;  // an interrupted program leaves no half-written file
  interruption.begin_writing();
  if (!pictures.empty()) pictures.draw(picture_of(report));
  files.write(document_of(report));
  return 0;
}

}  // namespace sporos::apps
