// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints how often the intervals that Sporos prints cover, in the tables of docs/output_analysis.md.
#include "coverage.hpp"

#include "../harness/option_parser.hpp"

#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/io/format.hpp>

#include <Kokkos_Core.hpp>

#include <boost/math/distributions/binomial.hpp>

#include <cstdio>
#include <exception>

namespace sporos::bench {

std::string Coverage::text() const {
  if (experiments == 0) return "";
  if (intervals == 0) return "none";
  const double share = 100 * static_cast<double>(covering) / static_cast<double>(intervals);
  return fmt::format("{:.1f} %", share) + (intervals < experiments ? fmt::format(" of {}", intervals) : "");
}

std::string markdown(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows) {
  std::string text = fmt::format("| {} |\n|{}\n", fmt::join(header, " | "), [&] {
    std::string line;
    for (std::size_t i = 0; i < header.size(); ++i) line += "---|";
    return line;
  }());
  for (const auto& row : rows) text += fmt::format("| {} |\n", fmt::join(row, " | "));
  return text;
}

namespace {

int run(int argc, char** argv) {
  CoverageOptions options;
  std::string part;
  OptionParser app("How often intervals cover", "bench_coverage");
  app.add_option("--experiments", options.experiments, "of each case").positive();
  app.add_option("--observations", options.observations, "of the longest runs, from 16384 on").positive();
  app.add_option("--part", part, "one table alone").one_of({"series", "replications", "rare"});
  if (const auto status = app.parse(argc, argv)) return *status;
  const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
  const boost::math::binomial successes(static_cast<double>(options.experiments), options.confidence);
  const double least = boost::math::quantile(successes, 0.0025),
               most = boost::math::quantile(boost::math::complement(successes, 0.0025));
  std::printf(
      "%s",
      fmt::format("Intervals of {:.0f} %, {} experiments: binomial band of error 5e-3 {:.1f} to {:.1f} %\n\n",
                  100 * options.confidence, options.experiments, 100 * least / static_cast<double>(options.experiments),
                  100 * most / static_cast<double>(options.experiments))
          .c_str());
  if (part.empty() || part == "series") std::printf("%s\n", series_coverage(options).c_str());
  if (part.empty() || part == "replications") std::printf("%s\n", replication_coverage(options).c_str());
  if (part.empty() || part == "rare") std::printf("%s", rare_coverage(options).c_str());
  return 0;
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  try {
    return sporos::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_coverage: %s\n", error.what());
    return 1;
  }
}
