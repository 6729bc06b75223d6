// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the Sobol' indices of the Ishigami function with noise and prints JSON, which output_analysis.py compares
// with other libraries.
#include "../harness/ishigami.hpp"
#include "../harness/option_parser.hpp"

#include <sporos/core/execution/initialize.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>

#include <cstdio>
#include <exception>

namespace sporos::bench {

namespace {

io::Json json_of(const std::vector<SobolIndex>& indices, const std::array<double, 3>& exact) {
  io::Json list = io::Json::array();
  for (std::size_t i = 0; i < exact.size(); ++i) {
    list.push_back({{"exact", exact[i]}, {"value", indices[i].value}, {"half_width", indices[i].half_width}});
  }
  return list;
}

int run(int argc, char** argv) {
  BasePlan base;
  std::int64_t replications = 4;
  double deviation = 1;
  OptionParser app("Sobol's indices of Ishigami's function with noise", "bench_indices");
  app.add_option("--base-points", base.rows, "pairs of them, a multiple of 16").positive();
  app.add_option("--replications", replications, "at each design point, at least 2").positive();
  app.add_option("--deviation", deviation, "of the noise").non_negative();
  app.add_option("--seed", base.seed);
  if (const auto status = app.parse(argc, argv)) return *status;
  const Kokkos::ScopeGuard kokkos(quiet_kokkos_settings({}));
  const SobolIndices found = estimated_ishigami_indices(base, replications, deviation, 0.95);
  const auto exact = ishigami_indices();
  const io::Json json{{"evaluations", 5 * base.rows * replications},
                      {"first", json_of(found.first, exact.first)},
                      {"total", json_of(found.total, exact.total)}};
  fmt::print("{}\n", json.dump(1));
  return 0;
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  try {
    return sporos::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_indices: %s\n", error.what());
    return 1;
  }
}
