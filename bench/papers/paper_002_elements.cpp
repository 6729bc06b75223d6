// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent work in the elements of a mesh on the threads of a host: Lee (2012), Hybrid parallel computing strategies
// for scientific computing applications, chapter 3. The work of an element is a product of two n × n matrices, as in
// section 3.3, or a local step of the differential equations in n cells, which section 4.5.4 calls the work of the
// agents. Every host backend of this build runs it, and threads that are created and joined for each launch, as in
// Figure 3.3 (a). Prints JSON; paper_002_elements.py runs this program.
#include "measuring_program.hpp"

#include <sporos/core/execution/device_name.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/io/format.hpp>
#include <sporos/models/germinal_centre/intracellular.hpp>

#include <KokkosKernels_config.h>
#include <KokkosBatched_Gemm_Decl.hpp>
#include <KokkosBatched_Gemm_Serial_Impl.hpp>
#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40200
#define SPOROS_HAS_KOKKOS_ODE
#include <KokkosODE_RungeKutta.hpp>
#endif

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::bench;
using Memory = Kokkos::HostSpace;
using models::BCellNetwork;

struct Options {
  std::vector<std::int64_t> sizes = {0, 20, 40, 60, 80, 100};
  std::int64_t elements = 120, runs = 10, milliseconds = 20;
  bool is_control = false;
};

constexpr double minutes = 0.5;     // of a local step
constexpr double tolerance = 1e-9;  // of the differential equations in a local step, and of checks

// Products of matrices. All members are public, because nvcc rejects kernels with private types.
struct Products {
  using Matrices = Kokkos::View<double***, Kokkos::LayoutRight, Memory>;
  Matrices left, right, product;

  KOKKOS_INLINE_FUNCTION void operator()(int e) const {
    using Plain = KokkosBatched::Trans::NoTranspose;
    const auto all = Kokkos::ALL();
    KokkosBatched::SerialGemm<Plain, Plain, KokkosBatched::Algo::Gemm::Blocked>::invoke(
        1.0, Kokkos::subview(left, e, all, all), Kokkos::subview(right, e, all, all), 0.0,
        Kokkos::subview(product, e, all, all));
  }
};

// Differential equations of the cells of each element.
struct Odes {
  models::CellAdvancer<BCellNetwork, Memory> advancer;
  int cells;  // per element

  KOKKOS_INLINE_FUNCTION void operator()(int e) const {
    for (int cell = e * cells; cell < (e + 1) * cells; ++cell) advancer(cell);
  }
};

#ifdef SPOROS_HAS_KOKKOS_ODE
// Kokkos Kernels solves the equations of BCellNetwork with the Cash–Karp pair, in one step of fixed length.
struct KokkosKernelsOdes {
  struct System {
    static constexpr int neqs = BCellNetwork::size;
    BCellNetwork network;

    template <class Levels, class Change>
    KOKKOS_INLINE_FUNCTION void evaluate_function(double, double, const Levels& levels, const Change& change) const {
      const auto found = network({{levels(0), levels(1), levels(2)}});
      for (int i = 0; i < neqs; ++i) change(i) = found[i];
    }
  };

  models::CellStates<BCellNetwork, Memory> states;
  int cells;  // per element

  KOKKOS_INLINE_FUNCTION void operator()(int e) const {
    using Solver = KokkosODE::Experimental::RungeKutta<KokkosODE::Experimental::RKCK>;
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    using Levels = Kokkos::View<double*, Memory, Unmanaged>;
    constexpr int n = System::neqs;
    double from[n], to[n], work[n], slopes[6 * n];
    const Kokkos::View<double**, Kokkos::LayoutRight, Memory, Unmanaged> slope_rows(slopes, 6, n);
    const KokkosODE::Experimental::ODE_params one_step(1);
    for (int cell = e * cells; cell < (e + 1) * cells; ++cell) {
      for (int i = 0; i < n; ++i) from[i] = states(cell, i);
#if KOKKOSKERNELS_VERSION >= 40500
      int steps = 0;
      Solver::Solve(System{}, one_step, 0.0, minutes, Levels(from, n), Levels(to, n), Levels(work, n), slope_rows,
                    &steps);
#else
      Solver::Solve(System{}, one_step, 0.0, minutes, Levels(from, n), Levels(to, n), Levels(work, n), slope_rows);
#endif
      for (int i = 0; i < n; ++i) states(cell, i) = to[i];
    }
  }
};
#endif

// Runs the work on all threads of a backend, which take the elements one by one.
template <class Space, class Work>
void launch(const Work& work, int elements) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
  Policy policy(0, elements);
  policy.set_chunk_size(1);
  Kokkos::parallel_for("sporos::bench::elements", policy, work);
  Space().fence();
}

// Creates threads that wait for each other and then take the elements one by one, and joins them: Figures 3.2 and 3.3.
template <class Work>
void create_threads(const Work& work, int elements, int count) {
  std::barrier all_have_started(count);
  std::atomic<int> next = 0;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      all_have_started.arrive_and_wait();
      for (int e = next++; e < elements; e = next++) work(e);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Work that is timed. `check` runs it once and throws if the result is wrong.
struct Case {
  std::string work, way;
  std::int64_t size;
  std::function<void()> run, check;
  std::int64_t launches = 1;
  std::vector<double> seconds = {};
};

using Numbers = std::vector<double>;

void check_same(const std::string& name, const Numbers& found, const Numbers& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i]))) continue;
    throw std::runtime_error(fmt::format("{}: number {} is {:.17g}, expected {:.17g}", name, i, found[i], expected[i]));
  }
}

int threads_of_host() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

// Cases of a kind of work, one for each way to run it. `numbers` are those that the work changes from `before` to
// `after`.
template <class Work>
void add_cases(std::vector<Case>& cases, const Options& options, const std::string& name, std::int64_t size,
               const Work& work, double* numbers, const Numbers& before, const Numbers& after) {
  const int elements = static_cast<int>(options.elements) - (options.is_control ? 1 : 0);
  const auto add = [&](const std::string& way, const std::function<void()>& run) {
    const auto check = [=] {
      std::copy(before.begin(), before.end(), numbers);
      run();
      check_same(fmt::format("{} of size {} by {}", name, size, way), Numbers(numbers, numbers + after.size()), after);
    };
    cases.push_back({name, way, size, run, check});
  };
  for_each_backend([&]<class Space>(const Space&) {
    if constexpr (runs_on_host<Space>) {
      add(std::string(backend_name<Space>()), [=] { launch<Space>(work, elements); });
    }
  });
  add("created", [=] { create_threads(work, elements, threads_of_host()); });
}

void add_products(std::vector<Case>& cases, const Options& options, std::int64_t size) {
  const auto n = static_cast<std::size_t>(size), count = static_cast<std::size_t>(options.elements);
  const auto matrices = [&](const std::string& label) { return Products::Matrices(label, count, n, n); };
  const Products work{matrices("sporos::bench::left"), matrices("sporos::bench::right"),
                      matrices("sporos::bench::product")};
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Numbers expected(work.product.size(), 0);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    work.left.data()[i] = uniform(engine);
    work.right.data()[i] = uniform(engine);
  }
  for (std::size_t row = 0; row < count * n; ++row) {
    const double* const right = work.right.data() + row / n * n * n;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) expected[row * n + j] += work.left.data()[row * n + k] * right[k * n + j];
    }
  }
  add_cases(cases, options, "products", size, work, work.product.data(), Numbers(expected.size(), 0), expected);
}

// Different levels for each cell, from the range in which B cells are.
Numbers some_levels(std::size_t cells) {
  Numbers levels;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (const std::size_t number : {7, 11, 13}) levels.push_back(0.4 * static_cast<double>(cell % number));
  }
  return levels;
}

// Levels after a local step, by Runge–Kutta steps of equal length.
Numbers levels_after_step(const Numbers& levels, int steps) {
  Numbers found;
  for (std::size_t cell = 0; cell < levels.size(); cell += BCellNetwork::size) {
    models::OdeState<BCellNetwork> state = {{levels[cell], levels[cell + 1], levels[cell + 2]}};
    for (int i = 0; i < steps; ++i) state = models::runge_kutta_step(BCellNetwork(), state, minutes / steps).state;
    for (std::size_t i = 0; i < BCellNetwork::size; ++i) found.push_back(state[i]);
  }
  return found;
}

// Differential equations on a device, where each cell has a thread.
template <class Space>
void add_device_odes(std::vector<Case>& cases, std::int64_t size, const Numbers& before, const Numbers& after) {
  const models::CellStates<BCellNetwork, typename Space::memory_space> states("sporos::bench::cells",
                                                                              before.size() / BCellNetwork::size);
  const auto on_host = Kokkos::create_mirror_view(states);
  const auto run = [=] {
    models::advance_cells(Space(), BCellNetwork(), states, minutes, tolerance);
    Space().fence();
  };
  const auto each = [=](const auto& act) {
    for (std::size_t i = 0; i < before.size(); ++i) act(i, on_host(i / BCellNetwork::size, i % BCellNetwork::size));
  };
  const auto check = [=] {
    each([&](std::size_t i, double& level) { level = before[i]; });
    Kokkos::deep_copy(states, on_host);
    run();
    Kokkos::deep_copy(on_host, states);
    Numbers found(before.size());
    each([&](std::size_t i, double& level) { found[i] = level; });
    check_same("odes on a device", found, after);
  };
  cases.push_back({"odes", std::string(backend_name<Space>()), size, run, check});
}

void add_odes(std::vector<Case>& cases, const Options& options, std::int64_t size) {
  const auto cells = static_cast<std::size_t>(options.elements * size);
  const Numbers before = some_levels(cells), after = levels_after_step(before, 8);
  const int of_element = static_cast<int>(size);
  const Kokkos::View<double * [BCellNetwork::size], Memory> states("sporos::bench::cells", cells);
  const Odes odes{{BCellNetwork(), states, minutes, tolerance}, of_element};
  add_cases(cases, options, "odes", size, odes, states.data(), before, after);
#ifdef SPOROS_HAS_KOKKOS_ODE
  const KokkosKernelsOdes theirs{states, of_element};
  add_cases(cases, options, "odes by Kokkos Kernels", size, theirs, states.data(), before,
            levels_after_step(before, 1));
#endif
  for_each_backend([&]<class Space>(const Space&) {
    if constexpr (!runs_on_host<Space>) add_device_odes<Space>(cases, size, before, after);
  });
}

double seconds_of(const Case& one, std::int64_t launches) {
  const Kokkos::Timer timer;
  for (std::int64_t i = 0; i < launches; ++i) one.run();
  return timer.seconds() / static_cast<double>(launches);
}

nlohmann::json measured(const Options& options) {
  std::vector<Case> cases;
  for (const std::int64_t size : options.sizes) {
    add_products(cases, options, size);
    if (size > 0) add_odes(cases, options, size);
  }
  for (Case& one : cases) {
    one.check();
    const double seconds = std::min(seconds_of(one, 1), seconds_of(one, 1));
    one.launches = std::max<std::int64_t>(1, std::llround(1e-3 * static_cast<double>(options.milliseconds) / seconds));
  }
  for (std::int64_t run = 0; run < options.runs; ++run) {
    for (Case& one : cases) one.seconds.push_back(seconds_of(one, one.launches));
  }
  auto runs = nlohmann::json::array();
  for (const Case& one : cases) {
    runs.push_back(
        {{"work", one.work}, {"way", one.way}, {"n", one.size}, {"launches", one.launches}, {"seconds", one.seconds}});
  }
  return {{"processor", processor_name()},
          {"device", device_name(Kokkos::DefaultExecutionSpace())},
          {"threads", threads_of_host()},
          {"elements", options.elements},
          {"runs", runs}};
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  OptionParser app("Work in the elements of a mesh on the threads of a host: matrix products, differential equations.",
                   "paper_002_elements");
  app.add_option("--sizes", options.sizes,
                 "rows of the matrices, and cells, of an element; 0 for launches without work")
      .separated_by_commas()
      .between(0, 2000);
  app.add_option("--elements", options.elements, "elements of the mesh").between(1, 100'000);
  app.add_option("--runs", options.runs, "timed runs of each case").positive();
  app.add_option("--milliseconds", options.milliseconds, "duration of a run, which repeats its launch").positive();
  app.add_flag("--control", options.is_control, "leave out the last element; the check must detect it");
  return papers::print_measured(app, argc, argv, [&](Processes&) { return measured(options); });
}
