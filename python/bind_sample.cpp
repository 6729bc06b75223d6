// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bindings.hpp"
#include "conversions.hpp"
#include "session.hpp"

#include <sporos/runtime/samples/samples.hpp>

#include <sporos/core/distributions/any_distribution.hpp>
#include <sporos/core/execution/memory.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/number.hpp>
#include <sporos/core/replication/sample_points.hpp>

#include <Kokkos_Core.hpp>

#include <pybind11/stl.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sporos::python {

namespace {

namespace py = pybind11;
using Table = AnyDistributionTable<Kokkos::HostSpace>;

// Returns one distribution for each dimension, or one for all of them.
std::vector<DistributionChoice> distributions_of(const std::vector<std::string>& texts, int dimensions) {
  if (texts.size() > 1 && texts.size() != static_cast<std::size_t>(dimensions)) {
    throw std::invalid_argument(
        fmt::format("distribution has {} entries, expected one, or one for each of the {} "
                    "dimensions",
                    texts.size(), dimensions));
  }
  std::vector<DistributionChoice> choices;
  for (const std::string& text : texts) {
    try {
      choices.push_back(parse_distribution(text));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("distribution is {}: {}", io::in_quotes(text), error.what()));
    }
  }
  return choices;
}

void turn_into_variates(std::vector<double>& uniforms, const std::vector<DistributionChoice>& choices) {
  std::vector<Table> tables;
  for (const DistributionChoice& choice : choices) tables.emplace_back(choice);
  std::vector<AnyDistribution> distributions;
  for (const Table& table : tables) distributions.push_back(table.handle());
  for (std::size_t i = 0; i < uniforms.size(); ++i) {
    uniforms[i] = variate(uniforms[i], distributions[i % distributions.size()]);
  }
}

py::array_t<double> sample(const std::string& sampling, const OptionTexts& texts, std::int64_t first,
                           const std::vector<std::string>& distributions) {
  runtime::PointRequest request = runtime::points_from({sampling, table_with(runtime::sample_usage().options, texts)});
  if (first < 0 || first > max_in_sample - request.count) {
    throw std::invalid_argument(
        fmt::format("first is '{}', expected a whole number from 0 to {}", first, max_in_sample - request.count));
  }
  if (first > 0 && !goes_on(request.source.sampling)) {
    throw std::invalid_argument(fmt::format(
        "first is '{}', expected 0 for sampling {}, whose sets depend on their number of points", first, sampling));
  }
  request.first = first;
  const auto choices = distributions_of(distributions, request.dimensions);
  check_memory<Kokkos::HostSpace>(
      {"coordinates", request.count, "points", 2.0 * sizeof(double) * static_cast<double>(request.dimensions)});
  std::vector<double> numbers;
  session().run(py::none(), [&](const runtime::Backend& backend, Watch&) {
    numbers = backend.run(request);
    if (!choices.empty()) turn_into_variates(numbers, choices);
  });
  return array_of(std::move(numbers), static_cast<std::size_t>(request.count),
                  static_cast<std::size_t>(request.dimensions));
}

}  // namespace

void bind_sample(py::module_& module) {
  using py::arg;
  module.def("sample", sample, arg("sampling"), arg("options"), arg("first"), arg("distributions"),
             "Returns points of a sampling, or variates.");
}

}  // namespace sporos::python
