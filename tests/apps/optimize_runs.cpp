// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize`: identical bits of repeated and of resumed runs, output, and how runs end.
#include "optimizations.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <map>
#include <string>
#include <vector>

namespace sporos::test {
namespace optimize_runs_tests {

using Names = std::vector<std::string>;

// One line for each path through the optimizer: with and without screening, one resource and several, an active set, an
// average, an estimate of the smoothness.
const Names some_lines{"portfolio --assets 50",
                       "portfolio --assets 50 --screening off",
                       "portfolio --returns " + daily_returns + " --iterations 3 --gap-tolerance 0",
                       "portfolio --returns " + daily_returns + " --days drawn --variant pairwise --momentum on",
                       "portfolio --assets 20 --region box --step-rule adaptive",
                       "newsvendor --product-count 100",
                       "newsvendor --product-count 30 --resource-count 3 --variant away-step",
                       bakery};
const std::string few = " --iterations 40 --gap-batches 0";

std::string shortened(const std::string& line) { return line + (line.find("--gap-tol") == line.npos ? few : ""); }

TEST(Backends, RepeatTheirBitsAndAgreeToRounding) {
  constexpr double tolerance = 1e-10;  // relative
  const auto numbers_of = [](const Json& report) {
    std::vector<double> numbers;
    for (const auto& point : trajectory_of(report)) {
      numbers.push_back(point["objective"].get<double>());
      numbers.push_back(point["gap"].get<double>());
    }
    for (const auto& [name, value] : solution_of(report)) numbers.push_back(value);
    return numbers;
  };
  for (const auto& line : some_lines) {
    std::vector<double> serial;
    for (const auto& program : programs()) {
      const std::string all = shortened(line) + " --epochs 3" + (program == "sporos-openmp" ? " --threads 2" : "");
      const Json report = optimized(all, program);
      EXPECT_EQ(lasting_part(report), lasting_part(optimized(all, program))) << program << ": " << line;
      const auto numbers = numbers_of(report);
      if (serial.empty()) serial = numbers;
      ASSERT_EQ(numbers.size(), serial.size()) << program << ": " << line;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        EXPECT_NEAR(numbers[i], serial[i], tolerance * std::max(1.0, std::abs(serial[i]))) << program << ": " << line;
      }
    }
  }
}

TEST(Resume, HasTheBitsOfASingleRun) {
  for (const auto& line : some_lines) {
    const Folder folder;
    const auto solution_of = [&](const std::string& arguments, const std::string& name) {
      optimized_text(arguments + " --weights " + folder / name + ".csv --save-state " + folder / name + ".json");
      return contents_of(folder / name + ".csv") + contents_of(folder / name + ".json");
    };
    const std::string whole = solution_of(shortened(line) + " --epochs 5", "whole");
    solution_of(shortened(line) + " --epochs 2", "half");
    const std::string problem = words(line)[0];
    EXPECT_EQ(solution_of(problem + " --resume " + folder / "half.json --epochs 5", "resumed"), whole) << line;
    EXPECT_NE(solution_of(problem + " --resume " + folder / "half.json --epochs 4", "less"), whole) << line;
  }
}

TEST(Trajectory, HasEveryEpochAndTheGapsThatAreDue) {
  const std::string line = "newsvendor --product-count 20 --epochs 5 --iterations 10 --gap-batch-size 50 ";
  const auto report = optimized(line + "--gap-interval 2");
  const auto& points = trajectory_of(report);
  ASSERT_EQ(points.size(), 6u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i]["epoch"], i);
    EXPECT_EQ(points[i]["iteration"], 10 * i);
    EXPECT_GE(points[i]["gap"].get<double>(), 0);
    const bool is_due = i % 2 == 0 || i + 1 == points.size();
    ASSERT_EQ(points[i]["independent_gap"].is_number(), is_due) << i;
    if (!is_due) continue;
    EXPECT_LE(points[i]["independent_gap_low"], points[i]["independent_gap"]);
    EXPECT_LE(points[i]["independent_gap"], points[i]["independent_gap_high"]);
    EXPECT_LE(points[i]["distance"], points[i]["bound"]);
  }
  EXPECT_EQ(report["settings"]["gap_batches"], 20);
  EXPECT_EQ(report["settings"]["gap_batch_size"], 50);
  for (const auto* name : {"independent_gap", "independent_gap_low", "independent_gap_high", "bound", "gap"})
    EXPECT_EQ(report["findings"][name], points.back()[name]) << name;
  EXPECT_EQ(trajectory_of(optimized(line + "--record-interval 3")).size(), 3u);  // at epochs 0 and 3, and at the end, 5
}

TEST(Csv, IsTheSolution) {
  const std::string line = "newsvendor --product-count 20 --epochs 3 --iterations 10 --gap-batch-size 50";
  const auto solution = solution_of(optimized(line));
  const auto file = io::parse_csv("csv", optimized_text(line, "csv"));
  EXPECT_EQ(file.names, (Names{"product", "quantity", "stopped_by"}));
  ASSERT_EQ(file.rows.size(), solution.size());
  for (std::size_t i = 0; i < solution.size(); ++i) {
    EXPECT_EQ(file.rows[i], (Names{solution[i].first, io::shortest_text(solution[i].second), "iterations"}));
    EXPECT_GE(std::abs(solution[i > 0 ? i - 1 : 0].second), std::abs(solution[i].second));
  }
}

TEST(Csv, OfTheTrajectoryHasEachPoint) {
  const std::string line = "newsvendor --product-count 20 --epochs 3 --iterations 10 --gap-batch-size 50";
  const auto result = optimized(line);
  const Json& points = trajectory_of(result);
  const auto file = io::parse_csv("csv", optimized_text(line + " --table trajectory", "csv"));
  ASSERT_EQ(file.rows.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(io::parse_number<double>("objective", file.rows[i][2]), points[i]["objective"].get<double>());
    const auto& upper = points[i]["independent_gap_high"];
    EXPECT_EQ(file.rows[i][7], upper.is_null() ? "" : io::shortest_text(upper.get<double>()));
  }
}

TEST(Table, SaysWhatTheGapMeans) {
  for (const auto& [line, parts] : std::vector<std::pair<std::string, Names>>{
           {"portfolio --returns " + daily_returns,
            {"portfolio: 200 assets, returns on 400 days", "risk aversion 10",
             "\nFrank-Wolfe (pairwise, exact steps) over weights of at least 0 that sum up to 1: ", "stopped by gap",
             "The objective is -0.00208198737, at most ", " above its minimum", "mean return", "standard deviation",
             "assets whose weight is not 0 "}},
           {bakery + " --epochs 3 --gap-confidence 0.9",
            {"newsvendor: 8 products", "3 resources", "samples of 100 to 174 replications, seed 1",
             "750 iterations, stopped by iterations", "With 90 % confidence it is at most ",
             "20 independent samples of 2000 replications", "oven minutes", "binding resources "}},
           {"newsvendor --product-count 3 --epochs 1 --gap-batches 0",
            {"3 products, generated instance 1", "exact minimum", "true distance from the minimum",
             "is available. Use --gap-batches"}}}) {
    const std::string table = optimized_text(line, "table");
    for (const auto& part : parts) EXPECT_NE(table.find(part), std::string::npos) << part << "\nin\n" << table;
  }
}

TEST(Help, IsThereForEveryOption) {
  const auto general = sporos("optimize --help");
  EXPECT_EQ(general.status, 0);
  EXPECT_NE(general.out.find("portfolio "), std::string::npos);
  EXPECT_NE(general.out.find("newsvendor "), std::string::npos);
  for (const std::string problem : {"portfolio", "newsvendor"}) {
    const std::string help = sporos("optimize " + problem + " --help-all").out;
    for (const std::string part : {"--variant NAME", "--step-rule NAME", "--gap-tolerance E", "--resume FILE",
                                   "--weights FILE", "vanilla, away-step, pairwise; ", "default: vanilla"}) {
      EXPECT_NE(help.find(part), std::string::npos) << part;
    }
  }
}

TEST(Weights, AreTheSolutionAndAStart) {
  const Folder folder;
  const std::string line = "portfolio --returns " + daily_returns + " --gap-tolerance 1e-6";
  const auto report = optimized(line + " --weights " + folder / "some.csv");
  const auto file = io::read_csv(folder / "some.csv");
  EXPECT_EQ(file.names, (Names{"asset", "weight"}));
  const auto solution = solution_of(report);
  const std::map<std::string, double> by_name(solution.begin(), solution.end());
  ASSERT_EQ(file.rows.size(), by_name.size());
  for (const auto& row : file.rows) EXPECT_EQ(io::parse_number<double>("weight", row[1]), by_name.at(row[0])) << row[0];
  const auto again =
      optimized(line + " --start " + folder / "some.csv" + " --weights " + folder / "all.csv --all-weights");
  EXPECT_EQ(again["findings"]["iterations"], 0);  // the gap is small enough already
  EXPECT_EQ(again["findings"]["objective"], report["findings"]["objective"]);
  EXPECT_EQ(io::read_csv(folder / "all.csv").rows.size(), 200u);
  EXPECT_EQ(folder.files(), (Names{"all.csv", "some.csv"}));
}

TEST(GapTolerance, NotReachedIsExitStatus2WithResults) {
  const auto outcome = sporos("optimize newsvendor --product-count 30 --epochs 2 --gap-tolerance 1e-6");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.out.find("500 iterations, stopped by iterations"), std::string::npos);
  EXPECT_EQ(outcome.error.find("sporos: gap tolerance not reached: the gap is "), 0u) << outcome.error;
  EXPECT_EQ(lines_of(outcome.error), 1);
}

TEST(GapTolerance, ReachedStopsByTheIndependentUpperBound) {
  const auto report = optimized("newsvendor --product-count 10 --gap-tolerance 1e3");
  EXPECT_EQ(report["stopped_by"], "gap");
  EXPECT_LE(report["findings"]["bound"], 1e3);
  EXPECT_LT(report["findings"]["iterations"], 25000);
}

TEST(TimeLimit, StopsWithResults) {
  const auto report = optimized("newsvendor --product-count 20 --epochs 100000000 --sample-growth 0 --time-limit 0.05");
  EXPECT_EQ(report["stopped_by"], "time limit");
  EXPECT_GT(report["findings"]["iterations"], 0);
}

// The asset with the best mean has a deviation whose square is too large for a double.
TEST(NotFinite, StopsAtTheLastGoodPointAndKeepsIt) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "asset,mean,deviation\ncalm,0,0.01\nwild,1e150,1e200\n");
  const auto outcome = sporos("optimize portfolio --moments sampled --format json --parameters " + path +
                              " --weights " + folder / "w.csv --save-state " + folder / "s.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.error,
            "sporos: the objective or its gradient is not finite after iteration 0, whose results are written\n");
  const auto report = Json::parse(outcome.out);
  EXPECT_EQ(report["stopped_by"], "not-finite");
  EXPECT_EQ(report["tables"]["solution"]["rows"], Json::parse(R"([{"asset": "calm", "weight": 1.0}])"));
  EXPECT_EQ(contents_of(folder / "w.csv"), "asset,weight\ncalm,1\n");
  EXPECT_EQ(Json::parse(contents_of(folder / "s.json"))["state"]["solution"], Json::parse("[1.0, 0.0]"));
}

TEST(NotFinite, AtTheStartLeavesNothing) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "asset,mean,deviation\na,0,1e200\nb,0,1e200\n");
  const auto outcome = sporos("optimize portfolio --parameters " + path + " --weights " + folder / "w.csv");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: the objective or its gradient is not finite at the start\n");
  EXPECT_EQ(folder.files(), Names{"p.csv"});
}

const std::string endless =
    "optimize newsvendor --product-count 10 --epochs 1000000000 --iterations 10 --sample-growth 0 --gap-batches 0"
    " --record-interval 100 --format json";

std::string with_files(const Folder& folder) {
  return endless + " --output " + folder / "r.json --weights " + folder / "w.csv --save-state " + folder / "s.json";
}

TEST(Kill, LeavesNoFile) {
  const Folder folder;
  Process process("sporos", words(with_files(folder)));
  process.wait_for_interruption();
  process.send(SIGKILL);
  EXPECT_EQ(process.wait().signal, SIGKILL);
  EXPECT_EQ(folder.files(), Names{});
}

TEST(Interruption, KeepsTheResultsAndCanBeResumed) {
  const Folder folder;
  Process process("sporos", words(with_files(folder)));
  process.wait_until_it_computes();
  process.send(SIGTERM);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGTERM);
  const auto report = Json::parse(contents_of(folder / "r.json"));
  EXPECT_EQ(report["stopped_by"], "interrupted");
  EXPECT_EQ(outcome.error, "sporos: interrupted after " + report["findings"]["iterations"].dump() +
                               " iterations, whose results are written\n");
  EXPECT_EQ(folder.files(), (Names{"r.json", "s.json", "w.csv"}));
  const auto epochs = report["findings"]["iterations"].get<std::int64_t>() / 10;
  const auto resumed = Json::parse(
      sporos("optimize newsvendor --format json --resume " + folder / "s.json" + " --epochs " + std::to_string(epochs))
          .out);
  EXPECT_EQ(solution_of(resumed), solution_of(report));
}

// On a terminal, the program shows a progress line and stops after Ctrl-C.
TEST(Terminal, ShowsProgressAndTakesCtrlC) {
  const Folder folder;
  std::string screen;
  EXPECT_EQ(interrupted_on_terminal(words(with_files(folder)), screen), 128 + SIGINT);
  EXPECT_NE(screen.find("\r\x1b[Knewsvendor: epoch "), std::string::npos) << screen;
  EXPECT_NE(screen.find(" of at most 1000000000, objective "), std::string::npos) << screen;
  EXPECT_NE(screen.find("\r\x1b[Ksporos: interrupted after "), std::string::npos) << screen;
}

}  // namespace optimize_runs_tests
}  // namespace sporos::test
