// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "classifications.hpp"
#include "harness/long_tests.hpp"
#include "kept.hpp"
#include "mpirun.hpp"

#include <sporos/core/io/format.hpp>
#include <sporos/core/io/json.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

/// Tests of the command line under mpirun.
namespace sporos::test {
namespace processes_tests {

const std::string program = first_program;

Outcome run_by(int processes, const std::string& line) {
  const auto arguments = quoted_words(line);
  return processes == 0 ? run(program, arguments) : run(SPOROS_MPIRUN, under_mpirun(processes, arguments));
}

// A result without its times.
std::string timeless(const std::string& text) {
  auto json = io::Json::parse(text);
  json.erase("seconds");
  if (json.contains("run")) json["run"].erase("seconds");
  return json.dump(1);
}

void expect_same_file(const std::string& line) {
  const Folder folder;
  const auto file_of = [&](int processes) {
    const std::string path = folder / ("result-" + std::to_string(processes) + ".json");
    const Outcome outcome = run_by(processes, line + " --format json --output " + path);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.out, "");
    return timeless(contents_of(path));
  };
  const std::string separate = file_of(0);
  EXPECT_EQ(file_of(3), separate);
}

TEST(Processes, WriteTheSameFileOfFixedReplications) {
  expect_same_file("simulate mmck --replications 3001 --customers 100 --arrival-rate 3,4,5");
}

TEST(Processes, WriteTheSameFileOfSequentialStopping) {
  expect_same_file("simulate mm1 --relative-precision 0.03 --batch 100 --customers 100 --max-replications 50000");
}

TEST(Processes, WriteTheSameFileOfMorePointsThanReplications) {
  expect_same_file("simulate pi --draws 10:100:1 --replications 3");
}

TEST(Processes, WriteTheSameFileOfRunsThatShareASample) {
  expect_same_file("simulate pi --draws 10 --replications 3000 --sampling refined-descriptive --run-length 30");
}

TEST(Processes, FindTheSameBestPoint) {
  expect_same_file("simulate newsboy --quantity 20,24,28 --replications 60 --largest profit");
  expect_same_file("simulate newsboy --quantity 20,24,28 --replications 60 --compare profit --simultaneous max-t");
}

// Expects the same answer from three processes as from one, except for the times and the machine.
void expect_same_answer(const std::vector<std::string>& question) {
  std::vector<std::string> line = question;
  line.insert(line.end(), {"--format", "json"});
  const auto found = [&](int processes) {
    const Outcome outcome = processes == 0 ? run(program, line) : run(SPOROS_MPIRUN, under_mpirun(processes, line));
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    auto json = io::Json::parse(outcome.out);
    for (const auto* name : {"machine", "seconds"}) json.erase(name);
    return json.dump(1);
  };
  EXPECT_EQ(found(3), found(0)) << question.front();
}

TEST(Processes, FindTheSameRareEventsLevelsAndStrata) {
  std::vector<std::vector<std::string>> questions{
      {"rare-event", "mm1", "--chains", "50", "--runs", "3", "--event", "number in system >= 20", "--method",
       "adaptive"},
      {"rare-event", "mm1", "--customers", "1", "--replications", "4001", "--event", "time in system > 20"},
      {"multilevel", "call-options", "--rmse", "0.2", "--sampling", "sobol"},
      {"stratify", "pi", "--draws", "1", "--replications", "1003", "--strata", "1:7"},
      {"array-rqmc", "mm1", "--chain-steps", "10", "--chains", "64"},
      {"array-rqmc", "call-options", "--chain-steps", "8", "--chains", "64"},
      {"rare-event", "mm1", "--chains", "50", "--event", "number in system >= 20"},
      {"multilevel", "call-options", "--rmse", "0.2", "--response", "European call"}};
  questions.resize(runs_in_test(std::size_t{5}, questions.size()));
  for (const auto& question : questions) expect_same_answer(question);
}

// The first command line has all questions that need every observation. The second one stops at a precision of its
// quantiles.
TEST(Processes, FindTheSameDistributions) {
  expect_same_answer({"simulate", "mm1", "--customers", "20", "--arrival-rate", "0.4,0.6", "--replications", "3001",
                      "--quantiles", "0.5,0.99", "--probability", "time in system > 3", "--histogram",
                      "time in system=0:10:20", "--density", "time in system=0:8:5", "--covariances"});
  expect_same_answer({"simulate", "mm1", "--customers", "20", "--quantiles", "0.9", "--quantile-precision", "1"});
}

TEST(Processes, FindTheSameIndicesAndInputs) {
  const Folder folder;
  const std::string gaps = folder.write("gaps.csv", "gap\n1\n3\n2.5\n0.5\n4\n");
  expect_same_answer({"sensitivity", "mm1", "--customers", "5", "--uncertain", "arrival_rate=0.3:0.7", "--uncertain",
                      "service_rate=0.9:1.1", "--base-points", "64"});
  expect_same_answer({"input-uncertainty", "mm1", "--customers", "5", "--input", "service_rate=rate(" + gaps + ")",
                      "--outer-samples", "40"});
}

// The JSON of a selection contains times, but the CSV of its survivors does not.
TEST(Processes, SelectTheSameSystems) {
  const std::string line =
      "select tandem-line --warm-up 50 --over buffer-2=1:9 --over buffer-3=1:9 --sum buffer-2+buffer-3=10 --largest "
      "throughput --delta 0.3 --format csv --procedure ";
  std::vector<std::string> procedures{
      "gsp", "ocba --budget 2000", "constrained-kn --subject-to work_in_process<=8 --tolerance 0.5", "kt",
      "biz", "fbkt --budget 2000"};
  procedures.resize(runs_in_test(std::size_t{3}, procedures.size()));
  for (const std::string& procedure : procedures) {
    const Outcome separate = run_by(0, line + procedure);
    EXPECT_EQ(separate.status, 0) << separate.error;
    EXPECT_EQ(run_by(3, line + procedure).out, separate.out) << procedure;
  }
}

TEST(Processes, SelectFromTheCheckpointOfOthers) {
  const Folder folder;
  const std::string checkpoint = folder / "checkpoint";
  const std::string line =
      "select tandem-line --warm-up 50 --over buffer-2=1:9 --over buffer-3=1:9 --sum buffer-2+buffer-3=10 --largest "
      "throughput --delta 0.02 --format csv --procedure rinott";
  const Outcome separate = run_by(0, line);
  EXPECT_NE(run_by(2, line + " --every 0 --time-limit 0.05 --checkpoint " + checkpoint).out, separate.out);
  ASSERT_TRUE(std::filesystem::exists(checkpoint));
  EXPECT_EQ(run_by(3, line + " --checkpoint " + checkpoint).out, separate.out);
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

// A replication takes some 10 ms, and the second stage requires millions of them.
TEST(Processes, EndASelectionWithItsTime) {
  const Outcome outcome = run_by(2,
                                 "select tandem-line --warm-up 20000 --over buffer-2=1:3 --largest throughput --delta "
                                 "1e-5 --procedure rinott --first-stage 5 --time-limit 3");
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_NE(outcome.out.find("Stopped by time limit after "), std::string::npos) << outcome.out;
}

// Each question needs far more runs than fit into half a second. The number at `done` in the answer is less than
// `asked`.
TEST(Processes, WriteWhatThereIsAtATimeLimit) {
  struct Case {
    const char* question;
    const char* done;  // JSON pointer into the answer
    std::int64_t asked;
  };
  for (const auto& [question, done, asked] : {
           Case{"stratify mm1 --customers 1000 --strata '1:20' --replications 100000000", "/findings/replications",
                100'000'000},
           {"rare-event mm1 --event 'number in system >= 20' --method importance --pilot-replications 200 "
            "--replications 1000000000",
            "/findings/replications", 1'000'000'000},
           {"rare-event mm1 --event 'number in system >= 20' --chains 100 --runs 1000000", "/findings/runs", 1'000'000},
           {"rare-event mm1 --event 'number in system >= 20' --method adaptive --chains 100 --runs 1000000",
            "/findings/runs", 1'000'000},
           {"array-rqmc mm1 --chain-steps 10 --chains 64 --randomizations 1000000", "/findings/randomizations",
            1'000'000},
       }) {
    const Outcome outcome = run_by(2, fmt::format("{} --time-limit 0.5 --format json", question));
    ASSERT_EQ(outcome.status, 0) << question << '\n' << outcome.error;
    const auto answer = io::Json::parse(outcome.out);
    const auto count = answer.at(io::Json::json_pointer(done)).get<std::int64_t>();
    EXPECT_GT(count, 0) << question;
    EXPECT_LT(count, asked) << question;
    EXPECT_EQ(answer["stopped_by"], "time limit") << question;
  }
}

TEST(Processes, WriteTheSameFitOfSharedObservations) {
  expect_same_file(std::string("fit ") + SPOROS_SAMPLE_DATA + "/loss_given_default.csv --components 1:2 --starts 2");
}

TEST(Processes, WriteTheSameFileOfPhotons) {
  expect_same_file(std::string("simulate radiation --photons 10000 --case ") + SPOROS_SAMPLE_DATA + "/flame.json");
  expect_same_file(std::string("simulate radiation --question equilibrium --precision 4 --case ") + SPOROS_SAMPLE_DATA +
                   "/plates.json");
}

// Enough rows for processes to share them, in three parts.
std::string dense_rows() {
  constexpr std::int64_t rows = 5000, columns = 30;
  std::string text;
  for (std::int64_t j = 0; j < columns; ++j) text += fmt::format("x{},", j);
  text += "kind\n";
  for (std::int64_t i = 0; i < rows; ++i) {
    double margin = some_share(7 * i) - 0.5;
    for (std::int64_t j = 0; j < columns; ++j) {
      const double x = some_share(i * columns + j);
      margin += j % 2 == 0 ? x : -x;
      text += fmt::format("{:.4f},", x);
    }
    text += margin > 0 ? "yes\n" : "no\n";
  }
  return text;
}

const std::string some_lbfgs = "--optimizer lbfgs --iterations 12 --test-share 0.1";
const std::string some_sqn = "--iterations 4000 --record-interval 400 --test-share 0";
const std::string long_sqn = "--iterations 20000 --record-interval 2000 --test-share 0";

// Report of a classification without its times, followed by its state.
std::string classified(int processes, const Folder& folder, const std::string& line) {
  const Outcome outcome =
      run_by(processes, "optimize classification " + (folder / "rows.csv") + " " + line + " --save-state " +
                            (folder / "state.json") + " --format json --output " + (folder / "report.json"));
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  return lasting_part_of(contents_of(folder / "report.json")) + contents_of(folder / "state.json");
}

TEST(Processes, ClassifyAsOneDoes) {
  const Folder folder;
  folder.write("rows.csv", dense_rows());
  for (const auto& line : {some_lbfgs, some_sqn}) {
    EXPECT_EQ(classified(3, folder, line), classified(0, folder, line)) << line;
  }
}

TEST(Processes, GoOnFromTheCheckpointOfOtherProcesses) {
  const Folder folder;
  folder.write("rows.csv", dense_rows());
  const std::string expected = classified(0, folder, long_sqn), checkpoint = folder / "checkpoint";
  const std::string line = long_sqn + " --every 0 --checkpoint " + checkpoint;
  EXPECT_NE(classified(2, folder, line + " --time-limit 0.05"), expected);
  ASSERT_TRUE(std::filesystem::exists(checkpoint));
  EXPECT_EQ(classified(3, folder, line), expected);
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

// Stops an endless run once it has written its checkpoint.
void expect_stop(Process& launcher, const std::string& checkpoint, const std::string& report) {
  launcher.wait_for_file(checkpoint);
  send_to_processes(launcher, SIGTERM);
  const Outcome outcome = launcher.wait();
  EXPECT_EQ(outcome.status, 128 + SIGTERM) << outcome.error;
  EXPECT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
  EXPECT_EQ(io::Json::parse(contents_of(report)).at("stopped_by"), "interrupted");
  EXPECT_TRUE(std::filesystem::exists(checkpoint));
}

TEST(Processes, StopAnOptimizationTogetherWhereASignalComes) {
  const Folder folder;
  folder.write("rows.csv", dense_rows());
  const std::string report = folder / "report.json", checkpoint = folder / "checkpoint";
  Process process(SPOROS_MPIRUN, under_mpirun(3, "optimize classification " + (folder / "rows.csv") +
                                                     " --iterations 1000000000 --record-interval 100 --every 0 "
                                                     "--checkpoint " +
                                                     checkpoint + " --format json --output " + report));
  expect_stop(process, checkpoint, report);
}

TEST(Processes, FollowPhotonsFromTheCheckpointOfOthers) {
  const Folder folder;
  const std::string report = folder / "report.json", checkpoint = folder / "checkpoint";
  const std::string line = std::string("simulate radiation --question equilibrium --photons 300000 --case ") +
                           SPOROS_SAMPLE_DATA + "/plates.json --format json --output " + report;
  const auto written_by = [&](int processes, const std::string& more) {
    EXPECT_EQ(run_by(processes, line + more).status, 0);
    return lasting_part_of(contents_of(report));
  };
  const std::string expected = written_by(0, "");
  Process process(SPOROS_MPIRUN, under_mpirun(2, line + " --every 0 --checkpoint " + checkpoint));
  process.wait_for_file(checkpoint);
  ::kill(children_of(process.id()).at(1), SIGTERM);  // mpirun would send it a second later, after the run
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.status, 128 + SIGTERM) << outcome.error;
  EXPECT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
  EXPECT_NE(lasting_part_of(contents_of(report)), expected);
  ASSERT_TRUE(std::filesystem::exists(checkpoint));
  EXPECT_EQ(written_by(3, " --checkpoint " + checkpoint), expected);
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

// Report of a search without its time.
std::string searched(int processes, const Folder& folder, const std::string& line) {
  const std::string report = folder / "report.json";
  const Outcome outcome = run_by(processes, line + " --format json --output " + report);
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  EXPECT_EQ(outcome.out, "");
  auto json = io::Json::parse(contents_of(report));
  EXPECT_EQ(json.erase("seconds"), 1u);
  return json.dump(1);
}

const std::string some_search =
    "optimize mm1 --customers 100 --over service-rate=0.6:10 --minimize time_in_system/time_in_queue --plus "
    "0.1*service-rate^2 --replications 4000";

TEST(Processes, SearchAsOneDoes) {
  const Folder folder;
  std::vector<std::string> lines{
      some_search + " --solver sqn",
      some_search + " --solver adam --macro-replications 5",
      some_search + " --subject-to time_in_queue<=0.3 --macro-replications 3 --feasible-with 0.9",
      some_search + " --subject-to time_in_queue<=0.3 --solver csa --starts 3",
      "optimize mmck --customers 50 --over servers=1:20 --over service-rate=0.2:2 --minimize "
      "3*servers+40*blocking_probability --replications 2000",
      some_search,
      some_search + " --solver astro-df",
      some_search + " --solver spsa",
      some_search + " --subject-to service-rate<=1.9"};
  lines.resize(runs_in_test(std::size_t{5}, lines.size()));
  for (const std::string& line : lines) {
    EXPECT_EQ(searched(3, folder, line), searched(0, folder, line)) << line;
  }
}

TEST(Processes, SearchFromTheCheckpointOfOthers) {
  const Folder folder;
  const std::string line =
      "optimize mm1 --customers 2000 --over service-rate=0.6:10 --minimize time_in_system --plus "
      "0.1*service-rate^2 --solver adam --replications 2500 --final-replications 100";
  const std::string expected = searched(0, folder, line), checkpoint = folder / "checkpoint";
  EXPECT_NE(searched(2, folder, line + " --every 0 --time-limit 0.02 --checkpoint " + checkpoint), expected);
  ASSERT_TRUE(std::filesystem::exists(checkpoint));
  EXPECT_EQ(searched(3, folder, line + " --checkpoint " + checkpoint), expected);
  EXPECT_FALSE(std::filesystem::exists(checkpoint));
}

TEST(Processes, StopASearchTogetherWhereASignalComes) {
  const Folder folder;
  const std::string report = folder / "report.json", checkpoint = folder / "checkpoint";
  Process process(SPOROS_MPIRUN,
                  under_mpirun(3, some_search + "000000 --solver adam --every 0.1 --checkpoint " + checkpoint +
                                      " --final-replications 100 --format json --output " + report));
  expect_stop(process, checkpoint, report);
}

TEST(Processes, EndASearchTogetherWhereItFails) {
  const Outcome outcome = run_by(3, "optimize mm1 --over service-rate=0.6:10 --minimize log(0-idle_time)");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(our_lines(outcome.error),
            std::vector<std::string>{
                "sporos: the start service_rate = 1 is infeasible: the objective, a constraint or a "
                "derivative is not a finite number; 64 random points within the bounds are infeasible, too, expected "
                "other bounds or another objective"});
}

// The error lines of two processes with different command lines. A shell selects the command line by the rank, because
// mpirun of Open MPI 5.0.7 crashes if its own command line names two programs.
std::vector<std::string> lines_of_two(const std::string& first, const std::string& second) {
  const auto call_of = [](const std::string& line) {
    std::string call = "exec '" + path_of(first_program) + "'";
    for (const std::string& word : words(line)) call += " '" + word + "'";
    return call;
  };
  const std::string script = "if [ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = 0 ]; then " + call_of(first) + "; else " +
                             call_of(second) + "; fi";
  const Outcome outcome = run(SPOROS_MPIRUN, {"-n", "2", "sh", "-c", script});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  return our_lines(outcome.error);
}

TEST(Processes, RefuseDifferentOptions) {
  const std::string line = "optimize classification " + breast_cancer + " --penalty ";
  EXPECT_EQ(lines_of_two(line + "0.5", line + "0.25"),
            std::vector<std::string>{"sporos: --penalty is 0.25 on process 1, expected 0.5 as on process 0"});
  const std::string fit = std::string("fit ") + SPOROS_SAMPLE_DATA + "/loss_given_default.csv --components 1:3";
  EXPECT_EQ(lines_of_two(fit + " --starts 2", fit + " --starts 4"),
            std::vector<std::string>{"sporos: --starts is 4 on process 1, expected 2 as on process 0"});
  EXPECT_EQ(lines_of_two(fit + " --bayesian", fit),
            std::vector<std::string>{"sporos: --bayesian is not given on process 1, expected given as on process 0"});
}

TEST(Processes, RefuseDifferentSearches) {
  const std::string line = "optimize mm1 --minimize time_in_queue --over service-rate=";
  EXPECT_EQ(lines_of_two(line + "1:2", line + "1:3"),
            std::vector<std::string>{
                "sporos: --over is service-rate=1:3 on process 1, expected service-rate=1:2 as on process 0"});
}

TEST(Processes, RefuseBadInputInOneLine) {
  const Outcome outcome = run_by(3, "simulate pi --replications -1");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  ASSERT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
  EXPECT_EQ(our_lines(outcome.error)[0].substr(0, 30), "sporos: --replications is '-1'");
}

TEST(Processes, RefuseToWriteToAFileThatTheyRead) {
  const Folder folder;
  const std::string contents = "x\n1\n2\n3\n", path = folder.write("data.csv", contents);
  const Outcome outcome = run(SPOROS_MPIRUN, under_mpirun(2, {"fit", path, "--output", path}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(our_lines(outcome.error),
            std::vector<std::string>{"sporos: --output is '" + path + "', which DATA reads: expected another file"});
  EXPECT_EQ(contents_of(path), contents);
}

TEST(Processes, RefuseAFileThatCannotBeWrittenInOneLine) {
  const Outcome outcome = run_by(3, "simulate pi --output /no/such/folder/file");
  EXPECT_EQ(outcome.status, 2);
  ASSERT_EQ(our_lines(outcome.error).size(), 1u) << outcome.error;
}

TEST(Processes, RefuseDifferentPlans) {
  EXPECT_EQ(lines_of_two("simulate pi --seed 1", "simulate pi --seed 2"),
            std::vector<std::string>{"sporos: seed is 2 on process 1, expected 1 as on process 0"});
}

TEST(Processes, EndWithinSecondsWhereOneDies) {
  using namespace std::chrono_literals;
  const Folder folder;
  Process process(SPOROS_MPIRUN,
                  under_mpirun(3, "simulate mmck --replications 1000000000000 --output " + (folder / "result")));
  const auto children = awaited_children_of(process.id(), 3);
  ASSERT_EQ(children.size(), 3u);
  std::this_thread::sleep_for(1s);
  const auto begin = std::chrono::steady_clock::now();
  ::kill(children[1], SIGKILL);
  const Outcome outcome = process.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.error.find("signal 9"), std::string::npos) << outcome.error;
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace processes_tests
}  // namespace sporos::test
