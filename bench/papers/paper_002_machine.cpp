// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Characteristics of a machine's layers: Lee (2012), Hybrid parallel computing strategies for scientific computing
// applications, Table 1.1. For each backend: the time of an empty kernel, the bandwidth of a copy within its memory,
// the rate of multiply-adds, and for a device the line t = start + each · bytes of copies from the host and back.
// paper_002_messages measures the table's first row.
#include "../harness/option_parser.hpp"
#include "program.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/execution/kokkos_compatibility.hpp>
#include <sporos/core/io/output_file.hpp>
#include <sporos/core/statistics/two_term_fit.hpp>

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;
using Json = nlohmann::json;

struct Options {
  std::int64_t runs = 11, largest_copy = std::int64_t{1} << 28, rounds = 1'000'000;
  std::string json;
};

// Seconds of a call: the median over runs, after one that is not timed.
template <class Call>
double median_seconds(std::int64_t runs, const Call& call) {
  call();
  std::vector<double> found;
  for (std::int64_t i = 0; i < runs; ++i) {
    const Kokkos::Timer timer;
    call();
    found.push_back(timer.seconds());
  }
  std::sort(found.begin(), found.end());
  return found[found.size() / 2];
}

struct EmptyKernel {
  KOKKOS_FUNCTION void operator()(int) const {}
};

template <class Space>
double empty_kernel_seconds(const Space& space, const Options& options) {
  constexpr int launches = 100;
  return median_seconds(options.runs,
                        [&] {
                          for (int i = 0; i < launches; ++i) {
                            Kokkos::parallel_for("sporos::bench::empty",
                                                 Kokkos::RangePolicy<Space>(space, 0, space.concurrency()),
                                                 EmptyKernel());
                            space.fence();
                          }
                        }) /
         launches;
}

template <class Space>
struct WordCopier {
  using Words = Kokkos::View<double*, typename Space::memory_space>;
  Words from, to;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = from(i); }
};

// Bytes per second that a copy within the memory reads and writes.
template <class Space>
double memory_bandwidth(const Space& space, const Options& options) {
  const auto words = static_cast<std::size_t>(options.largest_copy) / sizeof(double);
  using Words = typename WordCopier<Space>::Words;
  const WordCopier<Space> copier{Words("sporos::bench::from", words), Words("sporos::bench::to", words)};
  const double seconds = median_seconds(options.runs, [&] {
    Kokkos::parallel_for("sporos::bench::copy",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, words), copier);
    space.fence();
  });
  return 2 * sizeof(double) * static_cast<double>(words) / seconds;
}

// SPOROS_SAME_BITS forbids the compiler to fuse a product and a sum, so that they are fused here, where the processor
// can.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real multiply_add(Real x, Real factor, Real summand) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__FMA__)
  using std::fma;
  return fma(x, factor, summand);
#else
  return x * factor + summand;
#endif
}

// Independent chains of x ← x/2 + 1, which converge to 2.
template <class Space, class Real>
struct MultiplyAdds {
  static constexpr int chains = runs_on_host<Space> ? 64 : 8;  // enough to hide the latency
  std::int64_t rounds;
  using Results = Kokkos::View<Real*, typename Space::memory_space>;
  Results results;

  KOKKOS_FUNCTION void operator()(int item) const {
    Real x[chains];
    for (int k = 0; k < chains; ++k) x[k] = static_cast<Real>(item + k);
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (int k = 0; k < chains; ++k) x[k] = multiply_add(x[k], Real(0.5), Real(1));
    }
    Real sum = 0;
    for (int k = 0; k < chains; ++k) sum += x[k];
    results(item) = sum / chains;
  }
};

// Floating-point operations per second. Throws if a chain does not end at its limit.
template <class Real, class Space>
double operation_rate(const Space& space, const Options& options) {
  const int items = runs_on_host<Space> ? space.concurrency() : 1 << 18;
  const std::int64_t rounds = runs_on_host<Space> ? options.rounds : std::max<std::int64_t>(options.rounds / 100, 1);
  using Kernel = MultiplyAdds<Space, Real>;
  const Kernel kernel{rounds, typename Kernel::Results("sporos::bench::results", static_cast<std::size_t>(items))};
  const double seconds = median_seconds(options.runs, [&] {
    Kokkos::parallel_for("sporos::bench::multiply_adds", Kokkos::RangePolicy<Space>(space, 0, items), kernel);
    space.fence();
  });
  const auto results = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kernel.results);
  for (int i = 0; i < items; ++i) {
    const auto index = static_cast<std::size_t>(i);
    if (std::abs(results(index) - 2) <= 1e-5) continue;
    throw std::runtime_error(
        fmt::format("chain {} of {} rounds ends at {:.6g}, expected 2: use more --rounds", i, rounds, results(index)));
  }
  return 2.0 * Kernel::chains * static_cast<double>(rounds) * items / seconds;
}

// Fits start + each · bytes to copies between host and device: one line for both directions.
template <class Space>
TwoTermFit copy_line(const Space& space, const Options& options) {
  const auto largest = static_cast<std::size_t>(options.largest_copy);
  const Kokkos::View<char*, impl::HostPinnedSpace> host("sporos::bench::host", largest);
  const Kokkos::View<char*, typename Space::memory_space> device("sporos::bench::device", largest);
  std::vector<TwoTermValue> values;
  for (std::size_t bytes = 1 << 10; bytes <= largest; bytes *= 4) {
    const auto part = std::pair<std::size_t, std::size_t>(0, bytes);
    const auto on_host = Kokkos::subview(host, part);
    const auto on_device = Kokkos::subview(device, part);
    const double seconds = median_seconds(options.runs, [&] {
      Kokkos::deep_copy(space, on_device, on_host);
      space.fence();
      Kokkos::deep_copy(space, on_host, on_device);
      space.fence();
    });
    values.push_back({1, static_cast<double>(bytes), seconds / 2});
  }
  return fit_two_terms(values);
}

template <class Space>
Json layer_of(const Space& space, const Options& options) {
  Json layer = {{"backend", backend_name<Space>()},
                {"machine", device_name(space)},
                {"threads", runs_on_host<Space> ? space.concurrency() : 0},
                {"empty_kernel", empty_kernel_seconds(space, options)},
                {"bandwidth", memory_bandwidth(space, options)},
                {"double_rate", operation_rate<double>(space, options)},
                {"single_rate", operation_rate<float>(space, options)}};
  if constexpr (!runs_on_host<Space>) {
    const TwoTermFit line = copy_line(space, options);
    layer["copy"] = {{"start", line.first}, {"each_byte", line.second}, {"error", line.error}};
  }
  return layer;
}

void print_table(const Json& layers) {
  io::Table table({{"layer", Column::text},
                   {"latency, µs", Column::number},
                   {"bandwidth, GB/s", Column::number},
                   {"Gflop/s, double", Column::number},
                   {"Gflop/s, single", Column::number}});
  const auto number = [](double value) { return fmt::format("{:.3g}", value); };
  table.add_row({"paper: multi-core", "0.5", "6.4", "6.0 per core", ""});
  table.add_row({"paper: GPU", "3000", "4.3", "", "1000"});
  for (const Json& layer : layers) {
    const auto of = [&](const char* name, double factor) { return number(factor * layer[name].get<double>()); };
    const std::string name = layer["backend"].get<std::string>() + ", " + layer["machine"].get<std::string>();
    const int threads = layer["threads"];
    table.add_row({threads > 0 ? fmt::format("{}, {} threads", name, threads) : name, of("empty_kernel", 1e6),
                   of("bandwidth", 1e-9), of("double_rate", 1e-9), of("single_rate", 1e-9)});
    if (!layer.contains("copy")) continue;
    const Json& copy = layer["copy"];
    table.add_row({"copies between host and " + layer["backend"].get<std::string>(),
                   number(1e6 * copy["start"].get<double>()), number(1e-9 / copy["each_byte"].get<double>())});
  }
  fmt::print("Table 1.1; latency: an empty kernel, or the start of a copy\n\n{}", table.text());
}

void run(const Options& options) {
  Json layers = Json::array();
  for_each_backend([&]<class Space>(const Space& space) { layers.push_back(layer_of(space, options)); });
  print_table(layers);
  if (!options.json.empty()) io::OutputFile(options.json).write(Json{{"layers", layers}}.dump(1) + '\n');
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::OptionParser app("Latency, bandwidth and rate of operations of each backend (Lee 2012, Table 1.1).",
                          "paper_002_machine");
  app.add_option("--runs", options.runs, "of each measurement, of which the median counts").positive();
  app.add_option("--largest-copy", options.largest_copy, "bytes").between(1 << 12, std::int64_t{1} << 34);
  app.add_option("--rounds", options.rounds, "multiply-adds of a chain on a host; a hundredth on a device").positive();
  app.add_option("--json", options.json, "file for the results");
  if (const auto status = app.parse(argc, argv)) return *status;
  return run_program([&] { run(options); });
}
