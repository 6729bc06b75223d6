// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands.hpp"

#include "failure.hpp"
#include "interruption.hpp"
#include "run.hpp"

#include <sporos/runtime/files/output_files.hpp>
#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/samples/samples.hpp>

#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/npy.hpp>
#include <sporos/core/io/number.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <stdexcept>

namespace sporos::apps {

namespace {

// Makes points in blocks that are large enough to fill a device.
class Sampler {
 public:
  Sampler(const Backend& backend, const PointRequest& request) : m_backend(backend), m_request(request) {}

  std::int64_t points_of_block() const {
    constexpr std::int64_t numbers_of_block = std::int64_t{1} << 22;
    return std::max<std::int64_t>(numbers_of_block / m_request.dimensions, 1);
  }

  std::vector<double> block(std::int64_t first, std::int64_t count) const {
    PointRequest block = m_request;
    block.first = first;
    block.count = count;
    return m_backend.run(block);
  }

  const PointRequest& request() const { return m_request; }

 private:
  const Backend& m_backend;
  PointRequest m_request;
};

[[noreturn]] void refuse_file(const PointFile& file, const std::string& difference) {
  throw std::invalid_argument(
      fmt::format("{} was not written with these options: {} (sampling, dimensions, seed, engine, set and primes must "
                  "be those of {})",
                  file.path(), difference, file.path()));
}

void compare(const PointFile& file, std::int64_t first, const std::vector<double>& given,
             const std::vector<double>& expected) {
  const auto differs = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) != std::bit_cast<std::uint64_t>(b);
  };
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!differs(given[i], expected[i])) continue;
    const auto place = static_cast<std::int64_t>(i);
    refuse_file(
        file, fmt::format("point {}, coordinate {} is {}, expected {}", first + place / file.dimensions() + 1,
                          place % file.dimensions() + 1, io::shortest_text(given[i]), io::shortest_text(expected[i])));
  }
}

// Returns the number of points in a file, which must hold the first points of the sample.
std::int64_t points_before(const Sampler& sampler, PointFile& file) {
  const auto& request = sampler.request();
  if (file.dimensions() != request.dimensions) {
    refuse_file(file, fmt::format("it has {} column{}, expected {}", file.dimensions(),
                                  file.dimensions() == 1 ? "" : "s", request.dimensions));
  }
  std::int64_t points = 0;
  while (true) {
    const auto given = file.next(sampler.points_of_block());
    if (given.empty()) break;
    const auto count = static_cast<std::int64_t>(given.size()) / request.dimensions;
    compare(file, points, given, sampler.block(points, count));
    points += count;
  }
  if (points > max_in_sample - request.count) {
    throw std::invalid_argument(fmt::format("{} holds {} points, and {} more would exceed the {} points of a set",
                                            file.path(), points, request.count, max_in_sample));
  }
  return points;
}

void append_csv_points(std::string& text, const std::vector<double>& numbers, int dimensions) {
  int coordinate = 0;
  for (const double number : numbers) {
    text += io::shortest_text(number);
    coordinate = (coordinate + 1) % dimensions;
    text += coordinate == 0 ? '\n' : ',';
  }
}

std::string header_of(const PointRequest& request, PointFormat format) {
  if (format == PointFormat::npy) return io::npy_header(request.count, request.dimensions);
  std::string names;
  for (int i = 0; i < request.dimensions; ++i) names.append(i > 0 ? "," : "").append(coordinate_name(i));
  return names + '\n';
}

// Returns the contents of a file with the points starting at `first`.
std::string text_of(const Sampler& sampler, std::int64_t first, PointFormat format) {
  const auto& request = sampler.request();
  constexpr std::int64_t bytes_of_text = 20, bytes_of_number = 8;  // for most numbers
  const std::int64_t bytes_of_point =
      request.dimensions * (format == PointFormat::npy ? bytes_of_number : bytes_of_text);
  check_memory<Kokkos::HostSpace>({"lines", request.count, "points", static_cast<double>(bytes_of_point)});
  std::string text = header_of(request, format);
  text.reserve(text.size() + static_cast<std::size_t>(request.count * bytes_of_point));
  for (std::int64_t made = 0; made < request.count;) {
    const std::int64_t count = std::min(sampler.points_of_block(), request.count - made);
    const auto numbers = sampler.block(first + made, count);
    if (format == PointFormat::npy) {
      io::append_npy_numbers(text, numbers);
    } else {
      append_csv_points(text, numbers, request.dimensions);
    }
    made += count;
  }
  return text;
}

}  // namespace

int sample_command(std::span<const std::string> arguments, Backend& backend) {
  const SampleOptions options = parse_sample_options(arguments);
  const PointRequest request = points_from(options);
  const PointFormat format = options.table.choice("format", PointFormat::csv);
  const auto settings = execution_settings(options.table, backend);
  const Destination destination(options.table.text("output"));
  if (format == PointFormat::npy && destination.is_terminal()) {
    throw std::invalid_argument(
        "--format npy is binary, which a terminal cannot show: expected --output FILE, or a pipe");
  }
  std::optional<PointFile> before;
  if (options.table.has("extend")) before.emplace(*options.table.text("extend"));

  start_backend(backend, settings);
  const Sampler sampler(backend, request);
  const std::int64_t first = before ? points_before(sampler, *before) : 0;
  if (before && !before->note().empty()) complain(before->note());
  before.reset();
  const std::string text = text_of(sampler, first, format);
  Interruption interruption;  // an interrupted program leaves no half-written file
  interruption.begin_writing();
  destination.write(text);
  return 0;
}

}  // namespace sporos::apps
