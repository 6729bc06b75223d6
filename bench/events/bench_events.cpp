// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Customers per second through an event calendar: M/M/1 from empty until a given number have been served, and M/M/c/k
// in equilibrium. Each is compared with its recurrence. The floor is the sum of the variates that they draw. Last comes
// the cost of an operation for each data structure that a calendar can use. peers.py runs the M/M/1 queue in SimPy, Ciw
// and Cimba.
#include "../harness/min_time.hpp"
#include "../harness/program.hpp"

#include <sporos/core/distributions/continuous.hpp>
#include <sporos/core/events/calendar.hpp>
#include <sporos/core/events/fifo_queue.hpp>
#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/random/stream.hpp>
#include <sporos/core/random/uniform.hpp>
#include <sporos/core/replication/replicate.hpp>
#include <sporos/models/queues/event_mmck.hpp>
#include <sporos/models/queues/mm1.hpp>
#include <sporos/models/queues/mmck.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace sporos::bench {

namespace {

// The M/M/1 queue of Cimba's benchmark: from empty until `customers` have been served. The response is the mean time in
// system.
struct SingleServer {
  double arrival_rate, service_rate;
  std::int64_t customers;

  enum Input { interarrival, service, input_count };
  static constexpr auto response_names = std::array{"time in system"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    enum class Step { arrival, departure };
    Calendar<Step, 2> calendar;
    FifoQueue<double, 1024> present;  // arrival times of the customers present
    double stay = 0;
    std::int64_t served = 0;
    const double mean_gap = 1 / arrival_rate, mean_service = 1 / service_rate;
    const auto schedule = [&](int input, double mean, Step step) {
      calendar.schedule(calendar.now() + exponential_by_mean(inputs(input), mean), step);
    };
    schedule(interarrival, mean_gap, Step::arrival);
    while (served < customers && calendar.next(inputs)) {
      if (calendar.event() == Step::arrival) {
        schedule(interarrival, mean_gap, Step::arrival);
        if (present.is_empty()) schedule(service, mean_service, Step::departure);
        if (!present.push(calendar.now())) break;
      } else {
        stay += calendar.now() - present.pop();
        ++served;
        if (!present.is_empty()) schedule(service, mean_service, Step::departure);
      }
    }
    return responses_unless_failed<1>({{stay / static_cast<double>(customers)}}, calendar, present);
  }
};

// Floor of both models: draws two exponential variates per customer and sums them.
struct Draws {
  std::int64_t customers;

  enum Input { interarrival, service, input_count };
  static constexpr auto response_names = std::array{"sum"};

  template <class Inputs>
  KOKKOS_FUNCTION Kokkos::Array<double, 1> operator()(Inputs& inputs) const {
    double sum = 0;
    for (std::int64_t customer = 0; customer < customers; ++customer) {
      sum += exponential_by_mean(inputs(interarrival), 1.0);
      sum += exponential_by_mean(inputs(service), 1.0);
    }
    return {{sum}};
  }
};

struct Sizes {
  std::int64_t customers = 100'000, replications = 16, holds = 1'000'000;
};

// Times `call`, which processes `count` units, and reports units per second of elapsed and of processor time.
template <class Call>
void measure(benchmark::State& state, double count, const std::string& unit, const Call& call) {
  const SmallestTime least = min_time(state, call);
  state.counters[unit + "_per_second"] = count / least.passed;
  state.counters[unit + "_per_processor_second"] = count / least.processor;
}

template <class Model, class Space>
void run(benchmark::State& state, const Space& space, const Model& model, const Sizes& sizes) {
  const auto source = prepared_source<Space>(UniformSource(), std::span(&model, 1));
  const Design<Model, Space> design(model, 1);
  const Outputs<Space> outputs("sporos::bench::outputs", static_cast<std::size_t>(sizes.replications),
                               response_count<Model>);
  const double customers = static_cast<double>(sizes.customers) * static_cast<double>(sizes.replications);
  measure(state, customers, "customers", [&] {
    replicate(space, design, source, ReplicationRange{0, sizes.replications}, Mapping::thread, outputs);
    space.fence();
  });
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  double sum = 0;
  for (std::size_t row = 0; row < rows.extent(0); ++row) sum += rows(row, 0);
  if (!std::isfinite(sum)) throw std::runtime_error("a replication has no responses");
  state.counters["mean"] = sum / static_cast<double>(rows.extent(0));
}

void add_models(const Sizes& sizes) {
  for_each_backend([&]<class Space>(const Space& space) {
    const auto add = [&](const std::string& name, const auto& model) {
      benchmark::RegisterBenchmark((std::string(backend_name<Space>()) + "/" + name).c_str(),
                                   [=](benchmark::State& state) { run(state, space, model, sizes); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("mm1/events", SingleServer{0.9, 1, sizes.customers});
    add("mm1/recurrence", models::MM1{0.9, 1, sizes.customers, 0});
    add("mmck/events", models::BasicEventMMCK<3, 64>{4, 1, 3, 5, sizes.customers});
    add("mmck/events in storage for all", models::EventMMCK{4, 1, 3, 5, sizes.customers});
    add("mmck/recurrence", models::MMCK{4, 1, 3, 5, sizes.customers});
    add("floor", Draws{sizes.customers});
  });
}

// Hold model of Jones (1986): removes the next event and inserts another, with exponential times between events.
template <int slots, template <int> class Keys>
void hold(benchmark::State& state, int used, std::int64_t holds) {
  constexpr std::size_t gap_count = 1 << 16;
  std::vector<double> gaps;
  for (std::uint64_t i = 1; i <= gap_count; ++i) gaps.push_back(-std::log(open_uniform(mix_bits(i))));
  const auto calendar = std::make_unique<Calendar<int, slots, Keys>>();
  for (int i = 0; i < used; ++i) calendar->schedule(gaps[static_cast<std::size_t>(i) % gap_count], i);
  measure(state, static_cast<double>(holds), "holds", [&] {
    for (std::int64_t i = 0; i < holds; ++i) {
      calendar->next();
      calendar->schedule(calendar->now() + gaps[static_cast<std::size_t>(i) % gap_count], calendar->event());
    }
  });
  if (calendar->size() != used) throw std::runtime_error("a calendar has lost events");
}

template <int slots, template <int> class Keys>
void add_hold(const std::string& order, std::int64_t holds) {
  for (const int used : {slots, std::max(1, slots / 16)}) {
    const std::string name = "calendar/" + order + "/" + std::to_string(slots) + "/" + std::to_string(used);
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { hold<slots, Keys>(state, used, holds); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
}

template <int... slots>
void add_holds(std::integer_sequence<int, slots...>, std::int64_t holds) {
  const auto add = [&]<int s>(std::integral_constant<int, s>) {
    if constexpr (s <= 64) add_hold<s, impl::ScannedKeys>("scan", holds);
    add_hold<s, impl::KeyTournament>("tournament", holds);
    add_hold<s, impl::KeyHeap>("heap", holds);
  };
  (add(std::integral_constant<int, slots>()), ...);
}

}  // namespace

}  // namespace sporos::bench

int main(int argc, char** argv) {
  sporos::bench::Sizes sizes;
  sporos::bench::OptionParser app("Events through calendars; takes --benchmark_... options too.", "bench_events");
  app.add_option("--customers", sizes.customers, "of a replication").positive();
  app.add_option("--replications", sizes.replications, "in a launch").positive();
  app.add_option("--holds", sizes.holds, "of a calendar").positive();
  return sporos::bench::run_benchmarks(app, argc, argv, [&] {
    using namespace sporos::bench;
    add_models(sizes);
    add_holds(std::integer_sequence<int, 2, 4, 8, 16, 32, 64, 256, 1024, 4096>(), sizes.holds);
  });
}
