// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sporos/runtime/samples/options.hpp>

#include <sporos/runtime/options/execution_options.hpp>
#include <sporos/runtime/options/help.hpp>
#include <sporos/runtime/simulation/plan_options.hpp>

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/plan.hpp>
#include <sporos/core/replication/sample_points.hpp>
#include <sporos/core/sampling/primes.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <stdexcept>

namespace sporos::runtime {

namespace {

constexpr auto form = "sporos sample SAMPLING --points N --dimensions D [OPTION...]";
constexpr auto about =
    "Writes the points of a sampling, a line or row a point, each coordinate in (0, 1), for use elsewhere.\n"
    "SAMPLING is one of ";

}  // namespace

void add_points(CLI::App& app, SampleOptions& options) {
  const Plan usual;
  const std::string group = "Points";
  add(app, group, "points", "N", "how many", options.points);
  add(app, group, "dimensions", "D", "coordinates of each", options.dimensions);
  add(app, group, "set", "S", "sets 0, 1, 2, ... are independent randomizations; usually 0", options.set);
  add(app, group, "seed", "S", fmt::format("names the random numbers, from 0 to 2^64 - 1; usually {}", usual.seed),
      options.seed);
  add(app, group, "engine", "NAME", names_where<Sampling>(takes_engine, ", ") + ": " + names_of<Engine>(),
      options.engine);
  add(app, group, "primes", "FIRST:LAST", primes_help(), options.primes);
  add(app, group, "extend", "FILE",
      "write the N points that follow those of FILE, which the same sample made before; CSV or NPY", options.extend);
}

namespace {

void add_run(CLI::App& app, SampleOptions& options) {
  const std::string group = "Run";
  add(app, group, "format", "NAME", names_of<PointFormat>() + " (NumPy's); usually csv", options.format);
  add(app, group, "output", "FILE", "write there, all or nothing, instead of to standard output", options.output);
  add(app, group, "threads", "N", "threads of the backend; changes no bit of the points", options.threads);
  add(app, group, "device", "N", device_help, options.device);
  add(app, group, "mapping", "NAME", names_of<Mapping>() + "; changes no bit of the points", options.mapping);
}

const std::string& required(const char* option, const OptionText& text) {
  if (!text) throw std::invalid_argument(fmt::format("{} is not given: expected {}", option, form));
  return *text;
}

UniformSource source_from(const SampleOptions& options) {
  UniformSource source;
  source.sampling = parse_choice<Sampling>(options.sampling);
  if (options.engine) {
    if (!takes_engine(source.sampling))
      refuse_option("--engine", source.sampling, names_where<Sampling>(takes_engine, " and "));
    source.engine = parse_choice<Engine>(*options.engine);
  }
  if (options.primes) {
    if (source.sampling != Sampling::refined_descriptive) {
      refuse_option("--primes", source.sampling, "refined-descriptive");
    }
    source.primes = parse_primes(*options.primes);
    check_prime_range("--primes", source.primes);
  }
  if (options.extend && !goes_on(source.sampling)) {
    throw std::invalid_argument(
        fmt::format("--extend is given for sampling {}, whose sets are made for their number of points: expected {}",
                    options.sampling, names_where<Sampling>(goes_on)));
  }
  return source;
}

// The number of coordinates, and that they are not too many for the points or for the sampling.
int dimensions_from(const SampleOptions& options, Sampling sampling, std::int64_t points) {
  const auto dimensions = io::parse_number<int>("--dimensions", required("--dimensions", options.dimensions), 1,
                                                static_cast<int>(most_numbers));
  if (dimensions > most_dimensions(sampling)) {
    throw std::invalid_argument(fmt::format("--dimensions is {}, expected at most the {} that sampling {} has",
                                            dimensions, most_dimensions(sampling), name_of(sampling)));
  }
  if (points > most_numbers / dimensions) {
    throw std::invalid_argument(fmt::format("{} points of {} dimensions are {} numbers, expected at most {}", points,
                                            dimensions, points * dimensions, most_numbers));
  }
  return dimensions;
}

}  // namespace

SampleOptions parse_sample_options(std::span<const std::string> arguments) {
  SampleOptions options;
  const bool names_sampling = !arguments.empty() && !arguments[0].starts_with('-');
  if (names_sampling) options.sampling = name_of(parse_choice<Sampling>(arguments[0]));
  const auto is_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  if (!names_sampling && std::none_of(arguments.begin(), arguments.end(), is_help)) {
    throw std::invalid_argument(
        fmt::format("no sampling is given: expected {}; SAMPLING is one of {}", form, names_of<Sampling>()));
  }
  CLI::App app(about + names_of<Sampling>() + ".",
               "sporos sample " + (names_sampling ? options.sampling : std::string("SAMPLING")));
  const auto ends = [](Sampling sampling) { return !goes_on(sampling); };
  app.footer("Sets of " + names_where<Sampling>(ends, " and ") +
             " are made for their number of points; those of the\nother samplings go on, and --extend continues them.");
  add_points(app, options);
  add_run(app, options);
  parse_options(app, arguments.subspan(names_sampling ? 1 : 0), form);
  return options;
}

PointRequest points_from(const SampleOptions& options) {
  PointRequest request{source_from(options), Plan().seed, 0, 0, 0, 0, Mapping::automatic};
  const Sampling sampling = request.source.sampling;
  request.count = io::parse_number<std::int64_t>("--points", required("--points", options.points), 1, most_in_sample);
  request.dimensions = dimensions_from(options, sampling, request.count);
  if (sampling == Sampling::descriptive && request.count == 1) {
    throw std::invalid_argument("--points is 1, expected at least 2 for sampling descriptive, which orders them");
  }
  request.source = source_of_sets(request.source, request.count);
  constexpr std::int64_t most_sets = std::int64_t{1} << 32;
  if (options.set) request.set = io::parse_number<std::int64_t>("--set", *options.set, 0, most_sets - 1);
  if (options.seed) request.seed = io::parse_number<std::uint64_t>("--seed", *options.seed);
  if (options.mapping) request.mapping = parse_choice<Mapping>(*options.mapping);
  return request;
}

}  // namespace sporos::runtime
