// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `sporos optimize`: the same bits from run to run and over a stop, what it writes, and how it ends.
#include "optimizations.hpp"

#include <sporos/core/io/csv.hpp>
#include <sporos/core/io/number.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <string>
#include <vector>

namespace sporos::test {
namespace optimize_runs_tests {

using Names = std::vector<std::string>;

// One line for each way through the optimizer: with and without screening, one resource and several, an active set, an
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
    for (const auto& point : report["trajectory"]) {
      numbers.push_back(point["objective"].get<double>());
      numbers.push_back(point["gap"].get<double>());
    }
    for (const auto& coordinate : report["solution"]) numbers.push_back(coordinate["value"].get<double>());
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
  const auto& points = report["trajectory"];
  ASSERT_EQ(points.size(), 6u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i]["epoch"], i);
    EXPECT_EQ(points[i]["iteration"], 10 * i);
    EXPECT_GE(points[i]["gap"].get<double>(), 0);
    const bool is_due = i % 2 == 0 || i + 1 == points.size();
    ASSERT_EQ(points[i]["independent_gap"].is_object(), is_due) << i;
    if (!is_due) continue;
    const auto& gap = points[i]["independent_gap"];
    EXPECT_LE(gap["lower"], gap["estimate"]);
    EXPECT_LE(gap["estimate"], gap["upper"]);
    EXPECT_EQ(gap["batches"], 20);
    EXPECT_EQ(gap["batch_size"], 50);
  }
  EXPECT_EQ(report["independent_gap"], points.back()["independent_gap"]);
  EXPECT_EQ(report["gap"], points.back()["gap"]);
  EXPECT_EQ(optimized(line + "--record-interval 3")["trajectory"].size(), 3u);  // at 0, 3 and the end, 5
}

TEST(Csv, IsTheTrajectory) {
  const std::string line = "newsvendor --product-count 20 --epochs 3 --iterations 10 --gap-batch-size 50";
  const auto points = optimized(line)["trajectory"];
  const auto file = io::parse_csv("csv", optimized_text(line, "csv"));
  EXPECT_EQ(file.names, (Names{"epoch", "iteration", "objective", "gap", "step", "independent_gap", "independent_lower",
                               "independent_upper", "seconds"}));
  ASSERT_EQ(file.rows.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(io::parse_number<double>("objective", file.rows[i][2]), points[i]["objective"].get<double>());
    const auto& gap = points[i]["independent_gap"];
    EXPECT_EQ(file.rows[i][7], gap.is_null() ? "" : io::shortest_text(gap["upper"].get<double>()));
  }
}

TEST(Table, SaysWhatTheGapMeans) {
  for (const auto& [line, parts] : std::vector<std::pair<std::string, Names>>{
           {"portfolio --returns " + daily_returns,
            {"portfolio of 200 assets, returns on 400 days", "risk aversion 10", "sum up to 1\npairwise Frank-Wolfe",
             "stopped by gap", "The objective here is at most ", "mean return", "standard deviation",
             "not 0: ", " of 200"}},
           {bakery + " --epochs 3 --gap-confidence 0.9",
            {"newsvendor of 8 products", "3 resources", "samples of 100 to 174 replications, seed 1",
             "750 iterations, stopped by iterations", "With 90 % confidence, the expected objective here is at most ",
             "20 independent samples of 2000 replications", "oven minutes", "binding: "}},
           {"newsvendor --product-count 3 --epochs 1 --gap-batches 0",
            {"instance 1 of those of paper 004", "its exact minimum", "true distance from it",
             "unknown: --gap-batches tells"}}}) {
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
  ASSERT_EQ(file.rows.size(), report["solution"].size());
  for (std::size_t i = 0; i < file.rows.size(); ++i) {
    EXPECT_EQ(file.rows[i][0], report["solution"][i]["name"].get<std::string>());
    EXPECT_EQ(io::parse_number<double>("weight", file.rows[i][1]), report["solution"][i]["value"].get<double>());
  }
  const auto again =
      optimized(line + " --start " + folder / "some.csv" + " --weights " + folder / "all.csv --all-weights");
  EXPECT_EQ(again["iterations"], 0);  // the gap is small enough already
  EXPECT_EQ(again["objective"], report["objective"]);
  EXPECT_EQ(io::read_csv(folder / "all.csv").rows.size(), 200u);
  EXPECT_EQ(folder.files(), (Names{"all.csv", "some.csv"}));
}

TEST(GapTolerance, NotReachedIsExitStatus2WithResults) {
  const auto outcome = sporos("optimize newsvendor --product-count 30 --epochs 2 --gap-tolerance 1e-6 --threads 1");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.out.find("500 iterations, stopped by iterations"), std::string::npos);
  EXPECT_EQ(outcome.error.find("sporos: gap tolerance not reached: the gap is "), 0u) << outcome.error;
  EXPECT_EQ(lines_of(outcome.error), 1);
}

TEST(GapTolerance, ReachedStopsByTheIndependentUpperBound) {
  const auto report = optimized("newsvendor --product-count 10 --gap-tolerance 1e3");
  EXPECT_EQ(report["stopped_by"], "gap");
  EXPECT_LE(report["independent_gap"]["suboptimality"]["upper"], 1e3);
  EXPECT_LT(report["iterations"], 25000);
}

TEST(TimeLimit, StopsWithResults) {
  const auto report = optimized("newsvendor --product-count 20 --epochs 100000000 --sample-growth 0 --time-limit 0.05");
  EXPECT_EQ(report["stopped_by"], "time");
  EXPECT_GT(report["iterations"], 0);
}

// A deviation whose square is no double, in an asset that has the best mean.
TEST(NotFinite, StopsAtTheLastGoodPointAndKeepsIt) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "asset,mean,deviation\ncalm,0,0.01\nwild,1e150,1e200\n");
  const auto outcome = sporos("optimize portfolio --moments sampled --threads 1 --format json --parameters " + path +
                              " --weights " + folder / "w.csv --save-state " + folder / "s.json");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.error,
            "sporos: objective or gradient are not finite beyond iteration 0, whose results are written\n");
  const auto report = Json::parse(outcome.out);
  EXPECT_EQ(report["stopped_by"], "not-finite");
  EXPECT_EQ(report["solution"], Json::parse(R"([{"name": "calm", "value": 1.0}])"));
  EXPECT_EQ(contents_of(folder / "w.csv"), "asset,weight\ncalm,1\n");
  EXPECT_EQ(Json::parse(contents_of(folder / "s.json"))["state"]["solution"], Json::parse("[1.0, 0.0]"));
}

TEST(NotFinite, AtTheStartLeavesNothing) {
  const Folder folder;
  const std::string path = folder.write("p.csv", "asset,mean,deviation\na,0,1e200\nb,0,1e200\n");
  const auto outcome = sporos("optimize portfolio --threads 1 --parameters " + path + " --weights " + folder / "w.csv");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error, "sporos: objective or gradient are not finite at the start\n");
  EXPECT_EQ(folder.files(), Names{"p.csv"});
}

const std::string endless =
    "optimize newsvendor --product-count 10 --epochs 1000000000 --iterations 10 --sample-growth 0 --gap-batches 0"
    " --threads 1 --record-interval 100 --format json";

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
  process.wait_for_interruption();
  process.send(SIGTERM);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGTERM);
  const auto report = Json::parse(contents_of(folder / "r.json"));
  EXPECT_EQ(report["stopped_by"], "interrupted");
  EXPECT_EQ(outcome.error,
            "sporos: interrupted after " + report["iterations"].dump() + " iterations, whose results are written\n");
  EXPECT_EQ(folder.files(), (Names{"r.json", "s.json", "w.csv"}));
  const auto epochs = report["iterations"].get<std::int64_t>() / 10;
  const auto resumed = Json::parse(sporos("optimize newsvendor --threads 1 --format json --resume " +
                                          folder / "s.json" + " --epochs " + std::to_string(epochs))
                                       .out);
  EXPECT_EQ(resumed["solution"], report["solution"]);
}

// On a terminal of its own: a line of progress, then Ctrl-C.
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
