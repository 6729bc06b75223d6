// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/samples/samples.hpp>

#include <sporos/runtime/options/common_options.hpp>
#include <sporos/runtime/simulation/options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/io/text_file.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/sample_points.hpp>
#include <sporos/core/sampling/primes.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sporos::runtime {

namespace {

constexpr auto sample_form = "sporos sample SAMPLING --points N --dimensions D [OPTION...]";
constexpr auto sample_about =
    "Writes the points of a sampling, one point per line or row, with coordinates in (0, 1).\n"
    "SAMPLING is one of ";

constexpr std::size_t max_sample_mebibytes = 8192;  // text of the largest sample has at most this size

// Checks the names in the first line of a file. Without them, its first point would be taken for names.
void check_names(const std::string& path, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string expected = coordinate_name(static_cast<std::int64_t>(i));
    if (names[i] == expected) continue;
    throw std::invalid_argument(fmt::format("{}, line 1: column {} is called {}, expected '{}'", path, i + 1,
                                            io::in_quotes(names[i]), expected));
  }
}

}  // namespace

std::vector<OptionEntry> point_options() {
  const Plan defaults;
  const std::string group = "Points";
  return {
      {group, "points", "N", "number of points"},
      {group, "dimensions", "D", "number of coordinates of each point"},
      {group, "set", "S", "sets 0, 1, 2, ... are independent randomizations; default: 0"},
      {group, "seed", "S", fmt::format("seed of the random numbers, from 0 to 2^64 - 1; default: {}", defaults.seed)},
      {group, "engine", "NAME", names_where<Sampling>(takes_engine, ", ") + ": " + names_of<Engine>()},
      {group, "primes", "FIRST:LAST", primes_help()},
      {group, "extend", "FILE",
       "write the N points that follow those of FILE, a CSV or NPY file that the same options wrote", FileUse::reads}};
}

Usage sample_usage(const std::string& sampling) {
  const OptionEntry format{"Run", "format", "NAME", names_of<PointFormat>() + " (NumPy's); default: csv"},
      mapping{"Run", "mapping", "NAME", names_of<Mapping>() + "; changes no bit of the points"};
  const auto ends = [](Sampling some) { return !goes_on(some); };
  return {"sample " + sampling,
          sample_form,
          sample_about + names_of<Sampling>() + ".",
          "Sets of " + names_where<Sampling>(ends, " and ") +
              " depend on their number of points. Sets of the other\n"
              "samplings can be continued by --extend.",
          {},
          entries_of({point_options(),
                      {format, output_option()},
                      execution_options("threads of the backend; changes no bit of the points"),
                      {mapping}})};
}

namespace {

const std::string& required(const OptionTable& table, const std::string& option) {
  if (!table.has(option))
    throw std::invalid_argument(fmt::format("--{} is not given: expected {}", option, sample_form));
  return *table.text(option);
}

UniformSource source_from(const SampleOptions& options) {
  UniformSource source;
  source.sampling = parse_choice<Sampling>(options.sampling);
  if (options.table.has("engine")) {
    if (!takes_engine(source.sampling)) {
      refuse_option("--engine", source.sampling, names_where<Sampling>(takes_engine, " and "));
    }
    source.engine = parse_choice<Engine>(*options.table.text("engine"));
  }
  if (options.table.has("primes")) {
    if (source.sampling != Sampling::refined_descriptive) {
      refuse_option("--primes", source.sampling, "refined-descriptive");
    }
    source.primes = parse_primes(*options.table.text("primes"));
    check_prime_range("--primes", source.primes);
  }
  if (options.table.has("extend") && !goes_on(source.sampling)) {
    throw std::invalid_argument(
        fmt::format("--extend is given for sampling {}, whose sets depend on their number of points: expected {}",
                    options.sampling, names_where<Sampling>(goes_on)));
  }
  return source;
}

// Returns the number of coordinates. Throws if there are too many for the sampling or for the number of points.
int dimensions_from(const SampleOptions& options, Sampling sampling, std::int64_t points) {
  const auto dimensions =
      io::parse_number<int>("--dimensions", required(options.table, "dimensions"), 1, static_cast<int>(max_numbers));
  if (dimensions > max_dimensions(sampling)) {
    throw std::invalid_argument(fmt::format("--dimensions is {}, expected at most {} for sampling {}", dimensions,
                                            max_dimensions(sampling), name_of(sampling)));
  }
  if (points > max_numbers / dimensions) {
    throw std::invalid_argument(fmt::format("{} points of {} dimensions are {} numbers, expected at most {}", points,
                                            dimensions, points * dimensions, max_numbers));
  }
  return dimensions;
}

}  // namespace

SampleOptions parse_sample_options(std::span<const std::string> arguments) {
  const bool names_sampling = !arguments.empty() && !arguments[0].starts_with('-');
  const std::string sampling(names_sampling ? name_of(parse_choice<Sampling>(arguments[0])) : "SAMPLING");
  if (!names_sampling && std::none_of(arguments.begin(), arguments.end(), asks_for_help)) {
    throw std::invalid_argument(
        fmt::format("no sampling is given: expected {}; SAMPLING is one of {}", sample_form, names_of<Sampling>()));
  }
  return {sampling, parsed(sample_usage(sampling), arguments.subspan(names_sampling ? 1 : 0)).options};
}

PointRequest points_from(const SampleOptions& options) {
  PointRequest request{source_from(options), Plan().seed, 0, 0, 0, 0, Mapping::automatic};
  const Sampling sampling = request.source.sampling;
  request.count = io::parse_number<std::int64_t>("--points", required(options.table, "points"), 1, max_in_sample);
  request.dimensions = dimensions_from(options, sampling, request.count);
  if (sampling == Sampling::descriptive && request.count == 1) {
    throw std::invalid_argument("--points is 1, expected at least 2 for sampling descriptive");
  }
  request.source = source_of_sets(request.source, request.count);
  constexpr std::int64_t max_sets = std::int64_t{1} << 32;
  if (options.table.has("set"))
    request.set = io::parse_number<std::int64_t>("--set", *options.table.text("set"), 0, max_sets - 1);
  if (options.table.has("seed")) request.seed = io::parse_number<std::uint64_t>("--seed", *options.table.text("seed"));
  if (options.table.has("mapping")) request.mapping = parse_choice<Mapping>(*options.table.text("mapping"));
  return request;
}

std::string coordinate_name(std::int64_t coordinate) { return fmt::format("u{}", coordinate + 1); }

PointFile::PointFile(const std::string& path)
    : m_path(path), m_contents(io::read_text_file(path, max_sample_mebibytes, io::FileContents::bytes)) {
  if (m_contents.starts_with(io::npy_mark)) {
    m_matrix = io::parse_npy(m_path, m_contents);
    return;
  }
  m_rows.emplace(m_path, std::move(m_contents), io::CsvContents{"coordinate", "point"});
  check_names(m_path, m_rows->names());
}

std::int64_t PointFile::dimensions() const {
  return m_matrix ? m_matrix->columns : static_cast<std::int64_t>(m_rows->names().size());
}

std::vector<double> PointFile::next(std::int64_t most) {
  std::vector<double> numbers;
  for (std::int64_t points = 0; points < most; ++points) {
    if (m_matrix) {
      if (m_next == m_matrix->rows) break;
      for (std::int64_t i = 0; i < m_matrix->columns; ++i) numbers.push_back((*m_matrix)(m_next, i));
      ++m_next;
    } else {
      if (!m_rows->next()) break;
      for (std::size_t i = 0; i < m_rows->names().size(); ++i) numbers.push_back(m_rows->number(i));
    }
  }
  return numbers;
}

}  // namespace sporos::runtime
