// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/options/text_parts.hpp>
#include <sporos/runtime/random_blocks/report.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/gnuplot.hpp>
#include <sporos/core/math/count.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sporos::runtime {

namespace {

constexpr double millisecond = 1e-3;

// Sizes between the first and the last, evenly by their logarithms.
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
  const MeasuredBlocks& picked = report.sizes[report.picked];
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

}  // namespace

std::string picture_of(const CalibrationReport& report) {
  const std::string title = fmt::format("blocks of {} for {} on {}", report.key.engine,
                                        plural(report.demand.consumers, "consumer", "consumers"), report.key.backend);
  std::string text = data_of(report);
  text += fmt::format("set title {}\n", io::in_gnuplot_quotes(title));
  text +=
      "set logscale x 2\nset format x '%.0s %c'\nset yrange [0:*]\nset xlabel 'draws of a block'\nset ylabel 'time "
      "(ms)'\n"
      "set border 3 linecolor rgb '#707070'\nset tics nomirror out textcolor rgb 'black'\n"
      "set grid linetype 1 linecolor rgb '#E4E4E4' linewidth 1\nset key top center\n"
      "plot $predicted with lines linewidth 2 linecolor rgb '#0072B2' title 'predicted', "
      "$measured with points pointtype 6 pointsize 1.8 linewidth 2 linecolor rgb '#D55E00' title 'measured', "
      "$picked with points pointtype 7 pointsize 1.8 linecolor rgb '#009E73' title 'measured, size that is picked'\n";
  return text;
}

}  // namespace sporos::runtime
