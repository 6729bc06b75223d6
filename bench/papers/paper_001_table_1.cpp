// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Table 1 of Aloui and Ourbih-Tari (2011), The use of refined descriptive sampling and applications in parallel Monte
// Carlo simulation: the M/M/1 queue over a time horizon by refined descriptive sampling. Compares the paper's figures,
// ours, and the exact means over that horizon from empty.
#include "refined_descriptive.hpp"

#include <sporos/models/queues/mm1.hpp>

#include <array>

namespace {

using namespace sporos;
using namespace sporos::papers;

// Mean and variance of an estimate over the runs.
struct Printed {
  double mean, variance;
};

struct Experiment {
  std::int64_t runs;
  std::array<std::optional<Printed>, 2> paper;  // queue size, time in queue
};

void print_table() {
  const models::MM1 queue{1.0 / 3, 1.0 / 2, 0, 1200.0};
  const auto exact = queue.exact_means();
  struct Row {
    const char* name;
    std::size_t response;
    double steady_state;
  };
  const std::array<Row, 2> rows{{{"queue size", 3, 4.0 / 3}, {"time in queue", 0, 4.0}}};
  const std::array<Experiment, 3> experiments{{{2, {{Printed{2.06, 0.11}, Printed{4.43, 0.09}}}},
                                               {5, {{Printed{1.56, 0.08}, Printed{4.20, 0.05}}}},
                                               {2000, {}}}};
  io::Table table(columns_and({"exact, T = 1200", "steady state"}));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const Experiment& experiment : experiments) {
      const auto result = simulate(Space(), queue, refined_plan(experiment.runs, 0));
      const auto& response = result.responses[rows[row].response];
      const auto& paper = experiment.paper[row];
      table.add_row({experiment.runs == experiments[0].runs ? rows[row].name : "", std::to_string(experiment.runs),
                     paper ? fixed(paper->mean, 2) : "", paper ? fixed(paper->variance, 2) : "",
                     fixed(response.mean, 3), fixed(response.half_width, 3), fixed(response.variance, 3),
                     fixed(*exact[rows[row].response], 4), fixed(rows[row].steady_state, 4)});
    }
  }
  std::printf("M/M/1 queue, arrival rate 1/3, service rate 1/2, from empty until T = 1200\n\n%s", table.text().c_str());
}

}  // namespace

int main() { return run_program(print_table); }
