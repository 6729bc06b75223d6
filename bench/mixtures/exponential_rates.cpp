// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exponential_rates.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/linear_algebra/vector.hpp>
#include <sporos/models/mixtures/fast_exp2.hpp>
#include <sporos/models/mixtures/team_powers.hpp>

#include <Kokkos_Core.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <type_traits>

#if defined(__AVX512F__) && defined(__GLIBC__) && !defined(__clang__)
#define SPOROS_BENCH_HAS_LIBMVEC
using VectorOfDouble [[gnu::vector_size(64)]] = double;
using VectorOfFloat [[gnu::vector_size(64)]] = float;
extern "C" VectorOfDouble _ZGVeN8v_exp(VectorOfDouble);
extern "C" VectorOfFloat _ZGVeN16v_expf(VectorOfFloat);
#endif

namespace sporos::bench {

namespace {

constexpr std::int64_t rounds = 20'000;
constexpr int registers = 4;  // enough to hide the latency of a polynomial in Horner form

template <class Real>
constexpr int lanes = 64 / sizeof(Real);

/// Sums exponentials of numbers that change from round to round, all in vector registers.
template <class Real>
struct FastExp2 {
  static constexpr int count = registers * lanes<Real>;

  [[gnu::noinline]] Real operator()(Real start) const {
    alignas(64) Real x[count];
    alignas(64) Real sum[count];
    for (int i = 0; i < count; ++i) {
      x[i] = start * static_cast<Real>(i);
      sum[i] = 0;
    }
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (int i = 0; i < count; ++i) {
        sum[i] += models::impl::fast_exp2(x[i]);
        x[i] -= start;
      }
    }
    Real total = 0;
    for (const Real part : sum) total += part;
    return total;
  }
};

#ifdef SPOROS_BENCH_HAS_LIBMVEC
template <class Real>
struct Libmvec {
  static constexpr int count = registers * lanes<Real>;
  using Vector = std::conditional_t<std::is_same_v<Real, double>, VectorOfDouble, VectorOfFloat>;

  static Vector exponential(Vector x) {
    if constexpr (std::is_same_v<Real, double>) {
      return _ZGVeN8v_exp(x);
    } else {
      return _ZGVeN16v_expf(x);
    }
  }

  [[gnu::noinline]] Real operator()(Real start) const {
    Vector x = {}, sum = {};
    for (int i = 0; i < lanes<Real>; ++i) x[i] = start * static_cast<Real>(i);
    for (std::int64_t round = 0; round < registers * rounds; ++round) {
      sum += exponential(x);
      x -= start;
    }
    Real total = 0;
    for (int i = 0; i < lanes<Real>; ++i) total += sum[i];
    return total;
  }
};
#endif

template <class Exponentials, class Real>
struct OnEveryThread {
  Real start;

  void operator()(std::int64_t, double& total) const { total += static_cast<double>(Exponentials()(start)); }
};

template <class ExecutionSpace, class Exponentials, class Real>
void measure(benchmark::State& state) {
  const ExecutionSpace space;
  const int threads = space.concurrency();
  for (auto _ : state) {
    double total = 0;
    Kokkos::parallel_reduce("sporos::bench::exponentials", Kokkos::RangePolicy<ExecutionSpace>(space, 0, threads),
                            OnEveryThread<Exponentials, Real>{Real(1e-3)}, total);
    benchmark::DoNotOptimize(total);
  }
  state.counters["exponentials"] = benchmark::Counter(static_cast<double>(rounds * Exponentials::count) * threads,
                                                      benchmark::Counter::kIsIterationInvariantRate);
}

/// Computes 2^x on a device: with fast_exp2 (method 0), with TeamPowers, whose table each team stores (1), and with the
/// device's own exp2 (2).
template <class ExecutionSpace, class Real, int method>
struct DeviceExponentials {
  static constexpr int count = 8, threads = 128;  // numbers per thread, and threads per team
  static constexpr std::int64_t rounds = 500;
  static constexpr int table_bytes = models::impl::TeamPowers<Real>::size * static_cast<int>(sizeof(double));

  Real step;
  Vector<ExecutionSpace> totals;
  typename models::impl::TeamPowers<Real>::Coefficients coefficients = {};

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<ExecutionSpace>::member_type& team) const {
    using Powers = models::impl::TeamPowers<Real>;
    auto* const table = static_cast<double*>(team.team_shmem().get_shmem(int{table_bytes}));
    Powers::set(table, team.team_rank());
    team.team_barrier();
    const Powers power(table, team.team_rank(), coefficients);
    Real x[count], sum[count];
    for (int i = 0; i < count; ++i) {
      x[i] = step * static_cast<Real>(i + team.team_rank());
      sum[i] = 0;
    }
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (int i = 0; i < count; ++i) {
        if (method == 0) sum[i] += models::impl::fast_exp2(x[i]);
        if (method == 1) sum[i] = power(x[i]).added_to(sum[i]);
        if (method == 2) sum[i] += ::exp2(x[i]);
        x[i] -= step;
      }
    }
    double total = 0;
    for (int i = 0; i < count; ++i) total += static_cast<double>(sum[i]);
    if (total == -1) totals(0) = total;  // practically never true; keeps the compiler from removing the loop
  }
};

template <class ExecutionSpace, class Real, int method>
void measure_device(benchmark::State& state) {
  const ExecutionSpace space;
  using Body = DeviceExponentials<ExecutionSpace, Real, method>;
  const int teams = 4 * space.concurrency() / Body::threads;
  const auto policy = Kokkos::TeamPolicy<ExecutionSpace>(space, teams, Body::threads)
                          .set_scratch_size(0, Kokkos::PerTeam(Body::table_bytes));
  const Body body{Real(1e-3), Vector<ExecutionSpace>("sporos::bench::totals", 1)};
  for (auto _ : state) {
    Kokkos::parallel_for("sporos::bench::exponentials", policy, body);
    space.fence();
  }
  state.counters["exponentials"] =
      benchmark::Counter(static_cast<double>(Body::rounds * Body::count) * teams * Body::threads,
                         benchmark::Counter::kIsIterationInvariantRate);
}

template <class ExecutionSpace, class Real>
void register_rates(const std::string& precision) {
  const std::string end = std::string("/").append(backend_name<ExecutionSpace>()) + "/" + precision;
  const auto add = [&](const std::string& name, auto run) {
    benchmark::RegisterBenchmark((name + end).c_str(), run)->UseRealTime()->Unit(benchmark::kMicrosecond);
  };
  if constexpr (runs_on_host<ExecutionSpace>) {
    add("fast_exp2", measure<ExecutionSpace, FastExp2<Real>, Real>);
#ifdef SPOROS_BENCH_HAS_LIBMVEC
    add("libmvec", measure<ExecutionSpace, Libmvec<Real>, Real>);
#endif
  } else {
    add("fast_exp2", measure_device<ExecutionSpace, Real, 0>);
    add("team_powers", measure_device<ExecutionSpace, Real, 1>);
    add("exp2", measure_device<ExecutionSpace, Real, 2>);
  }
}

}  // namespace

void register_exponential_rates() {
  for_each_backend([]<class ExecutionSpace>(const ExecutionSpace&) {
    register_rates<ExecutionSpace, double>("float64");
    register_rates<ExecutionSpace, float>("float32");
  });
}

}  // namespace sporos::bench
