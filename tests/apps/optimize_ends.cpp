// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize MODEL`: infeasible decisions, constraints of all kinds under all solvers, and the report on how a
// search ended.
#include "optimizations.hpp"
#include "refusal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sporos::test {
namespace optimize_ends_tests {

Outcome optimize(const std::string& line) { return run_line(first_program, "optimize " + line); }

Json found_by(const std::string& line) {
  const Outcome outcome = optimize(line + " --format json");
  EXPECT_EQ(outcome.status, 0) << line << '\n' << outcome.error;
  return outcome.status == 0 ? Json::parse(outcome.out) : Json();
}

std::string after(const std::string& text, std::string_view part) {
  const auto place = text.find(part);
  return place == std::string::npos ? "" : text.substr(place + part.size());
}

std::vector<std::string> names_in(std::string list) {
  std::erase_if(list, [](char c) { return c == ' ' || c == '\n'; });
  std::vector<std::string> names;
  for (std::size_t first = 0; first < list.size();) {
    const auto comma = std::min(list.find(',', first), list.size());
    names.push_back(list.substr(first, comma - first));
    first = comma + 1;
  }
  return names;
}

const std::string queue =
    "mm1 --customers 5 --replications 400 --over service-rate=0.6:3 --over arrival-rate=0.3:0.55 ";

// Runs all solvers that the program lists under all kinds of constraints. Each solver that fits ends with an answer, or
// reports that no decisions satisfy the constraints on responses. The other solvers are refused with the names of those
// that fit.
TEST(OptimizeEnds, ConstraintsOfAllKindsUnderAllSolvers) {
  const std::string linear = "--subject-to 'service-rate - arrival-rate <= 1' ", never = "'time in queue <= 1e-7' ";
  struct Kind {
    std::string options;
    bool is_infeasible;
  };
  const std::vector<Kind> kinds{{"", false},
                                {linear, false},
                                {"--subject-to 'time in queue <= 3' ", false},
                                {"--subject-to " + never, true},
                                {linear + "--subject-to 'time in queue <= 3' --gap-batches 2 ", false},
                                {linear + "--subject-to " + never, true},
                                {linear + "--subject-to 'P(time in queue > 3) <= 0.4' ", false},
                                {linear + "--subject-to 'CVaR_0.5(time in queue) <= 9' ", false}};
  const std::string objective = "--minimize 'service-rate + 0 * time in queue' ";
  const std::vector<std::string> solvers =
      names_in(after(optimize(queue + objective + "--solver none").error, "expected one of "));
  ASSERT_GE(solvers.size(), 17U);
  for (const Kind& kind : kinds) {
    std::vector<std::string> fitting, named;
    for (const std::string& solver : solvers) {
      const std::string line = queue + objective + kind.options + "--solver " + solver;
      const Outcome outcome = optimize(line);
      if (outcome.status == 2) {
        EXPECT_TRUE(outcome.error.starts_with("sporos: --solver " + solver + " needs ")) << line << outcome.error;
        const auto those = names_in(after(outcome.error, "suitable solvers: "));
        EXPECT_TRUE(named.empty() || named == those) << line << outcome.error;
        named = those;
        continue;
      }
      if (solver != "automatic") fitting.push_back(solver);
      if (outcome.status == 0) continue;
      EXPECT_TRUE(kind.is_infeasible) << line << outcome.error;
      EXPECT_TRUE(
          outcome.error.starts_with("sporos: no decisions that meet --subject-to " + never.substr(0, never.size() - 1)))
          << line << outcome.error;
    }
    EXPECT_EQ(named, fitting) << kind.options;
  }
}

const std::string overloaded =
    "event-mmck --capacity 100000 --customers 5000 --from-empty 1 --servers 1 --arrival-rate 2 --final-replications 10 "
    "--minimize 'mean wait' --plus '10 * service-rate' ";

// The queue outgrows its storage at the start, and in a fifth of the range.
TEST(OptimizeEnds, AStartWhoseReplicationsFailIsInfeasible) {
  for (const std::string solver : {"automatic", "nelder-mead", "r-spline", "random-search", "spsa"}) {
    const Json found =
        found_by(overloaded + "--replications 50 --service-rate 0.2 --over service-rate=0.2:1 --solver " + solver);
    if (found.is_null()) continue;
    EXPECT_GT(decided(found, "service_rate"), 0.3) << solver;
    EXPECT_TRUE(has_note(found,
                         "The start service_rate = 0.2 is infeasible: 1 of 1 replication failed: its queue has room "
                         "for 4096 entities"))
        << found["notes"];
    EXPECT_TRUE(objective_of(found)["mean"].is_number());
  }
  const Json tried =
      found_by(overloaded + "--replications 200 --service-rate 0.9 --over service-rate=0.2:1 --solver random-search");
  EXPECT_FALSE(has_note(tried, "The start "));
  EXPECT_GT(tried["findings"]["infeasible_samples"].get<int>(), 0);
  EXPECT_LT(tried["findings"]["infeasible_samples"].get<int>(), tried["findings"]["samples"].get<int>());
  const Outcome nowhere = optimize(overloaded + "--service-rate 0.2 --over service-rate=0.2:0.3");
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_NE(nowhere.error.find("; 64 random points within the bounds are infeasible, too"), std::string::npos)
      << nowhere.error;
}

TEST(OptimizeEnds, AStartThatTheModelDoesNotTakeIsInfeasible) {
  const std::string staff = "mmck --customers 50 --replications 400 --minimize 'mean wait' --plus 'servers / 100' ";
  const Json found = found_by(staff + "--servers 10 --over servers=1:20");
  EXPECT_TRUE(
      has_note(found, "The start servers = 10 is infeasible: capacity is 5, expected at least the 10 servers."));
  EXPECT_LE(decided(found, "servers"), 5);
  // A note names the fixed parameter that makes some decisions infeasible.
  const Json tried = found_by(staff + "--over servers=1:20 --solver random-search");
  EXPECT_TRUE(has_note(tried, "capacity is 5, expected at least the"));
  const Outcome nowhere = optimize(staff + "--over servers=6:20");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(nowhere.error, "sporos: capacity is 5, expected at least the 6 servers\n");
}

TEST(OptimizeEnds, WholeDecisionsHaveWholeBounds) {
  const std::string staff = "mmck --customers 50 --minimize 'mean wait' --over ";
  for (const std::string solver : {"automatic", "r-spline", "random-search"}) {
    const std::string more = " --solver " + solver;
    expect_refusal(optimize(staff + "servers=0.5:5" + more),
                   "--over is 'servers=0.5:5', and servers takes whole numbers, expected whole bounds, as in "
                   "servers=1:5");
    expect_refusal(optimize(staff + "servers=1:5.5" + more),
                   "--over is 'servers=1:5.5', and servers takes whole numbers, expected whole bounds, as in "
                   "servers=1:5");
    expect_refusal(optimize(staff + "servers=1:5 --servers 2.5" + more), "--servers is '2.5', expected a whole number");
  }
}

// The report on staffing under a bound on the mean wait includes the share of customers whom the capacity turns away.
TEST(OptimizeEnds, WhatIsNotDecidedAndOtherResponsesAreReported) {
  const std::string staff =
      "mmck --customers 100 --replications 1000 --minimize servers --subject-to 'mean wait <= 1' --over servers=1:5";
  const Outcome table = optimize(staff);
  for (const std::string part :
       {"\narrival_rate 4, service_rate 1, capacity 5", "Other responses at these decisions", "blocking probability",
        "Random search tried ", "The constraints are checked only for arrival_rate 4, "})
    EXPECT_NE(table.out.find(part), std::string::npos) << part << table.out;
  const Json found = found_by(staff);
  std::vector<std::string> names;
  for (const Json& row : rows_of(found, "responses")) {
    names.push_back(row["response"]);
    if (names.back() == "blocking probability") {
      EXPECT_GT(row["mean"].get<double>(), 0.3);
    }
  }
  EXPECT_EQ(std::ranges::count(names, "blocking probability"), 1);
  EXPECT_EQ(std::ranges::count(names, "mean wait"), 0);
}

TEST(OptimizeEnds, StartsBoundsAndNeighboursAreReported) {
  const Outcome table = optimize("mmck --customers 50 --over servers=1:5 --minimize 'mean wait'");
  for (const std::string part :
       {"Local search from 8 starts, the given one and 7 drawn within the bounds: the optimum may lie elsewhere.",
        "The search ended with servers at its upper bound 5.", "No better decisions were found among "})
    EXPECT_NE(table.out.find(part), std::string::npos) << part << table.out;
  EXPECT_NE(optimize("mmck --customers 50 --over servers=1:5 --servers 5 --minimize 'mean wait'")
                .out.find("The search ended at its start: it found no better decisions."),
            std::string::npos);
}

// San-1 from its start, with small budgets. Derivative-free solvers end far from the optimum, 18.05. The control is a
// solver that uses derivatives.
TEST(OptimizeEnds, AnEndFarFromALocalOptimumSaysSo) {
  std::string line = "activity-network --replications 4000 --minimize duration --plus '0";
  for (const std::string arc :
       {"1_2", "1_3", "2_3", "2_4", "2_6", "3_6", "4_5", "4_7", "5_6", "5_8", "6_9", "7_8", "8_9"})
    line += " + 1 / mean_" + arc;
  line += "' ";
  for (const std::string arc :
       {"1-2", "1-3", "2-3", "2-4", "2-6", "3-6", "4-5", "4-7", "5-6", "5-8", "6-9", "7-8", "8-9"})
    line += "--mean-" + arc + " 8 --over mean-" + arc + "=0.01:100 ";
  for (const std::string solver : {"random-search", "r-spline", "spsa"}) {
    const Outcome outcome = optimize(line + "--solver " + solver);
    EXPECT_NE(outcome.out.find("Not yet a local optimum: a step of "), std::string::npos) << solver << outcome.out;
    EXPECT_NE(outcome.out.find("Raise --replications, or use --solver astro."), std::string::npos) << outcome.out;
  }
  const Json found = found_by(line + "--solver astro");
  EXPECT_TRUE(rows_of(found, "better_neighbours").empty());
  EXPECT_GT(found["findings"]["neighbours"].get<int>(), 20);
}

}  // namespace optimize_ends_tests
}  // namespace sporos::test
