// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of `sporos optimize MODEL`, which finds parameters that minimize or maximize an expression of the responses.
#include "harness/long_tests.hpp"
#include "optimizations.hpp"
#include "refusal.hpp"
#include "result_json.hpp"

#include <sporos/models/queues/mm1.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace sporos::test {
namespace optimize_model_tests {

using Words = std::vector<std::string>;

const std::string rate_of_service =
    "optimize mm1 --customers 100 --over service-rate=0.6:10 --minimize 'time in "
    "system' --plus '0.1 * service-rate^2' ";

Json result_of(const std::string& program, const std::string& line) {
  const Outcome outcome = run_line(program, line + " --format json");
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return Json::parse(outcome.out);
}

Json without_machine(Json result) {
  result.erase("machine");
  result.erase("seconds");
  return result;
}

// For many customers the mean time in system tends to 1 / (μ − 1/2). Its sum with μ² / 10 is smallest at μ = 2.1.
TEST(OptimizeModel, FindsTheRateOfService) {
  for (const std::string solver : {"automatic", "l-bfgs", "sqn", "frank-wolfe", "nelder-mead", "adam", "astro-df",
                                   "robbins-monro", "random-search"}) {
    const Json result = result_of(first_program, rate_of_service + "--replications 5000 --solver " + solver);
    EXPECT_NEAR(decided(result, "service_rate"), 2.07, 0.2) << solver;
    EXPECT_NEAR(objective_of(result)["mean"].get<double>(), 1.067, 0.01) << solver;
    EXPECT_LT(objective_of(result)["half_width"].get<double>(), 0.01);
    EXPECT_GT(objective_of(result, "improvement")["mean"].get<double>(),
              10 * objective_of(result, "improvement")["half_width"].get<double>());
    EXPECT_LE(result["findings"]["replications"].get<int>(), 5000);
    EXPECT_EQ(result["findings"]["solver"], solver == "automatic" ? "astro" : solver);
    EXPECT_EQ(result["findings"]["reason"].is_null(), solver != "automatic");
  }
}

TEST(OptimizeModel, TakesWholeNumbers) {
  const std::string line =
      "optimize mmck --customers 200 --capacity 20 --over servers=1:20 --minimize '3 * servers + 40 * blocking "
      "probability'";
  const Json result = result_of(first_program, line);
  EXPECT_EQ(result["findings"]["solver"], "r-spline");
  EXPECT_EQ(result["findings"]["reason"], "a decision is a whole number");
  EXPECT_GE(result["findings"]["selection_points"], 2);
  EXPECT_EQ(result["findings"]["selection_replications"], 1000 * result["findings"]["selection_points"].get<int>());
  EXPECT_GE(result["findings"]["selection_bound"].get<double>(), 0);
  EXPECT_NE(run_line(first_program, line).out.find(" points that the search visited, compared on "), std::string::npos);
  const Json servers = decisions_of(result)["servers"];
  ASSERT_TRUE(servers.is_number_integer());
  // Find the best of all 20 numbers of servers by a separate simulation of each.
  double least = 1e9, best = 0;
  for (int s = 1; s <= 20; ++s) {
    const Json all = Json::parse(
        run_line(first_program,
                 "simulate mmck --customers 200 --capacity 20 --replications 1000 --format json --servers " +
                     std::to_string(s))
            .out);
    for (const Json& response : rows_of(all, "means")) {
      if (response["response"] != "blocking probability") continue;
      const double cost = 3 * s + 40 * response["mean"].get<double>();
      if (cost < least) {
        least = cost;
        best = s;
      }
    }
  }
  EXPECT_EQ(servers.get<double>(), best);
}

// E[time in queue] / E[time in system] of 50 customers decreases with the service rate, and 0.01 rate² increases.
TEST(OptimizeModel, TakesFunctionsOfMeans) {
  const Json result = result_of(first_program,
                                "optimize mm1 --customers 50 --over service-rate=0.6:10 --minimize 'time in queue / "
                                "time in system' --plus '0.01 * service-rate^2' --replications 20000");
  EXPECT_EQ(result["findings"]["solver"], "astro");
  const double rate = decided(result, "service_rate"), at = objective_of(result)["mean"];
  const double half_width = objective_of(result)["half_width"];
  for (const double other : {rate - 0.6, rate, rate + 0.6}) {  // estimated by a separate simulation
    const Json times = Json::parse(run_line(first_program,
                                            "simulate mm1 --customers 50 --replications 50000 --format json "
                                            "--service-rate " +
                                                std::to_string(other))
                                       .out)["tables"]["means"]["rows"];
    const double ratio = times[0]["mean"].get<double>() / times[1]["mean"].get<double>() + 0.01 * other * other;
    if (other == rate) {
      EXPECT_NEAR(at, ratio, 2 * half_width);
    } else {
      EXPECT_GT(ratio, at + half_width) << other;
    }
  }
}

// M/M/c/k has no pathwise derivatives. Gradient-based solvers therefore require --gradient differences.
TEST(OptimizeModel, TakesGradientsByDifferences) {
  const std::string line =
      "optimize mmck --customers 100 --over service-rate=0.3:5 --minimize '10 * service-rate + 100 * blocking "
      "probability' --replications 20000 ";
  const Json by_differences = result_of(first_program, line + "--gradient differences");
  EXPECT_EQ(by_differences["findings"]["solver"], "astro");
  EXPECT_EQ(by_differences["findings"]["reason"], "gradients are central differences");
  const Json by_values = result_of(first_program, line);
  EXPECT_EQ(by_values["findings"]["solver"], "astro-df");
  EXPECT_NEAR(objective_of(by_differences)["mean"].get<double>(), objective_of(by_values)["mean"].get<double>(),
              2 * objective_of(by_values)["half_width"].get<double>());
  EXPECT_LE(by_differences["findings"]["replications"], 20000);
}

// Returns the service rate that minimizes the exact mean time in system plus 0.1 rate², for 10 customers of an M/M/1
// queue.
double best_rate() {
  const auto cost = [](double rate) {
    models::MM1 queue{0.5, rate, 10, 0};
    return queue.exact_means()[1].value() + 0.1 * rate * rate;
  };
  double best = 0.6;
  for (double rate = 0.6; rate <= 10; rate += 0.01) best = cost(rate) < cost(best) ? rate : best;
  return best;
}

TEST(OptimizeModel, TakesGradientsByLikelihoodRatios) {
  const std::string line =
      "optimize mm1 --customers 10 --over service-rate=0.6:10 --minimize 'time in system + 0.1 * service-rate^2' "
      "--replications 50000 --gradient likelihood-ratio ";
  const Json result = result_of(first_program, line);
  EXPECT_EQ(result["findings"]["solver"], "adam");
  EXPECT_EQ(result["findings"]["reason"], "gradients are likelihood ratios");
  EXPECT_NEAR(decided(result, "service_rate"), best_rate(), 0.15);
  EXPECT_GT(objective_of(result, "improvement")["mean"].get<double>(),
            5 * objective_of(result, "improvement")["half_width"].get<double>());
  for (const auto& program : programs())
    EXPECT_EQ(without_machine(result_of(program, line)), without_machine(result)) << program;
  const std::string by_path = line.substr(0, line.find("--gradient")) + "--solver adam";
  EXPECT_NE(decisions_of(result_of(first_program, by_path)), decisions_of(result));  // the gradients differ
}

// The number of customers that arrive before the horizon depends on the arrival rate. Pathwise derivatives of the
// average time in system are therefore biased.
TEST(OptimizeModel, NamesLikelihoodRatiosWhereTheyWouldDo) {
  const std::string line =
      "optimize mm1 --customers 0 --horizon 3 --over arrival-rate=0.1:2 --minimize 'time in system + 0.4 / "
      "arrival-rate' --replications ";
  const Json result = result_of(first_program, line + "300000");
  EXPECT_EQ(result["findings"]["solver"], "astro-df");
  EXPECT_EQ(result["findings"]["reason"],
            "pathwise derivatives are biased; those of --gradient likelihood-ratio are unbiased");
  const std::string fewer = line + std::to_string(runs_in_test(100'000, 300'000));
  const Json by_ratios = result_of(first_program, fewer + " --gradient likelihood-ratio"),
             by_path = result_of(first_program, fewer + " --solver adam");
  EXPECT_EQ(by_ratios["findings"]["solver"], "adam");
  const double mean = objective_of(result)["mean"], half_width = objective_of(result)["half_width"];
  EXPECT_NEAR(objective_of(by_ratios)["mean"].get<double>(), mean,
              half_width + objective_of(by_ratios)["half_width"].get<double>());
  EXPECT_GT(objective_of(by_path)["mean"].get<double>(), mean + 10 * half_width);  // control
}

TEST(OptimizeModel, EndsWhereTheObjectiveIsNoNumber) {
  const Outcome outcome =
      run_line(first_program, "optimize mm1 --customers 20 --over service-rate=0.6:10 --minimize 'log(0 - idle time)'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error,
            "sporos: the start service_rate = 1 is infeasible: the objective, a constraint or a derivative is not a "
            "finite number; 64 random points within the bounds are infeasible, too, expected other bounds or another "
            "objective\n");
}

TEST(OptimizeModel, EndsWhereThereIsNoOptimum) {
  const std::string line = "optimize mm1 --customers 20 --replications 1000 --over service-rate=1:inf ";
  const Outcome outcome = run_line(first_program, line + "--maximize 'service-rate - time in system'");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.error.starts_with("sporos: the objective still grows at service_rate = ")) << outcome.error;
  EXPECT_TRUE(
      outcome.error.ends_with(": expected an objective with a maximum, or a finite upper bound of service_rate\n"));
  EXPECT_EQ(lines_of(outcome.error), 1);
  // Controls: the first objective has a maximum, and the second approaches a finite upper bound.
  for (const std::string objective :
       {"--maximize '0 - time in system - 0.1 * service-rate^2'", "--maximize 'idle time'"})
    EXPECT_EQ(run_line(first_program, line + objective).status, 0) << objective;
}

TEST(OptimizeModel, MaximizesWhatMinimizationMakesLeast) {
  const std::string line = "optimize mm1 --customers 50 --over arrival-rate=0.1:0.9 --replications 2000 --solver adam ";
  const Json least = result_of(first_program, line + "--minimize '2 * time in queue - arrival-rate'");
  const Json most = result_of(first_program, line + "--maximize 'arrival-rate - 2 * time in queue'");
  EXPECT_EQ(decisions_of(least), decisions_of(most));
  EXPECT_EQ(objective_of(least)["mean"].get<double>(), -objective_of(most)["mean"].get<double>());
  EXPECT_EQ(objective_of(least, "improvement"), objective_of(most, "improvement"));
}

// The exact mean wait of M/M/1 yields the smallest service rate at which the mean wait is at most 2. The derivative of
// the wait with respect to the rate is −1 / multiplier there.
TEST(OptimizeModel, MeetsConstraintsOnResponses) {
  const std::string line =
      "optimize mm1 --customers 40 --over service-rate=0.6:2 --minimize service-rate "
      "--subject-to 'time in queue <= 2' --replications " +
      std::to_string(runs_in_test(6000, 20'000)) + ' ';
  const std::string surely = line + "--final-replications " + std::to_string(runs_in_test(3000, 10'000)) + ' ';
  const auto wait = [](double rate) { return models::MM1{0.5, rate, 40, 0}.exact_means()[0].value(); };
  double low = 0.6, high = 1;
  while (high - low > 1e-9) (wait((low + high) / 2) > 2 ? low : high) = (low + high) / 2;
  const auto slope = [&](double rate) { return (wait(rate + 1e-4) - wait(rate - 1e-4)) / 2e-4; };
  for (const std::string solver : {"augmented-lagrangian", "conex", "coexcg", "csa"}) {
    const Json found = result_of(first_program, surely + "--gap-batches 0 --solver " + solver);
    const Json constraint = rows_of(found, "constraints")[0];
    const double rate = decided(found, "service_rate"), exceeded_by = wait(rate) - 2;
    const double lower = constraint["at_least"], upper = constraint["at_most"];
    // The bounds lie 1.73 standard errors of the 10 000 (3000) final replications on either side of the estimate. The
    // error may be at most ten standard errors of the search's 20 000 (6000) replications.
    EXPECT_LE(std::abs(exceeded_by), 10 * (upper - lower) / 2 / 1.73 / std::sqrt(2.0)) << solver;
    EXPECT_LE(lower, exceeded_by) << solver;
    EXPECT_GE(upper, exceeded_by) << solver;
    // The final multiplier must lie within five standard errors of the exact one. A half-width is 2.09 standard errors.
    EXPECT_NEAR(constraint["multiplier"].get<double>(), -1 / slope(rate),
                2.5 * constraint["multiplier_half_width"].get<double>())
        << solver;
    // Minimizing the sample mean of 10 000 replications takes seconds, so this run uses fewer.
    const Json bounded =
        result_of(first_program, line + "--gap-batches 5 --final-replications 1000 --solver " + solver);
    EXPECT_EQ(decisions_of(bounded), decisions_of(found)) << solver;
    const double bound = bounded["findings"]["gap_bound"], reach = bound - bounded["findings"]["gap"].get<double>();
    EXPECT_GE(bound, rate - low) << solver;
    EXPECT_LE(bound, rate - low + 5 * reach) << solver;
    const Json tightened = result_of(first_program, surely + "--feasible-with 0.99 --solver " + solver);
    EXPECT_EQ(tightened["findings"]["feasibility"], "feasible") << solver;
    EXPECT_GT(decided(tightened, "service_rate"), low) << solver;
  }
}

TEST(OptimizeModel, SaysWhereNoDecisionsMeetTheConstraints) {
  const Outcome found = run_line(first_program,
                                 "optimize mm1 --customers 100 --over service-rate=0.6:1 --minimize service-rate "
                                 "--subject-to 'time in queue <= 0.1' --replications 4000");
  EXPECT_EQ(found.status, 1);
  EXPECT_EQ(found.out, "");
  EXPECT_NE(found.error.find("no decisions that meet --subject-to 'time in queue <= 0.1' were found: the smallest "
                             "violation found exceeds the limit by at least "),
            std::string::npos)
      << found.error;
}

const std::string two_levels =
    "optimize dual-sourcing --over expedited-level=0:200 --over regular-level=0:400 --minimize 'total cost' "
    "--expedited-level 50 --regular-level 80 --subject-to 'expedited-level + regular-level <= 140' --replications 1000 "
    "--final-replications 100 --solver coordinate-search";

TEST(OptimizeModel, HasTheSameBitsOnEveryBackend) {
  const std::string rate = rate_of_service + "--replications 3000";
  for (const std::string& line : {rate, rate + " --solver sqn", rate + " --subject-to 'service-rate <= 1.9'",
                                  rate + " --subject-to 'time in queue <= 1' --feasible-with 0.9", two_levels}) {
    const Json expected = without_machine(result_of(first_program, line));
    for (const auto& program : programs()) {
      const bool has_threads = program == "sporos-openmp";
      for (const std::string& more : has_threads ? Words{" --threads 2", " --threads 4"} : Words{""})
        EXPECT_EQ(without_machine(result_of(program, line + more)), expected) << program << more;
    }
  }
  const Json expected = without_machine(result_of(first_program, rate_of_service + "--replications 3000"));
  EXPECT_NE(without_machine(result_of(first_program, rate_of_service + "--replications 3000 --seed 2")), expected);
}

// A run that is stopped by its time limit and continued from its checkpoint has the same result, bit for bit, as an
// uninterrupted run.
Json expect_resumable(const std::string& line) {
  const Folder folder;
  const std::string kept = folder / "kept.json";
  const Json expected = without_machine(result_of(first_program, line));
  const Outcome stopped =
      run_line(first_program, line + " --format json --checkpoint " + kept + " --every 0 --time-limit 0.001");
  if (stopped.status == 0) {
    const Json part = Json::parse(stopped.out);
    EXPECT_EQ(part["stopped_by"], "time limit");
    EXPECT_LT(part["findings"]["replications"].get<int>(), expected["findings"]["replications"].get<int>());
  } else {  // on a busy machine, the run may end within a step: it leaves a checkpoint, but has no result
    EXPECT_TRUE(stopped.error.starts_with("sporos: the time limit of 0.001 s is over in a step")) << stopped.error;
  }
  const Outcome whole = run_line(first_program, line + " --format json --checkpoint " + kept);
  EXPECT_EQ(without_machine(Json::parse(whole.out)), expected);
  EXPECT_EQ(contents_of(kept), "");  // the checkpoint is removed
  return expected;
}

TEST(OptimizeModel, GoesOnToTheLastBit) {
  for (const std::string how : {"--solver adam", "--solver adam --macro-replications 2", "--solver sqn",
                                "--solver frank-wolfe --gap-batches 0 --subject-to 'service-rate <= 2'",
                                "--solver conex --subject-to 'time in queue <= 1' --feasible-with 0.9",
                                "--solver csa --subject-to 'time in queue <= 1' --feasible-with 0.9 "
                                "--macro-replications 2"}) {
    expect_resumable(
        "optimize mm1 --customers 200 --final-replications 100 --over service-rate=0.6:10 --minimize 'time in system' "
        "--plus '0.1 * service-rate^2' --replications 2000 " +
        how);
  }
}

// The best levels without the constraint are 49 and 115. The journal keeps single replications, which coordinate search
// compares.
TEST(OptimizeModel, SearchesWholeNumbersUnderAConstraint) {
  const Json found = expect_resumable(two_levels);
  const double expedited = decided(found, "expedited_level"), regular = decided(found, "regular_level");
  EXPECT_EQ(expedited + regular, 140);
  EXPECT_NEAR(expedited, 45, 10);
}

// Calls come by day only. The formulas for staff place all people there before the first replication, so a small budget
// suffices. Times at stations have no formulas.
TEST(OptimizeModel, ChoosesARoster) {
  const std::string desk = R"json({"time_unit": "h", "horizon": "5 d", "warm_up": "1 d", "cool_down": "1 d",
    "classes": {"call": {"rates": [{"from": 0, "rate": 0.01}, {"from": 6, "rate": 12}, {"from": 18, "rate": 0.01}],
                         "cycle": 24, "enters": "desk"}},
    "stations": {"desk": {"service": "exponential(6)", "roles": ["clerk"]}},
    "staff": {"clerk": {"starts": [3, 0, 0, 3], "shift": 6, "cost": 20}}})json";
  const Folder folder;
  const std::string line = "optimize network --case " + folder.write("desk.json", desk) +
                           " --over 'staff.*.starts.*=0:9' --replications 40 --final-replications 20 ";
  const Json found = result_of(first_program, line + "--maximize 'served at once at desk - 0.0005*staff cost per day'");
  EXPECT_EQ(found["findings"]["solver"], "coordinate-search");
  for (const char* slot : {"1", "4"}) EXPECT_EQ(decided(found, std::string("staff.clerk.starts.") + slot), 0);
  for (const char* slot : {"2", "3"}) EXPECT_NEAR(decided(found, std::string("staff.clerk.starts.") + slot), 4.5, 0.5);
  const Json waits = result_of(first_program, line + "--minimize 'wait at desk + 0.0001*staff cost per day'");
  EXPECT_EQ(waits["findings"]["solver"], "coordinate-search");
  // Those who wait at 18 h pay for somebody in the last slot.
  EXPECT_EQ(decided(waits, "staff.clerk.starts.1"), 0);
  for (const char* slot : {"2", "3"}) EXPECT_NEAR(decided(waits, std::string("staff.clerk.starts.") + slot), 4, 0.5);
  const Json times = result_of(first_program, line + "--minimize 'time at desk + 0.001*staff cost per day'");
  EXPECT_EQ(times["findings"]["solver"], "r-spline");
}

// Each macro-replication returns the same result as a single run with its seed. The best one is selected and estimated
// with separate replications.
TEST(OptimizeModel, RunsManyAsEachAlone) {
  const std::string line = rate_of_service + "--replications 2000 --solver adam ";
  const Json many = result_of(first_program, line + "--macro-replications 5");
  const Json runs = rows_of(many, "runs");
  ASSERT_EQ(runs.size(), 5u);
  EXPECT_EQ(runs[0]["seed"], 1);
  std::set<std::uint64_t> seeds;
  double least = 1e9;
  std::size_t best = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const Json& run = runs[i];
    const Json separate = result_of(first_program, line + "--seed " + run["seed"].dump());
    EXPECT_EQ(run["service_rate"].get<double>(), decided(separate, "service_rate"));
    EXPECT_EQ(run["replications"], separate["findings"]["replications"]);
    seeds.insert(run["seed"].get<std::uint64_t>());
    if (run["objective"].get<double>() >= least) continue;
    least = run["objective"];
    best = i;
  }
  EXPECT_EQ(seeds.size(), 5u);
  EXPECT_EQ(many["findings"]["best_run"], best + 1);
  EXPECT_EQ(decided(many, "service_rate"), runs[best]["service_rate"].get<double>());
  EXPECT_NE(objective_of(many)["mean"].get<double>(), least);
  EXPECT_NEAR(objective_of(many)["mean"].get<double>(), least, 0.05);
  EXPECT_EQ(many["findings"]["replications"], 5 * runs[0]["replications"].get<int>());
  const Json &first = rows_of(many, "progress").front(), &last = rows_of(many, "progress").back();
  EXPECT_EQ(first["smallest"], first["largest"]);  // all runs begin at the same point
  EXPECT_EQ(last["smallest"], least);
  EXPECT_LT(last["largest"].get<double>(), first["median"].get<double>());
}

// Under constraints, the answer is the best of the runs that are certified to be feasible, with the certificate of that
// run. No run depends on the others.
TEST(OptimizeModel, TakesTheBestFeasibleRun) {
  const std::string line =
      "optimize mm1 --customers 100 --over service-rate=0.6:2 --minimize service-rate --subject-to 'time in queue <= "
      "2' --replications 3000 ";
  const Json many = result_of(first_program, line + "--macro-replications 12 --confidence 0.5");
  const Json runs = rows_of(many, "runs");
  ASSERT_EQ(runs.size(), 12u);
  std::set<std::string> verdicts;
  double least = 1e9;
  std::size_t best = 0;
  for (std::size_t i = 0; i < 12; ++i) {
    const Json& run = runs[i];
    const std::string verdict = run["feasibility"];
    verdicts.insert(verdict);
    if (i < 3) {
      const Json separate = result_of(first_program, line + "--seed " + run["seed"].dump());
      EXPECT_EQ(run["service_rate"].get<double>(), decided(separate, "service_rate"));
    }
    const double rate = run["objective"];
    if (verdict != "feasible" || rate >= least) continue;
    least = rate, best = i;
  }
  ASSERT_GT(verdicts.size(), 1U);
  ASSERT_LT(least, 1e9);
  EXPECT_EQ(many["findings"]["best_run"], best + 1);
  // The final estimates may increase the upper bound of the answer's certificate, but change nothing else in it.
  const Json answer = rows_of(many, "constraints")[0], its_run = rows_of(many, "run_constraints")[best];
  EXPECT_EQ(its_run["run"], best + 1);
  EXPECT_EQ(answer["exceeded_by"], its_run["exceeded_by"]);
  EXPECT_EQ(answer["at_least"], its_run["at_least"]);
  EXPECT_GE(answer["at_most"], its_run["at_most"]);
  const Outcome table = run_line(first_program, line + "--macro-replications 12 --confidence 0.5");
  EXPECT_NE(table.out.find("the answer is the best of the feasible ones."), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("time in queue <= 2, exceeded by"), std::string::npos) << table.out;
  const Json tightened = result_of(first_program, line + "--macro-replications 3 --feasible-with 0.9");
  for (const Json& run : rows_of(tightened, "runs")) EXPECT_EQ(run["feasibility"], "feasible");
  for (const Json& constraint : rows_of(tightened, "run_constraints")) EXPECT_LT(constraint["exceeded_by"], 0);
}

// For one run and for several, the picture has a panel for the objective and one for each constraint. The JSON result
// contains the numbers in these panels.
TEST(OptimizeModel, DrawsViolations) {
  const Folder folder;
  const std::string picture = folder / "way.svg";
  const std::string line =
      "optimize mm1 --customers 100 --over service-rate=0.6:2 --minimize service-rate --subject-to 'time in queue <= "
      "2' --subject-to 'idle time <= 150' --replications 2000 --solver csa --picture " +
      picture;
  for (const std::string& more : {std::string(), std::string(" --macro-replications 3")}) {
    const Json found = result_of(first_program, line + more);
    for (const std::string part : {"mm1: M/M/1 queue", "exceeded by", "time in queue", "idle time", "limit",
                                   "certified at the end", "Objective"})
      EXPECT_NE(contents_of(picture).find(part), std::string::npos) << part << more;
    if (more.empty()) {
      EXPECT_TRUE(rows_of(found, "points").back()["exceeded_by_2_half_width"].is_number());
    } else {
      EXPECT_EQ(rows_of(found, "constraint_progress").back()["constraint"], "idle time <= 150");
      EXPECT_TRUE(rows_of(found, "constraint_progress").back()["median"].is_number());
    }
  }
  EXPECT_EQ(run_line(first_program, line + " --subject-to 'idle time <= 160' --subject-to 'idle time <= 170'").status,
            0);
  EXPECT_NE(contents_of(picture).find("170"), std::string::npos);
}

TEST(OptimizeModel, StartsFromSeveralPointsUnderConstraints) {
  const std::string line =
      "optimize mm1 --customers 100 --over service-rate=0.6:2 --minimize service-rate --subject-to 'time in queue <= "
      "2' --replications 8000 --starts 4 ";
  const Json found = result_of(first_program, line + "--feasible-with 0.9");
  EXPECT_EQ(found["findings"]["starts"], 4);
  EXPECT_EQ(found["findings"]["feasibility"], "feasible");
  const Outcome table = run_line(first_program, line);
  EXPECT_NE(table.out.find("from 4 starts, keeping the best end that is certified feasible"), std::string::npos)
      << table.out;
}

TEST(OptimizeModel, ShowsHowManyRunsEnd) {
  const std::string line = rate_of_service + "--replications 500 --solver adam --macro-replications 4 ";
  const Outcome table = run_line(first_program, line);
  for (const std::string part : {"2000 replications in 4 runs of at most 500 each, seed 1; the best end is chosen on "
                                 "100 replications and estimated on as many others, none of them used in a run",
                                 "Quartiles of the ends of the runs", "Quartiles of the objective during the runs"}) {
    EXPECT_NE(table.out.find(part), std::string::npos) << table.out;
  }
  const Outcome csv = run_line(first_program, line + "--format csv");
  EXPECT_TRUE(csv.out.starts_with("service_rate,objective,half_width,stopped_by\n")) << csv.out;
  EXPECT_EQ(lines_of(csv.out), 2);
  EXPECT_EQ(rows_of(result_of(first_program, line), "runs").size(), 4U);
  const Folder folder;
  const std::string picture = folder / "runs.svg";
  EXPECT_EQ(run_line(first_program, line + "--picture " + picture).status, 0);
  for (const std::string part : {"quartiles", "median", "replications of each run"})
    EXPECT_NE(contents_of(picture).find(part), std::string::npos) << part;
}

TEST(OptimizeModel, GoesOnWithTheSameDecisionsAlone) {
  const Folder folder;
  const std::string more = "--checkpoint " + (folder / "kept.json") + " --every 0 --time-limit 0.5";
  const std::string line =
      "optimize mm1 --customers 20000 --final-replications 2 --minimize 'time in system' --solver adam ";
  EXPECT_EQ(run_line(first_program, line + "--over service-rate=0.6:10 " + more).status, 0);
  const std::string kept = contents_of(folder / "kept.json");
  expect_refusal(run_line(first_program, line + "--over service-rate=0.6:9 " + more),
                 "'" + (folder / "kept.json") +
                     "' is the checkpoint of another run: options.over is 'service-rate=0.6:10' in it, expected "
                     "'service-rate=0.6:9'");
  EXPECT_EQ(contents_of(folder / "kept.json"), kept);
}

TEST(OptimizeModel, ShowsATableAndALineWithTheAnswer) {
  const Outcome table = run_line(first_program, rate_of_service + "--replications 500");
  for (const std::string part :
       {"mm1: M/M/1 queue", "Minimize time in system + 0.1 * service-rate^2, by astro (chosen because",
        "at these decisions", "improvement", "No bound on the optimality gap is available."}) {
    EXPECT_NE(table.out.find(part), std::string::npos) << part;
  }
  const Outcome csv = run_line(first_program, rate_of_service + "--replications 500 --format csv");
  EXPECT_TRUE(csv.out.starts_with("service_rate,objective,half_width,stopped_by\n")) << csv.out;
  EXPECT_EQ(lines_of(csv.out), 2);
  const Json points = rows_of(result_of(first_program, rate_of_service + "--replications 500"), "points");
  EXPECT_EQ(points[0]["replications"], 0);
  EXPECT_EQ(points[0]["service_rate"], 1);
}

TEST(OptimizeModel, SearchesFromSeveralStarts) {
  const Json result = result_of(first_program, rate_of_service + "--replications 20000 --starts 5 --solver astro-df");
  EXPECT_NEAR(decided(result, "service_rate"), 2.07, 0.2);
  EXPECT_LE(result["findings"]["replications"].get<int>(), 20000);
  EXPECT_EQ(result["findings"]["starts"], 5);
}

// A decision variable without an upper bound is drawn from the distribution in --draw, so the result lies in the
// support of that distribution.
TEST(OptimizeModel, DrawsPointsFromADistribution) {
  const std::string search =
      "optimize mm1 --customers 100 --over service-rate=0.5:inf --minimize 'time in system + 0.1 * service-rate^2' ";
  const Json result = result_of(first_program, search +
                                                   "--replications 4000 --solver random-search --draw "
                                                   "'service-rate = uniform(1.8, 2.4)'");
  EXPECT_EQ(rows_of(result, "decisions")[0]["drawn_from"], "uniform(1.8, 2.4)");
  const auto rate_of = [](const Json& found) { return decided(found, "service_rate"); };
  EXPECT_NEAR(rate_of(result), 2.07, 0.2);
  const Json near = result_of(first_program, search +
                                                 "--replications 4000 --solver random-search --draw "
                                                 "'service-rate = uniform(3, 3.1)' --service-rate 4");
  EXPECT_TRUE(rate_of(near) >= 3 && rate_of(near) <= 3.1) << rate_of(near);
}

// Checks the upper confidence bound of the optimality gap, from ten batches, at the end of a search and at the start of
// a search whose budget is too small to move.
TEST(OptimizeModel, BoundsTheGap) {
  const std::string more = "--replications 5000 --final-replications 500 --gap-batches 10 ";
  const Json found = result_of(first_program, rate_of_service + more)["findings"];
  EXPECT_EQ(found["gap_batches"], 10);
  EXPECT_EQ(found["gap_batch_replications"], 504);
  EXPECT_GT(found["gap_replications"].get<int>(), 10 * 5 * 504);
  EXPECT_GT(found["gap_bound"].get<double>(), found["gap"].get<double>());
  EXPECT_LT(found["gap_bound"].get<double>(), 0.01);
  const std::string nothing = "--solver random-search --sample-size 20 --replications 20 --final-replications 200 ";
  const Json at_start = result_of(first_program, rate_of_service + nothing + "--gap-batches 10");
  EXPECT_NEAR(at_start["findings"]["gap"].get<double>(), 2.1 - 1.07, 0.1);
  EXPECT_TRUE(result_of(first_program, rate_of_service + nothing)["findings"]["gap"].is_null());
  const Outcome table = run_line(first_program, rate_of_service + nothing + "--gap-batches 10");
  EXPECT_NE(table.out.find("worse than the best decisions within these bounds, if the objective is convex, with 95 % "
                           "confidence: by 10 batches of 200 replications, each minimized separately, with "),
            std::string::npos)
      << table.out;
}

// The search ends quickly, but bounding its gap would take minutes. With large batches, each round of that computation
// takes longer than a second. A signal stops the computation, and the result is written without a gap.
TEST(OptimizeModel, WritesItsAnswerWhereTheGapIsInterrupted) {
  const std::string search = rate_of_service + "--replications 500 --solver adam --final-replications 1000 ";
  const Json whole = result_of(first_program, search);
  for (const std::string batches : {"400", "10000"}) {
    const Folder folder;
    const std::string kept = folder / "kept.json";
    const std::string line = search + "--format json --gap-batches " + batches + " --checkpoint " + kept;
    Process process(first_program, quoted_words(line));
    process.wait_for_work(0.3);
    process.send(SIGINT);
    const Outcome outcome = process.wait();
    EXPECT_EQ(outcome.status, 128 + SIGINT);
    EXPECT_TRUE(
        outcome.error.starts_with("sporos: interrupted while the gap was estimated: results are written without it"))
        << outcome.error;
    const Json result = Json::parse(outcome.out);
    EXPECT_EQ(result["stopped_by"], "replications");
    EXPECT_TRUE(result["findings"]["gap"].is_null());
    EXPECT_NE(contents_of(kept), "");  // the checkpoint is kept: a later run can bound the gap
    EXPECT_EQ(decisions_of(whole), decisions_of(result));
    EXPECT_EQ(objective_of(whole), objective_of(result));
  }
}

// In the limit of many customers, 1 / (μ − λ) + 1 / λ decreases with μ. Under μ + λ ≤ 3 and μ ≥ 1 it is smallest at
// (2.121, 0.879): with μ = 3 − λ, the derivative 2 / (3 − 2λ)² − 1 / λ² is 0 if 3 − 2λ = √2 λ.
TEST(OptimizeModel, KeepsAConstraint) {
  const std::string line =
      "optimize mm1 --customers 200 --over service-rate=1:inf --over arrival-rate=0.2:inf --minimize 'time in "
      "system' --plus '1 / arrival-rate' --replications 2500 --subject-to '";
  for (const std::string how :
       {"2 * service-rate + 2 * arrival-rate <= 6'", "service-rate = 3 - arrival_rate' --solver frank-wolfe",
        "3 >= service-rate + arrival-rate' --solver adam --gap-batches 10",
        "0 - service-rate - arrival-rate >= -3' --solver robbins-monro --gap-batches 10"}) {
    const Json result = result_of(first_program, line + how);
    const double service = decided(result, "service_rate"), arrival = decided(result, "arrival_rate");
    EXPECT_NEAR(service, 3 - 3 / (2 + std::sqrt(2)), 0.04) << how;
    EXPECT_LE(service + arrival, 3 + 1e-12) << how;
    EXPECT_GT(service + arrival, 3 - 1e-6) << how;
    EXPECT_EQ(result["settings"]["subject_to"].get<std::string>(), how.substr(0, how.find('\'')));
    EXPECT_EQ(result["findings"]["gap_by"], "frank-wolfe");
    EXPECT_EQ(result["findings"]["gap_replications"], 10 * 250);
    EXPECT_LT(result["findings"]["gap_bound"].get<double>(), 0.5) << how;
    if (how.find("--solver") != std::string::npos) continue;
    EXPECT_EQ(result["findings"]["solver"], "frank-wolfe");
    EXPECT_EQ(result["findings"]["reason"],
              "there is a constraint, and a check of the pathwise derivatives found no bias");
  }
  const Outcome table = run_line(first_program, line + "service-rate + arrival-rate <= 3'");
  for (const std::string part :
       {" subject to service-rate + arrival-rate <= 3, by ", "the Frank-Wolfe gap by 10 batches"})
    EXPECT_NE(table.out.find(part), std::string::npos) << table.out;
  EXPECT_EQ(result_of(first_program,
                      line + "service-rate + arrival-rate <= 3' --gap-batches 0 --solver spsa")["findings"]["gap"],
            Json());
}

// The solver depends on the available derivatives. M/M/c/k has no pathwise derivatives. Those of the stock-out are
// biased, because it is an indicator that jumps.
TEST(OptimizeModel, ChoosesSolversForConstraints) {
  const auto chosen = [](const std::string& line, int replications = 4000) {
    return result_of(first_program, line + " --replications " + std::to_string(replications))["findings"]["solver"]
        .get<std::string>();
  };
  const std::string staff =
      "optimize mmck --customers 20 --over service-rate=0.3:5 --minimize 'utilization' "
      "--subject-to 'service-rate <= 2'";
  EXPECT_EQ(chosen(staff), "spsa");
  EXPECT_EQ(chosen(staff + " --gradient differences"), "frank-wolfe");
  const std::string jumps =
      "optimize continuous-newsvendor --quantity 0.2 --over quantity=0.1:2 --minimize 'stock-out' --subject-to "
      "'quantity <= 1'";
  EXPECT_EQ(chosen(jumps, 40000), "spsa");
  EXPECT_TRUE(
      result_of(first_program, jumps + " --replications 40000 --solver frank-wolfe")["findings"]["gap"].is_null());
  EXPECT_EQ(chosen("optimize mm1 --customers 20 --over service-rate=1:inf --over arrival-rate=0.1:0.9 --minimize 'time "
                   "in system' --plus '0.1 * service-rate^2' --subject-to 'arrival-rate >= 0.2'"),
            "adam");
}

// Returns the SVG text that --surface writes, and checks that drawing it does not change the result.
std::string surface_of(const std::string& line) {
  const Folder folder;
  const std::string path = folder / "surface.svg";
  const Json expected = without_machine(result_of(first_program, line));
  EXPECT_EQ(without_machine(result_of(first_program, line + " --surface " + path)), expected);
  return contents_of(path);
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(OptimizeModel, DrawsTheSurface) {
  const std::vector<std::string> marks{"<svg", "recommended", "start", "end"};
  for (const std::string more : {"", "--macro-replications 3 "}) {
    const std::string picture = surface_of(rate_of_service + "--replications 500 " + more);
    expect_parts(picture, marks);
    expect_parts(picture, {"service_rate", "intervals"});
    EXPECT_EQ(picture.find("ends of all runs") == std::string::npos, more.empty());
  }
  // Integer decisions, a decision without an upper bound, and infeasible points: more servers than capacity.
  const std::string staff = "optimize mmck --customers 20 --capacity 5 --replications 500 ";
  expect_parts(surface_of(staff + "--over servers=1:8 --minimize 'servers + 20 * blocking probability'"), marks);
  const std::string map = surface_of(staff + "--over servers=1:8 --over service-rate=0.2:2 --maximize 'utilization'");
  expect_parts(map, marks);
  expect_parts(map, {"servers", "service_rate", "equal objective", "<image"});
  expect_parts(surface_of("optimize mm1 --customers 20 --over service-rate=0.6:inf --replications 500 --minimize 'time "
                          "in system' --plus '0.1 * service-rate^2'"),
               marks);
  // The objective is not a number in a part of the range that the search does not reach.
  expect_parts(surface_of("optimize mm1 --customers 20 --over service-rate=1:3 --service-rate 3 --replications 500 "
                          "--sample-size 50 --step 0.1 --minimize 'idle time + 0 * sqrt(service-rate - 1.5)' --solver "
                          "spsa"),
               marks);
}

}  // namespace optimize_model_tests
}  // namespace sporos::test
