// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Table 2 of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte
// Carlo simulation: mean and standard deviation of the duration of a PERT network by refined descriptive sampling, with
// 50 observations per run. Compares the paper's figures, whose network is lost, with ours and with the exact values of
// our network. Then replaces Philox by generators like the paper's rand(), to see whether these explain the paper's
// variances. Last, compares samplings on every backend of this build.
#include "refined_descriptive.hpp"

#include <sporos/core/execution/execution_space.hpp>
#include <sporos/core/replication/estimates.hpp>
#include <sporos/core/sampling/refined_descriptive.hpp>
#include <sporos/models/projects/pert.hpp>

#include <boost/random/linear_congruential.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace sporos;
using namespace sporos::papers;

constexpr std::int64_t observations = 50;

struct Printed {
  std::int64_t runs;
  double mean, variance_of_mean, deviation, variance_of_deviation;
};

// Moments, over the runs, of the standard deviation of the durations in a run.
Moments deviations_of_runs(const std::vector<double>& durations) {
  Moments over_runs;
  for (std::size_t first = 0; first < durations.size(); first += observations) {
    Moments run;
    for (std::size_t i = first; i < first + observations; ++i) run = combine(run, {1, durations[i], 0});
    over_runs = combine(over_runs, {1, std::sqrt(run.variance()), 0});
  }
  return over_runs;
}

std::vector<double> durations_of(const models::Pert& project, const Plan& plan) {
  const Space space;
  const Outputs<Space> outputs("durations", static_cast<std::size_t>(plan.replications),
                               static_cast<std::size_t>(project.response_count()));
  replicate(space, Design<models::Pert, Space>(project, plan.seed),
            prepared_source<Space>(plan.source, std::span(&project, 1)), {0, plan.replications}, Mapping::thread,
            outputs);
  space.fence();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outputs);
  std::vector<double> durations;
  for (std::size_t i = 0; i < host.extent(0); ++i) durations.push_back(host(i, 0));
  return durations;
}

// Variance of the mean of a run's independent observations.
double random_variance() {
  const double deviation = models::exact_pert(models::eight_activities()).value().deviation;
  return deviation * deviation / observations;
}

void print_table() {
  const std::array<Printed, 4> paper{{{50, 10.13, 0.36, 2.24, 1.05},
                                      {200, 10.13, 0.41, 2.30, 0.92},
                                      {250, 10.11, 0.42, 2.30, 0.95},
                                      {300, 10.13, 0.41, 2.29, 0.95}}};
  const auto network = models::eight_activities();
  const models::PertTables<Space::memory_space> tables(network);
  const auto exact = models::exact_pert(network).value();

  io::Table table(columns_and({"exact, our network", "exact variance, random"}));
  for (const Printed& printed : paper) {
    const auto result = simulate(Space(), tables.model(), refined_plan(printed.runs, observations)).responses[0];
    table.add_row({printed.runs == paper[0].runs ? "mean duration" : "", std::to_string(printed.runs),
                   fixed(printed.mean, 2), fixed(printed.variance_of_mean, 2), fixed(result.mean, 3),
                   fixed(result.half_width, 3), fixed(result.variance, 3), fixed(exact.mean, 4),
                   fixed(random_variance(), 3)});
  }
  for (const Printed& printed : paper) {
    const auto plan = refined_plan(printed.runs, observations);
    const Moments moments = deviations_of_runs(durations_of(tables.model(), plan));
    table.add_row({printed.runs == paper[0].runs ? "standard deviation" : "", std::to_string(printed.runs),
                   fixed(printed.deviation, 2), fixed(printed.variance_of_deviation, 2), fixed(moments.mean, 3),
                   fixed(half_width(moments, plan.confidence), 3), fixed(moments.variance(), 3),
                   fixed(exact.deviation, 4)});
  }
  std::printf("PERT network, 8 activities, each 1 to 5 with equal probability, %lld observations a run\n\n%s",
              static_cast<long long>(observations), table.text().c_str());
}

// The rand() of the paper, section 6.2: x(n + 1) = (1103515245 x(n) + 12345) mod 2^15. Boost requires a multiplier
// reduced modulo 2^15.
constexpr std::uint32_t modulus = 1u << 15;
using PaperRand = boost::random::linear_congruential_engine<std::uint32_t, 1103515245u % modulus, 12345u, modulus>;

// The recurrence of PaperRand modulo 2^31. The example of rand() in the C standard returns its upper 15 bits.
using AnsiRand = boost::random::linear_congruential_engine<std::uint32_t, 1103515245u, 12345u, 1u << 31>;

// One generator from which all input variables draw, because all calls of rand() share one state.
template <class Generator>
struct Shared {
  using result_type = typename Generator::result_type;
  Generator* generator;

  static result_type min() { return Generator::min(); }
  static result_type max() { return Generator::max(); }
  result_type operator()() const { return (*generator)(); }
};

// Stores the first response of a project, which is its duration.
struct Duration {
  double value = 0;
  void set(int response, double of_response) {
    if (response == 0) value = of_response;
  }
};

// Durations of all observations. `uniform_of(activity)` returns the next uniform of an activity.
template <class UniformOf>
std::vector<double> durations_by(const models::Pert& project, std::int64_t runs, const UniformOf& uniform_of) {
  std::vector<double> durations;
  for (std::int64_t i = 0; i < runs * observations; ++i) {
    Duration duration;
    project.carry_out<double>([&](int arc) { return 1 + std::floor(5 * uniform_of(arc)); }, project.arcs, duration);
    durations.push_back(duration.value);
  }
  return durations;
}

Moments means_of_runs(const std::vector<double>& durations) {
  Moments over_runs;
  for (std::size_t first = 0; first < durations.size(); first += observations) {
    double sum = 0;
    for (std::size_t i = first; i < first + observations; ++i) sum += durations[i];
    over_runs = combine(over_runs, {1, sum / observations, 0});
  }
  return over_runs;
}

template <class Generator>
void add_generator(io::Table& table, const std::string& name, const models::Pert& project) {
  constexpr std::int64_t runs = 300;
  const auto add = [&](const char* sampling, const std::vector<double>& durations) {
    const Moments means = means_of_runs(durations), deviations = deviations_of_runs(durations);
    table.add_row({name, sampling, fixed(means.mean, 3), fixed(means.variance(), 3),
                   fixed(means.variance() / random_variance(), 2), fixed(deviations.mean, 3),
                   fixed(deviations.variance(), 3)});
  };
  Generator generator(1);
  boost::random::uniform_01<double> uniform;
  add("random", durations_by(project, runs, [&](int) { return uniform(generator); }));
  std::vector<double> seeded;
  for (std::uint32_t run = 1; run <= runs; ++run) {
    Generator own(run);
    for (const double duration : durations_by(project, 1, [&](int) { return uniform(own); })) {
      seeded.push_back(duration);
    }
  }
  add("random, seeded by the run", seeded);
  std::vector<ArrayRefinedSequence<Shared<Generator>>> sequences;
  for (int i = 0; i < project.activities; ++i) sequences.emplace_back(PrimeRange(), Shared<Generator>{&generator});
  add("refined descriptive",
      durations_by(project, runs, [&](int arc) { return sequences[static_cast<std::size_t>(arc)].next(); }));
}

void print_generators() {
  const models::PertTables<Kokkos::HostSpace> tables(models::eight_activities());
  io::Table table({{"generator", Column::text},
                   {"sampling", Column::text},
                   {"mean duration", Column::number},
                   {"variance", Column::number},
                   {"/ independent", Column::number},
                   {"standard deviation", Column::number},
                   {"variance", Column::number}});
  const auto add = [&]<class Generator>(std::type_identity<Generator>, const std::string& name) {
    add_generator<Generator>(table, name, tables.model());
  };
  add(std::type_identity<PaperRand>(), "the paper's rand(), period 2^15");
  add(std::type_identity<AnsiRand>(), "ANSI C's rand(), 2^31");
  add(std::type_identity<boost::random::minstd_rand0>(), "Boost's minstd_rand0, 2^31 - 2");
  add(std::type_identity<boost::random::minstd_rand>(), "Boost's minstd_rand, 2^31 - 2");
  add(std::type_identity<boost::random::rand48>(), "Boost's rand48, 2^48");
  add(std::type_identity<boost::random::mt19937_64>(), "Boost's mt19937_64");
  std::printf(
      "\nThe same network by other generators, 300 runs; the paper's variances are %.1f to %.1f times %.3f\n\n%s",
      0.36 / random_variance(), 0.42 / random_variance(), random_variance(), table.text().c_str());
}

// Replications of the network by a sampling on a backend, under a mapping.
template <class ExecutionSpace>
PointResult sampled(const ExecutionSpace& space, Sampling sampling, Mapping mapping) {
  const models::PertTables<typename ExecutionSpace::memory_space> tables(models::eight_activities());
  Plan plan = refined_plan(300, observations);
  plan.source.sampling = sampling;
  plan.mapping = mapping;
  return simulate(space, tables.model(), plan);
}

// Variance between runs for each sampling. The digest of all replications is the same on every backend.
void print_samplings() {
  io::Table table({{"sampling", Column::text},
                   {"backend", Column::text},
                   {"mapping", Column::text},
                   {"mean duration", Column::number},
                   {"variance", Column::number},
                   {"/ independent", Column::number},
                   {"digest", Column::text}});
  for (const Sampling sampling : {Sampling::refined_descriptive, Sampling::descriptive, Sampling::latin_hypercube,
                                  Sampling::halton, Sampling::faure, Sampling::sobol, Sampling::lattice}) {
    for_each_backend([&]<class ExecutionSpace>(const ExecutionSpace& space) {
      for (const Mapping mapping : {Mapping::thread, Mapping::warp}) {
        const PointResult result = sampled(space, sampling, mapping);
        table.add_row(
            {std::string(name_of(sampling)), std::string(backend_name<ExecutionSpace>()), std::string(name_of(mapping)),
             fixed(result.responses[0].mean, 6), fixed(result.responses[0].variance, 6),
             fixed(result.responses[0].variance / random_variance(), 3), fmt::format("{:016x}", result.digest)});
      }
    });
  }
  std::printf("\nThe same network by samplings on every backend, 300 runs\n\n%s", table.text().c_str());
}

void print_tables() {
  print_table();
  print_generators();
  print_samplings();
}

}  // namespace

int main() { return run_program(print_tables); }
