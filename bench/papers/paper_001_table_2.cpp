// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paper 001, Table 2: mean and standard deviation of a PERT network's duration by refined descriptive sampling, 50
// observations a run, beside the paper's figures (of a network that is lost) and the exact values of ours.
#include "refined_descriptive.hpp"

#include <sporos/core/replication/estimates.hpp>
#include <sporos/models/projects/pert.hpp>

#include <array>
#include <cmath>

namespace {

using namespace sporos;
using namespace sporos::papers;

constexpr std::int64_t observations = 50;

struct Printed {
  std::int64_t runs;
  double mean, variance_of_mean, deviation, variance_of_deviation;
};

// The standard deviation of the durations of each run.
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

void print_table() {
  const std::array<Printed, 4> paper{{{50, 10.13, 0.36, 2.24, 1.05},
                                      {200, 10.13, 0.41, 2.30, 0.92},
                                      {250, 10.11, 0.42, 2.30, 0.95},
                                      {300, 10.13, 0.41, 2.29, 0.95}}};
  const auto network = models::eight_activities();
  const models::PertTables<Space::memory_space> tables(network);
  const auto exact = models::exact_pert(network).value();

  io::Table table(columns_and({"exact, our network", "exact variance, random"}));
  const double random_variance = exact.deviation * exact.deviation / observations;
  for (const Printed& printed : paper) {
    const auto result = simulate(Space(), tables.model(), refined_plan(printed.runs, observations)).responses[0];
    table.add_row({printed.runs == paper[0].runs ? "mean duration" : "", std::to_string(printed.runs),
                   fixed(printed.mean, 2), fixed(printed.variance_of_mean, 2), fixed(result.mean, 3),
                   fixed(result.half_width, 3), fixed(result.variance, 3), fixed(exact.mean, 4),
                   fixed(random_variance, 3)});
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

}  // namespace

int main() { return run_program(print_table); }
